extension XMLPlainScanner {
    /// Skips white space and returns whether there was any.
    ///
    /// The document must not end here.
    @inline(__always)
    private mutating func skipSpace(_ bytes: Span<UInt8>, _ place: inout Int) throws(Refusal) -> Bool {
        let start = place
        while place < bytes.count {
            let byte = bytes[place]
            guard byte <= 0x20 else { return place > start }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            if byte == 0x0A { line += 1 }
            place += 1
        }
        throw Refusal()
    }

    mutating func scanStartTag(_ bytes: Span<UInt8>) throws(Refusal) {
        let start = index
        let range = (start + 1)..<bytes.nameEnd(from: start + 1)
        guard let name = names.number(bytes, range), !(open.isEmpty && hasRoot) else { throw Refusal() }
        var place = range.upperBound
        let bindingCount = names.bindingCount
        tagBindingCount = bindingCount
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        if !values.isEmpty { values.removeAll(keepingCapacity: true) }
        if !tagNames.isEmpty { tagNames.removeAll(keepingCapacity: true) }
        while true {
            let hasSpace = try skipSpace(bytes, &place)
            let byte = bytes[place]
            if byte == UInt8(ascii: ">") { break }
            if byte == UInt8(ascii: "/") {
                place += 1
                guard place < bytes.count, bytes[place] == UInt8(ascii: ">") else { throw Refusal() }
                isEmptyTag = true
                break
            }
            guard hasSpace else { throw Refusal() }
            try scanAttribute(bytes, &place)
        }
        index = place + 1
        guard index - start <= limits.tagLength, 4 * (names.count + names.bindingCount) <= limits.nameCount,
            let element = names.element(name)
        else { throw Refusal() }
        self.element = element
        elementCount += 1
        guard open.count < limits.depth, elementCount <= limits.elementCount,
            tagNames.count <= limits.attributeCount, names.bindingCount <= limits.namespaceCount
        else { throw Refusal() }
        if !tagNames.isEmpty { try checkAttributes() }
        hasRoot = true
        if !isEmptyTag {
            open.append(OpenElement(start: range.lowerBound, end: range.upperBound, bindingCount: bindingCount))
        }
    }

    private mutating func scanAttribute(_ bytes: Span<UInt8>, _ place: inout Int) throws(Refusal) {
        let range = place..<bytes.nameEnd(from: place)
        guard let name = names.number(bytes, range) else { throw Refusal() }
        place = range.upperBound
        _ = try skipSpace(bytes, &place)
        guard bytes[place] == UInt8(ascii: "=") else { throw Refusal() }
        place += 1
        _ = try skipSpace(bytes, &place)
        let quote = bytes[place]
        guard quote == 0x22 || quote == 0x27 else { throw Refusal() }
        place += 1
        let value = try scanValue(bytes, &place, quote: quote)
        place += 1
        switch names.kind(name) {
        case .usual:
            guard tagNames.count < Self.attributeLimit else { throw Refusal() }
            tagNames.append(name)
            // Its prefix may be declared later in the tag, so it is checked at the end.
            attributes.append(XMLContent.Attribute(name: names.attribute(name), value: value))
        case .defaultNamespace, .namespace:
            let prefix = names.kind(name) == .namespace ? names.local(name) : ""
            try declare(prefix, bytesOfValue(value, bytes))
        case .reserved: throw Refusal()
        }
    }

    /// Scans to the end of a value and returns its range: in the document, or beyond its end if it has references.
    private mutating func scanValue(
        _ bytes: Span<UInt8>, _ place: inout Int, quote: UInt8
    ) throws(Refusal) -> Range<Int> {
        let start = place
        // The start of the composed bytes, if there are any.
        var first: Int?
        var piece = place
        while true {
            place = bytes.plainValueEnd(from: place, quote: quote)
            guard place < bytes.count else { throw Refusal() }
            let byte = bytes[place]
            if byte == quote { break }
            if byte == UInt8(ascii: "&") {
                first = first ?? values.count
                values.append(bytes.extracting(piece..<place))
                index = place
                values.append(contentsOf: try reference(bytes))
                place = index
                piece = index
                continue
            }
            // White space other than spaces would have to be normalised.
            guard byte >= 0x80, let length = bytes.characterLength(at: place) else { throw Refusal() }
            place += length
        }
        guard let first else { return start..<place }
        values.append(bytes.extracting(piece..<place))
        return (bytes.count + first)..<(bytes.count + values.count)
    }

    /// Returns the bytes of a value.
    mutating func bytesOfValue(_ value: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
        guard value.lowerBound < bytes.count else {
            return Array(values[(value.lowerBound - bytes.count)..<(value.upperBound - bytes.count)])
        }
        var result: [UInt8] = []
        result.append(bytes.extracting(value))
        return result
    }

    /// Checks for duplicate attributes and undeclared prefixes.
    private mutating func checkAttributes() throws(Refusal) {
        for place in tagNames.indices {
            let name = tagNames[place]
            guard names.isDeclared(name) else { throw Refusal() }
            for before in 0..<place where names.mayBeSame(name, tagNames[before]) { throw Refusal() }
        }
    }

    /// Declares a namespace.
    private mutating func declare(_ prefix: String, _ address: [UInt8]) throws(Refusal) {
        let isURN = address.starts(with: "urn:".utf8)
        guard isURN || address.starts(with: "http://".utf8) || address.starts(with: "https://".utf8) else {
            throw Refusal()
        }
        let rest = address.drop { $0 != UInt8(ascii: ":") }.dropFirst(isURN ? 1 : 3)
        let marks = Array((isURN ? "-._~/:" : "-._~/").utf8)
        // For other forms of URIs the system's parser may report a warning.
        let isUsual = rest.dropLast(rest.last == UInt8(ascii: "#") ? 1 : 0).allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || marks.contains(byte)
        }
        let text = String(decoding: address, as: UTF8.self)
        guard isUsual, let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":"),
            !Self.ownNamespaces.contains(text), names.bind(prefix, to: text, unlessBoundSince: tagBindingCount)
        else { throw Refusal() }
    }

    private static let ownNamespaces = ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"]

    mutating func scanEndTag(_ bytes: Span<UInt8>) throws(Refusal) {
        guard !open.isEmpty else { throw Refusal() }
        let element = open.removeLast()
        let first = index + 2, count = element.end - element.start
        guard first + count < bytes.count, bytes.isSame(first, element.start, count: count) else { throw Refusal() }
        var place = first + count
        _ = try skipSpace(bytes, &place)
        guard bytes[place] == UInt8(ascii: ">") else { throw Refusal() }
        index = place + 1
        names.unbind(to: element.bindingCount)
    }
}

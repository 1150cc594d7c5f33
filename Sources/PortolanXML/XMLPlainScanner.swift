/// Reads the documents that need no more than elements, attributes and text.
///
/// They are UTF-8 without a document type, all prefixes declared, no names beyond ASCII, as most large ones are.
/// Whatever else it meets, a fault too, it refuses without a word: then the system's parser reads the document from its beginning
/// and decides what is wrong with it. So it never has to say where an error is, and must only not read what that would refuse.
struct XMLPlainScanner {
    /// The end of the reading: the document is no plain one, or its handler refuses it.
    struct Refusal: Error {}

    private struct OpenElement {
        let name: Int
        /// Where its name stands.
        let range: Range<Int>
        /// How many namespaces are in scope outside of it.
        let bindingCount: Int
    }

    /// The most attributes of a tag, each of which is compared with the others.
    private static let attributeLimit = 64
    private let accountant: XMLAccountant
    private let limits: XMLLimits
    private let values = XMLAttributeValues()
    private var names = XMLPlainNames()
    private var open: [OpenElement] = []
    /// The names of the attributes of the tag that is read, and how many namespaces are in scope before it.
    private var tagNames: [Int] = []
    private var tagBindingCount = 0
    private var hasRoot = false
    private var index: Int
    private var line: Int

    init(_ input: XMLInput, into accountant: XMLAccountant, limits: XMLLimits) {
        self.accountant = accountant
        self.limits = limits
        index = input.start
        line = input.firstLine
    }

    /// Reads the whole document.
    mutating func scan(_ bytes: Span<UInt8>) throws(Refusal) {
        try skipDeclaration(bytes)
        while true {
            try scanText(bytes)
            guard index < bytes.count else { break }
            guard index + 1 < bytes.count else { throw Refusal() }
            switch bytes[index + 1] {
            case UInt8(ascii: "/"): try scanEndTag(bytes)
            case UInt8(ascii: "!"): try scanMark(bytes)
            case UInt8(ascii: "?"): throw Refusal()
            default: try scanStartTag(bytes)
            }
        }
        guard open.isEmpty, hasRoot else { throw Refusal() }
    }

    /// Goes over `<?xml version="1.0" encoding="UTF-8"?>`, or one that leaves out the encoding.
    private mutating func skipDeclaration(_ bytes: Span<UInt8>) throws(Refusal) {
        guard starts(bytes, at: index, "<?xml ") else { return }
        var end = index + 6
        while end + 1 < bytes.count, end < index + 128, bytes[end] != UInt8(ascii: "?") {
            if bytes[end] == 0x0A { line += 1 }
            end += 1
        }
        guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "?"), bytes[end + 1] == UInt8(ascii: ">") else {
            throw Refusal()
        }
        var text: [UInt8] = []
        text.append(bytes.extracting((index + 6)..<end))
        let words = text.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }.map {
            String(decoding: $0, as: UTF8.self)
        }
        let known = [["version=1.0"], ["encoding=UTF-8", "encoding=utf-8"], ["standalone=yes", "standalone=no"]]
        let areKnown = zip(words, known).allSatisfy { word, known in
            known.contains { word == Self.quoted($0, "\"") || word == Self.quoted($0, "'") }
        }
        guard (1...3).contains(words.count), areKnown else { throw Refusal() }
        index = end + 2
    }

    /// A name and a value, with marks about the value.
    private static func quoted(_ pair: String, _ mark: String) -> String {
        pair.replacing("=", with: "=" + mark) + mark
    }

    private func starts(_ bytes: Span<UInt8>, at place: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            // As many bytes of either as were counted.
            for offset in 0..<count where unsafe wanted[offset] != bytes[place + offset] { return false }
            return true
        }
    }

    // MARK: Tags

    /// Where the name that begins at a place ends.
    @inline(__always)
    private func nameEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            // Letters, digits, point, hyphen, colon and low line.
            let low: UInt64 = 0x07FF_6000_0000_0000, high: UInt64 = 0x07FF_FFFE_87FF_FFFE
            guard byte < 0x80, (byte < 0x40 ? low : high) &>> UInt64(byte & 0x3F) & 1 != 0 else { break }
            place += 1
        }
        return place
    }

    /// Goes over white space and tells whether there was any; the end of the document is no place for it.
    @inline(__always)
    private mutating func skipSpace(_ bytes: Span<UInt8>) throws(Refusal) -> Bool {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            guard byte <= 0x20 else { return index > start }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            if byte == 0x0A { line += 1 }
            index += 1
        }
        throw Refusal()
    }

    private mutating func scanStartTag(_ bytes: Span<UInt8>) throws(Refusal) {
        let start = index
        let range = (start + 1)..<nameEnd(bytes, from: start + 1)
        guard let name = names.number(bytes, range), !(open.isEmpty && hasRoot) else { throw Refusal() }
        index = range.upperBound
        values.removeAll()
        tagNames.removeAll(keepingCapacity: true)
        let bindingCount = names.bindingCount
        tagBindingCount = bindingCount
        var isEmpty = false
        while true {
            let hasSpace = try skipSpace(bytes)
            let byte = bytes[index]
            if byte == UInt8(ascii: ">") { break }
            if byte == UInt8(ascii: "/") {
                index += 1
                guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { throw Refusal() }
                isEmpty = true
                break
            }
            guard hasSpace else { throw Refusal() }
            try scanAttribute(bytes)
        }
        index += 1
        let declared = names.bindingCount - bindingCount
        guard index - start <= limits.tagLength, 4 * (names.count + names.bindingCount) <= limits.nameCount,
            let element = names.element(name)
        else { throw Refusal() }
        try checkAttributes()
        hasRoot = true
        do {
            try accountant.admit(attributeCount: tagNames.count, namespaceCount: declared, line: line)
            try accountant.startElement(XMLStartTag(qualifiedName: element, line: line, values: values))
            if isEmpty { try accountant.endElement() }
        } catch { throw Refusal() }
        if isEmpty {
            names.unbind(to: bindingCount)
        } else {
            open.append(OpenElement(name: name, range: range, bindingCount: bindingCount))
        }
    }

    private mutating func scanAttribute(_ bytes: Span<UInt8>) throws(Refusal) {
        let range = index..<nameEnd(bytes, from: index)
        guard let name = names.number(bytes, range) else { throw Refusal() }
        index = range.upperBound
        _ = try skipSpace(bytes)
        guard bytes[index] == UInt8(ascii: "=") else { throw Refusal() }
        index += 1
        _ = try skipSpace(bytes)
        let quote = bytes[index]
        guard quote == 0x22 || quote == 0x27 else { throw Refusal() }
        index += 1
        let start = values.byteCount
        var piece = index
        while true {
            guard index < bytes.count else { throw Refusal() }
            let byte = bytes[index]
            if byte == quote { break }
            if byte == UInt8(ascii: "&") {
                values.append(bytes.extracting(piece..<index))
                values.append(try reference(bytes))
                piece = index
                continue
            }
            // Other white space than blanks would become blanks.
            guard byte >= 0x20, byte != UInt8(ascii: "<") else { throw Refusal() }
            guard let length = byte < 0x80 ? 1 : bytes.characterLength(at: index) else { throw Refusal() }
            index += length
        }
        values.append(bytes.extracting(piece..<index))
        index += 1
        switch names.kind(name) {
        case .usual:
            guard tagNames.count < Self.attributeLimit else { throw Refusal() }
            tagNames.append(name)
            // Its prefix may be declared behind it: that is checked at the end of the tag.
            values.end(names.attribute(name), from: start)
        case .defaultNamespace, .namespace:
            let prefix = names.kind(name) == .namespace ? names.local(name) : ""
            try declare(prefix, from: start)
        case .reserved: throw Refusal()
        }
    }

    /// Looks for attributes that are there twice and for prefixes that are not declared.
    private func checkAttributes() throws(Refusal) {
        for (place, name) in tagNames.enumerated() {
            guard names.isDeclared(name) else { throw Refusal() }
            for other in tagNames[..<place] where names.mayBeSame(name, other) { throw Refusal() }
        }
    }

    /// Declares a namespace whose address begins at a place of the values.
    private mutating func declare(_ prefix: String, from start: Int) throws(Refusal) {
        let address = values.bytes[start...]
        let isURN = address.starts(with: "urn:".utf8)
        guard isURN || address.starts(with: "http://".utf8) || address.starts(with: "https://".utf8) else {
            throw Refusal()
        }
        let rest = address.drop { $0 != UInt8(ascii: ":") }.dropFirst(isURN ? 1 : 3)
        let marks = Array((isURN ? "-._~/:" : "-._~/").utf8)
        // An address of another form may be one that the system's parser warns of.
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

    private mutating func scanEndTag(_ bytes: Span<UInt8>) throws(Refusal) {
        guard let element = open.popLast() else { throw Refusal() }
        let first = index + 2, count = element.range.count
        guard first + count < bytes.count else { throw Refusal() }
        var offset = 0
        while offset + 8 <= count {
            guard bytes.word(at: first + offset) == bytes.word(at: element.range.lowerBound + offset) else {
                throw Refusal()
            }
            offset += 8
        }
        while offset < count {
            guard bytes[first + offset] == bytes[element.range.lowerBound + offset] else { throw Refusal() }
            offset += 1
        }
        index = first + count
        _ = try skipSpace(bytes)
        guard bytes[index] == UInt8(ascii: ">") else { throw Refusal() }
        index += 1
        do { try accountant.endElement() } catch { throw Refusal() }
        names.unbind(to: element.bindingCount)
    }

    /// Goes over a comment or a section of text.
    private mutating func scanMark(_ bytes: Span<UInt8>) throws(Refusal) {
        let start = index
        if starts(bytes, at: index, "<!--") {
            index += 4
            var hyphens = 0
            while true {
                guard index < bytes.count, index - start < 1 << 20 else { throw Refusal() }
                let byte = bytes[index]
                if hyphens == 2 {
                    guard byte == UInt8(ascii: ">") else { throw Refusal() }
                    index += 1
                    return
                }
                hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
                try skipCharacter(bytes)
            }
        }
        guard starts(bytes, at: index, "<![CDATA["), !open.isEmpty else { throw Refusal() }
        index += 9
        let first = index
        while true {
            guard index + 2 < bytes.count else { throw Refusal() }
            let byte = bytes[index]
            if byte == UInt8(ascii: "]"), bytes[index + 1] == byte, bytes[index + 2] == UInt8(ascii: ">") { break }
            try skipCharacter(bytes)
        }
        // Both bytes that end a line are kept, as libxml2 does here.
        try tell(bytes, first..<index)
        index += 3
    }

    // MARK: Text

    /// Goes over text to the next tag or the end, and tells it.
    private mutating func scanText(_ bytes: Span<UInt8>) throws(Refusal) {
        var piece = index
        while index < bytes.count {
            index = bytes.plainTextEnd(from: index)
            guard index < bytes.count else { break }
            switch bytes[index] {
            case UInt8(ascii: "<"):
                return try tell(bytes, piece..<index)
            case UInt8(ascii: "&"):
                try tell(bytes, piece..<index)
                let text = try reference(bytes)
                guard !open.isEmpty else { throw Refusal() }
                do { try accountant.text(text.span) } catch { throw Refusal() }
                piece = index
            case UInt8(ascii: ">"):
                guard index < piece + 2 || bytes[index - 1] != UInt8(ascii: "]") else { throw Refusal() }
                index += 1
            case 0x0D:
                // Of the two bytes that end a line the first is no text.
                try tell(bytes, piece..<index)
                piece = index + 1
                try skipCharacter(bytes)
            default: try skipCharacter(bytes)
            }
        }
        try tell(bytes, piece..<index)
    }

    /// Tells some text; outside of the outermost element there must be none but white space.
    private func tell(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) {
        guard !range.isEmpty else { return }
        guard open.isEmpty else {
            do { try accountant.text(bytes.extracting(range)) } catch { throw Refusal() }
            return
        }
        for place in range where ![0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { throw Refusal() }
    }

    /// Goes over a character that XML allows (clause 2.2), a line's end too.
    private mutating func skipCharacter(_ bytes: Span<UInt8>) throws(Refusal) {
        switch bytes[index] {
        case 0x20..<0x80, 0x09: index += 1
        case 0x0A:
            line += 1
            index += 1
        case 0x0D:
            // One alone would become the other.
            guard index + 1 < bytes.count, bytes[index + 1] == 0x0A else { throw Refusal() }
            index += 1
        case 0x80...:
            guard let length = bytes.characterLength(at: index) else { throw Refusal() }
            index += length
        default: throw Refusal()
        }
    }

    /// The text that a reference to a character or to one of the five entities of XML stands for; goes behind it.
    private mutating func reference(_ bytes: Span<UInt8>) throws(Refusal) -> [UInt8] {
        var name: [UInt8] = []
        index += 1
        while true {
            guard index < bytes.count, name.count < 10 else { throw Refusal() }
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ";") { break }
            name.append(byte)
        }
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [0x22]
        case "apos": return [0x27]
        case let text where text.first == "#":
            let isHex = text.dropFirst().first == "x"
            let digits = text.dropFirst(isHex ? 2 : 1)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || isHex && (0x41...0x46).contains($0 & 0xDF) }),
                let value = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
                scalar.isAllowedInXML
            else { throw Refusal() }
            return Array(String(scalar).utf8)
        default: throw Refusal()
        }
    }
}

import PortolanWeb

/// A truncated document, for example from a receiver with an empty battery or an aborted download.
struct XMLCutDocument {
    /// The document up to its last complete word, with end tags for the open elements.
    let bytes: [UInt8]
    /// The warning about the missing rest.
    let warning: MapWarning

    /// The maximum depth of elements to close.
    private static let depthLimit = 256

    /// Closes the elements of a document that ends within its root element, or returns `nil` if it does not or has no
    /// complete element.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    init?(closing source: [UInt8]) {
        var open: [ArraySlice<UInt8>] = [], place = 0, end = source.count, textStart = 0, hasWhole = false
        while place < source.count {
            guard source[place] == UInt8(ascii: "<") else {
                place = source[place...].firstIndex(of: UInt8(ascii: "<")) ?? source.count
                continue
            }
            let construct = XMLConstruct(in: source, at: place)
            // The first byte of markup, or a `<` that does not begin markup.
            if construct.kind == .none, construct.end < source.count { return nil }
            guard Self.isWhole(construct, source[place..<construct.end]) else {
                end = place
                break
            }
            switch construct.kind {
            case .startTag(isEmpty: false): open.append(Self.name(source[(place + 1)..<construct.end]))
            case .endTag:
                guard open.popLast() == Self.name(source[(place + 2)..<construct.end]), !open.isEmpty else {
                    return nil
                }
                hasWhole = true
            case .startTag(isEmpty: true): hasWhole = true
            case .none, .declaration, .instruction, .comment, .characterData, .documentType: break
            }
            guard open.count <= Self.depthLimit else { return nil }
            place = construct.end
            textStart = place
        }
        guard !open.isEmpty else { return nil }
        // The last word of the text may be incomplete.
        if end == source.count {
            end = source[textStart...].lastIndex { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? textStart
        }
        // Nothing is kept if no element or text is complete.
        guard hasWhole || source[min(textStart, end)..<end].contains(where: { $0 > 0x20 }) else { return nil }
        var closed = Array(source[..<end])
        for name in open.reversed() { closed += [0x3C, 0x2F] + name + [0x3E] }
        bytes = closed
        let line = source[..<end].count { $0 == 0x0A } + 1
        warning = MapWarning(
            .markup, MapWarning.Subject(), at: MapWarning.Place(line: line), effect: .omitted,
            message: "the document ends before its root element is closed; the rest is missing")
    }

    private static func isWhole(_ construct: XMLConstruct, _ bytes: ArraySlice<UInt8>) -> Bool {
        switch construct.kind {
        case .none: false
        case .comment: bytes.count >= 7 && bytes.suffix(3) == [0x2D, 0x2D, 0x3E]
        case .characterData: bytes.suffix(3) == [0x5D, 0x5D, 0x3E]
        case .declaration, .instruction, .documentType, .startTag, .endTag: bytes.last == 0x3E
        }
    }

    private static func name(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    }
}

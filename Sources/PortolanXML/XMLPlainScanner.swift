/// A fast scanner for plain documents, which have only elements, attributes and text.
///
/// Plain documents are in UTF-8 and have no document type, no undeclared prefixes and no non-ASCII names, like most
/// large documents. In all other cases, including errors, the scanner refuses the document without a reason, and the
/// system's parser reads it from the start and reports errors. The scanner therefore needs no error positions, and only
/// must not accept what that parser would reject.
package struct XMLPlainScanner: ~Copyable, XMLTag {
    /// The end of scanning: the document is not plain, or its handler refuses it.
    package struct Refusal: Error {
        package init() {}
    }

    /// A piece of a document.
    package enum Piece {
        /// The start of an element: see ``element`` and the attributes.
        case start
        /// Text inside the innermost open element: see ``text``.
        case text
        /// Text inside the innermost open element from a reference: see ``character``.
        case character
        /// The end of the innermost open element.
        case end
        /// The end of the document.
        case finish
    }

    struct OpenElement: BitwiseCopyable {
        /// The range of its name.
        let start: Int
        let end: Int
        /// The number of namespaces in scope outside of it.
        let bindingCount: Int
    }

    /// The maximum number of attributes per tag, each of which is compared with the others.
    static let attributeLimit = 64
    let limits: XMLLimits
    var names: XMLPlainNames
    var open: [OpenElement] = []
    var elementCount = 0
    /// The names of the attributes of the current tag, and the number of namespaces in scope before it.
    var tagNames: [Int] = []
    var tagBindingCount = 0
    var hasRoot = false
    /// Whether the last tag is an empty-element tag, whose end has not been reported yet.
    var isEmptyTag = false
    var index: Int

    /// The line of the end of the last piece, starting at 1.
    package internal(set) var line: Int
    /// The index of the meaning of the current element name.
    var element = 0
    /// The attributes of the current element; their values are ranges of the document or, beyond its end, of
    /// ``values``.
    var attributes: [XMLContent.Attribute] = []
    /// The values that differ from the text of the document.
    var values: [UInt8] = []
    /// The range of the last text in the document.
    package internal(set) var text = 0..<0
    /// The character of the last reference, in UTF-8.
    package internal(set) var character: [UInt8] = []

    init(_ input: XMLInput, limits: XMLLimits, vocabulary: XMLVocabulary?) {
        self.limits = limits
        names = XMLPlainNames(vocabulary: vocabulary)
        index = input.start
        line = input.firstLine
    }

    /// Scans the next piece of the document.
    package mutating func next(_ bytes: Span<UInt8>) throws(Refusal) -> Piece {
        if isEmptyTag {
            isEmptyTag = false
            names.unbind(to: tagBindingCount)
            return .end
        }
        var start = index, place = index
        // Most text between tags is white space.
        place = bytes.blankEnd(from: place, lines: &line)
        while true {
            place = bytes.plainTextEnd(from: place)
            let byte = place < bytes.count ? bytes[place] : UInt8(ascii: "<")
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: "&"):
                if place > start, try isText(bytes, start..<place) {
                    index = place
                    return .text
                }
                guard place < bytes.count else {
                    guard open.isEmpty, hasRoot else { throw Refusal() }
                    return .finish
                }
                index = place
                if byte == UInt8(ascii: "&") {
                    guard !open.isEmpty else { throw Refusal() }
                    character = try reference(bytes)
                    return .character
                }
                guard place + 1 < bytes.count else { throw Refusal() }
                switch bytes[place + 1] {
                case UInt8(ascii: "/"):
                    try scanEndTag(bytes)
                    return .end
                case UInt8(ascii: "!"):
                    if try scanMark(bytes) { return .text }
                    start = index
                    place = index
                case UInt8(ascii: "?"): throw Refusal()
                default:
                    try scanStartTag(bytes)
                    return .start
                }
            case UInt8(ascii: ">"):
                guard place < start + 2 || bytes[place - 1] != UInt8(ascii: "]") else { throw Refusal() }
                place += 1
            case 0x0D:
                // The first byte of a two-byte line end is not text.
                if place > start, try isText(bytes, start..<place) {
                    index = place
                    return .text
                }
                start = place + 1
                try skipCharacter(bytes, &place)
            default: try skipCharacter(bytes, &place)
            }
        }
    }

    /// The name of the current element.
    package var qualifiedName: XMLName { mutating get { names.meanings[element] } }

    /// Returns the number of its local name in a vocabulary, which must be that of the reader.
    package mutating func code(in vocabulary: XMLVocabulary) -> UInt8 { names.codes[element] }

    /// Returns the value of its first attribute with a local name and any prefix, or `nil`.
    package mutating func attribute(_ name: String, of document: Span<UInt8>) -> String? {
        guard let place = place(of: name) else { return nil }
        return String(decoding: bytesOfValue(attributes[place].value, document), as: UTF8.self)
    }

    /// Calls `body` with the UTF-8 bytes of that value, or returns `nil` without one.
    package mutating func withAttribute<Result>(
        _ name: String, of document: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        guard let place = place(of: name) else { return nil }
        let value = attributes[place].value
        if value.lowerBound < document.count { return body(document.extracting(value)) }
        let bytes = bytesOfValue(value, document)
        return body(bytes.span)
    }

    private mutating func place(of name: String) -> Int? {
        for place in attributes.indices where names.meanings[Int(attributes[place].name)].local == name { return place }
        return nil
    }

    /// Returns the tag of the current element, with its attributes in `values`.
    mutating func tag(_ bytes: Span<UInt8>, _ values: XMLAttributeValues) -> XMLStartTag {
        if values.count > 0 { values.removeAll() }
        for attribute in attributes {
            let name = names.meanings[Int(attribute.name)]
            if attribute.value.lowerBound < bytes.count {
                values.add(name, bytes.extracting(attribute.value))
            } else {
                let value = bytesOfValue(attribute.value, bytes)
                values.add(name, value.span)
            }
        }
        return XMLStartTag(
            qualifiedName: names.meanings[element], line: line, values: values, code: names.codes[element])
    }

    /// Stores some text.
    ///
    /// Outside of the root element it returns `false`, and only white space is allowed.
    @inline(__always)
    private mutating func isText(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> Bool {
        guard open.isEmpty else {
            text = range
            return true
        }
        for place in range where ![0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { throw Refusal() }
        return false
    }
}

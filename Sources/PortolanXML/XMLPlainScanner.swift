/// Reads the documents that need no more than elements, attributes and text, one piece after the other.
///
/// They are UTF-8 without a document type, all prefixes declared, no names beyond ASCII, as most large ones are.
/// Whatever else it meets, a fault too, it refuses without a word: then the system's parser reads the document from its beginning
/// and decides what is wrong with it. So it never has to say where an error is, and must only not read what that would refuse.
package struct XMLPlainScanner: ~Copyable, XMLTag {
    /// The end of the reading: the document is no plain one, or its handler refuses it.
    package struct Refusal: Error {
        package init() {}
    }

    /// A piece of a document.
    package enum Piece {
        /// An element begins: ``element`` and the attributes tell which.
        case start
        /// Text inside the innermost open element, which lies in ``text``.
        case text
        /// Such text that a reference stands for: ``character``.
        case character
        /// The innermost open element ends.
        case end
        /// There is no more.
        case finish
    }

    struct OpenElement: BitwiseCopyable {
        /// Where its name stands.
        let start: Int
        let end: Int
        /// How many namespaces are in scope outside of it.
        let bindingCount: Int
    }

    /// The most attributes of a tag, each of which is compared with the others.
    static let attributeLimit = 64
    let limits: XMLLimits
    var names: XMLPlainNames
    var open: [OpenElement] = []
    var elementCount = 0
    /// The names of the attributes of the tag that is read, and how many namespaces are in scope before it.
    var tagNames: [Int] = []
    var tagBindingCount = 0
    var hasRoot = false
    /// Whether the last tag is that of an element without content, whose end was not told yet.
    var isEmptyTag = false
    var index: Int

    /// The line of the last piece's end, from 1.
    package internal(set) var line: Int
    /// The number of the meaning of the name of the element that has begun.
    var element = 0
    /// Its attributes; their values are ranges of the document or, behind its end, of ``values``.
    var attributes: [XMLContent.Attribute] = []
    /// The values that are not as they stand in the document.
    var values: [UInt8] = []
    /// Where the last text lies in the document.
    package internal(set) var text = 0..<0
    /// The character that the last reference stands for, UTF-8.
    package internal(set) var character: [UInt8] = []

    init(_ input: XMLInput, limits: XMLLimits, vocabulary: XMLVocabulary?) {
        self.limits = limits
        names = XMLPlainNames(vocabulary: vocabulary)
        index = input.start
        line = input.firstLine
    }

    /// Goes to the next piece of the document.
    package mutating func next(_ bytes: Span<UInt8>) throws(Refusal) -> Piece {
        if isEmptyTag {
            isEmptyTag = false
            names.unbind(to: tagBindingCount)
            return .end
        }
        var start = index, place = index
        // White space between tags is most of what stands there.
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
                // Of the two bytes that end a line the first is no text.
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

    /// The name of the element that has begun.
    package var qualifiedName: XMLName { mutating get { names.meanings[element] } }

    /// The number of its local name in the vocabulary of the reader, which must be the same.
    package mutating func code(in vocabulary: XMLVocabulary) -> UInt8 { names.codes[element] }

    /// The value of its first attribute with a local name, whatever its prefix, or `nil`.
    package mutating func attribute(_ name: String, of document: Span<UInt8>) -> String? {
        guard let place = place(of: name) else { return nil }
        return String(decoding: bytesOfValue(attributes[place].value, document), as: UTF8.self)
    }

    /// Lends the bytes of that value, UTF-8, or gives `nil` where there is none.
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

    /// The tag of the element that has begun, its attributes in `values`.
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

    /// Notes some text, or gives `false` outside of the outermost element, where there must be none but white space.
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

/// The elements of a document or fragment, in document order.
///
/// Texts and values are byte ranges of the document, or of additional bytes for composed text, whose offsets start at
/// the document's end.
final class XMLContent: Sendable {
    /// An element.
    struct Node: BitwiseCopyable {
        /// The index of its name.
        let name: Int32
        /// The number of its name in the reader's vocabulary.
        let code: UInt8
        let line: Int32
        /// The index of the first element after its descendants.
        var end: Int32 = 0
        let attributeStart: Int32
        var attributeEnd: Int32
        var textStart: Int32
        var textEnd: Int32

        var attributes: Range<Int> { Int(attributeStart)..<Int(attributeEnd) }

        var text: Range<Int> {
            get { Int(textStart)..<Int(textEnd) }
            set { (textStart, textEnd) = (Int32(newValue.lowerBound), Int32(newValue.upperBound)) }
        }
    }

    /// An attribute.
    struct Attribute: BitwiseCopyable {
        /// The index of its name.
        let name: Int32
        let start: Int32
        let end: Int32

        init(name: Int, value: Range<Int>) {
            self.name = Int32(name)
            start = Int32(value.lowerBound)
            end = Int32(value.upperBound)
        }

        /// The range of its value in the bytes.
        var value: Range<Int> { Int(start)..<Int(end) }
    }

    /// The maximum number of bytes, because offsets have 32 bits.
    static let byteLimit = Int(Int32.max)

    let nodes: [Node]
    let attributes: [Attribute]
    let names: [XMLName]
    let document: [UInt8]
    let rest: [UInt8]
    let vocabulary: XMLVocabulary?

    init(
        nodes: [Node], attributes: [Attribute], names: [XMLName], document: [UInt8], rest: [UInt8],
        vocabulary: XMLVocabulary?
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.names = names
        self.document = document
        self.rest = rest
        self.vocabulary = vocabulary
    }

    /// Returns bytes as text.
    func text(_ range: Range<Int>) -> String {
        let count = document.count
        return range.lowerBound < count
            ? String(decoding: document[range], as: UTF8.self)
            : String(decoding: rest[(range.lowerBound - count)..<(range.upperBound - count)], as: UTF8.self)
    }

    /// Calls `body` with bytes.
    func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isInDocument = range.lowerBound < document.count
        let offset = isInDocument ? 0 : document.count, bytes = isInDocument ? document : rest
        return try body(bytes.span.extracting((range.lowerBound - offset)..<(range.upperBound - offset)))
    }
}

/// The names that a document reader supports, numbered for fast comparison.
///
/// Elements that were read with a vocabulary store the number of their name; for others it is looked up.
package final class XMLVocabulary: Sendable {
    private let codes: [String: UInt8]

    /// Creates a vocabulary of at most 255 names without prefixes, numbered from 1.
    package init(_ names: [String]) {
        var codes: [String: UInt8] = [:]
        for (index, name) in names.enumerated() { codes[name] = UInt8(index + 1) }
        self.codes = codes
    }

    /// Returns the number of a name, or 0 if it is not in the vocabulary.
    package func code(of name: String) -> UInt8 { codes[name] ?? 0 }
}

/// The elements of a document or of a part of it: each before those inside it.
///
/// Their texts and values are ranges of the document's own bytes, or of others where text had to be put together: those begin
/// where the document's end.
final class XMLContent: Sendable {
    /// An element.
    struct Node: BitwiseCopyable {
        /// The number of its name.
        let name: Int32
        /// The number of its name in the vocabulary of the reader.
        let code: UInt8
        let line: Int32
        /// The number of the first element behind it that is not inside it.
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
        /// The number of its name.
        let name: Int32
        let start: Int32
        let end: Int32

        init(name: Int, value: Range<Int>) {
            self.name = Int32(name)
            start = Int32(value.lowerBound)
            end = Int32(value.upperBound)
        }

        /// Where its value lies in the bytes.
        var value: Range<Int> { Int(start)..<Int(end) }
    }

    /// The most bytes that numbers of 32 bits tell apart.
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

    /// The text that bytes are.
    func text(_ range: Range<Int>) -> String {
        let count = document.count
        return range.lowerBound < count
            ? String(decoding: document[range], as: UTF8.self)
            : String(decoding: rest[(range.lowerBound - count)..<(range.upperBound - count)], as: UTF8.self)
    }

    /// Lends bytes.
    func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isInDocument = range.lowerBound < document.count
        let offset = isInDocument ? 0 : document.count, bytes = isInDocument ? document : rest
        return try body(bytes.span.extracting((range.lowerBound - offset)..<(range.upperBound - offset)))
    }
}

/// Names that a reader of documents knows, numbered, so that it tells elements apart by numbers.
///
/// An element that was read with a vocabulary has the number of its name from the beginning; for others it is looked up.
package final class XMLVocabulary: Sendable {
    private let codes: [String: UInt8]

    /// Makes a vocabulary of names without prefixes, which have the numbers from 1 on; at most 255.
    package init(_ names: [String]) {
        var codes: [String: UInt8] = [:]
        for (index, name) in names.enumerated() { codes[name] = UInt8(index + 1) }
        self.codes = codes
    }

    /// The number of a name, or 0 where it is none of the vocabulary.
    package func code(of name: String) -> UInt8 { codes[name] ?? 0 }
}

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

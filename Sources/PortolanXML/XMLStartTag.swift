/// The name of an element or attribute; those of a document are made once.
package final class XMLName: Sendable {
    /// The name without its prefix.
    package let local: String
    /// The prefix, empty when there is none.
    package let prefix: String
    /// The namespace of an element, or `nil` when there is none or the prefix is not declared.
    package let namespace: String?

    init(local: String, prefix: String, namespace: String?) {
        self.local = local
        self.prefix = prefix
        self.namespace = namespace
    }
}

/// The beginning of an element, whichever parser comes upon it.
///
/// Its values may lie in the document, whose bytes are lent for them. Nothing changes it: what is asked of it is `mutating` so that a
/// parser, which is large, is handed on by its address.
package protocol XMLTag: ~Copyable {
    /// The name, its prefix and namespace.
    var qualifiedName: XMLName { mutating get }
    /// The line the tag ends on, from 1.
    var line: Int { mutating get }
    /// The number of the local name in the vocabulary of the reader.
    mutating func code(in vocabulary: XMLVocabulary) -> UInt8
    /// The value of the first attribute with a local name, whatever its prefix, or `nil`.
    mutating func attribute(_ name: String, of document: Span<UInt8>) -> String?
    /// Lends the bytes of that value, UTF-8, or gives `nil` where there is none.
    mutating func withAttribute<Result>(
        _ name: String, of document: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result?
}

/// The beginning of an element, as the reader comes upon it.
///
/// It is lent: its attributes can be asked for until the handler returns.
package struct XMLStartTag: XMLTag {
    /// The name, its prefix and namespace.
    package let qualifiedName: XMLName
    /// The line the tag ends on, from 1.
    package let line: Int
    let values: XMLAttributeValues
    /// The number of its name in the vocabulary of the reader, where that is known.
    var code: UInt8?

    /// The name without its prefix.
    package var name: String { qualifiedName.local }
    /// The prefix, empty when there is none.
    package var prefix: String { qualifiedName.prefix }
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package var namespace: String? { qualifiedName.namespace }

    /// The attributes in their order; namespace declarations are not among them.
    package var attributes: [XMLAttribute] { values.attributes }

    /// The value of the first attribute with a local name, whatever its prefix, or `nil`.
    package func attribute(_ name: String) -> String? { values.place(of: name).map { values.text($0) } }

    package func attribute(_ name: String, of document: Span<UInt8>) -> String? { attribute(name) }

    package func withAttribute<Result>(
        _ name: String, of document: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        values.place(of: name).map { values.withValue($0, body) }
    }

    package func code(in vocabulary: XMLVocabulary) -> UInt8 { code ?? vocabulary.code(of: name) }
}

/// The attributes of the tag that is being read, in arrays that are used for one tag after the other.
final class XMLAttributeValues {
    private var items: [(name: XMLName, value: Range<Int>)] = []
    private var bytes: [UInt8] = []

    /// How many attributes there are.
    var count: Int { items.count }
    /// How many bytes the values have so far.
    var byteCount: Int { bytes.count }

    var attributes: [XMLAttribute] {
        items.map { item in
            XMLAttribute(
                name: item.name.local, prefix: item.name.prefix,
                value: String(decoding: bytes[item.value], as: UTF8.self))
        }
    }

    func removeAll() {
        items.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds an attribute.
    func add(_ name: XMLName, _ value: Span<UInt8>) {
        let start = bytes.count
        bytes.append(value)
        items.append((name, start..<(start + value.count)))
    }

    func append(_ piece: Span<UInt8>) { bytes.append(piece) }

    func append(_ piece: some Sequence<UInt8>) { bytes.append(contentsOf: piece) }

    /// Ends a value that began at a place of the bytes.
    func end(_ name: XMLName, from start: Int) { items.append((name, start..<bytes.count)) }

    /// The number of the first attribute with a local name.
    func place(of name: String) -> Int? { items.firstIndex { $0.name.local == name } }

    func name(_ place: Int) -> XMLName { items[place].name }

    func text(_ place: Int) -> String { String(decoding: bytes[items[place].value], as: UTF8.self) }

    func withValue<Result>(_ place: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let bytes = bytes
        return body(bytes.span.extracting(items[place].value))
    }
}

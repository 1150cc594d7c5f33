/// The name of an element or attribute; each name of a document is created once.
package final class XMLName: Sendable {
    /// The local name.
    package let local: String
    /// The prefix, empty without one.
    package let prefix: String
    /// The namespace of an element, or `nil` without one or with an undeclared prefix.
    package let namespace: String?

    init(local: String, prefix: String, namespace: String?) {
        self.local = local
        self.prefix = prefix
        self.namespace = namespace
    }
}

/// The start of an element in any of the parsers.
///
/// Its values may be part of the document, whose bytes are passed to its methods. They change nothing, but are
/// `mutating` so that a parser, which is large, is passed by its address.
package protocol XMLTag: ~Copyable {
    /// The name with its prefix and namespace.
    var qualifiedName: XMLName { mutating get }
    /// The line on which the tag ends, starting at 1.
    var line: Int { mutating get }
    /// Returns the number of the local name in the reader's vocabulary.
    mutating func code(in vocabulary: XMLVocabulary) -> UInt8
    /// Returns the value of the first attribute with a local name and any prefix, or `nil`.
    mutating func attribute(_ name: String, of document: Span<UInt8>) -> String?
    /// Calls `body` with the UTF-8 bytes of that value, or returns `nil` without one.
    mutating func withAttribute<Result>(
        _ name: String, of document: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result?
}

/// The start of an element in the reader.
///
/// Its attributes are available until the handler returns.
package struct XMLStartTag: XMLTag {
    /// The name with its prefix and namespace.
    package let qualifiedName: XMLName
    /// The line on which the tag ends, starting at 1.
    package let line: Int
    let values: XMLAttributeValues
    /// The number of its name in the reader's vocabulary, if known.
    var code: UInt8?

    /// The local name.
    package var name: String { qualifiedName.local }
    /// The prefix, empty without one.
    package var prefix: String { qualifiedName.prefix }
    /// The namespace, or `nil` without one or with an undeclared prefix.
    package var namespace: String? { qualifiedName.namespace }

    /// The attributes in order, without namespace declarations.
    package var attributes: [XMLAttribute] { values.attributes }

    /// Returns the value of the first attribute with a local name and any prefix, or `nil`.
    package func attribute(_ name: String) -> String? { values.place(of: name).map { values.text($0) } }

    package func attribute(_ name: String, of document: Span<UInt8>) -> String? { attribute(name) }

    package func withAttribute<Result>(
        _ name: String, of document: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        values.place(of: name).map { values.withValue($0, body) }
    }

    package func code(in vocabulary: XMLVocabulary) -> UInt8 { code ?? vocabulary.code(of: name) }
}

/// The attributes of the current tag, in arrays that are reused.
final class XMLAttributeValues {
    private var items: [(name: XMLName, value: Range<Int>)] = []
    private var bytes: [UInt8] = []

    /// The number of attributes.
    var count: Int { items.count }
    /// The number of bytes of all values.
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

    /// Ends a value that began at an offset of the bytes.
    func end(_ name: XMLName, from start: Int) { items.append((name, start..<bytes.count)) }

    /// Returns the index of the first attribute with a local name.
    func place(of name: String) -> Int? { items.firstIndex { $0.name.local == name } }

    func name(_ place: Int) -> XMLName { items[place].name }

    func text(_ place: Int) -> String { String(decoding: bytes[items[place].value], as: UTF8.self) }

    func withValue<Result>(_ place: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let bytes = bytes
        return body(bytes.span.extracting(items[place].value))
    }
}

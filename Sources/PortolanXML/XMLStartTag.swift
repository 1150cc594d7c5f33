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

/// The beginning of an element, as the reader comes upon it.
///
/// It is lent: its attributes can be asked for until the handler returns.
package struct XMLStartTag {
    /// The name, its prefix and namespace.
    package let qualifiedName: XMLName
    /// The line the tag ends on, from 1.
    package let line: Int
    let values: XMLAttributeValues

    /// The name without its prefix.
    package var name: String { qualifiedName.local }
    /// The prefix, empty when there is none.
    package var prefix: String { qualifiedName.prefix }
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package var namespace: String? { qualifiedName.namespace }

    /// The attributes in their order; namespace declarations are not among them.
    package var attributes: [XMLAttribute] {
        values.items.map { item in
            XMLAttribute(
                name: item.name.local, prefix: item.name.prefix,
                value: String(decoding: values.bytes[item.value], as: UTF8.self))
        }
    }

    /// The value of the first attribute with a local name, whatever its prefix, or `nil`.
    package func attribute(_ name: String) -> String? {
        guard let place = values.place(of: name) else { return nil }
        return String(decoding: values.bytes[place], as: UTF8.self)
    }

    /// Lends the bytes of the value of the first attribute with a local name, UTF-8, or gives `nil` where there is none.
    package func withAttribute<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result? {
        guard let place = values.place(of: name) else { return nil }
        let bytes = values.bytes
        return body(bytes.span.extracting(place))
    }
}

/// The attributes of the tag that is being read, in arrays that are used for one tag after the other.
final class XMLAttributeValues {
    private(set) var items: [XMLContent.Attribute] = []
    private(set) var bytes: [UInt8] = []

    /// How many bytes the values have so far.
    var byteCount: Int { bytes.count }

    func removeAll() {
        items.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    func append(_ piece: Span<UInt8>) { bytes.append(piece) }

    func append(_ piece: some Sequence<UInt8>) { bytes.append(contentsOf: piece) }

    /// Ends a value that began at a place of the bytes.
    func end(_ name: XMLName, from start: Int) {
        items.append(XMLContent.Attribute(name: name, value: start..<bytes.count))
    }

    func place(of name: String) -> Range<Int>? {
        for item in items where item.name.local == name { return item.value }
        return nil
    }
}

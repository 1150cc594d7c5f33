/// Collects the events of a document, or of several elements in turn, into content.
final class XMLTreeBuilder: XMLHandler {
    /// The root element, once it has ended.
    private(set) var root: XMLElement?
    private var builder = XMLContentBuilder(documentLength: 0)
    private let vocabulary: XMLVocabulary?
    private var names: [XMLName] = []
    private var numbers: [ObjectIdentifier: Int] = [:]

    init(vocabulary: XMLVocabulary? = nil) { self.vocabulary = vocabulary }

    func startElement(_ tag: XMLStartTag) {
        let code = vocabulary?.code(of: tag.name) ?? 0
        builder.start(name: number(of: tag.qualifiedName), code: code, line: tag.line)
        let values = tag.values
        for index in 0..<values.count {
            values.withValue(index) { value in builder.add(name: number(of: values.name(index)), copying: value) }
        }
    }

    func text(_ utf8: Span<UInt8>) { builder.add(copying: utf8, Span()) }

    func endElement() {
        builder.end(Span())
        guard builder.depth == 0 else { return }
        root = builder.root(names: names, document: [], vocabulary: vocabulary)
    }

    /// Prepares for another root element.
    func begin() {
        root = nil
        builder.removeAll()
    }

    /// Returns the index of a name, which its reader retains as long as it parses.
    private func number(of name: XMLName) -> Int {
        if let known = numbers[ObjectIdentifier(name)] { return known }
        names.append(name)
        numbers[ObjectIdentifier(name)] = names.count - 1
        return names.count - 1
    }
}

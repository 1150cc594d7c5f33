/// Counts what goes to a handler and ends the reading when a limit is passed.
final class XMLAccountant {
    private let handler: any XMLHandler
    private let limits: XMLLimits
    private var depth = 0
    private var elementCount = 0
    private var namespaceCounts: [Int] = []
    private var namespaceCount = 0

    init(handler: any XMLHandler, limits: XMLLimits) {
        self.handler = handler
        self.limits = limits
    }

    /// Checks the size of a start tag, before its parts are read.
    func admit(attributeCount: Int, namespaceCount declared: Int, line: Int) throws(XMLError) {
        depth += 1
        elementCount += 1
        namespaceCount += declared
        namespaceCounts.append(declared)
        guard depth <= limits.depth else {
            throw XMLError(.limit("elements are nested deeper than \(limits.depth)"), line: line)
        }
        guard elementCount <= limits.elementCount else {
            throw XMLError(.limit("there are more than \(limits.elementCount) elements"), line: line)
        }
        guard attributeCount <= limits.attributeCount else {
            throw XMLError(.limit("an element has more than \(limits.attributeCount) attributes"), line: line)
        }
        guard namespaceCount <= limits.namespaceCount else {
            throw XMLError(.limit("more than \(limits.namespaceCount) namespaces are declared"), line: line)
        }
    }

    func startElement(_ tag: XMLStartTag) throws(XMLError) { try handler.startElement(tag) }

    func text(_ utf8: Span<UInt8>) throws(XMLError) { try handler.text(utf8) }

    func endElement() throws(XMLError) {
        depth -= 1
        namespaceCount -= namespaceCounts.popLast() ?? 0
        try handler.endElement()
    }
}

/// Reads XML documents of strangers: with limits, without entities and without ever opening another file or address.
///
/// Read are UTF-8, UTF-16 and the 8-bit and East Asian encodings the platform knows. A byte order mark and white space
/// before the XML declaration do no harm; prefixes that are not declared and other breaches of *Namespaces in XML*
/// become warnings. A document type declaration with an internal subset is passed over, the external one never fetched.
/// Follows W3C XML 1.0 (fifth edition); where that asks to expand an entity, reading ends with ``XMLError``.
package struct XMLReader: Sendable {
    /// The limits beyond which documents are refused.
    package let limits: XMLLimits

    package init(limits: XMLLimits = XMLLimits()) {
        self.limits = limits
    }

    /// Reads `bytes` and tells `handler` what is in them.
    ///
    /// Events that came before an error have been told.
    ///
    /// - Returns: what was odd but harmless, at most 20 lines.
    /// - Complexity: linear in the number of bytes.
    package func read(_ bytes: [UInt8], into handler: any XMLHandler) throws(XMLError) -> [String] {
        guard bytes.count <= limits.byteCount else {
            throw XMLError(.limit("the document is longer than \(limits.byteCount) bytes"), line: 1)
        }
        let input = try XMLInput(bytes)
        let accountant = XMLAccountant(handler: handler, limits: limits)
        let warnings = try XMLDriver.run(input, into: accountant, limits: limits)
        return input.warnings + warnings
    }

    /// Reads `bytes` into a tree.
    ///
    /// - Complexity: linear in the number of bytes, in time and in memory.
    package func tree(of bytes: [UInt8]) throws(XMLError) -> XMLTree {
        let builder = XMLTreeBuilder()
        let warnings = try read(bytes, into: builder)
        guard let root = builder.root else { throw XMLError(.empty, line: 1) }
        return XMLTree(root: root, warnings: warnings)
    }
}

/// The limits beyond which a document is refused.
package struct XMLLimits: Hashable, Sendable {
    /// The most bytes in a document.
    package var byteCount: Int
    /// The most elements inside one another.
    package var depth: Int
    /// The most bytes in one tag, from `<` to `>`, and in the document type declaration.
    ///
    /// The cost of a tag grows with the square of the number of its attributes, so it is bounded before it is parsed.
    package var tagLength: Int
    /// The most elements in a document.
    package var elementCount: Int
    /// The most attributes of one element.
    package var attributeCount: Int
    /// The most namespaces in scope at a place.
    package var namespaceCount: Int
    /// The most different names of elements, attributes and namespaces.
    ///
    /// libxml2 keeps them in a table that ceases to grow, so that the cost of many grows with their square.
    package var nameCount: Int

    package init(
        byteCount: Int = 64 << 20, depth: Int = 200, tagLength: Int = 64 << 10, elementCount: Int = 2_000_000,
        attributeCount: Int = 1000, namespaceCount: Int = 1000, nameCount: Int = 65_536
    ) {
        self.byteCount = byteCount
        self.depth = depth
        self.tagLength = tagLength
        self.elementCount = elementCount
        self.attributeCount = attributeCount
        self.namespaceCount = namespaceCount
        self.nameCount = nameCount
    }
}

/// A receiver of the events of a document as it is read.
///
/// Each error thrown ends the reading and comes out of ``XMLReader/read(_:into:)``.
package protocol XMLHandler: AnyObject {
    /// An element begins.
    func startElement(_ tag: XMLStartTag) throws(XMLError)
    /// Text inside the innermost open element, UTF-8, in pieces of any length; CDATA sections are text.
    func text(_ utf8: Span<UInt8>) throws(XMLError)
    /// The innermost open element ends.
    func endElement() throws(XMLError)
}

/// The beginning of an element, as the reader comes upon it.
package struct XMLStartTag: Hashable, Sendable {
    /// The name without its prefix.
    package let name: String
    /// The prefix, empty when there is none.
    package let prefix: String
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package let namespace: String?
    /// The attributes in their order; namespace declarations are not among them.
    package let attributes: [XMLAttribute]
    /// The line the tag ends on, from 1.
    package let line: Int

    package init(name: String, prefix: String, namespace: String?, attributes: [XMLAttribute], line: Int) {
        self.name = name
        self.prefix = prefix
        self.namespace = namespace
        self.attributes = attributes
        self.line = line
    }
}

/// A whole document.
package struct XMLTree: Hashable, Sendable {
    /// The outermost element.
    package let root: XMLElement
    /// Oddities that did no harm, a line each.
    package let warnings: [String]

    package init(root: XMLElement, warnings: [String] = []) {
        self.root = root
        self.warnings = warnings
    }
}

/// Gathers the events of a document into a tree.
final class XMLTreeBuilder: XMLHandler {
    private struct OpenElement {
        let tag: XMLStartTag
        /// Where its text begins in that of all.
        let textStart: Int
        var children: [XMLElement] = []
    }

    /// The outermost element, once it has ended.
    private(set) var root: XMLElement?
    private var open: [OpenElement] = []
    /// The texts of the open elements, one behind the other: that of an inner one goes as it ends.
    private var texts: [UInt8] = []

    func startElement(_ tag: XMLStartTag) {
        open.append(OpenElement(tag: tag, textStart: texts.count))
    }

    func text(_ utf8: Span<UInt8>) {
        guard let last = open.last else { return }
        // White space between elements is most of the text of such documents: it is never stored.
        var start = 0
        if texts.count == last.textStart {
            while start < utf8.count, Self.isSpace(utf8[start]) { start += 1 }
        }
        guard start < utf8.count else { return }
        texts.append(utf8.extracting(start...))
    }

    func endElement() {
        guard let element = open.popLast() else { return }
        let start = element.textStart
        var end = texts.count
        while end > start, Self.isSpace(texts[end - 1]) { end -= 1 }
        let text = end > start ? String(decoding: texts[start..<end], as: UTF8.self) : ""
        if texts.count > start { texts.removeSubrange(start...) }
        let finished = XMLElement(
            name: element.tag.name, prefix: element.tag.prefix, namespace: element.tag.namespace,
            attributes: element.tag.attributes, children: element.children, text: text, line: element.tag.line)
        if open.isEmpty {
            root = finished
        } else {
            open[open.count - 1].children.append(finished)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension [UInt8] {
    /// Adds the bytes of a span.
    package mutating func append(_ bytes: Span<UInt8>) {
        // The buffer is read within the closure, up to its own count.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

/// Counts what goes to a handler and ends the reading when a limit is passed.
final class XMLAccountant {
    private let handler: any XMLHandler
    private let limits: XMLLimits
    private var depth = 0
    private var elementCount = 0
    /// How many namespaces the open elements declare that declare any.
    private var scopes: [(depth: Int, count: Int)] = []
    private var namespaceCount = 0

    init(handler: any XMLHandler, limits: XMLLimits) {
        self.handler = handler
        self.limits = limits
    }

    /// Checks the size of a start tag, before its parts are read.
    func admit(attributeCount: Int, namespaceCount declared: Int, line: Int) throws(XMLError) {
        depth += 1
        elementCount += 1
        if declared > 0 {
            namespaceCount += declared
            scopes.append((depth, declared))
        }
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

    /// Checks how many different names there are so far.
    func admit(nameCount: Int, line: Int) throws(XMLError) {
        guard nameCount <= limits.nameCount else {
            throw XMLError(.limit("there are more than \(limits.nameCount) different names"), line: line)
        }
    }

    func startElement(_ tag: XMLStartTag) throws(XMLError) { try handler.startElement(tag) }

    func text(_ utf8: Span<UInt8>) throws(XMLError) { try handler.text(utf8) }

    func endElement() throws(XMLError) {
        if let scope = scopes.last, scope.depth == depth {
            namespaceCount -= scope.count
            scopes.removeLast()
        }
        depth -= 1
        try handler.endElement()
    }
}

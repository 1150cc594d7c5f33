package import PortolanWeb

/// A parser for untrusted XML documents: with limits, without entities, and without access to other files or URLs.
///
/// It supports UTF-8, UTF-16 and the 8-bit and East Asian encodings of the platform. A byte order mark and white space
/// before the XML declaration are accepted; undeclared prefixes and other violations of *Namespaces in XML* become
/// warnings. A document type declaration with an internal subset is skipped, and an external one is never fetched. It
/// follows W3C XML 1.0 (fifth edition), except that any entity reference ends parsing with an ``XMLError``. Documents
/// that are not well-formed are parsed again after a repair if possible: see ``readLeniently(_:_:)``.
package struct XMLReader: Sendable {
    /// The limits of documents.
    package let limits: XMLLimits
    /// The vocabulary by which elements are numbered.
    package let vocabulary: XMLVocabulary?

    package init(limits: XMLLimits = XMLLimits(), vocabulary: XMLVocabulary? = nil) {
        self.limits = limits
        self.vocabulary = vocabulary
    }

    /// Parses `bytes` and passes their content to `handler`.
    ///
    /// Events before an error have already been passed.
    ///
    /// - Returns: at most 20 warnings.
    /// - Complexity: O(*n*) in the number of bytes.
    package func read(_ bytes: [UInt8], into handler: any XMLHandler) throws(XMLError) -> [MapWarning] {
        guard bytes.count <= limits.byteCount else {
            throw XMLError(.limit("the document exceeds \(limits.byteCount) bytes"), line: 1)
        }
        let input = try XMLInput(bytes)
        let accountant = XMLAccountant(handler: handler, limits: limits)
        let warnings = try XMLDriver.run(input, into: accountant, limits: limits)
        return input.warnings + warnings
    }

    /// Parses `bytes` with `attempt`, and once more after a repair if they are not well-formed.
    ///
    /// It repairs bytes in another encoding, characters that XML does not allow, `&` and `<` that do not begin markup,
    /// HTML entities, and text before and after the document. Entities of a document type are still refused.
    ///
    /// - Parameters:
    ///   - closesElements: whether a truncated document is read up to its end, with a warning of the effect
    ///     ``MapWarning/Effect/omitted``.
    ///   - attempt: parses a document from its start and returns its warnings; it may be called three times.
    /// - Returns: those warnings, and one of the effect ``MapWarning/Effect/repaired`` for each kind of error.
    /// - Throws: ``XMLError`` if the document cannot be repaired.
    /// - Complexity: O(*n*) in the number of bytes, besides `attempt`.
    package func readLeniently(
        _ bytes: [UInt8], closesElements: Bool = false, _ attempt: ([UInt8]) throws(XMLError) -> [MapWarning]
    ) throws(XMLError) -> [MapWarning] {
        let first: XMLError
        do { return try attempt(bytes) } catch {
            first = error
        }
        switch first.reason {
        case .empty, .limit, .encoding: throw first
        case .notWellFormed, .entity, .refused: break
        }
        // The repaired document is in memory in addition to the original.
        guard bytes.count <= min(limits.byteCount, Self.mendingLimit) else { throw first }
        let mended = XMLMender.mend(bytes, limit: limits.byteCount)
        var last = first
        if let mended {
            do { return mended.warnings + (try attempt(mended.bytes)) } catch {
                // If the handler rejects the root element, it rejects the document.
                if case .refused = first.reason { throw first }
                last = error
            }
        }
        guard closesElements, case .notWellFormed = last.reason,
            let cut = XMLCutDocument(closing: mended?.bytes ?? bytes)
        else { throw last }
        do { return (mended?.warnings ?? []) + [cut.warning] + (try attempt(cut.bytes)) } catch { throw last }
    }

    /// The maximum size in bytes of a document to repair.
    private static let mendingLimit = 64 << 20

    /// Parses `bytes` faster if they are a plain document without errors, like most large ones.
    ///
    /// - Returns: whether they are. If not, `handler` has received a part of the document and is useless: pass another
    ///   one to ``read(_:into:)``, which also reports the reason. The complete result is the same.
    /// - Complexity: O(*n*) in the number of bytes.
    package func readPlain(_ bytes: [UInt8], into handler: any XMLHandler) -> Bool {
        let values = XMLAttributeValues()
        return readPlain(bytes) { scanner, document throws(XMLPlainScanner.Refusal) in
            do {
                while true {
                    switch try scanner.next(document.span) {
                    case .start: try handler.startElement(scanner.tag(document.span, values))
                    case .text: try handler.text(document.span.extracting(scanner.text))
                    case .character: try handler.text(scanner.character.span)
                    case .end: try handler.endElement()
                    case .finish: return
                    }
                }
            } catch { throw XMLPlainScanner.Refusal() }
        }
    }

    /// Parses `bytes` piece by piece if they are a plain document; otherwise the partial results of `body` are useless.
    ///
    /// - Parameter body: reads all pieces by ``XMLPlainScanner/next(_:)`` from the bytes that it receives.
    /// - Returns: whether they are a plain document.
    package func readPlain(
        _ bytes: [UInt8],
        _ body: (inout XMLPlainScanner, [UInt8]) throws(XMLPlainScanner.Refusal) -> Void
    ) -> Bool {
        // Composed values have offsets beyond the document.
        guard bytes.count <= limits.byteCount, let input = try? XMLInput(bytes), input.warnings.isEmpty,
            input.bytes.count <= XMLContent.byteLimit / 2
        else { return false }
        var scanner = XMLPlainScanner(input, limits: limits, vocabulary: vocabulary)
        do {
            try scanner.skipDeclaration(input.bytes.span)
            try body(&scanner, input.bytes)
        } catch { return false }
        return true
    }

    /// Parses `bytes` into a tree, leniently.
    ///
    /// - Complexity: O(*n*) in the number of bytes, in time and in memory.
    package func tree(of bytes: [UInt8]) throws(XMLError) -> XMLTree {
        if let root = plainRoot(of: bytes) { return XMLTree(root: root) }
        var root: XMLElement?
        let warnings = try readLeniently(bytes) { bytes throws(XMLError) in
            let (element, warnings) = try wellFormedRoot(of: bytes)
            root = element
            return warnings
        }
        guard let root else { throw XMLError(.empty, line: 1) }
        return XMLTree(root: root, warnings: warnings)
    }

    /// Parses `bytes` into a tree if they are well-formed.
    package func wellFormedTree(of bytes: [UInt8]) throws(XMLError) -> XMLTree {
        if let root = plainRoot(of: bytes) { return XMLTree(root: root) }
        let (root, warnings) = try wellFormedRoot(of: bytes)
        return XMLTree(root: root, warnings: warnings)
    }

    private func wellFormedRoot(of bytes: [UInt8]) throws(XMLError) -> (XMLElement, [MapWarning]) {
        let builder = XMLTreeBuilder(vocabulary: vocabulary)
        let warnings = try read(bytes, into: builder)
        guard let root = builder.root else { throw XMLError(.empty, line: 1) }
        return (root, warnings)
    }

    private func plainRoot(of bytes: [UInt8]) -> XMLElement? {
        var root: XMLElement?
        let isPlain = readPlain(bytes) { scanner, document throws(XMLPlainScanner.Refusal) in
            var builder = XMLContentBuilder(documentLength: document.count)
            while true {
                let piece = try scanner.next(document.span)
                guard piece != .finish else { break }
                builder.add(piece, of: scanner, document.span)
            }
            root = builder.root(names: scanner.names.meanings, document: document, vocabulary: vocabulary)
        }
        return isPlain ? root : nil
    }
}

/// The limits of a document.
package struct XMLLimits: Hashable, Sendable {
    /// The maximum number of bytes in a document.
    package var byteCount: Int
    /// The maximum depth of elements.
    package var depth: Int
    /// The maximum number of bytes in a tag, from `<` to `>`, and in the document type declaration.
    ///
    /// The cost of a tag is quadratic in the number of its attributes, so its length is checked before parsing.
    package var tagLength: Int
    /// The maximum number of elements in a document.
    package var elementCount: Int
    /// The maximum number of attributes of an element.
    package var attributeCount: Int
    /// The maximum number of namespaces in scope.
    package var namespaceCount: Int
    /// The maximum number of distinct names of elements, attributes and namespaces.
    ///
    /// libxml2 keeps them in a table that stops growing at some size, so that the cost of many names is quadratic.
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

/// Receives the events of a document while it is parsed.
///
/// An error thrown by a method ends parsing, and is thrown by ``XMLReader/read(_:into:)``.
package protocol XMLHandler: AnyObject {
    /// Begins an element.
    func startElement(_ tag: XMLStartTag) throws(XMLError)
    /// Receives text inside the innermost open element in UTF-8, in pieces of any length, including CDATA sections.
    func text(_ utf8: Span<UInt8>) throws(XMLError)
    /// Receives the text of a CDATA section in ``XMLReader/read(_:into:)``; calls ``text(_:)`` by default.
    func verbatim(_ utf8: Span<UInt8>) throws(XMLError)
    /// Ends the innermost open element.
    func endElement() throws(XMLError)
}

extension XMLHandler {
    package func verbatim(_ utf8: Span<UInt8>) throws(XMLError) { try text(utf8) }
}

/// A whole document.
package struct XMLTree: Hashable, Sendable {
    /// The root element.
    package let root: XMLElement
    /// The warnings.
    package let warnings: [MapWarning]

    package init(root: XMLElement, warnings: [MapWarning] = []) {
        self.root = root
        self.warnings = warnings
    }
}

extension MapWarning {
    /// Creates a warning about harmless errors of the markup.
    init(markupAt line: Int?, _ message: String) {
        self.init(.markup, Subject(), at: line.map { Place(line: $0) }, message: message)
    }
}

/// Counts the events for a handler, and ends parsing if a limit is exceeded.
final class XMLAccountant {
    private let handler: any XMLHandler
    private let limits: XMLLimits
    private var depth = 0
    private var elementCount = 0
    /// The number of namespaces that open elements declare, for those that declare any.
    private var scopes: [(depth: Int, count: Int)] = []
    private var namespaceCount = 0

    init(handler: any XMLHandler, limits: XMLLimits) {
        self.handler = handler
        self.limits = limits
    }

    /// Checks the size of a start tag before its parts are read.
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
            throw XMLError(.limit("more than \(limits.elementCount) elements"), line: line)
        }
        guard attributeCount <= limits.attributeCount else {
            throw XMLError(.limit("an element has more than \(limits.attributeCount) attributes"), line: line)
        }
        guard namespaceCount <= limits.namespaceCount else {
            throw XMLError(.limit("more than \(limits.namespaceCount) namespaces are declared"), line: line)
        }
    }

    /// Checks the current number of distinct names.
    func admit(nameCount: Int, line: Int) throws(XMLError) {
        guard nameCount <= limits.nameCount else {
            throw XMLError(.limit("more than \(limits.nameCount) different names"), line: line)
        }
    }

    func startElement(_ tag: XMLStartTag) throws(XMLError) { try handler.startElement(tag) }

    func text(_ utf8: Span<UInt8>) throws(XMLError) { try handler.text(utf8) }

    func verbatim(_ utf8: Span<UInt8>) throws(XMLError) { try handler.verbatim(utf8) }

    func endElement() throws(XMLError) {
        if let scope = scopes.last, scope.depth == depth {
            namespaceCount -= scope.count
            scopes.removeLast()
        }
        depth -= 1
        try handler.endElement()
    }
}

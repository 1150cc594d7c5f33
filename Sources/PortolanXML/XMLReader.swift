package import PortolanWeb

/// Reads XML documents of strangers: with limits, without entities and without ever opening another file or address.
///
/// Read are UTF-8, UTF-16 and the 8-bit and East Asian encodings the platform knows. A byte order mark and white space
/// before the XML declaration do no harm; prefixes that are not declared and other breaches of *Namespaces in XML*
/// become warnings. A document type declaration with an internal subset is passed over, the external one never fetched.
/// Follows W3C XML 1.0 (fifth edition); where that asks to expand an entity, reading ends with ``XMLError``. Documents that are not
/// well-formed are read a second time where the slips are such as can be mended: see ``readLeniently(_:_:)``.
package struct XMLReader: Sendable {
    /// The limits beyond which documents are refused.
    package let limits: XMLLimits
    /// The names by whose numbers elements are told apart.
    package let vocabulary: XMLVocabulary?

    package init(limits: XMLLimits = XMLLimits(), vocabulary: XMLVocabulary? = nil) {
        self.limits = limits
        self.vocabulary = vocabulary
    }

    /// Reads `bytes` and tells `handler` what is in them.
    ///
    /// Events that came before an error have been told.
    ///
    /// - Returns: what was odd but harmless, at most 20 lines.
    /// - Complexity: linear in the number of bytes.
    package func read(_ bytes: [UInt8], into handler: any XMLHandler) throws(XMLError) -> [MapWarning] {
        guard bytes.count <= limits.byteCount else {
            throw XMLError(.limit("the document is longer than \(limits.byteCount) bytes"), line: 1)
        }
        let input = try XMLInput(bytes)
        let accountant = XMLAccountant(handler: handler, limits: limits)
        let warnings = try XMLDriver.run(input, into: accountant, limits: limits)
        return input.warnings + warnings
    }

    /// Reads `bytes` with `attempt`, and once more what can be mended of them if they are not well-formed.
    ///
    /// Mended are bytes of another encoding, characters that XML does not allow, `&` and `<` that begin no markup, entities of HTML,
    /// and text before and after the document. Entities of a document type stay refused.
    ///
    /// - Parameters:
    ///   - closesElements: whether a document whose end is missing is read up to there, with a warning of the effect
    ///     ``MapWarning/Effect/omitted``.
    ///   - attempt: reads a document from its beginning and returns its warnings; it may be called three times.
    /// - Returns: those warnings, and one of the effect ``MapWarning/Effect/repaired`` for each kind of slip.
    /// - Throws: where the reading ends in spite of that.
    /// - Complexity: linear in the number of bytes, besides `attempt`.
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
        // What is mended lies in memory beside the document.
        guard bytes.count <= min(limits.byteCount, Self.mendingLimit) else { throw first }
        let mended = XMLMender.mend(bytes, limit: limits.byteCount)
        var last = first
        if let mended {
            do { return mended.warnings + (try attempt(mended.bytes)) } catch {
                // A handler that refuses the element that comes first refuses the document.
                if case .refused = first.reason { throw first }
                last = error
            }
        }
        guard closesElements, case .notWellFormed = last.reason,
            let cut = XMLCutDocument(closing: mended?.bytes ?? bytes)
        else { throw last }
        do { return (mended?.warnings ?? []) + [cut.warning] + (try attempt(cut.bytes)) } catch { throw last }
    }

    /// The most bytes of a document that is mended.
    private static let mendingLimit = 64 << 20

    /// Reads `bytes` if they are a plain document without any fault, as most large ones are, in less time.
    ///
    /// - Returns: whether they are. If not, `handler` was told a part of it and is of no use any more: another must be given to
    ///   ``read(_:into:)``, which also tells why. What comes out whole is the same.
    /// - Complexity: linear in the number of bytes.
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

    /// Reads `bytes` piece by piece if they are a plain document; all that `body` has taken is of no use if not.
    ///
    /// - Parameter body: takes each piece by ``XMLPlainScanner/next(_:)`` of the bytes that it is given, to the last.
    /// - Returns: whether they are.
    package func readPlain(
        _ bytes: [UInt8],
        _ body: (inout XMLPlainScanner, [UInt8]) throws(XMLPlainScanner.Refusal) -> Void
    ) -> Bool {
        // Values that are put together lie behind the document.
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

    /// Reads `bytes` into a tree, leniently.
    ///
    /// - Complexity: linear in the number of bytes, in time and in memory.
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

    /// Reads `bytes` into a tree if they are well-formed.
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
    /// The text of a CDATA section, where ``XMLReader/read(_:into:)`` reads it; ``text(_:)`` unless implemented.
    func verbatim(_ utf8: Span<UInt8>) throws(XMLError)
    /// The innermost open element ends.
    func endElement() throws(XMLError)
}

extension XMLHandler {
    package func verbatim(_ utf8: Span<UInt8>) throws(XMLError) { try text(utf8) }
}

/// A whole document.
package struct XMLTree: Hashable, Sendable {
    /// The outermost element.
    package let root: XMLElement
    /// Oddities that did no harm.
    package let warnings: [MapWarning]

    package init(root: XMLElement, warnings: [MapWarning] = []) {
        self.root = root
        self.warnings = warnings
    }
}

extension MapWarning {
    /// Makes a warning about markup that does no harm.
    init(markupAt line: Int?, _ message: String) {
        self.init(.markup, Subject(), at: line.map { Place(line: $0) }, message: message)
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

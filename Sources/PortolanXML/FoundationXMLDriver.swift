#if !canImport(CLibXML2)
import Foundation

/// Runs Foundation's parser over a document, where libxml2's own interface is not to be had.
enum XMLDriver {
    /// Reads `input` into `accountant` and returns what was odd but harmless.
    static func run(
        _ input: XMLInput, into accountant: XMLAccountant, limits: XMLLimits
    ) throws(XMLError) -> [MapWarning] {
        var scanner = XMLTagScanner(limits: limits, line: input.firstLine)
        try scanner.scan(input.bytes.span.extracting(input.start..<input.bytes.count))
        try refuseEntities(in: input, limits: limits)
        // A parser made of data refuses documents of more than ten million bytes; one made of a stream does not.
        let parser = XMLParser(stream: InputStream(data: Data(input.bytes[input.start...])))
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.shouldResolveExternalEntities = false
        let delegate = FoundationXMLDelegate(accountant: accountant, firstLine: input.firstLine)
        parser.delegate = delegate
        let isWhole = parser.parse()
        if let failure = delegate.failure { throw failure }
        // The value of `parse` alone is not to be trusted: some broken documents give `true`.
        let isClean = isWhole && parser.parserError == nil
        guard isClean || delegate.namespaceErrorCount > 0, delegate.isAtEnd else {
            throw XMLError(
                .notWellFormed("it ends too early or breaks a rule"),
                line: max(parser.lineNumber, 1) + input.firstLine - 1)
        }
        return delegate.warnings
    }

    /// Ends the reading when the document type declaration declares an entity.
    ///
    /// Foundation does not tell on all platforms that one is used, so the declaration is already too much. The scanner
    /// has bounded the length of the declaration before.
    private static func refuseEntities(in input: XMLInput, limits: XMLLimits) throws(XMLError) {
        let bytes = input.bytes[input.start...]
        guard let declaration = bytes.firstRange(of: Array("<!DOCTYPE".utf8)) else { return }
        let subset = bytes[declaration.upperBound...].prefix(limits.tagLength)
        guard let entity = subset.firstRange(of: Array("<!ENTITY".utf8)) else { return }
        let words = String(decoding: subset[entity.upperBound...].prefix(80), as: UTF8.self).split(separator: " ")
        let line = input.firstLine + bytes[..<entity.lowerBound].count { $0 == 0x0A }
        throw XMLError(.entity(words.first.map(String.init) ?? ""), line: line)
    }
}

private final class FoundationXMLDelegate: NSObject, XMLParserDelegate {
    private let accountant: XMLAccountant
    private let lineOffset: Int
    private var declaredNamespaces = 0
    private var depth = 0
    private var hasRoot = false
    private var names: Set<String> = []
    private let values = XMLAttributeValues()
    private(set) var namespaceErrorCount = 0
    private(set) var warnings: [MapWarning] = []
    private(set) var failure: XMLError?

    init(accountant: XMLAccountant, firstLine: Int) {
        self.accountant = accountant
        lineOffset = firstLine - 1
    }

    /// Whether the outermost element has ended.
    var isAtEnd: Bool { hasRoot && depth == 0 }

    private func perform(_ parser: XMLParser, _ action: () throws(XMLError) -> Void) {
        guard failure == nil else { return }
        do { try action() } catch { fail(error, parser) }
    }

    private func fail(_ error: XMLError, _ parser: XMLParser) {
        if failure == nil { failure = error }
        parser.abortParsing()
    }

    private func line(_ parser: XMLParser) -> Int { max(parser.lineNumber, 1) + lineOffset }

    private static func split(_ name: String) -> (prefix: String, name: String) {
        guard let colon = name.firstIndex(of: ":") else { return ("", name) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }

    func parser(_ parser: XMLParser, didStartMappingPrefix prefix: String, toURI namespaceURI: String) {
        declaredNamespaces += 1
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let line = line(parser)
        let (prefix, name) = Self.split(qualifiedName ?? elementName)
        let declared = declaredNamespaces
        declaredNamespaces = 0
        depth += 1
        hasRoot = true
        perform(parser) { () throws(XMLError) in
            try accountant.admit(attributeCount: attributes.count, namespaceCount: declared, line: line)
            // The order of the attributes is lost here; sorting makes it at least the same each time.
            values.removeAll()
            names.insert(name)
            for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
                let (prefix, name) = Self.split(key), start = values.byteCount
                values.append(value.utf8)
                values.end(XMLName(local: name, prefix: prefix, namespace: nil), from: start)
                names.insert(name)
            }
            try accountant.admit(nameCount: names.count, line: line)
            let namespace = namespaceURI.flatMap { $0.isEmpty ? nil : $0 }
            try accountant.startElement(
                XMLStartTag(
                    qualifiedName: XMLName(local: name, prefix: prefix, namespace: namespace), line: line,
                    values: values))
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        depth -= 1
        perform(parser) { () throws(XMLError) in try accountant.endElement() }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        let bytes = Array(string.utf8)
        perform(parser) { () throws(XMLError) in try accountant.text(bytes.span) }
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        let bytes = Array(CDATABlock)
        perform(parser) { () throws(XMLError) in try accountant.verbatim(bytes.span) }
    }

    func parser(
        _ parser: XMLParser, foundAttributeDeclarationWithName attributeName: String, forElement elementName: String,
        type: String?, defaultValue: String?
    ) {
        guard defaultValue != nil else { return }
        fail(XMLError(.limit("attributes with default values are refused"), line: line(parser)), parser)
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        guard failure == nil else { return }
        let code = (parseError as NSError).code
        // Breaches of *Namespaces in XML* do not stop the parser.
        if (200...205).contains(code) {
            namespaceErrorCount += 1
            if warnings.count < 20 {
                warnings.append(MapWarning(markupAt: line(parser), "a namespace is used wrongly (code \(code))"))
            }
            return
        }
        // 26 and 27: an entity that is not declared, or that was not read.
        let reason =
            [26, 27].contains(code)
            ? XMLError.Reason.entity("…") : .notWellFormed("the parser stopped here (code \(code))")
        failure = XMLError(
            reason, line: line(parser), column: parser.columnNumber > 0 ? parser.columnNumber : nil)
    }
}
#endif

#if !(Drivers && os(Linux))
import Foundation
import PortolanWeb
#if os(Linux)
import FoundationXML
#endif

/// Runs Foundation's parser on a document, on platforms without libxml2's own interface.
enum XMLDriver {
    /// Parses `input` into `accountant` and returns warnings.
    static func run(
        _ input: XMLInput, into accountant: XMLAccountant, limits: XMLLimits
    ) throws(XMLError) -> [MapWarning] {
        var scanner = XMLTagScanner(limits: limits, line: input.firstLine)
        try scanner.scan(input.bytes.span.extracting(input.start..<input.bytes.count))
        // The document type declaration is read here and hidden from the parser: Foundation does not report entity
        // references on all platforms, and on Linux some declarations crash the process.
        let scan = XMLEntityScan(input)
        if let fault = scan.fault { throw fault }
        // The parser would copy a comment once for each of its errors.
        try scan.checkComments()
        #if os(Linux)
        // On Linux a name that is not UTF-8 crashes the process; other encodings have been decoded before.
        if ["", "UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(input.encodingName) {
            do throws(UTF8.ValidationError) { _ = try UTF8Span(validating: input.bytes.span) } catch {
                let line = 1 + input.bytes[..<error.byteOffsets.lowerBound].count { $0 == 0x0A }
                throw XMLError(.notWellFormed("the bytes are not UTF-8"), line: line)
            }
        }
        #endif
        var document = Data(input.bytes[input.start...])
        for place in scan.documentType ?? 0..<0 where input.bytes[place] != 0x0A {
            document[place - input.start] = 0x20
        }
        // A parser created from data rejects documents of more than ten million bytes; one created from a stream does
        // not.
        let parser = XMLParser(stream: InputStream(data: document))
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.shouldResolveExternalEntities = false
        let delegate = FoundationXMLDelegate(accountant: accountant, firstLine: input.firstLine)
        parser.delegate = delegate
        // The result is ignored: it is `true` for some broken documents, and `false` for some with mere warnings.
        _ = parser.parse()
        if let failure = delegate.failure {
            if case .entity = failure.reason, let use = scan.firstUse { throw use }
            throw failure
        }
        guard delegate.isAtEnd else {
            throw XMLError(
                .notWellFormed("unexpected end, or a syntax error"),
                line: max(parser.lineNumber, 1) + input.firstLine - 1)
        }
        return delegate.warnings
    }
}

private final class FoundationXMLDelegate: NSObject, XMLParserDelegate {
    private static let warningLimit = 20
    /// The libxml2 error codes, also used by Apple's parser, of non-fatal errors: warnings, and violations of
    /// *Namespaces in XML*.
    private static let harmlessCodes: [ClosedRange<Int>] = [97...100, 102...102, 106...107, 200...205]

    private let accountant: XMLAccountant
    private let lineOffset: Int
    private var declaredNamespaces = 0
    private var depth = 0
    private var hasRoot = false
    private var names: Set<String> = []
    private let values = XMLAttributeValues()
    private(set) var warnings: [MapWarning] = []
    private(set) var failure: XMLError?

    init(accountant: XMLAccountant, firstLine: Int) {
        self.accountant = accountant
        lineOffset = firstLine - 1
    }

    /// Whether the root element has ended.
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

    /// Returns the value of an attribute; on Linux an ampersand is always reported as a reference.
    private static func plain(_ value: String) -> String {
        #if os(Linux)
        value.replacing("&#38;", with: "&")
        #else
        value
        #endif
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
            // The order of the attributes is lost; sorting makes it at least deterministic.
            values.removeAll()
            names.insert(name)
            for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
                let (prefix, name) = Self.split(key), start = values.byteCount
                values.append(Self.plain(value).utf8)
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

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        guard failure == nil else { return }
        let code = (parseError as NSError).code
        if Self.harmlessCodes.contains(where: { $0.contains(code) }) {
            if warnings.count < Self.warningLimit {
                let words = (200...205).contains(code) ? "invalid use of a namespace" : "invalid markup"
                warnings.append(MapWarning(markupAt: line(parser), "\(words) (code \(code))"))
            }
            return
        }
        let reason: XMLError.Reason =
            switch code {
            // An undeclared entity, or one that was not read.
            case 26, 27: .entity("…")
            case 76: .notWellFormed("opening and ending tag mismatch")
            default: .notWellFormed("parsing stopped here (code \(code))")
            }
        failure = XMLError(
            reason, line: line(parser), column: parser.columnNumber > 0 ? parser.columnNumber : nil)
    }
}
#endif

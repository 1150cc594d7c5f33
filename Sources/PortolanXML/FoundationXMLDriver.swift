#if !(Drivers && os(Linux))
import Foundation
import PortolanWeb
#if os(Linux)
import FoundationXML
#endif

/// Runs Foundation's parser over a document, where libxml2's own interface is not to be had.
enum XMLDriver {
    /// Reads `input` into `accountant` and returns what was odd but harmless.
    static func run(
        _ input: XMLInput, into accountant: XMLAccountant, limits: XMLLimits
    ) throws(XMLError) -> [MapWarning] {
        var scanner = XMLTagScanner(limits: limits, line: input.firstLine)
        try scanner.scan(input.bytes.span.extracting(input.start..<input.bytes.count))
        // The document type declaration is read here and kept from the parser: Foundation does not say on all platforms that an
        // entity is used, and on Linux some declarations end the process.
        let scan = XMLEntityScan(input)
        if let fault = scan.fault { throw fault }
        // The parser would copy a comment with many faults as often as it has any.
        try scan.checkComments()
        #if os(Linux)
        // On Linux a name that is not UTF-8 ends the process; other encodings come decoded.
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
        // A parser made of data refuses documents of more than ten million bytes; one made of a stream does not.
        let parser = XMLParser(stream: InputStream(data: document))
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.shouldResolveExternalEntities = false
        let delegate = FoundationXMLDelegate(accountant: accountant, firstLine: input.firstLine)
        parser.delegate = delegate
        // Its result is not to be trusted: it is true for some broken documents, and false for some that are only odd.
        _ = parser.parse()
        if let failure = delegate.failure {
            if case .entity = failure.reason, let use = scan.firstUse { throw use }
            throw failure
        }
        guard delegate.isAtEnd else {
            throw XMLError(
                .notWellFormed("it ends too early or breaks a rule"),
                line: max(parser.lineNumber, 1) + input.firstLine - 1)
        }
        return delegate.warnings
    }
}

private final class FoundationXMLDelegate: NSObject, XMLParserDelegate {
    private static let warningLimit = 20
    /// The codes of libxml2, which also Apple's parser has, of what does not stop it: warnings, and breaches of *Namespaces in XML*.
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

    /// The value of an attribute; on Linux an ampersand comes as a reference, whichever way it was written.
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
            // The order of the attributes is lost here; sorting makes it at least the same each time.
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
                let words = (200...205).contains(code) ? "a namespace is used wrongly" : "the markup is odd"
                warnings.append(MapWarning(markupAt: line(parser), "\(words) (code \(code))"))
            }
            return
        }
        let reason: XMLError.Reason =
            switch code {
            // An entity that is not declared, or that was not read.
            case 26, 27: .entity("…")
            case 76: .notWellFormed("opening and ending tag mismatch")
            default: .notWellFormed("the parser stopped here (code \(code))")
            }
        failure = XMLError(
            reason, line: line(parser), column: parser.columnNumber > 0 ? parser.columnNumber : nil)
    }
}
#endif

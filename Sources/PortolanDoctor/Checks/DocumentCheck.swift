import PortolanServices
import PortolanWeb
import PortolanXML

/// A capabilities document as received, for the checks.
package struct CapabilitiesEvidence: Hashable, Sendable {
    /// The body.
    package var bytes: [UInt8]
    /// The media type of the response header, or `nil`.
    package var contentType: String?
    /// The URL of the service.
    package var address: String
    /// The requested version, or `nil`.
    package var askedVersion: String?

    /// Makes evidence.
    package init(bytes: [UInt8], contentType: String? = nil, address: String, askedVersion: String? = nil) {
        self.bytes = bytes
        self.contentType = contentType
        self.address = address
        self.askedVersion = askedVersion
    }
}

/// Checks the syntax of a document, regardless of its content: encoding, declaration, markup.
struct DocumentCheck {
    let evidence: CapabilitiesEvidence
    let subject: String

    /// The text before the root element, up to the first byte that is not ASCII.
    private let prolog: String

    init(_ evidence: CapabilitiesEvidence, subject: String) {
        self.evidence = evidence
        self.subject = subject
        var start = String(decoding: evidence.bytes.prefix(8192), as: UTF8.self)[...]
        if start.hasPrefix("\u{FEFF}") { start.removeFirst() }
        // The root is the first tag that begins with a letter.
        var place = start.startIndex
        while let open = start[place...].firstIndex(of: "<") {
            let next = start.index(after: open)
            guard next < start.endIndex else { break }
            place = next
            // A DOCTYPE's own declarations begin with '<!', and so do comments.
            if start[next].isLetter { break }
        }
        prolog = String(start[..<place])
    }

    /// Whether the document has a document type declaration.
    var hasDoctype: Bool { prolog.contains("<!DOCTYPE") }

    func findings(markup warnings: [MapWarning]) -> [Finding] {
        var list = FindingList()
        let bytes = evidence.bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            list.add(
                .note, .byteOrderMark, subject,
                "a byte order mark precedes the XML declaration; some parsers reject it",
                remedy: "save the document, or its template, as UTF-8 without a byte order mark")
        }
        if !prolog.contains("<?xml"), !Self.isWide(bytes) {
            list.add(
                .note, .declarationMissing, subject, "missing XML declaration; clients must guess the encoding",
                remedy: "begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        }
        if prolog.first?.isWhitespace == true, prolog.contains("<?xml") {
            list.add(
                .deviation, .markupOdd, subject,
                "white space precedes the XML declaration, which must come first (XML 1.0, 2.8); most parsers reject it",
                remedy: "write nothing before <?xml, not even an empty line")
        }
        if let declared = Self.value(of: "encoding", in: prolog), let sent = charset, declared.lowercased() != sent {
            list.add(
                .deviation, .encodingContradiction, subject,
                "the document states the encoding \(declared), the Content-Type \(sent); one of them is wrong for "
                    + "non-ASCII letters",
                remedy: "state the same encoding in both, or none in the Content-Type")
        }
        for warning in warnings {
            list.add(
                .deviation, .markupOdd, subject, warning.description,
                remedy: "write the document with an XML library")
        }
        return list.findings
    }

    private static func isWide(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0)
    }

    /// The encoding of the response header, in lower case.
    private var charset: String? {
        evidence.contentType.flatMap { MediaType($0).charset }
    }

    private static func value(of attribute: String, in text: String) -> String? {
        guard let end = text.firstRange(of: "?>") else { return nil }
        let declaration = text[..<end.lowerBound]
        guard let name = declaration.firstRange(of: attribute) else { return nil }
        let rest = declaration[name.upperBound...].drop { $0 == " " || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        return String(rest.dropFirst().prefix { $0 != quote })
    }

    /// The media type of the response header, in lower case and without parameters, or `nil`.
    var mediaType: String? {
        evidence.contentType.map { MediaType($0).essence }
    }
}

/// Checks a URL that a service advertises against the requested one.
struct AddressCheck {
    let base: ServiceURL
    private let document: BaseURL
    /// The clause of the standard by which parameters are appended to the URL.
    private let clause: String

    init(askedAt address: String, clause: String = "OGC 06-042 6.3.3") {
        base = ServiceURL(address)
        document = BaseURL(address)
        self.clause = clause
    }

    /// Adds the findings about a URL.
    ///
    /// - Parameter isPrefix: whether parameters are appended to it.
    func check(_ address: String, subject: String, isPrefix: Bool, into list: inout FindingList) {
        let url = ServiceURL(address)
        guard url.isAbsolute, ["http", "https"].contains(url.scheme) else {
            return list.add(
                .fault, .addressInvalid, subject, "'\(address)' is not a valid URL for requests",
                remedy: "write the whole public URL, with http:// or https:// and the host")
        }
        if url.host != base.host {
            if document.refusal(of: address) != nil {
                list.add(
                    .fault, .addressInternal, subject,
                    "the host of the URL, '\(url.host)', cannot be reached from outside the service's network",
                    remedy: "set the public URL in the server's configuration; behind a proxy, forward its host")
            } else {
                list.add(
                    .note, .addressOtherHost, subject,
                    "requests go to '\(url.host)', not to '\(base.host)'; keys and permissions may differ "
                        + "between the two",
                    remedy: "if this is not intended, set the public URL in the server's configuration")
            }
        } else if url.scheme == "http", base.scheme == "https" {
            list.add(
                .deviation, .addressInsecure, subject,
                "the URL is http, although the service was requested over https; browsers block such requests",
                remedy: "set an https URL in the server's configuration")
        }
        let text = address.trimmingSpace()
        if isPrefix, !text.hasSuffix("?"), !text.hasSuffix("&") {
            list.add(
                .deviation, .addressPrefix, subject,
                "the URL ends neither in '?' nor in '&' (\(clause)); clients that append parameters fail",
                remedy: text.contains("?") ? "add '&' at its end" : "add '?' at its end")
        }
    }
}

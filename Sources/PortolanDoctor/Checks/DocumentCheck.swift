import PortolanServices
import PortolanWeb
import PortolanXML

/// A capabilities document as it came, for those who check it.
package struct CapabilitiesEvidence: Hashable, Sendable {
    /// The body.
    package var bytes: [UInt8]
    /// The media type declared with it, or `nil`.
    package var contentType: String?
    /// The address of the service that was asked.
    package var address: String
    /// The version asked for, or `nil` when none was.
    package var askedVersion: String?

    /// Makes evidence.
    package init(bytes: [UInt8], contentType: String? = nil, address: String, askedVersion: String? = nil) {
        self.bytes = bytes
        self.contentType = contentType
        self.address = address
        self.askedVersion = askedVersion
    }
}

/// Checks how a document is written, whatever stands in it: encoding, declaration, markup.
struct DocumentCheck {
    let evidence: CapabilitiesEvidence
    let subject: String

    /// The text before the root element, as far as it is ASCII.
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

    /// Whether there is a document type declaration.
    var hasDoctype: Bool { prolog.contains("<!DOCTYPE") }

    func findings(markup warnings: [MapWarning]) -> [Finding] {
        var list = FindingList()
        let bytes = evidence.bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            list.add(
                .note, .byteOrderMark, subject,
                "a byte order mark stands before the XML declaration; some clients' parsers refuse it",
                remedy: "save the document, or the template it is made of, as UTF-8 without a mark")
        }
        if !prolog.contains("<?xml"), !Self.isWide(bytes) {
            list.add(
                .note, .declarationMissing, subject, "there is no XML declaration; the encoding is a guess",
                remedy: "begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        }
        if prolog.first?.isWhitespace == true, prolog.contains("<?xml") {
            list.add(
                .deviation, .markupOdd, subject,
                "white space stands before the XML declaration, which must come first (XML 1.0, 2.8); most parsers refuse it",
                remedy: "write nothing before <?xml, no empty line either")
        }
        if let declared = Self.value(of: "encoding", in: prolog), let sent = charset, declared.lowercased() != sent {
            list.add(
                .deviation, .encodingContradiction, subject,
                "the document says it is \(declared) and the Content-Type says \(sent); one of the two is wrong for "
                    + "letters beyond ASCII",
                remedy: "name the same encoding in both, or none in the Content-Type")
        }
        for warning in warnings {
            list.add(
                .deviation, .markupOdd, subject, warning.description,
                remedy: "let the program that writes the document write it through an XML library")
        }
        return list.findings
    }

    private static func isWide(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0)
    }

    /// The encoding that the header names, in small letters.
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

    /// The media type that is declared, in small letters and without parameters, or `nil`.
    var mediaType: String? {
        evidence.contentType.map { MediaType($0).essence }
    }
}

/// Checks an address that a service advertises against the one by which it was reached.
struct AddressCheck {
    let base: ServiceURL
    private let document: BaseURL
    /// Where the standard says that parameters are appended to the address.
    private let clause: String

    init(askedAt address: String, clause: String = "OGC 06-042 6.3.3") {
        base = ServiceURL(address)
        document = BaseURL(address)
        self.clause = clause
    }

    /// Adds the findings about an address.
    ///
    /// - Parameter isPrefix: whether parameters are appended to it.
    func check(_ address: String, subject: String, isPrefix: Bool, into list: inout FindingList) {
        let url = ServiceURL(address)
        guard url.isAbsolute, ["http", "https"].contains(url.scheme) else {
            return list.add(
                .fault, .addressInvalid, subject, "'\(address)' is no address that requests can go to",
                remedy: "write the whole public address, with http:// or https:// and the host")
        }
        if url.host != base.host {
            if document.refusal(of: address) != nil {
                list.add(
                    .fault, .addressInternal, subject,
                    "the address leads to '\(url.host)', which nobody outside the service's own network can reach",
                    remedy: "set the public address in the server's configuration; behind a proxy, pass its host on")
            } else {
                list.add(
                    .note, .addressOtherHost, subject,
                    "requests go to '\(url.host)' and not to '\(base.host)'; keys and permissions for the one may not "
                        + "hold for the other",
                    remedy: "if that is not meant, set the public address in the server's configuration")
            }
        } else if url.scheme == "http", base.scheme == "https" {
            list.add(
                .deviation, .addressInsecure, subject,
                "the address is over http, although the service was asked over https; browsers block such requests",
                remedy: "set an https address in the server's configuration")
        }
        let text = address.trimmingSpace()
        if isPrefix, !text.hasSuffix("?"), !text.hasSuffix("&") {
            list.add(
                .deviation, .addressPrefix, subject,
                "the address ends neither in '?' nor in '&' (\(clause)); clients that append parameters fail",
                remedy: text.contains("?") ? "add '&' at its end" : "add '?' at its end")
        }
    }
}

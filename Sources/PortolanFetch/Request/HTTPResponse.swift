public import PortolanWeb

/// The answer to a request: status, header and whole body.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code, 200 for `file:` and `data:` URLs.
    ///
    /// Any final status may stand here, 4xx and 5xx too.
    public var status: Int

    /// The header fields in the order received; repeated fields stay apart.
    ///
    /// `Content-Encoding` and `Content-Length` are the server's and describe the body before decompression.
    public var headers: [HTTPHeader]

    /// The body, decompressed.
    public var body: [UInt8]

    /// The URL that answered, after redirects, without user name, password and fragment; the base for relative links.
    ///
    /// It may carry secrets in its query: show ``FetchError/redacted(_:)`` of it to people, not this.
    public var url: String

    /// Where the server was found, or `nil` when that is not known, as behind a proxy.
    public var network: IPAddress.Network?

    /// Makes a response from its parts.
    public init(
        status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], url: String, network: IPAddress.Network? = nil
    ) {
        self.network = network
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// The value of the first field with this name, compared without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Whether the status is 2xx.
    ///
    /// OGC services send exceptions with 2xx as well: look at the body too.
    public var isSuccessful: Bool { (200..<300).contains(status) }
}

/// One header field of a request or a response.
///
/// Two headers are equal when their values are and their names differ at most in case (RFC 9110, section 5.1).
public struct HTTPHeader: Sendable {
    /// The field name as it was written.
    public var name: String

    /// The field value, without the white space around it.
    public var value: String

    /// Makes a header; the syntax is checked when the request is sent (``FetchError/Code/invalidRequest``).
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader: Hashable {
    /// Whether both have the same value and, but for case, the same name.
    public static func == (left: HTTPHeader, right: HTTPHeader) -> Bool {
        left.value == right.value && left.isNamed(right.name)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte.asciiLowercased) }
        hasher.combine(value)
    }
}

extension HTTPHeader {
    /// Whether this field has the name `name`, compared without regard to ASCII case.
    package func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && zip(self.name.utf8, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The fault of the field's syntax (RFC 9110, section 5), for a person; nil when there is none.
    package var syntaxFault: String? {
        if name.isEmpty { return "a header has no name" }
        guard name.utf8.allSatisfy(\.isHTTPTokenByte) else {
            return "a header name has a character HTTP does not allow"
        }
        // A line break would smuggle in further headers.
        let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        return isClean ? nil : "the value of header \(name) has a control character"
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2.
    fileprivate var isHTTPTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}

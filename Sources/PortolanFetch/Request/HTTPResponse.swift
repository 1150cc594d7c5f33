public import PortolanWeb

/// The response to a request: status, header fields and whole body.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code; 200 for `file:` and `data:` URLs.
    ///
    /// It can be any final status, including 4xx and 5xx.
    public var status: Int

    /// The header fields in the order received; repeated fields are separate.
    ///
    /// `Content-Encoding` and `Content-Length` come from the server and describe the body before decompression.
    public var headers: [HTTPHeader]

    /// The decompressed body.
    public var body: [UInt8]

    /// The URL of the response after redirects, without user information and fragment.
    ///
    /// It is the base for relative links.
    ///
    /// Its query may contain secrets: use ``FetchError/redacted(_:)`` to show it to people.
    public var url: String

    /// The network of the server, or `nil` if unknown, for example behind a proxy.
    public var network: IPAddress.Network?

    /// Creates a response.
    public init(
        status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], url: String, network: IPAddress.Network? = nil
    ) {
        self.network = network
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// Returns the value of the first field with this name, ignoring case.
    public func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Whether the status is 2xx.
    ///
    /// OGC services send exceptions with 2xx as well, so check the body, too.
    public var isSuccessful: Bool { (200..<300).contains(status) }
}

/// A header field of a request or response.
///
/// Two fields are equal if their values are equal and their names differ at most in case (RFC 9110, section 5.1).
public struct HTTPHeader: Sendable {
    /// The field name, with its original case.
    public var name: String

    /// The field value, without surrounding white space.
    public var value: String

    /// Creates a field; its syntax is validated when the request is sent (``FetchError/Code/invalidRequest``).
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader: Hashable {
    /// Returns whether the values are equal, and the names are equal except for case.
    public static func == (left: HTTPHeader, right: HTTPHeader) -> Bool {
        left.value == right.value && left.isNamed(right.name)
    }

    /// Hashes the components that `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte.asciiLowercased) }
        hasher.combine(value)
    }
}

extension HTTPHeader {
    /// Returns whether the field has this name, ignoring ASCII case.
    package func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && zip(self.name.utf8, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// A message about the field's invalid syntax (RFC 9110, section 5), or `nil` if it is valid.
    package var syntaxFault: String? {
        if name.isEmpty { return "a header has no name" }
        guard name.utf8.allSatisfy(\.isHTTPTokenByte) else {
            return "a header name has a character HTTP does not allow"
        }
        // A line break could inject further headers.
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

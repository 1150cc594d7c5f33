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

    /// Makes a response from its parts.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], url: String) {
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

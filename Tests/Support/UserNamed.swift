package import PortolanFetch
package import PortolanWeb

extension HTTPRequest {
    /// A request to a URL from the user.
    package init(
        to url: String, headers: [HTTPHeader] = [], body: HTTPRequest.Body? = nil,
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(),
        maximumBodyByteCount: Int = 64 << 20
    ) {
        self.init(
            to: NamedURL(url, namedBy: .user), headers: headers, body: body, timeouts: timeouts,
            maximumBodyByteCount: maximumBodyByteCount)
    }
}

extension NamedURL {
    /// A URL from the user.
    package static func user(_ text: String) -> NamedURL { NamedURL(text, namedBy: .user) }
}

/// The web pages that may read responses: the origins of Cross-Origin Resource Sharing (Fetch standard, section 3.2).
package enum CrossOrigins: Hashable, Sendable {
    /// Pages of all origins.
    case any
    /// Pages of these origins, such as `https://example.org`.
    case of(Set<String>)

    /// No pages but those of the server.
    package static let none = CrossOrigins.of([])

    /// Adds the permission for a request to a response.
    func permit(_ request: ServerRequest?, _ response: inout ServerResponse) {
        switch self {
        case .any: response.set("Access-Control-Allow-Origin", "*")
        case .of(let origins):
            guard !origins.isEmpty else { return }
            // A cache must not give the response to another origin.
            response.vary(by: "Origin")
            guard let origin = request?[header: "Origin"], origins.contains(origin.lowercased()) else { return }
            response.set("Access-Control-Allow-Origin", origin)
        }
        if response[header: "Access-Control-Expose-Headers"] == nil {
            response.set(
                "Access-Control-Expose-Headers",
                "ETag, Content-Crs, Content-Bbox, Location, Retry-After, \(ServerResponse.warningField)")
        }
    }

    /// Returns an origin in lower case, or `nil` if a text is not one: a scheme, a host and a port without a path.
    package static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            let isHost = !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\".utf8.contains($0) }
            return isHost ? text : nil
        }
        return nil
    }
}

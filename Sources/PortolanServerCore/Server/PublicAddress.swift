import PortolanFetch
import PortolanWeb

/// The address of a server as the client of a request sees it.
struct PublicAddress {
    /// The URL without a trailing slash.
    let base: String
    /// The path of the URL, without a trailing slash, or `nil` if a proxy may have removed it.
    let path: String?

    /// Determines the address: the configured one, or that of the request and of the trusted proxies that sent it.
    ///
    /// - Parameter key: the key that the client sent in the address, which then is in all addresses of documents.
    init(of request: ServerRequest, _ settings: MapServer.Settings, key: String? = nil) {
        let address = Self.address(of: request, settings),
            end = key.map { "/key/" + PercentEncoding.pathPart($0) } ?? ""
        base = address.base + end
        path = address.path.map { $0 + end }
    }

    private static func address(
        of request: ServerRequest, _ settings: MapServer.Settings
    ) -> (base: String, path: String?) {
        let isTrusted = settings.trustedProxies.contains(request.client)
        func forwarded(_ name: String) -> String? { isTrusted ? request[header: "X-Forwarded-" + name] : nil }
        let outer = forwarded("Prefix").flatMap(MapServer.Settings.prefix) ?? ""
        let own = outer + settings.prefix
        guard let configured = settings.base else {
            let host = request[header: "Host"].flatMap { Self.isHost($0) ? $0 : nil }
            let scheme = forwarded("Proto")?.lowercased() == "https" ? "https" : "http"
            return ("\(scheme)://\(host ?? "localhost")\(own)", own.isEmpty ? nil : own)
        }
        let afterScheme = configured.firstRange(of: "://").map { configured[$0.upperBound...] } ?? configured[...]
        return (configured, afterScheme.firstIndex(of: "/").map { String(afterScheme[$0...]) } ?? "")
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count < 256
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-.:[]".utf8.contains($0) }
    }
}

extension MapServer.Settings {
    /// Returns a path prefix without a trailing slash, or `nil` if a text is not one.
    package static func prefix(_ text: String) -> String? {
        var text = text[...]
        while text.hasSuffix("/") { text = text.dropLast() }
        guard !text.isEmpty else { return "" }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count < 256, parts[0].isEmpty, parts.count > 1,
            parts.dropFirst().allSatisfy({ part in
                !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy(\.isUnreserved)
            })
        else { return nil }
        return String(text)
    }
}

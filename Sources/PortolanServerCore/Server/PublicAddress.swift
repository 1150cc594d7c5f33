import PortolanFetch

/// The address of a server as the client of a request sees it.
struct PublicAddress {
    /// The URL without a trailing slash.
    let base: String
    /// The path of the URL, without a trailing slash.
    let path: String

    /// Determines the address: the configured one, or that of the request and of the trusted proxies that sent it.
    init(of request: ServerRequest, _ settings: MapServer.Settings) {
        let isTrusted = settings.trustedProxies.contains(request.client)
        func forwarded(_ name: String) -> String? { isTrusted ? request[header: "X-Forwarded-" + name] : nil }
        let outer = forwarded("Prefix").flatMap(MapServer.Settings.prefix) ?? ""
        let own = outer + settings.prefix
        guard let configured = settings.base else {
            let host = request[header: "Host"].flatMap { Self.isHost($0) ? $0 : nil }
            let scheme = forwarded("Proto")?.lowercased() == "https" ? "https" : "http"
            path = own
            base = "\(scheme)://\(host ?? "localhost")\(own)"
            return
        }
        base = configured
        let afterScheme = configured.firstRange(of: "://").map { configured[$0.upperBound...] } ?? configured[...]
        path = afterScheme.firstIndex(of: "/").map { String(afterScheme[$0...]) } ?? ""
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count < 256
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]")]
                        .contains($0)
            }
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
                !part.isEmpty && part != "." && part != ".."
                    && part.utf8.allSatisfy { letter in
                        (0x61...0x7A).contains(letter | 0x20) || (0x30...0x39).contains(letter)
                            || [0x2D, 0x2E, 0x5F, 0x7E].contains(letter)
                    }
            })
        else { return nil }
        return String(text)
    }
}

import PortolanWeb

/// A request as a ``MapObserver`` sees it.
public struct ObservedRequest: Hashable, Sendable {
    /// The host in small letters, without port; empty when the URL has none.
    public let host: String
    /// The port, that of the scheme when none is written.
    public let port: Int?
    private let address: String

    package init(url: String) {
        let parts = URLParts(url)
        host = parts?.host ?? ""
        port = parts?.effectivePort
        address = url
    }

    /// The URL, without secrets (see ``FetchError/redacted(_:)``).
    ///
    /// - Complexity: O(its length), each time.
    public var url: String { FetchError.redacted(address) }
}

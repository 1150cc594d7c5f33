package import PortolanWeb

/// Fallback addresses of a resource: a service by parameters and by path, or on several hosts.
package struct ResourceAlternatives: Hashable, Sendable {
    /// The identity of the service.
    ///
    /// All its resources have the same addresses in the same order, so that a finding about one applies to all.
    package let service: String
    /// The addresses in the order in which they are tried.
    package let urls: [NamedURL]

    /// Creates fallback addresses, or returns `nil` if there are none.
    package init?(of service: String, _ urls: [NamedURL]) {
        guard !urls.isEmpty else { return nil }
        self.service = service
        self.urls = urls
    }
}

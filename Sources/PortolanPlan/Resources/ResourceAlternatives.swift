package import PortolanWeb

/// Other addresses of the same thing, for where the first cannot be had: a service by parameters and by path, or at several hosts.
package struct ResourceAlternatives: Hashable, Sendable {
    /// What has the same addresses in the same order for all that it is asked for; what is found out of them counts for all of it.
    package let service: String
    /// The addresses, in the order in which they are tried.
    package let urls: [NamedURL]

    /// Names addresses; `nil` where there are none.
    package init?(of service: String, _ urls: [NamedURL]) {
        guard !urls.isEmpty else { return nil }
        self.service = service
        self.urls = urls
    }
}

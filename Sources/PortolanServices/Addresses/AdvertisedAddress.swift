import PortolanWeb

/// The rules for advertised URLs, common to all services.
///
/// A URL on the host of the caller's URL gets the caller's `https` and query parameters (such as a key), and with equal
/// scheme and port also user and password (RFC 6454, section 4). A URL on another host gets none of these. A relative
/// URL is resolved against the document. A URL that the document may not access (``/PortolanWeb/AddressPolicy``) is
/// rejected: `localhost` would be the caller's own machine.
struct AdvertisedAddress: Hashable, Sendable {
    /// The document.
    let document: BaseURL
    /// The URL of the document.
    let base: ServiceURL
    let policy: ServiceURLPolicy
    /// The subject of the requests in messages.
    let subject: String
    /// The uppercase names of query parameters of the caller that are not transferred.
    let dropped: Set<String>

    /// Whether layers have a key for the policy, which messages then suggest.
    let hasKey: Bool

    init(
        document: BaseURL, policy: ServiceURLPolicy = .advertised, subject: String, dropping dropped: Set<String>,
        hasKey: Bool = false
    ) {
        self.hasKey = hasKey
        self.document = document
        base = ServiceURL(document.url)
        self.policy = policy
        self.subject = subject
        self.dropped = dropped
    }

    private enum Site {
        case unusable
        /// The URL must not be requested, with a reason if the caller's URL is used instead of a refused one.
        case refused(reason: String?)
        case usable(ServiceURL, note: String?)
    }

    /// Returns the URL of an operation with parameters, or the caller's URL if the advertised one must not be used.
    func operation(_ advertised: String?, note: (String) -> Void) -> NamedURL {
        document.names(place(of: advertised, note: note).text)
    }

    private func place(of advertised: String?, note: (String) -> Void) -> ServiceURL {
        guard policy != .base, let advertised else { return base }
        switch site(of: advertised) {
        case .unusable:
            note("invalid advertised URL '\(advertised)'")
            return base
        case .refused(let reason):
            if let reason { note("\(reason); ignored") }
            return base
        case .usable(let url, let remark):
            if let remark { note(remark) }
            return withParameters(url)
        }
    }

    /// Returns the URL of a resource with its own path, without the caller's parameters, or `nil` if it is not an HTTP
    /// URL.
    ///
    /// If its host must not be requested, the same path on the caller's host is used.
    func resource(_ advertised: String, note: (String) -> Void) -> ServiceURL? {
        switch site(of: advertised) {
        case .unusable: return nil
        case .refused(let reason):
            if let reason { note("\(reason); using \(base.host) with the same path") }
            return ServiceURL(whole(advertised)).moved(to: base)
        case .usable(let url, let remark):
            if let remark { note(remark) }
            return url
        }
    }

    /// Returns a URL with the caller's missing parameters, if it is on the caller's host.
    func withParameters(_ url: ServiceURL) -> ServiceURL {
        url.host == base.host ? url.adding(parametersOf: base, dropping: dropped) : url
    }

    /// Returns the absolute form of a reference in the document.
    func whole(_ reference: String) -> String {
        let place = ServiceURL(document.place)
        // A host without a scheme is usually the caller's.
        guard !reference.trimmingSpace().isEmpty, place.isAbsolute else { return base.whole(reference) }
        return place.whole(reference)
    }

    private func site(of advertised: String) -> Site {
        let url = ServiceURL(whole(advertised)).upgraded(like: base)
        guard url.isOnWeb || url.scheme == "file" && document.refusal(of: url.text) == nil else { return .unusable }
        if policy == .base { return .refused(reason: nil) }
        if url.host == base.host { return .usable(url.withUser(of: base), note: nil) }
        guard policy == .advertised else { return .refused(reason: nil) }
        if let refusal = document.refusal(of: url.text) {
            return .refused(reason: "not allowed to request the advertised URL '\(advertised)': \(refusal)")
        }
        let remedy = hasKey ? "; url-policy=base uses \(base.host) instead" : ""
        return .usable(url, note: "requests for \(subject) go to \(url.host), as advertised by the service\(remedy)")
    }
}

/// The choice of the URL for map requests.
public enum ServiceURLPolicy: String, Hashable, Sendable, CaseIterable {
    /// The URL in the capabilities, unless it is in a private network, such as `localhost`, and the caller's is not.
    ///
    /// Then the caller's URL is used.
    case advertised
    /// The caller's URL.
    case base
    /// The URL in the capabilities if it is on the caller's host, otherwise the caller's URL.
    case advertisedIfSameHost
}

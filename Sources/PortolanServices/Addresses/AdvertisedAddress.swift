import PortolanWeb

/// The rule by which advertised addresses are used for requests, the same for all services.
///
/// An address on the host of the caller's takes along what the caller gave: `https`, parameters of the query (a key, say),
/// and where scheme and port are the same too, user and password (RFC 6454, section 4). One on another host gets nothing
/// of that; one that is relative is so to the document; one that the document may not lead to (``/PortolanWeb/AddressPolicy``) is not asked at all: `localhost` would be the
/// caller's own machine.
struct AdvertisedAddress: Hashable, Sendable {
    /// The document.
    let document: BaseURL
    /// The address it came from.
    let base: ServiceURL
    let policy: ServiceURLPolicy
    /// The subject of the requests, as notes name it.
    let subject: String
    /// The parameters of the caller's query that do not go along, in capitals.
    let dropped: Set<String>

    /// Whether layers have a key for the policy, which notes then suggest.
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
        /// Not to be asked, with the reason if it is not the caller's own.
        case refused(reason: String?)
        case usable(ServiceURL, note: String?)
    }

    /// The address of an operation, which takes parameters; the caller's where the advertised one is not to be used.
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

    /// The address of a thing with a path of its own, without the caller's parameters; `nil` when it is none of the web.
    ///
    /// Where its host is not to be asked, the same path is asked for at the caller's.
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

    /// An address with the caller's parameters that it lacks, if it is on the caller's host.
    func withParameters(_ url: ServiceURL) -> ServiceURL {
        url.host == base.host ? url.adding(parametersOf: base, dropping: dropped) : url
    }

    /// A reference of the document, made whole.
    func whole(_ reference: String) -> String {
        let place = ServiceURL(document.place)
        // A host that a document forgets the scheme of is mostly the caller's.
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

/// The choice among the addresses of a service for map requests.
public enum ServiceURLPolicy: String, Hashable, Sendable, CaseIterable {
    /// The one its capabilities advertise for the operation, unless that is inside the service's own network, as
    /// `localhost` is, and the caller's is not: the caller's is taken then.
    case advertised
    /// The one the caller gave.
    case base
    /// The advertised one when its host is that of the caller's, else the caller's.
    case advertisedIfSameHost
}

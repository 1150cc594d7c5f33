/// Which of the addresses of a service gets the requests for maps.
public enum ServiceURLPolicy: String, Hashable, Sendable, CaseIterable {
    /// The one its capabilities advertise for the operation, unless that is inside the service's own network, as
    /// `localhost` is, and the caller's is not: the caller's is taken then.
    case advertised
    /// The one the caller gave.
    case base
    /// The advertised one when its host is that of the caller's, else the caller's.
    case advertisedIfSameHost
}

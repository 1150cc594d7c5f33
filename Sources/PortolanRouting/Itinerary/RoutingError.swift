public import PortolanFetch

/// The reason why there is no route.
public enum RoutingError: Error, Hashable, Sendable {
    /// The itinerary is invalid.
    case invalidItinerary(String)
    /// The matrix has invalid values.
    case invalidMatrix(String)
    /// There is no route between two places, given by their indices in the itinerary.
    case unreachable(from: Int, to: Int)
    /// A place, given by its index, has no road nearby.
    ///
    /// The distance to the nearest road is in metres, or `nil` if it is unknown.
    case noRoad(place: Int, meters: Double?)
    /// No order satisfies all constraints, because precedences and required positions conflict.
    case contradiction
    /// The provider does not support the request, for example its travel mode.
    case unsupported(provider: String, what: String)
    /// The request failed.
    case fetch(FetchError)
    /// The provider refused the request, with its code and message.
    case refused(provider: String, code: String, message: String)
    /// The response of the provider is invalid.
    case malformed(provider: String, url: String, what: String)
    /// The task was cancelled.
    case cancelled
}

extension RoutingError: CustomStringConvertible {
    /// A message for users.
    ///
    /// Places are counted from 1.
    public var description: String {
        switch self {
        case .invalidItinerary(let what): what
        case .invalidMatrix(let what): "invalid travel matrix: \(what)"
        case .unreachable(let from, let to): "no route from place \(from + 1) to place \(to + 1)"
        case .noRoad(let place, let meters?):
            "no road near place \(place + 1): the nearest is \(Int(min(meters, 1e9).rounded())) m away"
        case .noRoad(let place, nil): "no road near place \(place + 1)"
        case .contradiction: "no order satisfies all constraints"
        case .unsupported(let provider, let what): "\(provider) does not support \(what)"
        case .fetch(let error): "\(error)"
        case .refused(let provider, let code, let message):
            "\(provider) refused the request: \(code)\(message.isEmpty ? "" : ", \(message)")"
        case .malformed(let provider, let url, let what): "invalid response from \(provider) at \(url): \(what)"
        case .cancelled: "cancelled"
        }
    }
}

public import PortolanFetch

/// Why there is no route.
public enum RoutingError: Error, Hashable, Sendable {
    /// What is asked for makes no sense.
    case invalidItinerary(String)
    /// Numbers of a matrix make no sense.
    case invalidMatrix(String)
    /// There is no way from one place to another, by their indices in the itinerary.
    case unreachable(from: Int, to: Int)
    /// A place, by its index, has no road near it; how far the next one is in metres, where that is known.
    case noRoad(place: Int, meters: Double?)
    /// No order keeps what is said about it: places before others, and pinned ones, contradict one another.
    case contradiction
    /// The provider cannot do this, such as a mode that it does not have.
    case unsupported(provider: String, what: String)
    /// The provider could not be asked.
    case fetch(FetchError)
    /// The provider refused, in its words.
    case refused(provider: String, code: String, message: String)
    /// The answer of the provider cannot be understood.
    case malformed(provider: String, url: String, what: String)
    /// The task was cancelled.
    case cancelled
}

extension RoutingError: CustomStringConvertible {
    /// A sentence for people; places are counted from 1.
    public var description: String {
        switch self {
        case .invalidItinerary(let what): what
        case .invalidMatrix(let what): "the table of ways is wrong: \(what)"
        case .unreachable(let from, let to): "there is no way from place \(from + 1) to place \(to + 1)"
        case .noRoad(let place, let meters?):
            "place \(place + 1) has no road near it: the next one is \(Int(min(meters, 1e9).rounded())) m away"
        case .noRoad(let place, nil): "place \(place + 1) has no road near it"
        case .contradiction: "no order keeps all that is said about which place comes when"
        case .unsupported(let provider, let what): "\(provider) has no \(what)"
        case .fetch(let error): "\(error)"
        case .refused(let provider, let code, let message):
            "\(provider) refused: \(code)\(message.isEmpty ? "" : ", \(message)")"
        case .malformed(let provider, let url, let what): "the answer of \(provider) at \(url) makes no sense: \(what)"
        case .cancelled: "cancelled"
        }
    }
}

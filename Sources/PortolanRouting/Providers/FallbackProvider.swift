import PortolanFetch
public import PortolanGeo

/// A provider with another one behind it, for when it cannot be asked.
public struct FallbackProvider: RoutingProvider {
    /// The one that is asked first.
    public var first: any RoutingProvider
    /// The one that answers where the first is down or answers without sense.
    public var second: any RoutingProvider

    /// Makes a provider; straight lines stand behind the first unless told.
    public init(_ first: any RoutingProvider, or second: any RoutingProvider = StraightLines()) {
        self.first = first
        self.second = second
    }

    /// The name of the first.
    public var name: String { first.name }

    /// The way by the first, or by the second with a note why.
    public func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
        do { return try await first.route(through: places, mode: mode) } catch {
            guard error.isOutage else { throw error }
            var answer = try await second.route(through: places, mode: mode)
            answer.notes.append(.estimated(error))
            return answer
        }
    }

    /// The ways by the first, or by the second with a note why.
    public func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
        do { return try await first.matrix(of: places, mode: mode) } catch {
            guard error.isOutage else { throw error }
            var answer = try await second.matrix(of: places, mode: mode)
            answer.notes.append(.estimated(error))
            return answer
        }
    }
}

extension RoutingError {
    /// Whether the provider, and not the question, is at fault.
    var isOutage: Bool {
        switch self {
        case .fetch(let error): error.code != .cancelled
        case .malformed: true
        default: false
        }
    }
}

import PortolanFetch
public import PortolanGeo

/// A provider with a fallback.
public struct FallbackProvider: RoutingProvider {
    /// The primary provider.
    public var first: any RoutingProvider
    /// The fallback, used if the primary provider is unavailable or sends invalid responses.
    public var second: any RoutingProvider

    /// Creates a provider.
    ///
    /// The default fallback is straight lines.
    public init(_ first: any RoutingProvider, or second: any RoutingProvider = StraightLines()) {
        self.first = first
        self.second = second
    }

    /// The name of the primary provider.
    public var name: String { first.name }

    /// Returns the route of the primary provider, or of the fallback with a note about the cause.
    public func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
        do { return try await first.route(through: places, mode: mode) } catch {
            guard error.isOutage else { throw error }
            var answer = try await second.route(through: places, mode: mode)
            answer.notes.append(.estimated(error))
            return answer
        }
    }

    /// Returns the matrix of the primary provider, or of the fallback with a note about the cause.
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
    /// Whether the provider failed rather than the question.
    var isOutage: Bool {
        switch self {
        case .fetch(let error): error.code != .cancelled
        case .malformed: true
        default: false
        }
    }
}

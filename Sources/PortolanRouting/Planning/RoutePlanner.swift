import PortolanGeo

/// Plans routes: finds the best order of places and the route through them.
public struct RoutePlanner: Sendable {
    /// The provider of routes.
    public var provider: any RoutingProvider

    /// The search for the order.
    public var search: OrderSearch

    /// Creates a planner.
    public init(provider: any RoutingProvider, search: OrderSearch = OrderSearch()) {
        self.provider = provider
        self.search = search
    }

    /// The treatment of the order of places.
    public enum Ordering: String, Hashable, Sendable, CaseIterable {
        /// The order is optimized.
        case best
        /// The places are visited in the given order.
        case given
    }

    /// Returns a route for an itinerary.
    ///
    /// - Parameter earlier: a route of the same provider, whose legs between the same places in the same mode are
    ///   reused.
    /// - Throws: ``RoutingError`` with indices of the itinerary.
    /// - Complexity: the provider's requests for a travel matrix, if the order is optimized, and for the route.
    public func route(
        through itinerary: Itinerary, mode: TravelMode, ordering: Ordering = .best, after earlier: PlannedRoute? = nil
    ) async throws(RoutingError) -> PlannedRoute {
        let pins = try itinerary.pins()
        let isKept =
            pins.indices.allSatisfy { pins[$0] ?? $0 == $0 }
            && itinerary.precedences.allSatisfy { $0.first < $0.second }
        guard ordering == .best || isKept else {
            throw .invalidItinerary("the given order contradicts pinned positions or precedences")
        }
        guard itinerary.places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        var order: OrderSearch.VisitingOrder?
        var sequence = Array(itinerary.places.indices)
        var notes: [PlannedRoute.Note] = []
        if ordering == .best {
            let answer = try await provider.matrix(of: itinerary.places.map(\.coordinate), mode: mode)
            let best = try search.bestOrder(of: itinerary, by: answer.matrix)
            (order, sequence) = (best, best.order)
            notes = answer.notes.map { $0.at { best.order.firstIndex(of: $0) ?? $0 } }
        }
        if itinerary.isRoundTrip { sequence.append(sequence[0]) }
        let places = sequence.map { itinerary.places[$0] }
        let answer = try await legs(through: places, sequence, mode, earlier)
        notes += kept(earlier, places)
        // One failed server affects both requests, so the estimate is noted only once.
        let isEstimated = notes.contains(where: \.isEstimate)
        for note in answer.notes where !notes.contains(note) && !(isEstimated && note.isEstimate) { notes.append(note) }
        return PlannedRoute(places: places, legs: answer.legs, mode: mode, order: order, notes: notes)
    }

    /// Returns the notes about places of an earlier route that are still part of the route.
    private func kept(_ earlier: PlannedRoute?, _ places: [Itinerary.Place]) -> [PlannedRoute.Note] {
        (earlier?.notes ?? []).compactMap { note in
            guard case .awayFromRoad(let index, let meters) = note, let earlier, earlier.places.indices.contains(index),
                let place = places.firstIndex(where: { $0.coordinate == earlier.places[index].coordinate })
            else { return nil }
            return .awayFromRoad(place: place, meters: meters)
        }
    }

    /// Returns the legs between the places, reusing known ones.
    private func legs(
        through places: [Itinerary.Place], _ indices: [Int], _ mode: TravelMode, _ earlier: PlannedRoute?
    ) async throws(RoutingError) -> RouteAnswer {
        var known: [Pair: PlannedRoute.Leg] = [:]
        // Legs by public transport depend on the departure time and cannot be reused.
        if let earlier, earlier.mode == mode, mode != .transit {
            for (index, leg) in earlier.legs.enumerated() where !leg.isEstimate {
                known[Pair(earlier.places[index].coordinate, earlier.places[index + 1].coordinate)] = leg
            }
        }
        var legs = zip(places, places.dropFirst()).map { known[Pair($0.coordinate, $1.coordinate)] }
        var notes: [PlannedRoute.Note] = []
        var start = 0
        while let first = legs[start...].firstIndex(where: { $0 == nil }) {
            let end = legs[first...].firstIndex { $0 != nil } ?? legs.count
            let answer: RouteAnswer
            do {
                answer = try await provider.route(
                    through: places[first...end].map(\.coordinate), mode: mode)
            } catch { throw error.at { indices[first + $0] } }
            guard answer.legs.count == end - first else {
                throw .malformed(provider: provider.name, url: "", what: "it has \(answer.legs.count) legs")
            }
            for (offset, leg) in answer.legs.enumerated() { legs[first + offset] = leg }
            notes += answer.notes.map { note in note.at { (first + $0) % indices.count } }
            start = end
        }
        return RouteAnswer(legs: legs.compactMap { $0 }, notes: notes)
    }

    /// Two consecutive places.
    private struct Pair: Hashable {
        let from: Coordinate
        let to: Coordinate

        init(_ from: Coordinate, _ to: Coordinate) {
            self.from = from
            self.to = to
        }
    }
}

extension RoutingError {
    /// Returns the error with mapped place indices.
    func at(_ index: (Int) -> Int) -> RoutingError {
        switch self {
        case .unreachable(let from, let to): .unreachable(from: index(from), to: index(to))
        case .noRoad(let place, let meters): .noRoad(place: index(place), meters: meters)
        default: self
        }
    }
}

extension PlannedRoute.Note {
    /// Returns the note with mapped place indices.
    func at(_ index: (Int) -> Int) -> PlannedRoute.Note {
        if case .awayFromRoad(let place, let meters) = self {
            return .awayFromRoad(place: index(place), meters: meters)
        }
        return self
    }
}

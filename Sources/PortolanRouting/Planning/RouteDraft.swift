public import PortolanGeo
import PortolanWeb

/// An editable route: places that can be added, moved, reordered and removed, with the last planned route.
///
/// A draft is the model of a route editor. Each change keeps the last route but marks it as outdated. Planning it again
/// only requests changed legs.
public struct RouteDraft: Hashable, Sendable {
    /// The name.
    public var name: String {
        didSet { if name != oldValue { isSaved = false } }
    }

    /// The places and the constraints on their order.
    public private(set) var itinerary: Itinerary

    /// The travel mode.
    public var mode: TravelMode {
        didSet { if mode != oldValue { change() } }
    }

    /// Whether the order is optimized.
    public var ordering: RoutePlanner.Ordering {
        didSet { if ordering != oldValue { change() } }
    }

    /// Whether the route returns to its first place.
    public var isRoundTrip: Bool {
        get { itinerary.isRoundTrip }
        set { if newValue != itinerary.isRoundTrip { edit { $0.isRoundTrip = newValue } } }
    }

    /// The last planned route, or `nil`.
    public private(set) var route: PlannedRoute?

    /// Whether ``route`` corresponds to the current places and settings.
    public private(set) var isCurrent = false

    /// Whether the current state has been saved.
    public private(set) var isSaved = false

    /// Creates a draft.
    public init(
        name: String, itinerary: Itinerary = Itinerary([]), mode: TravelMode = .foot,
        ordering: RoutePlanner.Ordering = .given
    ) {
        self.name = name
        self.itinerary = itinerary
        self.mode = mode
        self.ordering = ordering
    }

    /// Creates a draft named `Created` with the date and time in UTC, optionally with a start.
    ///
    /// - Parameters:
    ///   - seconds: the time in seconds after 1970-01-01.
    ///   - start: the first place, such as the current location, or `nil`.
    public init(createdAt seconds: Double, from start: Coordinate? = nil, mode: TravelMode = .foot) {
        let (date, time) = CivilTime.dateAndTime(seconds)
        self.init(
            name: "Created \(date) \(time.dropLast(3))",
            itinerary: Itinerary(start.map { [Itinerary.Place(coordinate: $0)] } ?? []), mode: mode)
    }

    /// Creates a draft from a planned route.
    public init(name: String, route: PlannedRoute, isRoundTrip: Bool) {
        var places = route.places
        if isRoundTrip, places.count > 1 { places.removeLast() }
        self.init(
            name: name, itinerary: Itinerary(places, isRoundTrip: isRoundTrip), mode: route.mode, ordering: .given)
        self.route = route
        isCurrent = true
        isSaved = true
    }

    /// The places in the given order.
    public var places: [Itinerary.Place] { itinerary.places }

    private mutating func change() {
        isCurrent = false
        isSaved = false
    }

    private mutating func edit(_ body: (inout Itinerary) -> Void) {
        body(&itinerary)
        change()
    }

    /// Inserts a place, by default at the end.
    public mutating func add(_ place: Itinerary.Place, at index: Int? = nil) {
        edit { itinerary in
            let index = min(max(index ?? itinerary.places.count, 0), itinerary.places.count)
            itinerary.places.insert(place, at: index)
            itinerary.renumber { $0 >= index ? $0 + 1 : $0 }
        }
    }

    /// Removes a place and its constraints.
    public mutating func removePlace(at index: Int) {
        guard itinerary.places.indices.contains(index) else { return }
        edit { itinerary in
            itinerary.places.remove(at: index)
            itinerary.renumber { $0 == index ? nil : $0 > index ? $0 - 1 : $0 }
        }
    }

    /// Moves a place to another position.
    public mutating func movePlace(from index: Int, to target: Int) {
        guard itinerary.places.indices.contains(index), index != target else { return }
        edit { itinerary in
            let place = itinerary.places.remove(at: index)
            let target = min(max(target, 0), itinerary.places.count)
            itinerary.places.insert(place, at: target)
            itinerary.renumber { old in
                if old == index { return target }
                let without = old > index ? old - 1 : old
                return without >= target ? without + 1 : without
            }
        }
    }

    /// Moves a place to another coordinate.
    public mutating func dragPlace(at index: Int, to coordinate: Coordinate) {
        guard itinerary.places.indices.contains(index), itinerary.places[index].coordinate != coordinate else { return }
        edit { $0.places[index].coordinate = coordinate }
    }

    /// Renames a place.
    public mutating func renamePlace(at index: Int, _ name: String?) {
        guard itinerary.places.indices.contains(index) else { return }
        let coordinate = itinerary.places[index].coordinate
        itinerary.places[index].name = name
        for place in route?.places.indices ?? 0..<0 where route?.places[place].coordinate == coordinate {
            route?.places[place].name = name
        }
        isSaved = false
    }

    /// Adopts the optimized order as the given order of the places.
    ///
    /// Does nothing if there is no current optimized order.
    public mutating func adoptOrder() {
        guard isCurrent, let order = route?.order?.order else { return }
        let places = order.map { itinerary.places[$0] }
        itinerary.places = places
        itinerary.renumber { old in order.firstIndex(of: old) }
        let kept = route?.order?.inItsOwnOrder
        route?.order = kept
        ordering = .given
        isCurrent = true
    }

    /// Plans the route for the current places.
    ///
    /// Does nothing if the route is current and not an estimate.
    ///
    /// - Throws: ``RoutingError``. The last route is kept.
    public mutating func plan(by planner: RoutePlanner) async throws(RoutingError) {
        // An estimate is planned again, because the server may be available now.
        guard !isCurrent || route?.notes.contains(where: \.isEstimate) ?? true else { return }
        route = try await planner.route(through: itinerary, mode: mode, ordering: ordering, after: route)
        isCurrent = true
    }

    /// Marks the current state as saved.
    public mutating func noteSaved() { isSaved = isCurrent }
}

extension Itinerary {
    /// Renumbers the places in constraints; `nil` means that a place was removed.
    fileprivate mutating func renumber(_ number: (Int) -> Int?) {
        precedences = precedences.compactMap { precedence in
            guard let first = number(precedence.first), let second = number(precedence.second) else { return nil }
            return Precedence(first, before: second)
        }
    }
}

public import PortolanGeo
import PortolanWeb

/// A route in the making: places that are added, dragged, reordered and removed, with the route that was planned last.
///
/// What a page with a map holds. Each change leaves the last route where it is, marked as out of date, until it is planned again;
/// then only the legs that have changed are asked for.
public struct RouteDraft: Hashable, Sendable {
    /// What it is called.
    public var name: String {
        didSet { if name != oldValue { isSaved = false } }
    }

    /// The places and what is said about their order.
    public private(set) var itinerary: Itinerary

    /// How one travels.
    public var mode: TravelMode {
        didSet { if mode != oldValue { change() } }
    }

    /// Whether the best order is looked for.
    public var ordering: RoutePlanner.Ordering {
        didSet { if ordering != oldValue { change() } }
    }

    /// Whether the way ends where it began.
    public var isRoundTrip: Bool {
        get { itinerary.isRoundTrip }
        set { if newValue != itinerary.isRoundTrip { edit { $0.isRoundTrip = newValue } } }
    }

    /// The route that was planned last, or `nil` when none was.
    public private(set) var route: PlannedRoute?

    /// Whether the route is that of the places as they are.
    public private(set) var isCurrent = false

    /// Whether it has been saved as it is.
    public private(set) var isSaved = false

    /// Makes a draft.
    public init(
        name: String, itinerary: Itinerary = Itinerary([]), mode: TravelMode = .foot,
        ordering: RoutePlanner.Ordering = .given
    ) {
        self.name = name
        self.itinerary = itinerary
        self.mode = mode
        self.ordering = ordering
    }

    /// A new draft that is called `Created` with the date and time, in universal time, and begins at a place.
    ///
    /// - Parameters:
    ///   - seconds: after 1970-01-01.
    ///   - start: where it begins, as the own position; `nil` for nowhere yet.
    public init(createdAt seconds: Double, from start: Coordinate? = nil, mode: TravelMode = .foot) {
        let (date, time) = CivilTime.dateAndTime(seconds)
        self.init(
            name: "Created \(date) \(time.dropLast(3))",
            itinerary: Itinerary(start.map { [Itinerary.Place(coordinate: $0)] } ?? []), mode: mode)
    }

    /// A draft of a route that was planned before.
    public init(name: String, route: PlannedRoute, isRoundTrip: Bool) {
        var places = route.places
        if isRoundTrip, places.count > 1 { places.removeLast() }
        self.init(
            name: name, itinerary: Itinerary(places, isRoundTrip: isRoundTrip), mode: route.mode, ordering: .given)
        self.route = route
        isCurrent = true
        isSaved = true
    }

    /// The places in the order in which they were given.
    public var places: [Itinerary.Place] { itinerary.places }

    private mutating func change() {
        isCurrent = false
        isSaved = false
    }

    private mutating func edit(_ body: (inout Itinerary) -> Void) {
        body(&itinerary)
        change()
    }

    /// Adds a place, at the end unless told.
    public mutating func add(_ place: Itinerary.Place, at index: Int? = nil) {
        edit { itinerary in
            let index = min(max(index ?? itinerary.places.count, 0), itinerary.places.count)
            itinerary.places.insert(place, at: index)
            itinerary.renumber { $0 >= index ? $0 + 1 : $0 }
        }
    }

    /// Removes a place, and what was said about it.
    public mutating func removePlace(at index: Int) {
        guard itinerary.places.indices.contains(index) else { return }
        edit { itinerary in
            itinerary.places.remove(at: index)
            itinerary.renumber { $0 == index ? nil : $0 > index ? $0 - 1 : $0 }
        }
    }

    /// Moves a place from one position to another, those between giving way.
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

    /// Drags a place elsewhere on the map.
    public mutating func dragPlace(at index: Int, to coordinate: Coordinate) {
        guard itinerary.places.indices.contains(index), itinerary.places[index].coordinate != coordinate else { return }
        edit { $0.places[index].coordinate = coordinate }
    }

    /// Gives a place another name.
    public mutating func renamePlace(at index: Int, _ name: String?) {
        guard itinerary.places.indices.contains(index) else { return }
        let coordinate = itinerary.places[index].coordinate
        itinerary.places[index].name = name
        for place in route?.places.indices ?? 0..<0 where route?.places[place].coordinate == coordinate {
            route?.places[place].name = name
        }
        isSaved = false
    }

    /// Keeps what was found as the order of the places.
    ///
    /// Does nothing where no best order is known.
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

    /// Plans the route of the places as they are; nothing to do where the same planner has found it, but for guesses.
    ///
    /// - Throws: ``RoutingError``; the last route then stays.
    public mutating func plan(by planner: RoutePlanner) async throws(RoutingError) {
        // A guess is no answer once the server is back.
        guard !isCurrent || route?.notes.contains(where: \.isEstimate) ?? true else { return }
        route = try await planner.route(through: itinerary, mode: mode, ordering: ordering, after: route)
        isCurrent = true
    }

    /// Notes that it has been saved as it is.
    public mutating func noteSaved() { isSaved = isCurrent }
}

extension Itinerary {
    /// Gives places other numbers in what is said about them; `nil` for one that is gone.
    fileprivate mutating func renumber(_ number: (Int) -> Int?) {
        precedences = precedences.compactMap { precedence in
            guard let first = number(precedence.first), let second = number(precedence.second) else { return nil }
            return Precedence(first, before: second)
        }
    }
}

import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRouteBook
import PortolanRouting

/// A command for the route planner.
enum PlanningCommand: Hashable, Sendable {
    /// Starts planning: taps add waypoints.
    case begin
    /// Ends planning, so that taps select again; the route stays.
    case end
    /// Removes the waypoint at an index.
    case remove(Int)
    /// Moves a waypoint to another index.
    case move(Int, to: Int)
    /// Sets the travel mode.
    case travel(TravelMode)
    /// Sets whether the route returns to its start.
    case roundTrip(Bool)
    /// Sets whether the planner looks for the best order.
    case order(RoutePlanner.Ordering)
    /// Removes the route.
    case clear

    /// Parses the command of a page.
    ///
    /// - Throws: ``Problem`` with the key.
    init(_ reader: ViewerReader) throws(Problem) {
        let places = 0...Itinerary.maximumPlaceCount
        switch try reader.text("step") {
        case "begin": self = .begin
        case "end": self = .end
        case "remove": self = .remove(try reader.whole("place", in: places))
        case "move": self = .move(try reader.whole("place", in: places), to: try reader.whole("to", in: places))
        case "travel":
            guard let mode = TravelMode(rawValue: try reader.text("mode")) else {
                throw Problem(.badRequest, "unknown mode; use foot, bicycle, car or transit", key: "mode")
            }
            self = .travel(mode)
        case "roundTrip": self = .roundTrip(try reader.truth("on") ?? true)
        case "best": self = .order((try reader.truth("on") ?? true) ? .best : .given)
        case "clear": self = .clear
        default: throw Problem(.badRequest, "unknown planning command", key: "step")
        }
    }
}

extension ViewerSession {
    /// The name of the layer with the planned route.
    static let plannedLayer = "planned route"
    /// The maximum number of waypoints.
    ///
    /// Routing servers reject more, and finding the best order takes time.
    private static let placeLimit = 50

    /// Performs a command for the route planner.
    ///
    /// - Throws: ``Problem`` if the server has no route planner.
    func plan(_ command: PlanningCommand) throws(Problem) {
        guard let planner = offer.planner else {
            throw Problem(.notFound, "this server has no route planner", key: "do")
        }
        switch command {
        case .begin:
            use(.planning)
            return
        case .end:
            use(.selecting)
            return
        case .remove(let place): draft.removePlace(at: place)
        case .move(let place, let target): draft.movePlace(from: place, to: target)
        case .travel(let mode):
            guard offer.modes.contains(mode) else {
                throw Problem(.badRequest, "routes for \(mode.rawValue) are not supported here", key: "mode")
            }
            draft.mode = mode
        case .roundTrip(let isOn): draft.isRoundTrip = isOn
        case .order(let ordering): draft.ordering = ordering
        case .clear:
            planning?.cancel()
            planning = nil
            draft = RouteDraft(name: draft.name, mode: draft.mode)
            _ = facade.removeLayer(named: Self.plannedLayer)
            return
        }
        planAnew(by: planner)
    }

    /// Adds a waypoint in degrees.
    func addPlanned(_ place: Coordinate) {
        guard let planner = offer.planner else { return }
        guard draft.places.count < Self.placeLimit else {
            tell("A route can have at most \(Self.placeLimit) places.")
            return
        }
        draft.add(Itinerary.Place(coordinate: place))
        planAnew(by: planner)
    }

    /// Plans the route through the current waypoints and cancels a search in progress.
    private func planAnew(by planner: RoutePlanner) {
        planning?.cancel()
        planning = nil
        planningFault = nil
        guard draft.places.count > 1 else {
            let lone = PlannedRoute(places: draft.places, legs: [], mode: draft.mode)
            if draft.places.isEmpty { _ = facade.removeLayer(named: Self.plannedLayer) } else { show(lone) }
            return
        }
        let wanted = draft
        planning = Task { [weak self] in
            var found = wanted
            let outcome: Result<RouteDraft, RoutingError>
            do throws(RoutingError) {
                try await found.plan(by: planner)
                outcome = .success(found)
            } catch { outcome = .failure(error) }
            await self?.take(outcome, of: wanted)
        }
    }

    private func take(_ outcome: Result<RouteDraft, RoutingError>, of wanted: RouteDraft) {
        // The waypoints may have changed during the search.
        guard !Task.isCancelled, draft == wanted else { return }
        planning = nil
        switch outcome {
        case .success(let found):
            draft = found
            if let route = found.route { show(route) }
        case .failure(let error): planningFault = "\(error)"
        }
        changeState()
    }

    private func show(_ route: PlannedRoute) {
        do { try facade.show(route, named: Self.plannedLayer, padding: nil) } catch { tell("\(error)") }
    }

    /// The planner state for the page.
    var plan: Properties {
        let language = DirectionsLanguage.english
        var members: Properties = [
            "modes": .array(offer.modes.map { .string($0.rawValue) }), "mode": .string(draft.mode.rawValue),
            "roundTrip": .bool(draft.isRoundTrip), "best": .bool(draft.ordering == .best),
            "places": .array(
                draft.places.enumerated().map { .string($0.element.name ?? "Place \($0.offset + 1)") }),
            "busy": .bool(planning != nil),
        ]
        if let planningFault { members["fault"] = .string(planningFault) }
        guard draft.isCurrent, let route = draft.route else { return members }
        members["length"] = .string(language.distance(route.distance))
        members["time"] = .string(language.duration(route.duration))
        var notes = route.notes.map { $0.isEstimate ? RouteWords.guess(language) : RouteWords.note($0, language) }
        if let order = route.order { notes.insert(RouteWords.proof(of: order, language), at: 0) }
        members["notes"] = .array(notes.map(PropertyValue.string))
        members["order"] = .array((route.order?.order ?? Array(draft.places.indices)).map(PropertyValue.integer))
        members["directions"] = .array(
            DirectionsText(route, in: language).lines.prefix(500).map { line in
                .array([.string(line.sentence), .string(line.distance > 0 ? language.distance(line.distance) : "")])
            })
        return members
    }

    /// Returns the planned route as a file.
    ///
    /// - Throws: ``Problem`` if there is no planned route.
    func plannedFile() throws(Problem) -> ServerResponse {
        guard draft.isCurrent, let route = draft.route else {
            throw Problem(.notFound, "no planned route", key: "session")
        }
        return ServerResponse(
            type: "application/geo+json",
            body: GeoJSONWriter.write(SavedRoute.features(of: route, named: draft.name)))
    }
}

import Portolan
import PortolanCity
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRealtime
import PortolanTransit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A command for the public transport display.
enum CityCommand: Hashable, Sendable {
    /// Shows or hides lines, stops and vehicles.
    case show(Bool)
    /// Shows or hides the vehicles of a line by its identifier, or of all lines with `nil`.
    case filter(line: String?, isShown: Bool)
    /// Shows the departures of a stop by its identifier, or none with `nil`.
    case board(String?)
    /// Lists the stops near the user's position, or else near the map centre.
    case nearby
    /// Sets an end of the journey: the given stop, or the position of the next tap.
    case end(isDeparture: Bool, stop: String?)
    /// Shows one of the journeys found.
    case choose(Int)
    /// Clears the journeys.
    case clear
    /// Follows a vehicle by its identifier.
    case follow(Feature.ID)

    /// Parses the command of a page.
    ///
    /// - Throws: ``Problem`` with the key.
    init(_ reader: ViewerReader) throws(Problem) {
        func stop() throws(Problem) -> String? { reader.members["stop"] == nil ? nil : try reader.text("stop") }
        switch try reader.text("step") {
        case "show": self = .show(try reader.truth("on") ?? true)
        case "filter":
            self = .filter(
                line: reader.members["line"] == nil ? nil : try reader.text("line"),
                isShown: try reader.truth("on") ?? true)
        case "board": self = .board(try stop())
        case "nearby": self = .nearby
        case "from": self = .end(isDeparture: true, stop: try stop())
        case "to": self = .end(isDeparture: false, stop: try stop())
        case "choose": self = .choose(try reader.whole("journey", in: 0...1000))
        case "clear": self = .clear
        case "follow":
            guard let id = reader.members["id"].flatMap({ Feature.ID($0) }) else {
                throw Problem(.badRequest, "'id' must be a string or a number", key: "id")
            }
            self = .follow(id)
        default: throw Problem(.badRequest, "unknown public transport command", key: "step")
        }
    }
}

/// The state of the public transport display.
struct ViewerCity {
    /// Whether lines and stops are on the map.
    var isShown = false
    /// The filters for vehicles by line.
    var filters = TransitPreferences.Filters()
    /// The index of the stop whose departures are shown.
    var stop: Int?
    /// The stops nearby with their distances in metres.
    var nearby: [(stop: Int, meters: Double)] = []
    /// The origin and destination of the journey.
    var from: Journey.Location?, to: Journey.Location?
    /// The journeys between them, or `nil` if no search has finished.
    var journeys: [Journey]?
    /// The index of the journey on the map.
    var chosen = 0
    /// The reason why there are no journeys.
    var fault: String?
    /// The departures that the page was told last.
    var shownBoard: Properties?
    /// The revision of the vehicles on the map.
    var revision = 0
}

extension ViewerSession {
    static let vehicleLayer = "Vehicles", journeyLayer = "Journey"
    /// The search radius for nearby stops in metres.
    private static let nearness = 1000.0

    /// Changes the public transport display.
    ///
    /// - Throws: ``Problem`` if the server has no public transport, or there is no such stop.
    func show(_ command: CityCommand) throws(Problem) {
        guard let city = offer.city else {
            throw Problem(.notFound, "this server has no public transport", key: "do")
        }
        func stop(_ id: String) throws(Problem) -> Int {
            guard let stop = city.stop(id) else { throw Problem(.notFound, "unknown stop", key: "stop") }
            return stop
        }
        do {
            switch command {
            case .show(let isOn): try isOn ? put(city) : takeOff(city)
            case .filter(let line, let isShown): try filter(line, isShown)
            case .board(let id):
                transit.stop = try id.map { (id) throws(Problem) in try stop(id) }
                if let place = transit.stop.flatMap({ city.timetable.stops[$0].place }) {
                    try facade.fly(
                        to: place, zoom: max(facade.viewport.resolution.zoom(in: map.crs), 15), at: clock.now())
                }
            case .nearby:
                let place = facade.position.fix?.place ?? centerInDegrees
                transit.nearby = place.map { Array(city.board.stops(near: $0, within: Self.nearness).prefix(20)) } ?? []
            case .end(let isDeparture, let id):
                if let id {
                    end(.stop(try stop(id)), isDeparture: isDeparture, of: city)
                } else {
                    use(isDeparture ? .departing : .arriving)
                }
            case .choose(let number): try choose(number, of: city)
            case .clear:
                (transit.from, transit.to, transit.journeys, transit.fault) = (nil, nil, nil, nil)
                _ = facade.removeLayer(named: Self.journeyLayer)
            case .follow(let id): try facade.follow(object: id, at: clock.now())
            }
        } catch let problem as Problem { throw problem } catch { throw Problem(.nothingToDraw, "\(error)") }
    }

    private func put(_ city: PublishedCity) throws {
        guard !transit.isShown else { return }
        transit.isShown = true
        if facade.layer(named: city.layer.name) == nil { try facade.add(city.layer) }
        guard city.hasVehicles else { return }
        // Vehicle times use the clock of the city, frame times that of the session.
        facade.clockStart = city.now().addingTimeInterval(-clock.now().inSeconds)
        try facade.addVehicles(named: Self.vehicleLayer)
        try facade.changeLive(named: Self.vehicleLayer) { live in
            for (name, path) in city.paths.sorted(by: { $0.key < $1.key }) { live.setShape(name, along: path) }
        }
        transit.revision = 0
        listen()
    }

    /// Polls vehicle updates once a second while they are shown, unless it already does.
    func listen() {
        guard let city = offer.city, transit.isShown, city.hasVehicles, listening == nil else { return }
        listening = Task { [weak self, clock] in
            while !Task.isCancelled {
                await self?.hear(of: city)
                await clock.sleep(.seconds(1))
            }
        }
    }

    private func takeOff(_ city: PublishedCity) throws {
        listening?.cancel()
        listening = nil
        for name in [city.layer.name, Self.vehicleLayer, Self.journeyLayer] { _ = facade.removeLayer(named: name) }
        transit = ViewerCity()
        use(.selecting)
    }

    /// Applies vehicle changes, and now and then refreshes the departures.
    func hear(of city: PublishedCity) {
        let news = city.news(since: transit.revision)
        guard news.revision > transit.revision, facade.layer(named: Self.vehicleLayer) != nil else { return }
        guard !news.change.changed.isEmpty || !news.change.gone.isEmpty else {
            transit.revision = news.revision
            return
        }
        // Reports from before the clock was set have a negative time and keep their age.
        do throws(MapError) {
            _ = try facade.updateVehicles(
                named: Self.vehicleLayer, news.change, of: city.fleet, marks: city.marks, at: clock.now())
            transit.revision = news.revision
        } catch { return tell("The vehicles cannot be shown: \(error).") }
        guard let stop = transit.stop else { return }
        // The page asks for the whole state, so only what it would show counts.
        let board = city.told(board: stop)
        if board != transit.shownBoard { changeState() }
    }

    /// Shows the departures of the stop that was tapped.
    func chooseStop() {
        guard let city = offer.city, let feature = facade.selectedFeature, feature.properties["kind"] == "stop",
            let id = feature.properties["id"]?.stringValue
        else { return }
        transit.stop = city.stop(id)
    }

    private func filter(_ line: String?, _ isShown: Bool) throws {
        if let line {
            transit.filters[line].vehicles = isShown
        } else {
            transit.filters = TransitPreferences.Filters(standard: .init(vehicles: isShown))
        }
        guard facade.layer(named: Self.vehicleLayer) != nil else { return }
        let filters = transit.filters
        try facade.changeLive(named: Self.vehicleLayer) { live in
            live.filter = { object in
                object.properties["line"]?.stringValue.map { filters[$0].vehicles } ?? filters.standard.vehicles
            }
        }
    }

    /// Uses a tapped coordinate in degrees as an end of the journey.
    func endJourney(at place: Coordinate, isDeparture: Bool) {
        guard let city = offer.city else { return }
        end(.place(place), isDeparture: isDeparture, of: city)
    }

    private func end(_ place: Journey.Location, isDeparture: Bool, of city: PublishedCity) {
        if isDeparture { transit.from = place } else { transit.to = place }
        use(.selecting)
        guard let from = transit.from, let to = transit.to else { return }
        let now = city.now(), trips = city.fleet.trips
        let planner = trips.isEmpty ? city.planner : city.planner.applying(trips, now: now)
        do throws(JourneyPlanner.QueryError) {
            let query = JourneyPlanner.Query(from: from, to: to, time: .departing(now))
            transit.journeys = Array(try planner.journeys(query).ranked(by: .arrival).prefix(10))
            transit.fault = transit.journeys?.isEmpty == true ? "No journey found within a day." : nil
        } catch { (transit.journeys, transit.fault) = ([], "\(error)") }
        do { try choose(0, of: city) } catch { tell("\(error)") }
    }

    private func choose(_ number: Int, of city: PublishedCity) throws {
        guard let journeys = transit.journeys, journeys.indices.contains(number) else {
            _ = facade.removeLayer(named: Self.journeyLayer)
            return
        }
        transit.chosen = number
        let layer = MapLayer.journey(journeys[number], in: city.timetable, named: Self.journeyLayer)
        try facade.add(layer, replacing: facade.layer(named: Self.journeyLayer) != nil)
        try facade.fitFeatures(ofLayer: Self.journeyLayer)
    }

    /// Returns the public transport state for the page.
    func told(_ city: PublishedCity) -> Properties {
        var members: Properties = ["shown": .bool(transit.isShown), "vehicles": .bool(city.hasVehicles)]
        guard transit.isShown else { return members }
        members["lines"] = .array(
            TransitPreferences.Filters.sections(of: city.timetable.lines).flatMap(\.lines).prefix(300).map { line in
                [
                    "id": .string(line.id), "name": .string(line.badge), "title": .string(line.longName),
                    "color": .string(line.drawnColor.hexText),
                    "shown": .bool(transit.filters[line.id].vehicles),
                ]
            })
        members["notices"] = city.notices
        if let stop = transit.stop {
            let board = city.told(board: stop)
            transit.shownBoard = board
            members["board"] = .object(board)
        }
        members["nearby"] = .array(
            transit.nearby.map { stop, meters in
                let stop = city.timetable.stops[stop]
                return [
                    "id": .string(stop.id), "name": .string(stop.name), "meters": .integer(Int(meters.rounded())),
                ]
            })
        if let from = transit.from { members["from"] = .string(city.name(of: from)) }
        if let to = transit.to { members["to"] = .string(city.name(of: to)) }
        if let fault = transit.fault { members["fault"] = .string(fault) }
        if let journeys = transit.journeys {
            members["journeys"] = .array(journeys.map(city.told))
            members["chosen"] = .integer(transit.chosen)
        }
        return members
    }
}

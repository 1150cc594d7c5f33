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

/// What becomes of the public transport on a map.
enum CityCommand: Hashable, Sendable {
    /// Shows lines, stops and vehicles, or takes them off.
    case show(Bool)
    /// Shows or hides the vehicles of a line, by its identifier; of all lines with `nil`.
    case filter(line: String?, isShown: Bool)
    /// Shows what leaves a stop, by its identifier; nothing with `nil`.
    case board(String?)
    /// Lists the stops near where the person is, or else near the middle of the map.
    case nearby
    /// The next tap says where a journey begins, or ends; or a stop does.
    case end(isDeparture: Bool, stop: String?)
    /// Shows one of the journeys that were found.
    case choose(Int)
    /// Forgets the journeys.
    case clear
    /// Keeps a vehicle in the middle, by its identifier.
    case follow(FeatureID)

    /// Reads what a page sends.
    ///
    /// - Throws: ``Problem`` that names the key.
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
            guard let id = reader.members["id"].flatMap({ FeatureID($0) }) else {
                throw Problem(.badRequest, "'id' is neither a text nor a number", key: "id")
            }
            self = .follow(id)
        default: throw Problem(.badRequest, "there is no such step of public transport", key: "step")
        }
    }
}

/// What a viewer shows of public transport.
struct ViewerCity {
    /// Whether lines and stops are on the map.
    var isShown = false
    /// Which lines' vehicles are shown.
    var filters = TransitFilters()
    /// The stop whose board is shown, as an index.
    var stop: Int?
    /// The stops nearby, and how far they are.
    var nearby: [(stop: Int, meters: Double)] = []
    /// Where a journey begins and ends.
    var from: JourneyPlace?, to: JourneyPlace?
    /// The journeys between them, or `nil` while none were looked for.
    var journeys: [Journey]?
    /// Which of them is on the map.
    var chosen = 0
    /// Why there are none.
    var fault: String?
    /// The news of vehicles that are on the map.
    var revision = 0
}

extension ViewerSession {
    static let vehicleLayer = "Vehicles", journeyLayer = "Journey"
    /// How far away stops are looked for, in metres.
    private static let nearness = 1000.0

    /// Changes what is shown of public transport.
    ///
    /// - Throws: ``Problem`` where this server shows none, or there is no such stop.
    func show(_ command: CityCommand) throws(Problem) {
        guard let city = offer.city else {
            throw Problem(.notFound, "this server shows no public transport", key: "do")
        }
        func stop(_ id: String) throws(Problem) -> Int {
            guard let stop = city.stop(id) else { throw Problem(.notFound, "there is no such stop", key: "stop") }
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
        // Times of vehicles are told by the clock of the city, those of frames by that of the session.
        facade.clockStart = city.now().addingTimeInterval(-clock.now().inSeconds)
        try facade.addVehicles(named: Self.vehicleLayer)
        try facade.changeLive(named: Self.vehicleLayer) { live in
            for (name, path) in city.paths.sorted(by: { $0.key < $1.key }) { live.setShape(name, along: path) }
        }
        transit.revision = 0
        listen()
    }

    /// Hears of vehicles once a second from now on, if they are shown and it does not.
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

    /// Shows what has become of the vehicles; once in a while what leaves the stop is told again.
    func hear(of city: PublishedCity) {
        let news = city.news(since: transit.revision)
        guard news.revision > transit.revision, facade.layer(named: Self.vehicleLayer) != nil else { return }
        guard !news.change.changed.isEmpty || !news.change.gone.isEmpty else {
            transit.revision = news.revision
            return
        }
        // What was heard before the clock was set is as old as it is.
        do throws(MapError) {
            _ = try facade.updateVehicles(
                named: Self.vehicleLayer, news.change, of: city.fleet, marks: city.marks, at: clock.now())
            transit.revision = news.revision
        } catch { return tell("The vehicles cannot be shown: \(error).") }
        if transit.stop != nil { changeState() }
    }

    /// Shows what leaves the stop that was tapped.
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
            transit.filters = TransitFilters(standard: .init(vehicles: isShown))
        }
        guard facade.layer(named: Self.vehicleLayer) != nil else { return }
        let filters = transit.filters
        try facade.changeLive(named: Self.vehicleLayer) { live in
            live.filter = { object in
                object.properties["line"]?.stringValue.map { filters[$0].vehicles } ?? filters.standard.vehicles
            }
        }
    }

    /// Takes a place in degrees that was tapped as an end of the journey.
    func endJourney(at place: Coordinate, isDeparture: Bool) {
        guard let city = offer.city else { return }
        end(.place(place), isDeparture: isDeparture, of: city)
    }

    private func end(_ place: JourneyPlace, isDeparture: Bool, of city: PublishedCity) {
        if isDeparture { transit.from = place } else { transit.to = place }
        use(.selecting)
        guard let from = transit.from, let to = transit.to else { return }
        let now = city.now(), trips = city.fleet.trips
        let planner = trips.isEmpty ? city.planner : city.planner.applying(trips, now: now)
        do throws(JourneyError) {
            let query = JourneyQuery(from: from, to: to, time: .departing(now))
            transit.journeys = Array(try planner.journeys(query).ranked(by: .arrival).prefix(10))
            transit.fault = transit.journeys?.isEmpty == true ? "There is no way within a day." : nil
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

    /// What a page shows of public transport.
    func told(_ city: PublishedCity) -> Properties {
        var members: Properties = ["shown": .bool(transit.isShown), "vehicles": .bool(city.hasVehicles)]
        guard transit.isShown else { return members }
        members["lines"] = .array(
            TransitFilters.sections(of: city.timetable.lines).flatMap(\.lines).prefix(300).map { line in
                [
                    "id": .string(line.id), "name": .string(line.badge), "title": .string(line.longName),
                    "color": .string(line.drawnColor.hexText),
                    "shown": .bool(transit.filters[line.id].vehicles),
                ]
            })
        members["notices"] = city.notices
        if let stop = transit.stop { members["board"] = .object(city.told(board: stop)) }
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

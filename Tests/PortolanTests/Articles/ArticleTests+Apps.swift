import Foundation
import Portolan
import PortolanCity
import PortolanFetch
import PortolanFormats
import PortolanPlan
import PortolanRaster
import PortolanRealtime
import PortolanTesting
import PortolanTransit
import PortolanWeb
import TestHelpers
import Testing

/// The examples of the app articles, as printed there.
@Suite(.timeLimit(.minutes(5))) struct AppArticleTests {
    @Test func `Embedding in an app`() async throws {
        let folder = try TemporaryFolder(), file = folder.path + "/state.json"
        let map = try MapFacadeTests.facade(390, 844)
        try map.add(World.tiles())
        try map.center(on: Coordinate(longitude: 24.94, latitude: 60.17), zoom: 12)
        let before = map.viewport
        var shown: [MapFrame.Area] = []
        func show(_ image: PixelBuffer, _ damage: [MapFrame.Area]) {
            // Upload the changed rectangles to the screen.
            shown += damage
        }

        let clock = FrameClock.system
        map.handle(InputEvent(.pointer(.down, InputEvent.Pointer(place: Point(x: 120, y: 300))), at: clock.now()))
        map.handle(InputEvent(.pointer(.move, InputEvent.Pointer(place: Point(x: 90, y: 310))), at: clock.now()))

        for await frame in map.frames() {
            show(frame.image, frame.damage)
            if frame.isFinal { break }
        }

        #expect(map.viewport.center.x > before.center.x && !shown.isEmpty)

        try map.center(on: Coordinate(longitude: 24.94, latitude: 60.17), zoom: 14)
        try map.zoom(by: 2, about: Point(x: 195, y: 422))
        try map.pan(x: 40, y: 0)
        try map.rotate(to: 30)
        try map.fly(to: Coordinate(longitude: 24.95, latitude: 60.18), at: clock.now())

        if let size = ImageSize(width: 844, height: 390) { try map.resize(to: size) }
        try map.saveState(to: file)
        let problems = try await map.restoreState(from: file)

        #expect(problems.isEmpty && map.viewport.size.width == 844)

        let sentence = NMEAReaderTests.sentence("GPRMC,120000,A,6010.000,N,02456.000,E,1,1,230394,,")
        try folder.write(Array(sentence.utf8), to: "track.nmea")
        let nmea = folder.path + "/track.nmea"

        let log = (try? Data(contentsOf: URL(filePath: nmea))).map { [UInt8]($0) } ?? []

        map.startPosition(following: .follow, at: clock.now())
        for await update in ReplayedPositions.nmea(log).source { map.handle(update, at: clock.now()) }

        #expect(map.position.fix?.place == Coordinate(longitude: 24 + 56.0 / 60, latitude: 60 + 10.0 / 60))
    }

    @Test func `Public transport`() async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/gtfs"
        try SampleFeed.write(to: path)

        let feed = try TransitFeed(at: path)
        let timetable = feed.timetable
        print(timetable.stops.count, feed.problems.count)

        #expect(timetable.stops.count == 4 && feed.problems.count == 0)
        let now = Date(timeIntervalSince1970: 1_793_597_400)  // 2026-11-02 07:30 in Helsinki

        let home = Coordinate(longitude: 24.92, latitude: 60.18), work = Coordinate(longitude: 24.95, latitude: 60.179)
        let board = StopBoard(timetable)
        for near in board.stops(near: home, within: 500).prefix(1) {
            for call in board.departures(from: near.stop, after: now) {
                print(timetable.lines[call.line].badge, call.headsign, call.expected ?? call.scheduled)
            }
        }

        let near = try #require(board.stops(near: home, within: 500).first)
        #expect(board.departures(from: near.stop, after: now).count == 2)

        let planner = JourneyPlanner(timetable)
        let journeys = try planner.journeys(
            JourneyPlanner.Query(from: .place(home), to: .place(work), time: .departing(now)))

        #expect(journeys.first?.rides.map { timetable.lines[$0.line].badge } == ["9"])
        try folder.write(Array("0 A1;r9;24.93;60.175;90\n".utf8), to: "vehicles.txt")
        let source = folder.path + "/vehicles.txt", file = folder.path + "/city.png"
        let map = try MapFacadeTests.facade(600, 400)

        try map.add(.timetable(timetable))
        try map.addVehicles()
        try map.fitFeatures(padding: 40)
        let heard = try await VehicleSource(source).open(client: map.services).listen(for: .seconds(10))
        let marks = VehicleMarks(timetable)
        map.clockStart = heard.time
        try map.updateLive(named: "vehicles", marks.updates(of: heard.fleet.snapshot, in: heard.fleet), at: .zero)
        try await map.refresh().writePNG(to: file)

        #expect(heard.fleet.vehicles.count == 1 && heard.fault == nil)
        let late = TripUpdate(trip: TripReference(trip: "t1"), delay: .seconds(120))
        let updates = [late]
        let live = board.applying(updates, now: now)
        let detours = planner.applying(updates, now: now)

        #expect(live.departures(from: near.stop, after: now).first?.delay == 120)
        let query = JourneyPlanner.Query(from: .place(home), to: .place(work), time: .departing(now))
        #expect(try detours.journeys(query).first?.arrival == (journeys.first?.arrival).map { $0 + 120 })
    }

    @Test func `Writing a layer kind: a layer without resources`() async throws {
        let map = try MapFacadeTests.facade()

        try map.add(MapLayer(name: "circles", source: Circles(radius: 4)))

        let picture = try await map.refresh()
        #expect(picture.report.complete)
        let place = map.viewport.pixel(of: Coordinate(x: 0, y: 0))
        #expect(picture.image[Int(place.x), Int(place.y)] == Pixel(.black))
        // Half way between two of them there is nothing.
        #expect(picture.image[Int(place.x + 256.0 / 72), Int(place.y)] != Pixel(.black))
    }

    @Test func `Writing a layer kind: layer texts`() async throws {
        var configuration = RendererConfiguration()
        configuration.layerKinds.kinds.append(.circles)
        let layer = try LayerSpecification("circles:grid;radius=6", kinds: configuration.layerKinds)

        let map = try MapFacade(width: 64, height: 64, renderer: MapRenderer(configuration: configuration))
        try await map.addLayer(layer)
        #expect((map.layers.first?.source as? Circles)?.radius == 6)
    }

    @Test(arguments: [#"{"type":"Point","coordinates":[0,0]}"#, "<no features>"])
    func `Writing a layer kind: a layer with resources`(document: String) async throws {
        let transport = StubTransport(bodies: ["https://h.example/stations": Array(document.utf8)])
        let map = try MapFacadeTests.facade(transport: transport)
        let address = NamedURL("https://h.example/stations", namedBy: .user)
        try map.add(MapLayer(name: "stations", source: Stations(address: address)))
        let picture = try await map.refresh()
        #expect(picture.report.complete && transport.requests.count == 1)
        let isRead = document.first == "{"
        #expect(picture.report.warnings.map(\.code) == (isRead ? [] : [.unreadable]))
        let place = map.viewport.pixel(of: Coordinate(x: 0, y: 0))
        #expect((picture.image[Int(place.x), Int(place.y)] != Pixel(.white)) == isRead)
    }
}

struct Circles: LayerSource {
    let radius: Double
    var kind: String { "circles" }

    func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: .crs84, to: view.viewport.crs) } catch {
            throw .notTransformable(error)
        }
        let style = Style(marker: .shape(ShapeMarker(shape: .circle, radius: radius, fill: FillSymbol(color: .black))))
        // What lies outside the view is not even planned: cost follows the picture.
        let seen = view.viewport.extent(margin: radius)
        var features: [Scene.StyledFeature] = []
        for longitude in stride(from: -180.0, to: 180, by: 10) {
            for latitude in stride(from: -80.0, through: 80, by: 10) {
                guard let place = transform(Coordinate(longitude: longitude, latitude: latitude)), seen.contains(place)
                else { continue }
                let feature = Feature(geometry: .point(place))
                features.append(Scene.StyledFeature(feature: feature, style: style, iconURL: nil, isSelected: false))
            }
        }
        return LayerPlan(nodes: [.features(Scene.FeatureStep(crs: view.viewport.crs, features: features))])
    }
}

extension LayerKind {
    static let circles = LayerKind(
        "circles", source: .data, keys: ["radius"], help: "circles:GRID  circles every ten degrees  radius (pixels, 4)"
    ) { (specification, name, _) async throws(MapError) in
        let radius = try specification.number("radius", in: 1...100) ?? 4
        return (MapLayer(name: name, source: Circles(radius: radius)), [])
    }
}

extension MapWarning.Code {
    static let unreadable = MapWarning.Code(rawValue: "unreadable")
}

struct Stations: LayerSource {
    let address: NamedURL
    var kind: String { "stations" }

    func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let id = view.id(.other("stations"))
        var plan = LayerPlan(
            resources: [Resource(id: id, location: .url(address), form: .document, name: "stations")],
            revision: .afterArrivals)
        guard let document = arrivals.document(id) else { return plan }
        do {
            let source = FeatureSource(try FeatureFormats.standard.read(document))
            plan.nodes = try source.plan(for: view, given: arrivals).nodes
        } catch let problem as PlanError { throw problem } catch {
            plan.warnings.append(MapWarning(.unreadable, layer: view.layer, message: "\(error)"))
        }
        return plan
    }
}

import Foundation
import HelsinkiFixtures
import Portolan
import PortolanTesting
import PortolanTransit
import Testing

@testable import BusGuide
@testable import LiveCity
@testable import NearbyStops

/// The three examples of public transport: what is on their pictures, and the pictures themselves.
@Suite struct TransitDemonstrationTests {
    @Test func `lines, stops, vehicles, departures and a notice of a city are drawn as in the README`()
        async throws
    {
        var screen = try await LiveCity.parse(["--demo"]).screen(width: 1240, height: 800, zoom: 16.2)
        try screen.play(until: HelsinkiTransit.start + 120)
        let vehicles = try #require(screen.map.layer(named: "vehicles")?.source as? LiveLayer)
        // Eleven vehicles are heard in this second; the others have been silent since they left.
        #expect(vehicles.objects.count { vehicles.age(of: $0.id) == .zero } == 11)
        let tram = try #require(vehicles.object("RHKL00201"))
        #expect(tram.kind == "tram" && tram.label == "3" && tram.fix.course == 87)
        #expect(vehicles.object("RHKL00214")?.kind == "subway")
        // Both directions of the stop, those that come earlier first, two of them measured.
        #expect(screen.stops.count == 2 && Set(screen.calls.prefix(8).map(\.stop)) == Set(screen.stops))
        let times = screen.calls.map { $0.expected ?? $0.scheduled }
        #expect(times == times.sorted() && screen.calls.contains { $0.expected != nil })
        let options = screen.map.options
        #expect(options.notice?.text == "Line 9 diverted" && options.title?.contains("invented") == true)
        let picture = try await screen.map.refresh()
        #expect(picture.report.complete, "\(picture.report.layers.flatMap(\.failed))")
        try DemonstrationTests.expect(picture.image, named: "live-city.png")
    }

    @Test func `a followed vehicle is in the middle of each frame`() async throws {
        var places: [Coordinate] = [], offsets: [Double] = []
        let frames = try await LiveCity.parse(["--demo", "--follow", "RHKL00202"]).frames(following: "RHKL00202") {
            let map = $0.map
            guard let live = map.layer(named: "vehicles")?.source as? LiveLayer,
                let place = live.place(of: "RHKL00202", at: live.time),
                let transform = try? CoordinateTransform(from: .crs84, to: map.viewport.crs),
                let projected = transform(place)
            else { return }
            let pixel = map.viewport.pixel(of: projected)
            places.append(place)
            offsets.append(max(abs(pixel.x - 200), abs(pixel.y - 150)))
        }
        #expect(frames.count == 8 && offsets.count == 8 && offsets.allSatisfy { $0 < 1 }, "\(offsets)")
        #expect(Set(places.map(\.x)).count > 5)
    }

    @Test func `a map moved out of its area is moved back to the edge`() async throws {
        let screen = try await LiveCity.parse(["--demo"]).screen(width: 400, height: 300, zoom: 17)
        let limit = try #require(screen.map.limitingExtent)
        try screen.map.center(on: Coordinate(longitude: 25.2, latitude: 60.3))
        let seen = screen.map.viewport.extent
        #expect(seen.maxX <= limit.maxX + 1 && seen.maxY <= limit.maxY + 1 && screen.map.limitingMask != nil)
    }

    @Test func `the frames of a followed vehicle form an animated PNG as in the README`() async throws {
        let golden = DemonstrationTests.examples.appending(path: "live-city-follow.png")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
        defer { try? FileManager.default.removeItem(at: file) }
        let isBlessing = DemonstrationTests.isBlessing
        try await LiveCity.parse(["--demo", "--follow", "RHKL00202", "--output", isBlessing ? golden.path : file.path])
            .run()
        try #require(!isBlessing, "blessed \(golden.path); look at it")
        let expected = try Data(contentsOf: golden), actual = try Data(contentsOf: file)
        #expect(try DemonstrationTests.controls(actual) == DemonstrationTests.controls(expected))
    }

    @Test
    func `nearby stops, the nearest first, and arrivals are drawn as in the README`()
        async throws
    {
        let (map, screen) = try await NearbyStopsExample.parse(["--demo"]).demonstration()
        let stops = screen.model.stops
        #expect(stops.first?.name == "Mikonkatu" && stops.count == 15 && stops.allSatisfy { $0.meters <= 300 })
        #expect(stops.map(\.meters) == stops.map(\.meters).sorted())
        #expect(screen.model.detail?.stop == stops.first && screen.model.detail?.arrivals?.isEmpty == false)
        // Of the card only what may be shown.
        #expect(map.options.infoBar?.title == "Tullave •••• 1234")
        let picture = try await map.refresh()
        #expect(picture.report.complete && picture.report.warnings.isEmpty, "\(picture.report.warnings)")
        try DemonstrationTests.expect(picture.image, named: "nearby-stops.png")
    }

    @Test func `a failure to load stops is a notice on the map`() async throws {
        var screen = NearbyScreen(finder: NoStops(), within: 500, now: HelsinkiTransit.start, timeZone: .gmt)
        await screen.take(.located(Coordinate(longitude: -74.08175, latitude: 4.60971)))
        let map = try HelsinkiWalk.empty(width: 600, height: 400)
        try screen.draw(on: map, card: nil)
        #expect(map.options.notice?.text == "The stops could not be loaded. Try again.")
    }

    @Test
    func `a route, the stop of a beacon and suggested rides are drawn as in the README`()
        async throws
    {
        let (map, screen) = try BusGuideExample.parse(["--demo"]).page()
        #expect(screen.detection.stop.name == "Los Álamos" && screen.detection.source == .beacon)
        let ride = try #require(screen.suggestions.first?.rides.first)
        #expect(ride.board.name == "Los Álamos" && ride.alight.name == "Valle Hondo" && ride.stopCount == 5)
        // The other direction of the same line is none of them.
        #expect(!screen.suggestions.flatMap(\.rides).contains { $0.headsign == "Ñañaro" })
        #expect(map.options.infoBar?.facts == ["Cooperativa Cóndor Azul", "05:30–22:00", "38 min"])
        #expect(map.options.notice?.text.contains("Invented") == true)
        let picture = try await map.refresh()
        #expect(picture.report.warnings.isEmpty, "\(picture.report.warnings)")
        try DemonstrationTests.expect(picture.image, named: "bus-guide.png")
    }

    @Test(arguments: [("qbus:stop:Q25?v=1", "Universidad"), ("qbus:stop:Q11?v=1", "Las Cúpulas")])
    func `a stop code gives the stop`(_ code: String, _ name: String) throws {
        let (_, screen) = try BusGuideExample.parse(["--demo", "--code", code]).page()
        #expect(screen.detection.stop.name == name && screen.detection.source == .code)
    }
}

/// A service that is down.
private struct NoStops: StopFinder {
    let name = "none"

    func stops(
        near center: Coordinate, within meters: Double
    ) async throws(StopFinderError) -> PortolanTransit.NearbyStops {
        throw .invalidPlace
    }

    func arrivals(at stop: String, from time: Date, limit: Int) async throws(StopFinderError) -> [NearbyStops.Arrival] {
        throw .unknownStop(stop)
    }
}

import Foundation
import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanRealtime
import PortolanServerCore
import PortolanTransit
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(5))) struct ViewerCityTests {
    /// Monday 23 November 2026, 07:55 in Helsinki.
    private static let morning = Date(timeIntervalSince1970: 1_795_413_300)

    /// A viewer of a city with one line and one tram on it.
    private static func open() async throws -> (viewer: SampleViewer, city: PublishedCity) {
        let files = SampleFeed.files.mapValues { Array($0.utf8) }
        let timetable = try TransitFeed(files: files).timetable
        let city = PublishedCity(timetable, vehicles: ReplayFeed([])) { morning }
        let viewer = try await SampleViewer(SampleServer { $0.offer.city = city })
        return (viewer, city)
    }

    private static func transit(_ viewer: SampleViewer) async throws -> Properties {
        try #require(try await viewer.state()["transit"]?.objectValue)
    }

    private static func report(_ id: String, _ place: (Double, Double), line: String) -> VehicleReport {
        var report = VehicleReport(id: id, time: morning)
        report.place = Coordinate(x: place.0, y: place.1)
        report.line = line
        return report
    }

    @Test func `lines and stops are shown and hidden on request`() async throws {
        let (viewer, _) = try await Self.open()
        #expect(try await Self.transit(viewer)["shown"] == false)
        #expect(await viewer.tell("command", #"{"do": "transit", "step": "show"}"#).status == 204)
        let lines = try #require(try await Self.transit(viewer)["lines"]?.arrayValue)
        #expect(lines.map { $0.objectValue?["name"]?.stringValue } == ["9"])
        #expect(lines.first?.objectValue?["color"] == "#00985f")
        func names() async throws -> [String?] {
            try #require(try await viewer.state()["layers"]?.arrayValue).map { $0.objectValue?["name"]?.stringValue }
        }
        #expect(try await names() == ["Vehicles", "Public transport", "square"])
        #expect(await viewer.tell("command", #"{"do": "transit", "step": "show", "on": false}"#).status == 204)
        #expect(try await names() == ["square"])
    }

    @Test func `stops are found by name, and show their departures`() async throws {
        let (viewer, _) = try await Self.open()
        await viewer.tell("command", #"{"do": "transit", "step": "show"}"#)
        let found = try JSONReader.value(bytes: await viewer.sample.get("/session/\(viewer.name)/found?q=toolo").body)
        #expect(found.arrayValue?.first?.objectValue?["stop"] == "s1")
        #expect(await viewer.tell("command", #"{"do": "transit", "step": "board", "stop": "s1"}"#).status == 204)
        let board = try #require(try await Self.transit(viewer)["board"]?.objectValue)
        let rows = try #require(board["rows"]?.arrayValue).compactMap(\.objectValue)
        #expect(board["name"] == "Töölö" && rows.map { $0["clock"] } == ["08:00", "09:00"])
        #expect(rows[0]["minutes"] == 5 && rows[0]["headsign"] == "Hakaniemi" && rows[0]["live"] == false)
        #expect(await viewer.tell("command", #"{"do": "transit", "step": "board", "stop": "s9"}"#).status == 404)
        await viewer.tell("command", #"{"do": "show", "lon": 24.92, "lat": 60.18, "zoom": 14}"#)
        await viewer.tell("command", #"{"do": "transit", "step": "nearby"}"#)
        let near = try #require(try await Self.transit(viewer)["nearby"]?.arrayValue).compactMap(\.objectValue)
        #expect(near.first?["id"] == "s1" && near.first?["meters"] == 0)
    }

    @Test func `journeys between stops are listed and drawn`() async throws {
        let (viewer, _) = try await Self.open()
        await viewer.tell("command", #"{"do": "transit", "step": "show"}"#)
        await viewer.tell("command", #"{"do": "transit", "step": "from", "stop": "s1"}"#)
        #expect(await viewer.tell("command", #"{"do": "transit", "step": "to", "stop": "s3"}"#).status == 204)
        let transit = try await Self.transit(viewer)
        #expect(transit["from"] == "Töölö" && transit["to"] == "Hakaniemi")
        let first = try #require(transit["journeys"]?.arrayValue?.first?.objectValue)
        #expect(first["departure"] == "08:00" && first["arrival"] == "08:20" && first["changes"] == 0)
        let legs = try #require(first["legs"]?.arrayValue).compactMap(\.objectValue)
        #expect(legs.map { $0["mode"] } == ["tram"] && legs[0]["line"] == "9")
        let layers = try #require(try await viewer.state()["layers"]?.arrayValue)
        #expect(layers.first?.objectValue?["name"] == "Journey")
        await viewer.tell("command", #"{"do": "transit", "step": "clear"}"#)
        #expect(try await Self.transit(viewer)["journeys"] == nil)
    }

    @Test func `vehicles are drawn as they are reported, and hidden with their line`() async throws {
        let (viewer, city) = try await Self.open()
        await viewer.tell("command", #"{"do": "show", "lon": 24.92, "lat": 60.18, "zoom": 16}"#)
        await viewer.tell("command", #"{"do": "transit", "step": "show"}"#)
        // Beside the line and its stop, where there is nothing else.
        city.take(.reports([Self.report("tram", (24.9215, 60.1808), line: "r9")]))
        func hasTram(_ picture: PixelBuffer) -> Bool {
            (190...206).contains { x in (45...61).contains { y in picture[x, y] != picture[2, 2] } }
        }
        _ = try await viewer.settled {
            $0.number("zoom") == 16
        } showing: {
            hasTram($0)
        }
        await viewer.tell("command", #"{"do": "transit", "step": "filter", "line": "r9", "on": false}"#)
        let lines = try #require(try await Self.transit(viewer)["lines"]?.arrayValue)
        #expect(lines.first?.objectValue?["shown"] == false)
        _ = try await viewer.settled(showing: { !hasTram($0) })
        await viewer.tell("command", #"{"do": "transit", "step": "filter", "on": true}"#)
        _ = try await viewer.settled(showing: hasTram)
    }

    @Test func `a reloaded timetable is used by viewers that open afterwards`() async throws {
        let (before, _) = try await Self.open()
        let files = SampleFeed.files.mapValues { Array($0.replacing("Töölö", with: "Arabia").utf8) }
        var offer = ViewerOffer()
        offer.city = PublishedCity(try TransitFeed(files: files).timetable)
        before.sample.server.replace(before.sample.book, offer: offer)
        let after = try await SampleViewer(before.sample)
        func finds(_ viewer: SampleViewer) async throws -> [Bool] {
            var found: [Bool] = []
            for word in ["toolo", "arabia"] {
                let answer = await viewer.sample.get("/session/\(viewer.name)/found?q=\(word)")
                let rows = try #require(try JSONReader.value(bytes: answer.body).arrayValue)
                found.append(!rows.isEmpty)
            }
            return found
        }
        #expect(try await finds(before) == [true, false])
        #expect(try await finds(after) == [false, true])
        // Other maps alone leave it as it is.
        before.sample.server.replace(before.sample.book)
        #expect(try await finds(SampleViewer(before.sample)) == [false, true])
    }

    @Test func `vehicles are received as long as a viewer uses the city`() async throws {
        /// A source that emits given events, and reports when its listener is gone.
        struct Feed: VehicleFeed {
            let name = "test"
            let stream: AsyncStream<FeedEvent>
            func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> { stream }
        }
        let (stream, telling) = AsyncStream.makeStream(of: FeedEvent.self)
        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        telling.onTermination = { _ in ending.finish() }
        let timetable = try TransitFeed(files: SampleFeed.files.mapValues { Array($0.utf8) }).timetable
        func listen() async {
            let city = PublishedCity(timetable, vehicles: Feed(stream: stream)) { Self.morning }
            city.listen()
            telling.yield(.reports([Self.report("tram", (24.92, 60.18), line: "r9")]))
            #expect(await eventually { city.fleet.snapshot.map(\.id) == ["tram"] })
        }
        await listen()
        // It ends, or the test does not.
        for await _ in endings {}
    }

    @Test func `a replaced timetable is released when no viewer uses it`() async throws {
        struct Held { weak var city: PublishedCity? }
        func open() async throws -> (SampleServer, Held) {
            let city = PublishedCity(try TransitFeed(files: SampleFeed.files.mapValues { Array($0.utf8) }).timetable)
            return (try await SampleServer { $0.offer.city = city }, Held(city: city))
        }
        let (sample, held) = try await open()
        #expect(held.city != nil)
        sample.server.replace(sample.book, offer: ViewerOffer())
        #expect(held.city == nil)
    }

    @Test func `a server without public transport has no transit state and commands`() async throws {
        let viewer = try await SampleViewer(SampleServer())
        #expect(try await viewer.state()["transit"] == nil)
        #expect(await viewer.tell("command", #"{"do": "transit", "step": "show"}"#).status == 404)
        #expect(await viewer.sample.get("/session/\(viewer.name)/found?q=a").status == 404)
    }
}

import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRealtime
import PortolanTransit
import TestHelpers
import Testing

@testable import PortolanServerCore

@Suite(.timeLimit(.minutes(5))) struct ViewerSessionsTests {
    /// A server whose viewers go by a clock of the test.
    private struct Stage {
        let sample: SampleServer
        let clock: TestClock
        let viewers: ViewerSessions
        let server: MapServer

        init(
            _ sample: SampleServer, clock: TestClock = TestClock(), _ change: (inout ViewerBudget) -> Void = { _ in }
        ) {
            self.sample = sample
            self.clock = clock
            var budget = ViewerBudget(processors: 2)
            change(&budget)
            viewers = ViewerSessions(budget, clock: FrameClock(now: { clock.now }, sleep: { await clock.sleep($0) }))
            server = MapServer(
                sample.book, settings: sample.server.settings,
                endpoints: [ViewerEndpoint(viewers), ViewerSessionEndpoint(viewers, wait: .seconds(10))])
        }

        func answer(_ method: String, _ target: String, _ body: String = "") async -> ServerResponse {
            await server.answer(method, target, body: Array(body.utf8)).response
        }

        /// Opens a viewer; its name, or the answer that refuses it.
        func open(side: Int = 64) async -> (name: String?, response: ServerResponse) {
            let response = await answer(
                "POST", "/viewer/square",
                #"{"width": \#(side), "height": \#(side), "ratio": 1, "lon": 0, "lat": 0, "zoom": 4}"#)
            return ((try? SampleViewer.object(response.body))?["session"]?.stringValue, response)
        }

        func opened() async throws -> (name: String, session: ViewerSession) {
            let name = try #require(await open().name)
            return (name, try viewers.session(name))
        }

        /// Asks for frames until one is final, and as it is wanted.
        func settled(
            _ name: String, _ isWanted: (SampleViewer.Frame) -> Bool = { _ in true }
        ) async throws -> SampleViewer.Frame {
            while true {
                try Task.checkCancellation()
                let frame = try SampleViewer.Frame(await answer("GET", "/session/\(name)/frame?after=0"))
                if frame.head["final"] == true, frame.picture != nil, isWanted(frame) { return frame }
                // The time of animations, and between two frames.
                clock.advance(by: .milliseconds(20))
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func `a viewer whose page is silent rests, and draws again on request`() async throws {
        let stage = Stage(try await SampleServer()), (name, session) = try await stage.opened()
        _ = try await stage.settled(name)
        #expect(await session.isDrawing)
        stage.clock.advance(by: .seconds(3))
        await stage.viewers.look()
        #expect(await session.isDrawing)
        stage.clock.advance(by: .seconds(1))
        await stage.viewers.look()
        #expect(await !session.isDrawing)
        #expect(stage.viewers.count == 1)
        _ = try await stage.settled(name)
        #expect(await session.isDrawing)
    }

    @Test func `viewers whose pages are gone are closed even if no other opens`() async throws {
        let stage = Stage(try await SampleServer()), (name, _) = try await stage.opened()
        _ = try await stage.opened()
        #expect(stage.viewers.count == 2 && stage.viewers.byteCount > 0)
        // One of the pages goes on asking.
        for _ in 0..<65 {
            #expect(await stage.answer("GET", "/session/\(name)/state").status == 200)
            stage.clock.advance(by: .seconds(1))
        }
        // The overview of all of them is a separate task, which may be late.
        #expect(
            await eventually {
                stage.clock.advance(by: .milliseconds(1))
                return stage.viewers.count == 1
            })
        #expect(await stage.answer("GET", "/session/\(name)/state").status == 200)
        #expect(
            await eventually {
                stage.clock.advance(by: .seconds(1))
                return stage.viewers.count == 0
            })
        #expect(stage.viewers.byteCount == 0)
    }

    @Test func `a full server closes the viewer that was silent longest, and none in use`() async throws {
        let stage = Stage(try await SampleServer()) { $0.count = 2 }
        let (first, _) = try await stage.opened(), (second, _) = try await stage.opened()
        let refused = await stage.open().response
        #expect(refused.status == 503 && refused[header: "Retry-After"] == "30")
        stage.clock.advance(by: .seconds(2))
        #expect(await stage.answer("GET", "/session/\(second)/state").status == 200)
        stage.clock.advance(by: .seconds(2))
        #expect(await stage.open().name != nil)
        #expect(await stage.answer("GET", "/session/\(first)/state").status == 404)
        #expect(await stage.answer("GET", "/session/\(second)/state").status == 200)
        #expect(await stage.open().response.status == 503)
    }

    @Test func `the memory for pictures of viewers is limited`() async throws {
        let picture = 512 * 512 * 4 * ViewerShare.copyCount
        let stage = Stage(try await SampleServer()) { $0.byteCount = picture + picture / 2 }
        let name = try #require(await stage.open(side: 512).name)
        #expect(stage.viewers.byteCount == picture)
        #expect(await stage.open(side: 512).response.status == 503)
        func resize(_ side: Int) async -> Int {
            await stage.answer(
                "POST", "/session/\(name)/command", #"{"do": "resize", "width": \#(side), "height": \#(side)}"#
            ).status
        }
        #expect(await resize(1024) == 503)
        #expect(stage.viewers.byteCount == picture)
        #expect(await resize(256) == 204)
        #expect(stage.viewers.byteCount == picture / 4)
        #expect(await stage.open(side: 512).name != nil)
        #expect(await resize(512) == 503)
        #expect(await stage.answer("DELETE", "/session/\(name)").status == 204)
        #expect(stage.viewers.byteCount == picture)
    }

    @Test func `uploaded files count towards the memory of viewers`() async throws {
        let stage = Stage(try await SampleServer()) { $0.byteCount = 2 << 20 }
        let (name, _) = try await stage.opened(), before = stage.viewers.byteCount
        func add(_ count: Int) async -> Int {
            let points = (0..<count).map { #"{"type":"Point","coordinates":[\#($0 % 90),1]}"# }
            return await stage.answer(
                "POST", "/session/\(name)/features?name=a",
                #"{"type":"GeometryCollection","geometries":[\#(points.joined(separator: ","))]}"#
            ).status
        }
        #expect(await add(100) == 204)
        #expect(stage.viewers.byteCount > before)
        #expect(await add(20_000) == 400)
        #expect(await stage.answer("DELETE", "/session/\(name)").status == 204)
        #expect(await eventually { stage.viewers.byteCount == 0 })
    }

    @Test func `of many requests for a newer frame the newest wait, and the others are answered`() async throws {
        let stage = Stage(try await SampleServer()), (name, session) = try await stage.opened()
        _ = try await stage.settled(name)
        let seen = try #require(
            SampleViewer.Frame(await stage.answer("GET", "/session/\(name)/frame?after=0")).head["n"]?.integerValue)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { await stage.answer("GET", "/session/\(name)/frame?after=\(seen + 1000)").status }
            }
            for _ in 0..<46 { #expect(await group.next() == 200) }
            #expect(await session.waitingCount == 4)
            // The rest are answered when they have waited for long enough.
            while !group.isEmpty {
                stage.clock.advance(by: .seconds(10))
                #expect(await group.next() == 200)
            }
        }
        #expect(await session.waitingCount == 0)
    }

    /// Monday 23 November 2026, 07:55 in Helsinki.
    private static let morning = Date(timeIntervalSince1970: 1_795_413_300)

    @Test func `standing vehicles cause no new frames`() async throws {
        let clock = TestClock()
        let timetable = try TransitFeed(files: SampleFeed.files.mapValues { Array($0.utf8) }).timetable
        @Sendable func now() -> Date { Self.morning.addingTimeInterval(clock.now / .seconds(1)) }
        let city = PublishedCity(timetable, vehicles: ReplayFeed([]), now: now)
        let stage = Stage(try await SampleServer(), clock: clock)
        var offer = ViewerOffer()
        offer.city = city
        stage.server.replace(stage.sample.book, offer: offer)
        let (name, session) = try await stage.opened()
        #expect(
            await stage.answer("POST", "/session/\(name)/command", #"{"do": "transit", "step": "show"}"#).status == 204)
        func hear(_ longitude: Double) async {
            var report = VehicleReport(id: "tram", time: now())
            report.place = Coordinate(x: longitude, y: 1)
            report.line = "r9"
            city.take(.reports([report]))
            await session.hear(of: city)
        }
        await hear(1)
        // The pictures of the map, of the lines and of the vehicle may come one after the other; a degree is 11 pixels here.
        var frame = try await stage.settled(name) { frame in
            guard let picture = frame.picture else { return false }
            let x = picture.width / 2, y = picture.height / 2
            return picture[x + 11, y - 11] != picture[x - 11, y + 11]
        }
        func count(_ key: String) throws -> Int { try #require(frame.head[key]?.integerValue) }
        let number = try count("n"), pictures = try count("pictureNumber")
        for _ in 0..<60 {
            clock.advance(by: .seconds(1))
            await hear(1)
        }
        frame = try await stage.settled(name)
        // One more picture may result from earlier drawings, and is reported when its layers are loaded and the map is
        // at rest.
        #expect(try count("pictureNumber") - pictures <= 2)
        #expect(try count("n") - number < 20)
        let picture = frame.head["pictureNumber"]
        // One that moves does.
        clock.advance(by: .seconds(1))
        await hear(2)
        _ = try await stage.settled(name) { $0.head["pictureNumber"] != picture }
    }
}

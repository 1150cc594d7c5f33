import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTransit
import Synchronization
import TestHelpers
import Testing

@testable import PortolanRealtime

/// Source, engine, sink, source, fleet.
@Suite struct VehicleEngineTests {
    private func recording() throws -> ReplayFeed {
        let records = try ReplayFeed.records(
            Fixture.bytes("replay/vehicles.txt"), source: "a", start: time(1_767_268_800))
        return ReplayFeed(records, speed: .whole)
    }

    /// Runs an engine to the end of its sources.
    private func run(_ sinks: [any VehicleEngine.Sink], on feed: any VehicleFeed) async -> [VehicleEngine.Report] {
        let clock = TestClock(), reports = Mutex<[VehicleEngine.Report]>([])
        let engine = VehicleEngine([.init(feed)], to: sinks, clock: .test(clock))
        let task = Task { await engine.run { report in reports.withLock { $0.append(report) } } }
        let isAtEnd = await eventually {
            reports.withLock { $0.contains(.source(feed.name, .ended(nil))) } && clock.sleeperCount == 1
        }
        #expect(isAtEnd)
        // The end of the stream may come a moment after what it said last.
        let isOver = Mutex(false)
        let end = Task {
            await task.value
            isOver.withLock { $0 = true }
        }
        #expect(
            await eventually {
                if clock.sleeperCount > 0 { clock.advance(by: .seconds(1)) }
                return isOver.withLock { $0 }
            })
        await end.value
        return reports.withLock { $0 }
    }

    @Test func `vehicles survive the engine, GTFS Realtime and the fleet unchanged`() async throws {
        let written = Mutex<[UInt8]>([])
        let sink = VehicleEngine.RealtimeSink(name: "memory") { bytes throws(FeedError) in
            written.withLock { $0 = bytes }
        }
        _ = await run([sink], on: try recording())
        let message = try RealtimeMessage(bytes: written.withLock { $0 })
        var fleet = Fleet(), direct = Fleet()
        let now = time(1_767_268_805)
        _ = fleet.apply(.snapshot(message.reports(now: now), time: now), now: now)
        for record in try recording().records { _ = direct.apply(record.event, now: now) }
        #expect(fleet.vehicles.count == 9)
        #expect(fleet.vehicles.keys == direct.vehicles.keys)
        for (id, vehicle) in fleet.vehicles {
            let known = try #require(direct.vehicles[id])
            #expect(vehicle.line == known.line)
            #expect(vehicle.bearing == known.bearing)
            #expect(vehicle.stop == known.stop)
            let places = try #require(vehicle.place.flatMap { place in known.place.map { (place, $0) } })
            #expect(abs(places.0.x - places.1.x) < 4e-6)
            #expect(abs(places.0.y - places.1.y) < 4e-6)
        }
    }

    @Test func `vehicles reach the listeners of an event stream`() async throws {
        let sink = VehicleEngine.EventStreamSink()
        let early = sink.listen()
        _ = await run([sink], on: try recording())
        #expect(sink.listenerCount == 0, "the streams end with the engine")
        var fleets: [Fleet] = []
        for stream in [early, sink.listen()] {
            var fleet = Fleet(), reader = EventStreamReader(), count = 0
            for await bytes in stream {
                for message in try reader.take(bytes) {
                    let record = try ReplayFeed.Record(line: Array(message.data.utf8))
                    #expect(record.kind == message.event)
                    #expect(message.id == "1")
                    _ = fleet.apply(record.event, now: record.time)
                    count += 1
                }
                // One change for who was there, all there is for who came later.
                if count == (fleets.isEmpty ? 1 : 3) { break }
            }
            fleets.append(fleet)
        }
        #expect(fleets.first?.vehicles.count == 9)
        #expect(fleets.first?.vehicles == fleets.last?.vehicles)
    }

    @Test func `a listener that falls behind is disconnected`() async throws {
        let sink = VehicleEngine.EventStreamSink(patience: 8), stream = sink.listen()
        var change = VehicleEngine.Change(time: time(1), number: 1)
        change.gone = ["a"]
        for _ in 0..<9 { try await sink.publish(change, of: VehicleEngine.State(time: time(1))) }
        #expect(sink.listenerCount == 0)
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 8)
    }

    @Test func `vehicles become messages with Mobitransit headers, and alert texts are sent once`() throws {
        var messages = MobitransitMessages(topic: "/topic/city", noticeTopic: "/topic/alerts", languages: ["fi"])
        var vehicle = report("RHKL00239", at: 1, 24.937137, 60.201705, line: "1009"), notice = Disruption(id: "1")
        vehicle.bearing = 256.4
        notice.title = ["fi": "Poikkeus", "en": "Change"]
        var change = VehicleEngine.Change(time: time(1), number: 1)
        (change.changed, change.disruptions) = ([vehicle, report("b", at: 1)], [notice])
        let batches = messages.batches(of: change)
        #expect(batches.map(\.topic) == ["/topic/city", "/topic/alerts"])
        let headers = try #require(batches.first?.messages.map(\.headers))
        #expect(
            headers.map { $0.map { "\($0.name)=\($0.value)" } } == [
                [
                    "numberPlate=RHKL00239", "line=1009", "latitude=60.201705", "longitude=24.937137",
                    "orientation=256",
                ]
            ])
        #expect(batches.last?.messages.map(\.body) == [Array("Poikkeus".utf8)])
        #expect(messages.batches(of: change).count == 2, "it may not have been sent")
        messages.sent(change)
        #expect(messages.batches(of: change).map(\.topic) == ["/topic/city"])
        // What is read of them is what was published.
        var reader = MobitransitReader()
        let frame = STOMPFrame("MESSAGE", headers.first ?? [])
        let read = reader.report(of: frame, heard: time(1))
        #expect(read?.id == vehicle.id)
        #expect(read?.line == "1009")
        #expect(read?.place == vehicle.place)
        #expect(read?.bearing == 256)
        let plain = MobitransitMessages.headers(of: report("a", at: 1, -0.00001, 60))
        #expect(plain?.map(\.value) == ["a", "-", "60.000000", "-0.000010"])
    }

    @Test func `a file is replaced atomically, and an unwritable file is reported`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vehicles.pb"
        let missing = folder.path + "/none/vehicles.pb"
        let reports = await run(
            [VehicleEngine.RealtimeSink(file: missing), VehicleEngine.RealtimeSink(file: path)], on: try recording())
        #expect(try RealtimeMessage(bytes: [UInt8](Data(contentsOf: URL(filePath: path)))).vehicles.count == 9)
        let failures = reports.compactMap { if case .failed(_, let fault) = $0 { fault.code } else { nil } }
        #expect(failures == [.unreachable])
    }

    /// A sink that fails at first, one that is never done, and one that does what it should.
    private struct OddSink: VehicleEngine.Sink {
        let name: String
        let told: Told
        var failures = 0
        var hangs = false

        final class Told: Sendable {
            let changes = Mutex<[VehicleEngine.Change]>([])
            let closes = Mutex(0)
        }

        mutating func publish(_ change: VehicleEngine.Change, of state: VehicleEngine.State) async throws(FeedError) {
            if hangs {
                while !Task.isCancelled { await Task.yield() }
                return
            }
            failures -= 1
            guard failures < 0 else { throw FeedError(.unreachable, source: name, "it fails") }
            told.changes.withLock { $0.append(change) }
        }

        mutating func close() async { told.closes.withLock { $0 += 1 } }
    }

    /// A source whose reports a test determines.
    private struct SpokenFeed: VehicleFeed {
        let name = "spoken"
        private let told: AsyncStream<FeedEvent>
        let say: AsyncStream<FeedEvent>.Continuation

        init() { (told, say) = AsyncStream.makeStream() }

        func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> { told }
    }

    @Test func `a slow or failing sink stops no other, and failed changes go with the next one`() async throws {
        let clock = TestClock(), told = (0..<3).map { _ in OddSink.Told() }
        var failing = OddSink(name: "failing", told: told[1]), hanging = OddSink(name: "hanging", told: told[2])
        (failing.failures, hanging.hangs) = (1, true)
        let feed = SpokenFeed(), failures = Mutex(0)
        let engine = VehicleEngine(
            [.init(feed)], to: [hanging, failing, OddSink(name: "good", told: told[0])], clock: .test(clock))
        let task = Task {
            await engine.run { report in if case .failed = report { failures.withLock { $0 += 1 } } }
        }
        feed.say.yield(.reports([report("a", at: 1_767_268_800, 24.9, 60.1)]))
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(500))
                return failures.withLock { $0 } == 1 && told[0].changes.withLock { $0.count } == 1
            })
        feed.say.yield(.reports([report("b", at: 1_767_268_801, 24.9, 60.1)]))
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(500))
                return told.prefix(2).map { $0.changes.withLock { $0.count } } == [2, 1]
            })
        let changed = told.map { $0.changes.withLock { $0.map { $0.changed.map(\.id) } } }
        #expect(changed == [[["a"], ["b"]], [["a", "b"]], []])
        task.cancel()
        await task.value
        #expect(told.map { $0.closes.withLock { $0 } } == [1, 1, 1])
    }
}

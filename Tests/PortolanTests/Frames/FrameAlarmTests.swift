import Foundation
import PortolanFeatures
import PortolanGeo
import Synchronization
import TestHelpers
import Testing

@testable import Portolan

@Suite(.timeLimit(.minutes(5))) struct FrameAlarmTests {
    private final class Rings: Sendable { let count = Mutex(0) }

    private static func alarm(_ clock: TestClock) -> (FrameAlarm, Rings) {
        let rings = Rings()
        let alarm = FrameAlarm(FrameClock(now: { clock.now }, sleep: { await clock.sleep($0) })) {
            rings.count.withLock { $0 += 1 }
        }
        return (alarm, rings)
    }

    @Test func `an alarm later than a pending one is not scheduled`() async {
        let clock = TestClock(), (alarm, rings) = Self.alarm(clock)
        for second in 10..<1000 { alarm.set(for: .seconds(second)) }
        #expect(alarm.count == 1)
        #expect(await eventually { clock.sleeperCount == 1 })
        // An earlier one is, and rings first.
        alarm.set(for: .seconds(5))
        alarm.set(for: .seconds(7))
        #expect(await eventually { clock.sleeperCount == 2 })
        clock.advance(by: .seconds(5))
        #expect(await eventually { rings.count.withLock(\.self) == 1 })
        #expect(alarm.count == 1)
        clock.advance(by: .seconds(5))
        #expect(await eventually { rings.count.withLock(\.self) == 2 })
        #expect(alarm.count == 0 && clock.asked == [.seconds(10), .seconds(5)])
    }

    @Test func `an alarm in the past fires at once`() async {
        let clock = TestClock()
        clock.advance(by: .seconds(9))
        let (alarm, rings) = Self.alarm(clock)
        alarm.set(for: .seconds(2))
        #expect(await eventually { rings.count.withLock(\.self) == 1 })
        #expect(clock.asked == [.zero])
    }

    @Test func `a released alarm ends its tasks and does not fire`() async {
        let clock = TestClock(), rings: Rings
        do {
            let (alarm, kept) = Self.alarm(clock)
            alarm.set(for: .seconds(100))
            rings = kept
            #expect(await eventually { clock.sleeperCount == 1 })
        }
        #expect(await eventually { clock.sleeperCount == 0 })
        #expect(rings.count.withLock(\.self) == 0)
    }

    /// A map with a tram that stands, its frames, and the clock of both.
    @MainActor
    private static func map() throws -> (map: MapFacade, clock: TestClock) {
        let map = try MapFacadeTests.facade(64, 64), start = Date(timeIntervalSince1970: 1_700_000_000)
        map.clockStart = start
        try map.center(on: Coordinate(longitude: 24.94, latitude: 60.2), zoom: 14)
        try map.add(LiveLayer(), named: "trams")
        try map.updateLive(named: "trams", [tram(at: 0, start)], at: .zero)
        return (map, TestClock())
    }

    private static func tram(at second: Double, _ start: Date) -> LiveLayer.Update {
        .upsert(
            LiveLayer.Object(
                id: "tram", fix: PositionFix(place: Coordinate(longitude: 24.94, latitude: 60.2), time: start + second),
                kind: "tram", label: "4"))
    }

    @MainActor private final class Seen { var frames: [MapFrame] = [] }

    @MainActor
    @Test func `an unchanged map keeps one alarm however often it is woken`() async throws {
        let (map, clock) = try Self.map(), seen = Seen()
        let task = Task { @MainActor in
            let ours = FrameClock(now: { clock.now }, sleep: { await clock.sleep($0) })
            for await frame in map.frames(clock: ours) { seen.frames.append(frame) }
        }
        #expect(await eventually { @MainActor in seen.frames.last?.isFinal == true })
        // Past the rest, after which surroundings are painted, no alarm is left but that of the tram, which fades.
        #expect(
            await eventually { @MainActor in
                if clock.now < .seconds(1) { clock.advance(by: .milliseconds(50)) }
                return clock.now >= .seconds(1) && clock.sleeperCount > 0
            })
        for _ in 0..<200 { await Task.yield() }
        let asked = clock.asked.count, frames = seen.frames.count
        for _ in 0..<500 {
            map.changes.wake()
            await Task.yield()
        }
        #expect(clock.asked.count - asked <= 1)
        #expect(clock.sleeperCount <= 4 && seen.frames.count == frames)
        task.cancel()
        await task.value
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @MainActor
    @Test func `updates of standing objects are not a change, fading is`() async throws {
        let (map, _) = try Self.map(), start = map.clockStart
        let before = map.changes.count
        for second in 1...60 {
            try map.updateLive(named: "trams", [Self.tram(at: Double(second), start)], at: .seconds(second))
            map.advance(to: .seconds(second) + .milliseconds(500))
        }
        #expect(map.changes.count == before)
        map.advance(to: .seconds(149))
        #expect(map.changes.count == before)
        map.advance(to: .seconds(151))
        #expect(map.changes.count == before + 1, "it fades")
        try map.updateLive(named: "trams", [Self.tram(at: 152, start)], at: .seconds(152))
        #expect(map.changes.count > before + 1, "it is fresh again")
    }
}

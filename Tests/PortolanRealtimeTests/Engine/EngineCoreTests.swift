import Foundation
import PortolanGeo
import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct EngineCoreTests {
    @Test func `only new or changed vehicles are published`() {
        var core = VehicleEngine.Core(now: time(0))
        #expect(core.flush(now: time(0)) == nil)
        core.take(.reports([report("a", at: 1, 24.9, 60.1), report("b", at: 1, 24.8, 60.1)]), now: time(1))
        let first = core.flush(now: time(1))
        #expect(first?.changed.map(\.id) == ["a", "b"])
        #expect(first?.number == 1)
        core.take(.reports([report("a", at: 2, 24.9, 60.1), report("b", at: 2, 24.81, 60.1)]), now: time(2))
        let second = core.flush(now: time(2))
        #expect(second?.changed.map(\.id) == ["b"])
        #expect(second?.number == 2)
        #expect(core.flush(now: time(3)) == nil)
    }

    @Test func `an alert is published again when it begins and when it ends`() {
        var core = VehicleEngine.Core(now: time(0)), notice = Disruption(id: "x")
        notice.periods = [.init(from: time(100), to: time(200))]
        notice.title = ["en": "Works"]
        core.take(.disruptions([notice]), now: time(1))
        var messages = MobitransitMessages(topic: "/topic/city", noticeTopic: "/topic/alerts", languages: ["en"])
        var told: [[Int]] = []
        for now in [1.0, 50, 100, 150, 201, 250] {
            guard let change = core.flush(now: time(now)) else { continue }
            told.append([Int(now), messages.batches(of: change).count])
            messages.sent(change)
        }
        #expect(told == [[1, 0], [100, 1], [201, 0]])
    }

    @Test func `changes that are undone before publication are not published`() {
        var core = VehicleEngine.Core(now: time(0))
        core.take(.reports([report("a", at: 1, 24.9, 60.1)]), now: time(1))
        core.take(.gone(["a"], since: time(1)), now: time(1))
        #expect(core.flush(now: time(1)) == nil)
        core.take(.reports([report("a", at: 2, 24.9, 60.1)]), now: time(2))
        #expect(core.flush(now: time(2))?.changed.count == 1)
        core.take(.reports([report("a", at: 3, 24.91, 60.1)]), now: time(3))
        core.take(.reports([report("a", at: 4, 24.9, 60.1)]), now: time(4))
        #expect(core.flush(now: time(4))?.changed.map(\.bearing) == [270], "it is back, and has turned")
    }

    @Test(arguments: [(0.0, 0.0), (22, 0), (23, 45), (90, 90), (337, 315), (338, 0), (359.9, 0)])
    func `bearings are rounded to eight directions if requested`(bearing: Double, rounded: Double) {
        var settings = VehicleEngine.Core.Settings()
        settings.roundsBearings = true
        var core = VehicleEngine.Core(settings: settings, now: time(0)), vehicle = report("a", at: 1, 24.9, 60.1)
        vehicle.bearing = bearing
        core.take(.reports([vehicle]), now: time(1))
        #expect(core.flush(now: time(1))?.changed.first?.bearing == rounded)
        // A small turn is not a change.
        (vehicle.bearing, vehicle.time) = (rounded + 5, time(2))
        core.take(.reports([vehicle]), now: time(2))
        #expect(core.flush(now: time(2)) == nil)
    }

    @Test func `silent vehicles are forgotten and reported as gone`() {
        var core = VehicleEngine.Core(now: time(0))
        core.take(.reports([report("a", at: 0, 24.9, 60.1)]), now: time(0))
        _ = core.flush(now: time(0))
        #expect(core.flush(now: time(900)) == nil)
        #expect(core.flush(now: time(901))?.gone == ["a"])
        #expect(core.state.vehicles.isEmpty)
    }

    @Test func `vehicles of several sources are distinguished by prefixes`() {
        var core = VehicleEngine.Core(prefixes: ["hsl:", "tre:"], now: time(0))
        core.take(.reports([report("1", at: 1)]), from: 0, now: time(1))
        core.take(.snapshot([report("1", at: 1)], time: time(1)), from: 1, now: time(1))
        core.take(.disruptions([Disruption(id: "x")]), from: 1, now: time(1))
        _ = core.flush(now: time(1))
        core.take(.snapshot([], time: time(2)), from: 1, now: time(2))
        core.take(.disruptions([Disruption(id: "y")]), from: 0, now: time(2))
        let change = core.flush(now: time(2))
        #expect(change?.gone == ["tre:1"])
        #expect(core.state.vehicles.map(\.id) == ["hsl:1"])
        #expect(change?.disruptions?.map(\.id) == ["y", "x"])
    }

    @Test func `sources with the same prefix share no identifiers`() {
        var core = VehicleEngine.Core(prefixes: ["", "", "3#", ""], now: time(0))
        for source in 0..<4 { core.take(.reports([report("1", at: 1)]), from: source, now: time(1)) }
        #expect(core.flush(now: time(1))?.changed.map(\.id) == ["1", "2#1", "3#1", "4#1"])
        core.take(.gone(["1"], since: time(2)), from: 1, now: time(2))
        #expect(core.flush(now: time(2))?.gone == ["2#1"])
        #expect(core.state.vehicles.count == 3)
    }

    @Test func `an unpublished change is merged into the next one`() {
        var first = VehicleEngine.Change(time: time(1), number: 1),
            second = VehicleEngine.Change(time: time(2), number: 2)
        (first.changed, first.gone) = ([report("a", at: 1), report("b", at: 1), report("c", at: 1)], ["d", "e"])
        (first.disruptions, first.trips) = ([Disruption(id: "x")], [])
        (second.changed, second.gone) = ([report("a", at: 2), report("d", at: 2)], ["b"])
        second.trips = [TripUpdate(trip: TripReference(trip: "t"))]
        let whole = second.following(first)
        #expect(whole.changed.map(\.id) == ["c", "a", "d"])
        #expect(whole.changed.map(\.time) == [1, 2, 2].map(time))
        #expect(whole.gone == ["b", "e"])
        #expect(whole.number == 2)
        #expect(whole.time == time(2))
        #expect(whole.disruptions?.map(\.id) == ["x"])
        #expect(whole.trips == second.trips)
    }
}

import Foundation
import Portolan
import TestHelpers
import Testing

@Suite struct PositionControlTests {
    typealias Action = PositionControl.Action

    /// A fix at a distance in metres north of a point on the equator, seconds after the beginning.
    static func fix(
        _ meters: Double = 0, _ seconds: Double = 0, speed: Double? = nil, course: Double? = nil, heading: Double? = nil
    ) -> PositionFix {
        PositionFix(
            place: Coordinate(longitude: 25, latitude: meters / 110_574.388558),
            time: Date(timeIntervalSince1970: 1000 + seconds), accuracy: 5, speed: speed, course: course,
            heading: heading)
    }

    /// A control that has had a fix at second 0.
    static func live(
        _ follow: PositionControl.Follow = .none, _ change: (inout PositionControl.Settings) -> Void = { _ in }
    )
        -> PositionControl
    {
        var settings = PositionControl.Settings()
        change(&settings)
        var control = PositionControl(settings: settings)
        _ = control.handle(.start(follow), at: .zero)
        _ = control.handle(.update(.fix(fix())), at: .zero)
        return control
    }

    private static func positions(_ actions: [Action]) -> Int {
        actions.count { if case .positionChanged = $0 { true } else { false } }
    }

    @Test func `the position is switched on and off`() {
        var control = PositionControl()
        #expect(control.handle(.update(.fix(Self.fix())), at: .zero).isEmpty)
        #expect(
            control.handle(.start(.follow), at: .seconds(1)) == [
                .phaseChanged(.waiting), .followChanged(.follow), .wake(at: .seconds(11)),
            ])
        #expect(
            control.handle(.update(.fix(Self.fix())), at: .seconds(2)) == [
                .phaseChanged(.live), .positionChanged(Self.fix()),
                .show(Self.fix().place, bearing: nil, height: 0.5), .wake(at: .seconds(32)),
            ])
        #expect(
            control.handle(.stop, at: .seconds(3)) == [
                .followChanged(.none), .positionChanged(nil), .phaseChanged(.off),
            ])
        #expect(control.handle(.follow(.follow), at: .seconds(4)).isEmpty)
    }

    @Test(arguments: [(9.9, 1.0, false), (10.01, 1, true), (0, 9.9, false), (0, 10, true), (9.9, 10, true)])
    func `a fix is a new position after ten metres or ten seconds`(
        meters: Double, seconds: Double, isNew: Bool
    ) {
        var control = Self.live()
        let actions = control.handle(.update(.fix(Self.fix(meters, seconds))), at: .milliseconds(Int(seconds * 1000)))
        #expect((Self.positions(actions) == 1) == isNew)
    }

    @Test(
        arguments: zip(PositionControl.Accuracy.allCases, [10.0, 10, 10, 100, 1000, 3000])
    ) func `a fix within the desired accuracy is not a new position`(
        accuracy: PositionControl.Accuracy, meters: Double
    ) {
        for (distance, isNew) in [(meters - 0.1, meters == 10), (meters + 0.1, true)] {
            var control = Self.live { $0.accuracy = accuracy }
            // Long after the last: without a wish that alone makes it new.
            let actions = control.handle(.update(.fix(Self.fix(distance, 60))), at: .seconds(60))
            #expect((Self.positions(actions) == 1) == isNew, "\(accuracy), \(distance) m")
        }
        #expect(PositionControl.Accuracy.allCases.sorted() == PositionControl.Accuracy.allCases)
    }

    @Test(arguments: [(4.9, false), (5, true)])
    func `the shortest interval limits new positions`(seconds: Double, isNew: Bool) {
        var control = Self.live { $0.shortestInterval = .seconds(5) }
        let actions = control.handle(.update(.fix(Self.fix(500, seconds))), at: .milliseconds(Int(seconds * 1000)))
        #expect((Self.positions(actions) == 1) == isNew)
    }

    @Test(arguments: [(9999, false), (10_000, true), (50_000, true)])
    func `a missing fix is reported once after ten seconds, and waiting continues`(milliseconds: Int, isTold: Bool) {
        var control = PositionControl()
        _ = control.handle(.start(.none), at: .zero)
        let actions = control.handle(.tick, at: .milliseconds(milliseconds))
        #expect(actions.contains(.failed(.timedOut)) == isTold)
        #expect(control.phase == .waiting)
        #expect(control.handle(.tick, at: .seconds(90)).contains(.failed(.timedOut)) == !isTold)
        #expect(control.handle(.update(.fix(Self.fix())), at: .seconds(91)).contains(.phaseChanged(.live)))
    }

    @Test(arguments: [(29_999, false), (30_000, true)])
    func `a position is stale after thirty seconds and is kept`(milliseconds: Int, isStale: Bool) {
        var control = Self.live(.follow)
        #expect(control.handle(.tick, at: .milliseconds(milliseconds)).contains(.phaseChanged(.stale)) == isStale)
        #expect(control.fix != nil && control.follow == .follow)
        #expect(
            control.handle(.update(.fix(Self.fix(0, 60))), at: .seconds(60)).contains(.phaseChanged(.live)) == isStale)
    }

    @Test func `a filtered fix keeps the position from becoming stale`() {
        var control = Self.live()
        #expect(control.handle(.update(.fix(Self.fix(1, 9))), at: .seconds(9)).isEmpty)
        #expect(control.handle(.tick, at: .seconds(31)) == [.wake(at: .seconds(39))])
        #expect(control.handle(.tick, at: .seconds(39)).contains(.phaseChanged(.stale)))
    }

    @Test func `denied permission stops positions until it is granted`() {
        var control = Self.live()
        #expect(
            control.handle(.update(.failure(.denied)), at: .seconds(1)) == [
                .permissionChanged(.denied), .phaseChanged(.failed), .failed(.denied),
            ])
        #expect(control.handle(.update(.fix(Self.fix(500, 2))), at: .seconds(2)).isEmpty)
        #expect(control.handle(.update(.permission(.precise)), at: .seconds(3)).contains(.phaseChanged(.stale)))
        #expect(control.handle(.update(.fix(Self.fix(500, 4))), at: .seconds(4)).contains(.phaseChanged(.live)))
        var other = PositionControl()
        _ = other.handle(.update(.permission(.restricted)), at: .zero)
        #expect(other.handle(.start(.none), at: .zero) == [.phaseChanged(.failed), .failed(.restricted)])
    }

    @Test func `an unavailable position is reported once, and the last one is kept`() {
        var control = Self.live()
        #expect(
            control.handle(.update(.failure(.unavailable)), at: .seconds(1)) == [
                .phaseChanged(.stale), .failed(.unavailable),
            ])
        #expect(control.handle(.update(.failure(.unavailable)), at: .seconds(2)).isEmpty)
        #expect(control.fix == Self.fix())
        #expect(control.handle(.update(.fix(Self.fix(0, 3))), at: .seconds(3)).first == .phaseChanged(.live))
        #expect(control.handle(.update(.failure(.ended)), at: .seconds(4)).contains(.failed(.ended)))
    }

    @Test(arguments: [
        Coordinate(x: .nan, y: 0), Coordinate(x: 0, y: 90.1), Coordinate(x: 1e9, y: 0), Coordinate(x: 0, y: -.infinity),
    ])
    func `a fix with invalid coordinates is reported and ignored`(place: Coordinate) {
        var control = Self.live()
        var odd = Self.fix(0, 20)
        odd.place = place
        #expect(control.handle(.update(.fix(odd)), at: .seconds(20)).contains(.failed(.impossibleFix)))
        #expect(control.fix == Self.fix() && control.phase == .live)
    }

    @Test func `invalid values of a fix are unknown, and an outdated fix is dropped`() throws {
        var control = Self.live()
        var odd = Self.fix(50, 1, speed: -1, course: .nan, heading: 400)
        odd.accuracy = -1
        _ = control.handle(.update(.fix(odd)), at: .seconds(1))
        let fix = try #require(control.fix)
        #expect(fix.accuracy == nil && fix.speed == nil && fix.course == nil && fix.heading == 40)
        #expect(control.handle(.update(.fix(Self.fix(900, 0.5))), at: .seconds(2)).isEmpty)
    }

    @Test func `the course is kept at very low speed`() {
        var control = Self.live()
        _ = control.handle(.update(.fix(Self.fix(20, 1, speed: 5, course: 80))), at: .seconds(1))
        _ = control.handle(.update(.fix(Self.fix(40, 2, speed: 0.49, course: 200))), at: .seconds(2))
        #expect(control.fix?.course == 80)
        _ = control.handle(.update(.fix(Self.fix(60, 3, speed: 0.5, course: 200))), at: .seconds(3))
        #expect(control.fix?.course == 200)
        _ = control.handle(.update(.fix(Self.fix(80, 4))), at: .seconds(4))
        #expect(control.fix?.course == 200)
    }

    /// The effect of a gesture on the map, and how it then follows.
    @Test(arguments: [
        (PositionControl.Follow.follow, PositionControl.Event.panned, PositionControl.Follow.none),
        (.followWithCourse, .panned, .none), (.followWithCourse, .turned, .follow),
        (.followWithHeading, .turned, .follow),
        (.follow, .turned, .follow), (.none, .turned, .none), (.follow, .tick, .follow),
    ])
    func `a pan ends following, and a rotation ends following the direction`(
        first: PositionControl.Follow, event: PositionControl.Event, last: PositionControl.Follow
    ) {
        var control = Self.live(first)
        let actions = control.handle(event, at: .seconds(1))
        #expect(control.follow == last)
        #expect(actions.contains(.followChanged(last)) == (first != last))
        #expect(!actions.contains { if case .show = $0 { true } else { false } })
    }

    @Test func `followed directions are up, with lead room ahead`() {
        var control = Self.live(.followWithCourse) { $0.leadRoom = 0.25 }
        let fix = Self.fix(50, 1, speed: 9, course: 30, heading: 70)
        #expect(
            control.handle(.update(.fix(fix)), at: .seconds(1)).contains(.show(fix.place, bearing: 30, height: 0.75)))
        #expect(
            control.handle(.follow(.followWithHeading), at: .seconds(1)).contains(
                .show(fix.place, bearing: 70, height: 0.75)))
        #expect(control.handle(.follow(.follow), at: .seconds(1)).contains(.show(fix.place, bearing: nil, height: 0.5)))
    }

    @Test(arguments: 0..<4) func `random events leave no stuck state`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var control = PositionControl(), time = Duration.zero
        for _ in 0..<5000 {
            time += .milliseconds(Int.random(in: -500...9000, using: &random))
            let seconds = Double(time.components.seconds)
            let event: PositionControl.Event =
                switch Int.random(in: 0..<12, using: &random) {
                case 0: .start(PositionControl.Follow.allCases.randomElement(using: &random) ?? .none)
                case 1: .stop
                case 2:
                    .update(
                        .failure([.unavailable, .denied, .timedOut, .ended].randomElement(using: &random) ?? .ended))
                case 3:
                    .update(.permission(PositionControl.Permission.allCases.randomElement(using: &random) ?? .precise))
                case 4: .panned
                case 5: .turned
                case 6: .tick
                case 7: .update(.fix(Self.fix(.nan, seconds)))
                default: .update(.fix(Self.fix(.random(in: -1e5...1e5, using: &random), seconds)))
                }
            let actions = control.handle(event, at: time)
            #expect(control.fix.map { $0.place.isFinite } ?? true)
            // Each wake is yet to come, or the ticks would never end.
            for case .wake(let wake) in actions { #expect(wake > time - .milliseconds(500)) }
            #expect(control.phase != .off || (control.follow == .none && control.fix == nil))
        }
        _ = control.handle(.stop, at: time)
        _ = control.handle(.update(.permission(.precise)), at: time)
        _ = control.handle(.start(.follow), at: time + .seconds(1))
        _ = control.handle(.update(.fix(Self.fix(0, 1e6))), at: time + .seconds(2))
        #expect(control.phase == .live)
    }
}

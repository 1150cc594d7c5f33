import Foundation
import PortolanPlan
import TestHelpers
import Testing

@testable import Portolan

@Suite struct LiveLayerTests {
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    static func fix(
        _ longitude: Double, _ latitude: Double, _ seconds: Double, course: Double? = nil
    ) -> PositionFix {
        PositionFix(
            place: Coordinate(longitude: longitude, latitude: latitude), time: start + seconds, course: course)
    }

    /// A layer in which one object was reported at some places, by the seconds at which they came.
    private static func layer(_ fixes: (seconds: Double, longitude: Double)...) -> LiveLayer {
        var layer = LiveLayer()
        for (seconds, longitude) in fixes {
            layer.apply([.upsert("a", fix(longitude, 0, seconds))], at: start + seconds)
        }
        return layer
    }

    /// A metre of the equator, in degrees.
    private static let meter = 1 / 111_319.49

    @Test(arguments: [
        (0.0, 100.0), (2.5, 125), (5, 150), (10, 200), (11, 200), (60, 200),
    ])
    func `an object moves evenly from fix to fix over its usual interval`(after: Double, meters: Double) throws {
        let layer = Self.layer((0, 0), (10, 100 * Self.meter), (20, 100 * Self.meter), (30, 200 * Self.meter))
        let place = try #require(layer.place(of: "a", at: Self.start + 30 + after))
        #expect(abs(place.x / Self.meter - meters) < 1e-6 && place.y == 0)
    }

    @Test func `the usual interval is the median of the last five, at most 30 seconds`() {
        func end(_ times: Double...) -> Double {
            var layer = LiveLayer()
            for (number, time) in times.enumerated() {
                layer.apply([.upsert("a", Self.fix(Double(number) * 100 * Self.meter, 0, time))], at: Self.start + time)
            }
            let last = times.last ?? 0
            return (1...600).map { Double($0) / 10 }.last { layer.isMoving(at: Self.start + last + $0 - 1e-3) } ?? 0
        }
        #expect(end(0) == 0)
        #expect(end(0, 8) == 8)
        #expect(end(0, 8, 9) == 1)
        #expect(end(0, 5, 10, 15, 20, 80) == 5)
        #expect(end(0, 50, 100, 105, 110, 115, 120) == 5)
        #expect(end(0, 100, 200) == 30)
    }

    @Test(arguments: [(1.9, 0.0), (2.1, 0.5), (499, 0.5), (501, 1)])
    func `steps under 2 m are ignored, and steps over 500 m are jumps`(meters: Double, part: Double) throws {
        let layer = Self.layer((0, 0), (10, meters * Self.meter))
        let place = try #require(layer.place(of: "a", at: Self.start + 15))
        #expect(abs(place.x - meters * part * Self.meter) < 1e-9)
        // Whatever is seen, what is known is the fix.
        #expect(layer.object("a")?.fix.place.x == meters * Self.meter)
    }

    @Test func `small steps add up`() throws {
        let layer = Self.layer((0, 0), (10, 1.5 * Self.meter), (20, 3 * Self.meter))
        #expect(try #require(layer.place(of: "a", at: Self.start + 40)).x == 3 * Self.meter)
    }

    @Test func `a new fix continues from the displayed position`() throws {
        let layer = Self.layer((0, 0), (10, 100 * Self.meter), (15, 200 * Self.meter))
        for (seconds, meters) in [(15.0, 50.0), (20, 200)] {
            let place = try #require(layer.place(of: "a", at: Self.start + seconds))
            #expect(abs(place.x / Self.meter - meters) < 1e-6)
        }
    }

    @Test func `an object takes the shorter route across the antimeridian`() throws {
        let layer = Self.layer((0, 179.999), (10, -179.999))
        #expect(try #require(layer.place(of: "a", at: Self.start + 12.5)).x == 179.9995)
        #expect(abs(try #require(layer.place(of: "a", at: Self.start + 17.5)).x + 179.9995) < 1e-9)
    }

    @Test(arguments: [(89.0, true, false), (90, true, true), (299, true, true), (300, false, false)])
    func `an object fades after 90 seconds and is removed after 300`(
        age: Double, isThere: Bool, isStale: Bool
    ) throws {
        var layer = Self.layer((0, 0))
        layer.time = Self.start + age
        #expect((layer.object("a") != nil) == isThere)
        #expect(layer.age(of: "a") == (isThere ? .seconds(age) : nil))
        let nodes = try LivePictures.nodes(layer)
        #expect(nodes.contains { if case .group = $0 { true } else { false } } == isStale)
        #expect(nodes.flatMap(\.featureSteps).flatMap(\.features).count == (isThere ? 1 : 0))
    }

    @Test func `the time of the next change is reported`() {
        let layer = Self.layer((0, 0), (10, 100 * Self.meter))
        func next(_ seconds: Double) -> Double? {
            layer.nextChange(after: Self.start + seconds).map { $0.timeIntervalSince(Self.start) }
        }
        #expect(next(12) == 12 && layer.isMoving(at: Self.start + 12))
        #expect(next(20) == 100 && !layer.isMoving(at: Self.start + 20))
        #expect(next(100) == 310)
        #expect(next(310) == nil)
    }

    @Test func `outdated updates are dropped`() {
        var layer = Self.layer((20, 20))
        let outcome = layer.apply(
            [.upsert("a", Self.fix(10, 0, 10)), .upsert("b", Self.fix(1, 0, 20)), .remove("a", at: Self.start + 19)],
            at: Self.start + 21)
        #expect(outcome.outdated == 2 && outcome.upserted == 1 && outcome.removed == 0)
        #expect(layer.object("a")?.fix.place.x == 20)
        let again = layer.apply([.upsert("a", Self.fix(21, 0, 20))], at: Self.start + 22)
        #expect(again.upserted == 1)
        #expect(layer.object("a")?.fix.place.x == 21)
    }

    @Test func `a removed object does not return with outdated updates`() {
        var layer = Self.layer((20, 20))
        let gone = layer.apply([.remove("a", at: Self.start + 30)], at: Self.start + 30)
        #expect(gone.removed == 1)
        let late = layer.apply([.upsert("a", Self.fix(1, 0, 29))], at: Self.start + 31)
        #expect(late.outdated == 1)
        #expect(layer.object("a") == nil && layer.count == 0)
        let back = layer.apply([.upsert("a", Self.fix(1, 0, 31))], at: Self.start + 31)
        #expect(back.upserted == 1)
    }

    /// A thousand updates of forty objects, in many orders.
    @Test func `updates in any order end with the newest state of each object`() throws {
        var random = SeededGenerator(seed: 13)
        var updates: [LiveLayer.Update] = [], newest: [Feature.ID: (time: Double, place: Coordinate?)] = [:]
        for number in 0..<1000 {
            let id = Feature.ID.integer(Int.random(in: 0..<40, using: &random))
            let time = Double(number) / 10
            let place = Coordinate(
                x: Double.random(in: -180...180, using: &random), y: Double.random(in: -80...80, using: &random))
            let isRemoved = Int.random(in: 0..<10, using: &random) == 0
            updates.append(
                isRemoved
                    ? .remove(id, at: Self.start + time)
                    : .upsert(id, PositionFix(place: place, time: Self.start + time), ["n": .integer(number)]))
            newest[id] = (time, isRemoved ? nil : place)
        }
        let settled = Self.start + 200
        for _ in 0..<20 {
            updates.shuffle(using: &random)
            var layer = LiveLayer(), rest = updates[...]
            while !rest.isEmpty {
                let size = min(Int.random(in: 1...200, using: &random), rest.count)
                layer.apply(Array(rest.prefix(size)), at: Self.start + 100)
                rest.removeFirst(size)
            }
            layer.time = settled
            #expect(layer.count == newest.values.count { $0.place != nil })
            for (id, last) in newest {
                let object = layer.object(id)
                #expect(object?.fix.place == last.place)
                let seen = layer.place(of: id, at: settled)
                #expect((seen == nil) == (last.place == nil))
                if let seen, let place = last.place {
                    #expect(try #require(RangeAndBearing(from: seen, to: place)).meters < 2)
                }
            }
        }
    }

    @Test func `objects without updates are removed`() {
        var layer = Self.layer((0, 0))
        layer.apply([.remove("z", at: Self.start)], at: Self.start)
        let outcome = layer.apply([.upsert("b", Self.fix(0, 0, 400))], at: Self.start + 400)
        #expect(outcome.removed == 1 && layer.count == 1 && layer.objects.map(\.id) == ["b"])
        // Numbers that became free are used again.
        layer.apply([.upsert("c", Self.fix(0, 0, 401))], at: Self.start + 401)
        #expect(layer.entries.count == 2)
    }

    @Test func `invalid coordinates and times are refused`() {
        var layer = LiveLayer()
        let fixes = [
            Self.fix(.nan, 0, 0), Self.fix(0, .infinity, 0), Self.fix(0, 91, 0), Self.fix(1e9, 0, 0),
            Self.fix(0, 0, .infinity), Self.fix(0, 0, .nan), Self.fix(0, 0, 301), Self.fix(0, 0, 1e11),
        ]
        let outcome = layer.apply(fixes.map { .upsert("a", $0) }, at: Self.start)
        #expect(outcome.impossible == 8 && layer.count == 0)
        let removal = layer.apply([.remove("a", at: Self.start + 1e9)], at: Self.start)
        #expect(removal.impossible == 1)
        let past = layer.apply([.upsert("a", Self.fix(0, 0, -301))], at: Self.start)
        #expect(past.outdated == 1)
        // Invalid directions are omitted.
        layer.apply([.upsert("a", Self.fix(0, 0, 0, course: .nan))], at: Self.start)
        #expect(layer.object("a")?.fix.course == nil)
        let never = layer.apply([.upsert("b", Self.fix(0, 0, 0))], at: Date(timeIntervalSince1970: .nan))
        #expect(never == LiveLayer.Outcome())
        layer.time = Date(timeIntervalSince1970: .nan)
        #expect(layer.object("a") == nil && layer.nextChange(after: layer.time) == nil)
    }

    @Test func `the number of objects is limited, and labels are truncated`() {
        var settings = LiveLayer.Settings()
        settings.maximumCount = 3
        var layer = LiveLayer(settings: settings)
        let updates = (0..<10).map { LiveLayer.Update.upsert(.integer($0), Self.fix(0, 0, 0)) }
        let crowd = layer.apply(updates, at: Self.start)
        #expect(crowd.beyondLimit == 7)
        #expect(layer.count == 3)
        let removals = (100..<110).map { LiveLayer.Update.remove(.integer($0), at: Self.start) }
        let gone = layer.apply(removals, at: Self.start)
        #expect(gone.beyondLimit == 7)
        let label = String(repeating: "a\u{301}", count: 1_000_000)
        layer.apply([.upsert(LiveLayer.Object(id: 1, fix: Self.fix(0, 0, 1), label: label))], at: Self.start + 1)
        #expect(layer.object(1)?.label?.unicodeScalars.count == 65)
    }

    @Test func `invalid settings are harmless`() throws {
        for value in [-1.0, .nan, .infinity, 0] {
            var settings = LiveLayer.Settings()
            settings.longestStep = value
            settings.shortestStep = value
            settings.shapeTolerance = value
            settings.longestMotion = .seconds(-5)
            settings.maximumCount = 10
            settings.longestLabel = -3
            var layer = LiveLayer(settings: settings)
            layer.setShape("s", along: [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)])
            for time in [0.0, 10, 20] {
                let object = LiveLayer.Object(id: "a", fix: Self.fix(time / 1e4, 0, time), label: "label", shape: "s")
                layer.apply([.upsert(object)], at: Self.start + time)
            }
            let place = try #require(layer.place(of: "a", at: Self.start + 25))
            #expect(place.x >= 0 && place.x <= 0.002 && place.y == 0)
            #expect(try LivePictures.nodes(layer).isEmpty == false)
        }
    }

    @Test func `a filter hides objects, also those added later`() throws {
        var layer = LiveLayer()
        func tram(_ id: Feature.ID, _ line: String, _ seconds: Double) -> LiveLayer.Update {
            .upsert(LiveLayer.Object(id: id, fix: Self.fix(0, 0, seconds), kind: "tram", label: line))
        }
        layer.apply([tram("a", "4", 0), tram("b", "9", 0)], at: Self.start)
        layer.filter = { $0.label != "9" }
        layer.apply([tram("b", "9", 1), tram("c", "9", 1), tram("d", "4", 1)], at: Self.start + 1)
        #expect(layer.count == 4)
        #expect(LivePictures.ids(try LivePictures.nodes(layer)) == ["a", "d"])
        #expect(layer.object("b") == nil && layer.place(of: "b", at: layer.time) == nil)
        layer.filter = nil
        #expect(LivePictures.ids(try LivePictures.nodes(layer)).count == 4)
    }

    @Test func `two layers are equal when they draw the same`() {
        let layer = Self.layer((0, 0))
        var other = layer
        #expect(layer == other)
        other.time += 1
        #expect(layer != other)
        other.time -= 1
        other.selection = "a"
        #expect(layer != other)
        other.selection = nil
        other.style.beakLength = 3
        #expect(layer != other && LiveLayer() != LiveLayer())
    }
}

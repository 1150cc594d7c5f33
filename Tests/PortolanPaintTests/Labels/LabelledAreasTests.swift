import PortolanRaster
import Testing

@testable import PortolanPaint

@Suite struct LabelledAreasTests {
    private static func square(_ x: Double, _ y: Double, _ side: Double) -> [Point] {
        [
            Point(x: x, y: y), Point(x: x + side, y: y), Point(x: x + side, y: y + side), Point(x: x, y: y + side),
            Point(x: x, y: y),
        ]
    }

    private static let frame = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    private static var areas: LabelledAreas {
        var areas = LabelledAreas(in: frame, pixelRatio: 1)
        areas.insert([square(20, 20, 60), square(40, 40, 20)], of: 1)
        areas.insert([square(80, 20, 60)], of: 2)
        // An island of the second one, and an area above the first one.
        areas.insert([square(160, 60, 20)], of: 2)
        areas.insert([square(20, 20, 10)], of: 3)
        return areas
    }

    @Test(
        arguments: [
            (35.0, 35.0, 1), (50, 50, nil), (100, 50, 2), (170, 70, 2), (25, 25, 3), (5, 5, nil), (-5, 50, nil),
            (500, 50, nil), (.nan, 5, nil),
        ] as [(Double, Double, Int32?)])
    func `a point is on the upper area, not in holes`(_ x: Double, _ y: Double, _ feature: Int32?) {
        #expect(Self.areas.feature(at: Point(x: x, y: y)) == feature)
    }

    @Test func `the size of an area is what is visible of all its parts`() {
        #expect(Self.areas.size(of: 1) == 3600 - 400 - 100)
        #expect(Self.areas.size(of: 2) == 3600 + 400)
        #expect(Self.areas.size(of: 9) == 0)
        #expect(LabelledAreas(in: Self.frame, pixelRatio: 1).size(of: 1) == 0)
    }

    @Test func `what is under a panel is not visible`() {
        var areas = Self.areas
        areas.hide(under: [Rectangle(minX: 0, minY: 0, maxX: 100, maxY: 100)])
        #expect(areas.size(of: 1) == 0 && areas.size(of: 2) == 2400 + 400)
        let hidden = Point(x: 35, y: 35)
        #expect(areas.feature(at: hidden) == nil && !areas.isVisible(hidden))
        #expect(areas.isVisible(Point(x: 120, y: 50)))
    }

    @Test func `a footprint has the shares of a name on areas, and what is near it`() throws {
        var areas = Self.areas
        areas.noteName(of: 2, [])
        let name = Rectangle(minX: 60, minY: 64, maxX: 100, maxY: 74)
        let footprint = areas.footprint(of: [name], of: 1, reach: 2)
        let other = try #require(footprint.others.first)
        #expect(footprint.others.count == 1)
        #expect(footprint.own.share == 0.5 && other.share == 0.5)
        #expect(footprint.own.coverage == 200 / 3100 && other.coverage == 200 / 4000)
        #expect(!footprint.own.isNamed && other.isNamed)
        #expect(footprint.crossed == 0)
        // Its own name is below it.
        areas.noteName(of: 2, [name.moved(x: 0, y: 20)])
        #expect(areas.footprint(of: [name], of: 1, reach: 2).others.map(\.isNamedBeside) == [true])
        // It goes on behind the second area.
        let long = Rectangle(minX: 60, minY: 64, maxX: 160, maxY: 74)
        #expect(areas.footprint(of: [long], of: 1, reach: 2).crossed == 0.6)
        // A name below both.
        let below = areas.footprint(of: [name.moved(x: 0, y: 20)], of: 1, reach: 6)
        #expect(below.own.share == 0 && below.others.map(\.share) == [0])
        #expect(below.own.near == 0.5 && below.others.map(\.near) == [0.5])
        #expect(areas.footprint(of: [name.moved(x: 0, y: 20)], of: 1, reach: 2).others.isEmpty)
    }

    @Test(arguments: [
        (70.0, 70.0, 1.0, 0.0, 10.0), (70, 70, 0, 1, 10), (70, 50, -1, 0, 10), (70, 70, -1, 0, 50), (120, 50, 1, 0, 20),
    ])
    func `an area ends where others, holes or the sea begin`(
        _ x: Double, _ y: Double, _ across: Double, _ down: Double, _ distance: Double
    ) throws {
        let areas = Self.areas, point = Point(x: x, y: y), direction = Point(x: across, y: down)
        let feature = try #require(areas.feature(at: point))
        let exit = try #require(areas.exit(from: point, in: direction, of: feature, limit: 100))
        #expect(abs(exit - distance) <= 2)
        #expect(areas.exit(from: point, in: direction, of: feature, limit: 5) == nil)
    }

    @Test func `a line has its length on each area`() {
        let lengths = Self.areas.lengths(from: Point(x: 50, y: 70), to: Point(x: 190, y: 70))
        #expect(lengths.keys.sorted() == [1, 2])
        #expect(abs((lengths[1] ?? 0) - 30) <= 2 && abs((lengths[2] ?? 0) - 80) <= 2)
    }

    @Test func `a sample tells how much of a box is on other areas`() {
        var areas = Self.areas
        areas.noteName(of: 2, [])
        let box = Rectangle(minX: 60, minY: 64, maxX: 100, maxY: 74)
        let sample = areas.sample(box, of: 1)
        #expect(abs(sample.own - 0.5) < 0.11 && abs(sample.foreign - 0.5) < 0.11)
        #expect(sample.unnamed == 0 && !sample.isMixed)
        #expect(areas.sample(box, of: 9).isMixed)
    }
}

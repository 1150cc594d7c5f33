#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@testable import PortolanPaint

/// Where the names of areas stand that do not fit in them.
@Suite struct LabelAreasTests {
    /// The names that are placed in a picture of 200 × 120 pixels.
    private static func names(_ features: [Scene.StyledFeature]) throws -> [LabelMarksTests.Named] {
        try LabelMarksTests.names(features)
    }

    private static func area(
        _ x: ClosedRange<Double>, _ y: ClosedRange<Double>, _ name: String
    ) -> Scene.StyledFeature {
        LabelCollectorTests.area(
            [
                (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.upperBound, y.upperBound),
                (x.lowerBound, y.upperBound),
            ], name)
    }

    private static func union(_ boxes: [Rectangle]) throws -> Rectangle {
        let first = try #require(boxes.first)
        return boxes.reduce(first) { $0.union($1) }
    }

    /// The share of a shape that is under a name.
    private static func hiddenShare(of shape: Rectangle, by name: LabelMarksTests.Named) -> Double {
        let hidden = name.boxes.reduce(0) { sum, line in
            sum + max(0, min(line.maxX, shape.maxX) - max(line.minX, shape.minX))
                * max(0, min(line.maxY, shape.maxY) - max(line.minY, shape.minY))
        }
        return hidden / (shape.width * shape.height)
    }

    @Test func `of two areas too small for their names, the larger one comes first`() throws {
        // The box of the smaller one is larger.
        let north = LabelCollectorTests.area(
            [(-20, 0), (10, 0), (10, 7), (14, 20), (10, 20), (2, 7), (-20, 7)], "N. Island")
        let island = Self.area(-18...8, -14...0, "Island")
        #expect(try Self.names([north, island]).first?.text == "Island")
    }

    /// The left border of an area on the right one of the picture, and whether its name is placed.
    @Test(arguments: [(92.0, false), (86, false), (60, true)])
    func `an area that the border cuts has a name if its visible part is as large`(
        x: Double, isPlaced: Bool
    ) throws {
        let names = try Self.names([Self.area(x...(x + 60), -15...15, "Kazakhstan")])
        #expect(names.isEmpty != isPlaced)
        let land = Self.area(-98...x, -58...58, "Westland")
        // It stands on no other area.
        #expect(try Self.names([Self.area(x...(x + 60), -15...15, "Kazakhstan"), land]).map(\.text) == ["Westland"])
    }

    @Test func `a name is not across the border of a small neighbour`() throws {
        let small = Self.area(-25...15, -10...10, "Principality"), alone = try Self.names([small])
        #expect(alone.map(\.text) == ["Principality"])
        // The neighbour to the right is hidden by half of the name.
        let neighbour = Self.area(15...25, -10...10, "Is.")
        let names = try Self.names([small, neighbour])
        let name = try #require(names.first { $0.text == "Principality" })
        let box = Rectangle(minX: 115, minY: 50, maxX: 125, maxY: 70)
        #expect(Self.hiddenShare(of: box, by: name) <= 0.35)
    }

    @Test func `a small area between large ones has its name on one of them, at the end of a leader`() throws {
        let small = Self.area(-8...8, -10...10, "Principality")
        let west = Self.area(-95...(-8), -55...55, "Westland"), east = Self.area(8...95, -55...55, "Eastland")
        let names = try Self.names([small, west, east])
        #expect(names.map(\.text).sorted() == ["Eastland", "Principality", "Westland"])
        #expect(names.filter(\.hasLeader).map(\.text) == ["Principality"])
        // Areas without names are not taken for it.
        let blank = [Self.area(-95...(-8), -55...55, " "), Self.area(8...95, -55...55, " ")]
        #expect(try Self.names([small] + blank).isEmpty)
    }

    @Test func `the name of an island does not hide it`() throws {
        let island = Self.area(-10...10, -6...6, "Principality"), names = try Self.names([island])
        let name = try #require(names.first)
        #expect(!name.hasLeader)
        let shape = Rectangle(minX: 90, minY: 54, maxX: 110, maxY: 66)
        #expect(try Self.union(name.boxes).distance(to: shape) < 8)
        #expect(Self.hiddenShare(of: shape, by: name) <= 0.7)
    }

    @Test func `a name in the sea is not under another island`() throws {
        let strip = Self.area(20...32, -40...40, "Lebanon"), island = Self.area(-30...(-10), 0...10, "Cyprus")
        let land = Self.area(32...98, -58...58, "Syria")
        let names = try Self.names([strip, island, land])
        let name = try #require(names.first { $0.text == "Lebanon" })
        let shape = Rectangle(minX: 70, minY: 50, maxX: 90, maxY: 60)
        #expect(try Self.union(name.boxes).distance(to: shape) > 5)
    }

    /// The part of a feature of which most is outside of the picture.
    @Test(arguments: [(10.0, false), (40, true)])
    func `a small part of a feature outside of the picture has its name only inside`(
        half: Double, isPlaced: Bool
    ) throws {
        let far = Self.ring(2000, 2000, 800), near = Self.ring(0, 0, half)
        let feature = SampleScene.styled(
            .multiPolygon([[far], [near]]), Style(label: LabelCollectorTests.label()), properties: ["name": "Spain"])
        #expect(try Self.names([feature]).isEmpty != isPlaced)
        let whole = SampleScene.styled(
            .polygon([near]), Style(label: LabelCollectorTests.label()), properties: ["name": "Spain"])
        #expect(try Self.names([whole]).count == 1)
    }

    private static func ring(_ x: Double, _ y: Double, _ half: Double) -> [Coordinate] {
        SampleScene.places([
            (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half),
            (x - half, y - half),
        ])
    }

    @Test func `names of areas on the same line have a gap of three spaces`() throws {
        let west = Self.area(-60...(-5), -12...12, "Costa Rica"), east = Self.area(-3...50, -12...12, "Panama")
        let names = try Self.names([west, east])
        #expect(names.count == 2)
        let boxes = try names.map { try Self.union($0.boxes) }
        #expect(boxes[0].distance(to: boxes[1]) >= 0.95 * 11 || abs(boxes[0].center.y - boxes[1].center.y) > 6)
    }
}
#endif

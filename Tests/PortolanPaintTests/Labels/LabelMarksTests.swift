#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText
import Testing

@testable import PortolanPaint

/// Names beside marks, lines and areas that are close together.
@Suite struct LabelMarksTests {
    struct Named {
        let text: String
        let boxes: [Rectangle]
        let hasLeader: Bool
    }

    /// The names that are placed in a picture of 200 × 120 pixels, in the order of their placement.
    static func names(_ features: [Scene.StyledFeature]) throws -> [Named] {
        let viewport = try SampleScene(width: 200, height: 120).viewport()
        let layer = SampleScene.step(features)
        let result = try LabelCollector.placedLabels(
            layer.nodes.flatMap { $0.featureSteps }, viewport: viewport, images: [:], fonts: SampleScene.fonts,
            furniture: FurniturePainter(furniture: Furniture(), fonts: SampleScene.fonts, viewport: viewport))
        return result.placed.map { label in
            Named(
                text: label.text?.lines.map(\.text).joined(separator: " ") ?? "", boxes: label.boxes,
                hasLeader: label.leader != nil)
        }
    }

    private static func square(_ radius: Double) -> MarkerSymbol {
        .shape(ShapeMarker(shape: .square, radius: radius, fill: FillSymbol(color: .sea)))
    }

    /// The box of a mark at a position relative to the middle of the picture, y up.
    private static func box(_ x: Double, _ y: Double, _ radius: Double) -> Rectangle {
        Rectangle(minX: 100 + x - radius, minY: 60 - y - radius, maxX: 100 + x + radius, maxY: 60 - y + radius)
    }

    /// Nine marks in rows of three, the middle one with the highest priority.
    private static func block(radius: Double, spacing: Double) -> (features: [Scene.StyledFeature], marks: [Rectangle])
    {
        var features: [Scene.StyledFeature] = [], marks: [Rectangle] = []
        for row in -1...1 {
            for column in -1...1 {
                let (x, y) = (Double(column) * spacing, Double(row) * spacing), isMiddle = row == 0 && column == 0
                let name = isMiddle ? "Capital" : "Suburb \(row) \(column)"
                features.append(
                    LabelCollectorTests.point(
                        x, y, name, marker: square(radius), priority: .integer(isMiddle ? 100 : 1)))
                marks.append(box(x, y, radius))
            }
        }
        return (features, marks)
    }

    @Test(arguments: [(1.0, 9, 1, ["City"]), (1, 1, 1, ["City", "Quarter"]), (30, 9, 1, ["City", "Quarter"])])
    func `of two marks that look like one, that of the lower priority has no name`(
        distance: Double, city: Int, quarter: Int, names: [String]
    ) throws {
        let placed = try Self.names([
            LabelCollectorTests.point(distance, 1, "Quarter", priority: .integer(quarter)),
            LabelCollectorTests.point(0, 0, "City", priority: .integer(city)),
        ])
        #expect(placed.map(\.text).sorted() == names)
        #expect(placed.allSatisfy { $0.boxes.count == 1 && !$0.hasLeader })
    }

    @Test(arguments: [false, true])
    func `names of two marks that overlap are at their own sides`(isSwapped: Bool) throws {
        let places = [("West", -2.5), ("East", 2.5)]
        let names = try Self.names(
            places.enumerated().map { number, place in
                LabelCollectorTests.point(
                    place.1, 0, place.0, marker: Self.square(6), priority: .integer((number == 0) == isSwapped ? 1 : 9))
            })
        let west = try #require(names.first { $0.text == "West" }?.boxes.first)
        let east = try #require(names.first { $0.text == "East" }?.boxes.first)
        #expect(west.center.x < east.center.x, "\(names.map(\.text)) \(west) \(east)")
    }

    @Test func `a leader crosses no mark that was named before, and one that it crosses gets no name`() throws {
        var features: [Scene.StyledFeature] = [], marks: [String: Rectangle] = [:]
        for row in -1...1 {
            for column in -1...1 {
                let (x, y) = (7.5 * Double(column), 7.5 * Double(row)), isMiddle = row == 0 && column == 0
                let name = isMiddle ? "Capital" : row == 1 && column == 0 ? "Port" : "Suburb \(row) \(column)"
                let priority = name == "Port" ? 300 : isMiddle ? 200 : 10 - row - 3 * column
                features.append(
                    LabelCollectorTests.point(x, y, name, marker: Self.square(4), priority: .integer(priority)))
                marks[name] = Self.box(x, y, 4)
            }
        }
        let names = try Self.names(features), texts = names.map(\.text)
        let capital = try #require(names.first { $0.text == "Capital" })
        #expect(capital.hasLeader && texts.contains("Port") && texts.count > 2)
        let crossed = marks.filter { name, mark in
            name != "Capital" && capital.boxes.dropFirst().contains(where: mark.overlaps)
        }
        #expect(!crossed.isEmpty && crossed.keys.allSatisfy { !texts.contains($0) }, "\(texts) \(crossed.keys)")
    }

    @Test(arguments: [15.0, 17.5])
    func `a name covers no marks, even if these hide each other`(radius: Double) throws {
        let block = Self.block(radius: radius, spacing: 32)
        let names = try Self.names(block.features + [LabelCollectorTests.point(-85, 45, "Far")])
        #expect(names.contains { $0.text == "Far" } && !names.contains { $0.text == "Capital" })
        for name in names where !name.hasLeader {
            for box in name.boxes { #expect(!block.marks.contains(where: box.overlaps)) }
        }
    }

    @Test func `the name of the most important mark of a cluster is beyond the cluster, at the end of a leader`() throws
    {
        let block = Self.block(radius: 5, spacing: 9)
        let capital = try #require(try Self.names(block.features).first { $0.text == "Capital" })
        #expect(capital.hasLeader && !block.marks.contains(where: capital.boxes[0].overlaps))
        // The line begins at its own mark.
        #expect(capital.boxes.dropFirst().contains { $0.distance(to: Self.box(0, 0, 5)) < 2 })
    }

    @Test func `a mark on a larger one whose name comes first has none`() throws {
        let large = LabelCollectorTests.point(0, 0, "City", marker: Self.square(20), priority: .integer(9))
        let small = LabelCollectorTests.point(8, 5, "Quarter", marker: Self.square(3), priority: .integer(1))
        #expect(try Self.names([large, small]).map(\.text) == ["City"])
        #expect(try Self.names([small]).map(\.text) == ["Quarter"])
    }

    @Test(arguments: [(99.0, false), (97, true), (-99, false), (-97, true)])
    func `a mark of which the border cuts the middle has no name`(x: Double, isPlaced: Bool) throws {
        #expect(try Self.names([LabelCollectorTests.point(x, 0, "East")]).isEmpty != isPlaced)
    }

    private static func line(_ y: Double) -> Scene.StyledFeature {
        SampleScene.styled(
            .lineString(SampleScene.places([(-110, y), (110, y)])),
            Style(stroke: LineSymbol(color: .brick, width: 2, casing: .init(color: .white, width: 6))))
    }

    @Test func `a name keeps clear of the line of its layer with its casing if any side is free`() throws {
        let stop = LabelCollectorTests.point(0, 0, "Stop")
        let line = Rectangle(minX: 0, minY: 57, maxX: 200, maxY: 63)
        let beside = try #require(try Self.names([Self.line(0), stop]).first)
        #expect(!beside.boxes.contains(where: line.overlaps))
        // Between lines no side is free.
        #expect(try Self.names(stride(from: -50.0, through: 50, by: 10).map(Self.line) + [stop]).count == 1)
    }
}
#endif

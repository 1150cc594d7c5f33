import PortolanRaster
import Testing

/// A contact sheet of areas by both rules.
@Suite struct FillSheetTests {
    /// A star of one crossing line, holes that turn with their area and against it, a figure of eight, and curves.
    static var shapes: [Path] {
        let star = StrokeSheetTests.polyline(
            [(30, 4), (45.3, 51), (5.3, 22), (54.7, 22), (14.7, 51)], closed: true)
        let square = [(6.5, 6.5), (53.5, 6.5), (53.5, 53.5), (6.5, 53.5)]
        let diamond = [(30.0, 15.25), (44.75, 30), (30, 44.75), (15.25, 30)]
        var with = StrokeSheetTests.polyline(square, closed: true)
        with.append(StrokeSheetTests.polyline(diamond, closed: true))
        var against = StrokeSheetTests.polyline(square, closed: true)
        against.append(StrokeSheetTests.polyline(diamond.reversed(), closed: true))
        let eight = StrokeSheetTests.polyline([(6, 12), (54, 48.5), (54, 12), (6, 48.5)], closed: true)
        var rings = Path()
        for radius in [25.0, 18, 12, 5] { rings.append(.circle(center: Point(x: 30, y: 30), radius: radius)) }
        return [star, with, against, eight, rings]
    }

    @Test func `holes follow the fill rule`() throws {
        var sheet = try ContactSheet(columns: 5, rows: 2, cellWidth: 60, cellHeight: 60)
        for (column, shape) in Self.shapes.enumerated() {
            for (row, rule) in [Path.FillRule.nonZero, .evenOdd].enumerated() {
                sheet.fill(shape, rule, .leaf, column: column, row: row)
            }
        }
        let picture = sheet.canvas.buffer
        let middle = Pixel(.leaf), hole = Pixel(.white)
        #expect((0..<5).map { picture[$0 * 60 + 30, 32] } == [middle, middle, hole, hole, middle])
        #expect((0..<5).map { picture[$0 * 60 + 30, 92] } == [hole, hole, hole, hole, hole])
        try Golden.check(picture, "fill-rules")
    }
}

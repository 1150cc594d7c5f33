import PortolanRaster
import Testing

/// Contact sheets of line ends, corners and dashes.
@Suite struct StrokeSheetTests {
    static let caps: [StrokeStyle.LineCap] = [.butt, .round, .square]

    /// The last but one corner of ``zigzag`` is beyond the lower limit, the other is not.
    static let joins: [(StrokeStyle.LineJoin, limit: Double)] = [(.miter, 4), (.miter, 1.6), (.round, 4), (.bevel, 4)]

    static func polyline(_ corners: [(Double, Double)], closed: Bool = false) -> Path {
        .polyline(corners.map { Point(x: $0.0, y: $0.1) }, closed: closed)
    }

    static let zigzag = polyline([(11, 42), (26, 11), (41, 42), (59, 30.5)])
    static let ring = polyline([(12.5, 39), (30, 12), (57, 36.25)], closed: true)

    /// Across, the caps; down, the corners: sharp, beyond the limit, round and cut off.
    static func sheet(_ path: Path, dashes: [Double] = [], phase: Double = 0) throws -> PixelBuffer {
        var sheet = try ContactSheet(columns: 3, rows: 4, cellWidth: 70, cellHeight: 54)
        for (column, cap) in caps.enumerated() {
            for (row, join) in joins.enumerated() {
                let style = StrokeStyle(
                    width: 9, cap: cap, join: join.0, miterLimit: join.limit, dashes: dashes, dashPhase: phase)
                // What shows through tells whether each place is painted once.
                sheet.stroke(path, style, MapColor.sea.withOpacity(0.7), column: column, row: row)
                sheet.stroke(path, StrokeStyle(width: 1), .black, column: column, row: row)
            }
        }
        return sheet.canvas.buffer
    }

    @Test func `solid lines have their caps and joins`() throws {
        try Golden.check(Self.sheet(Self.zigzag), "strokes-solid")
    }

    @Test func `dashes have the caps of lines, and joins at bends`() throws {
        try Golden.check(Self.sheet(Self.zigzag, dashes: [17, 12], phase: 5), "strokes-dashed")
    }

    @Test func `dashes of length 0 are dots, squares or nothing`() throws {
        let picture = try Self.sheet(Self.zigzag, dashes: [0, 13], phase: -3)
        try Golden.check(picture, "strokes-dotted")
        // Flat ends leave nothing of such a dash: but for the thin line the first column is that of a picture without.
        var bare = try ContactSheet(columns: 3, rows: 4, cellWidth: 70, cellHeight: 54)
        bare.stroke(Self.zigzag, StrokeStyle(width: 1), .black, column: 0, row: 0)
        for y in 0..<54 { for x in 0..<70 { #expect(picture[x, y] == bare.canvas.buffer[x, y]) } }
    }

    @Test func `rings have joins all around and no caps`() throws {
        try Golden.check(Self.sheet(Self.ring), "strokes-rings")
    }

    @Test func `dashes continue around rings and over their start`() throws {
        try Golden.check(Self.sheet(Self.ring, dashes: [17, 12], phase: 5), "strokes-rings-dashed")
    }

    @Test func `hairlines fade with their width and do not break up`() throws {
        var sheet = try ContactSheet(columns: 5, rows: 2, cellWidth: 60, cellHeight: 60)
        var wave = Path()
        wave.move(to: Point(x: 4, y: 30))
        wave.cubic(control1: Point(x: 22, y: -30), control2: Point(x: 38, y: 90), to: Point(x: 56, y: 30))
        for (column, width) in [0.1, 0.25, 0.5, 0.75, 1].enumerated() {
            // From a corner, so that no two lines cover the same pixel twice but near it.
            for end in [(56, 4.5), (56, 9), (56, 21), (56, 38), (56, 55), (41, 56), (23, 56), (9, 56), (4.5, 56)] {
                let ray = Self.polyline([(4.5, 4.5), end])
                sheet.stroke(ray, StrokeStyle(width: width), .black, column: column, row: 0)
            }
            sheet.stroke(wave, StrokeStyle(width: width), .black, column: column, row: 1)
            let ring = Path.circle(center: Point(x: 30, y: 30), radius: 24)
            sheet.stroke(ring, StrokeStyle(width: width, dashes: [4, 3]), .black, column: column, row: 1)
        }
        try Golden.check(sheet.canvas.buffer, "strokes-hairlines")
    }
}

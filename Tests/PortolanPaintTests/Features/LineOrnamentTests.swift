import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Testing

/// Lines that are drawn otherwise than in one colour, and edges that fade out.
@Suite struct LineOrnamentTests {
    private static func line(
        _ symbol: LineSymbol, _ places: [(Double, Double)] = [(-40, 0), (40, 0)]
    ) throws -> PixelBuffer {
        try SampleScene(width: 96, height: 64).paint([
            SampleScene.styled(.lineString(SampleScene.places(places)), Style(stroke: symbol))
        ])
    }

    private static func symbol(
        width: Double = 10, cap: StrokeStyle.LineCap = .butt, color: MapColor = .black
    ) -> LineSymbol {
        LineSymbol(color: color, width: width, cap: cap, join: .miter)
    }

    @Test func `a gradient runs from the start of the line to its end`() throws {
        var symbol = Self.symbol()
        symbol.gradient = (0...255).map { MapColor(red: UInt8($0), green: 0, blue: UInt8(255 - $0)) }
        let picture = try Self.line(symbol)
        for x in 10..<86 {
            let wanted = (Double(x) + 0.5 - 8) / 80 * 255, pixel = picture[x, 32]
            #expect(abs(Double(pixel.red) - wanted) < 6 && abs(Double(pixel.blue) - 255 + wanted) < 6, "\(x)")
            // No seam between the pieces.
            #expect(pixel.green == 0)
        }
        let reversed = try Self.line(symbol, [(40, 0), (-40, 0)])
        #expect(reversed[12, 32].red > 230)
        #expect(reversed[84, 32].blue > 230)
    }

    @Test func `a gradient begins at the start of the line even if that is out of view`() throws {
        var symbol = Self.symbol()
        symbol.gradient = [MapColor.brick, .sea]
        let picture = try Self.line(symbol, [(-200, 0), (40, 0)])
        // The middle of the line lies 80 pixels left of the middle of the picture, out of sight.
        #expect((1..<80).allSatisfy { picture[$0, 32] == Pixel(.sea) })
    }

    @Test func `a gradient has the caps of its line`() throws {
        var symbol = Self.symbol(cap: .round)
        symbol.gradient = [MapColor.brick, .sea]
        let picture = try Self.line(symbol)
        #expect(picture[4, 32] == Pixel(.brick))
        #expect(picture[91, 32] == Pixel(.sea))
        #expect(picture[46, 32] == Pixel(.brick))
        #expect(picture[50, 32] == Pixel(.sea))
    }

    /// A picture of 8 by 6 pixels: its left half red, its right half blue, the upper row white.
    private static func stripes() throws -> IconMarker.Source.Picture {
        let size = try SampleScene.size(8, 6)
        var canvas = Canvas(size: size, background: .sea)
        canvas.fill(Path.rectangle(x: 0, y: 0, width: 4, height: 6), color: .brick)
        canvas.fill(Path.rectangle(x: 0, y: 0, width: 8, height: 1), color: .white)
        return IconMarker.Source.Picture(name: "stripes", pixels: canvas.buffer)
    }

    @Test func `a pattern is repeated along the line, its upper side on the right`() throws {
        var symbol = Self.symbol(width: 6)
        symbol.pattern = try Self.stripes()
        let east = try Self.line(symbol), west = try Self.line(symbol, [(40, 0), (-40, 0)])
        for x in 8..<88 {
            let isRed = (x - 8) % 8 < 4
            #expect(east[x, 30] == Pixel(isRed ? .brick : .sea), "\(x)")
            #expect(east[x, 34] == Pixel(.white))
            #expect(west[95 - x, 33] == Pixel(isRed ? .brick : .sea), "\(x)")
        }
        #expect((0..<96).allSatisfy { east[$0, 28] == Pixel(.white) && east[$0, 35] == Pixel(.white) })
    }

    @Test func `a pattern is cut to the width of the line and has its opacity`() throws {
        var symbol = Self.symbol(width: 2, color: MapColor.black.withOpacity(0.5))
        symbol.pattern = try Self.stripes()
        let picture = try Self.line(symbol)
        #expect(picture[9, 31] == picture[9, 32])
        #expect(picture[9, 30] == Pixel(.white))
        #expect(picture[9, 33] == Pixel(.white))
        let half = Int(picture[9, 31].red)
        #expect(abs(half - (255 + 178) / 2) <= 1)
    }

    @Test func `at a corner each segment reaches the middle of the turn`() throws {
        var symbol = Self.symbol(width: 6)
        symbol.pattern = try Self.stripes()
        let picture = try Self.line(symbol, [(-20, 0), (0, 0), (0, -20)])
        // The outer corner is filled, once by each of the two.
        #expect(
            picture[46, 30] != Pixel(.white) && picture[49, 30] != Pixel(.white) && picture[49, 33] != Pixel(.white))
        #expect(picture[52, 29] == Pixel(.white))
    }

    @Test(arguments: [(10.0, 4.0), (20, 10), (6, 30)])
    func `the edges of a line fade evenly over the blur`(_ width: Double, _ blur: Double) throws {
        var symbol = Self.symbol(width: width)
        symbol.blur = blur
        let picture = try Self.line(symbol)
        for y in 0..<64 {
            let inside = max(width / 2 - abs(Double(y) + 0.5 - 32), 0)
            let wanted = 255 - 255 * min(inside / blur, 1)
            #expect(abs(Double(picture[48, y].red) - wanted) <= 14, "\(y): \(picture[48, y].red), \(wanted)")
        }
    }

    @Test func `a blurred line is no darker where it crosses itself`() throws {
        var symbol = Self.symbol(width: 10, color: MapColor.black.withOpacity(0.5))
        symbol.blur = 4
        let picture = try Self.line(symbol, [(-40, 0), (40, 0), (40, 20), (0, 20), (0, -20)])
        #expect(picture[48, 32] == picture[20, 32])
    }

    @Test(arguments: [0.2, 0.6, 1]) func `a disc is blurred like smoothstep`(_ blur: Double) throws {
        var marker = ShapeMarker(radius: 20, fill: FillSymbol(color: .black))
        marker.blur = blur
        let place = SampleScene.styled(.point(Coordinate(x: 0, y: 0)), Style(marker: .shape(marker)))
        let picture = try SampleScene(width: 96, height: 64).paint([place])
        for x in 48..<96 {
            let distance = ((Double(x) - 47.5) * (Double(x) - 47.5) + 0.25).squareRoot()
            let share = min(max((1 - distance / 20) / blur, 0), 1), wanted = 255 - 255 * share * share * (3 - 2 * share)
            #expect(abs(Double(picture[x, 32].red) - wanted) <= 16, "\(x): \(picture[x, 32].red), \(wanted)")
        }
    }
}

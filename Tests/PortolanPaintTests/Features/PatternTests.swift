import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

/// Areas filled with a picture, again and again.
@Suite struct PatternTests {
    /// Three by two pixels, each with a different colour.
    private static let colors: [MapColor] = (0..<6).map {
        MapColor(red: UInt8(40 * $0), green: 200, blue: UInt8(250 - 40 * $0))
    }

    private static func pattern(pixelRatio: Double = 1) throws -> IconMarker.Source.Picture {
        let size = try #require(ImageSize(width: 3, height: 2))
        let pixels = try #require(PixelBuffer(size: size, pixels: colors.map { Pixel($0).bits }))
        return IconMarker.Source.Picture(name: "p", pixels: pixels, pixelRatio: pixelRatio)
    }

    private static func picture(
        _ pattern: IconMarker.Source.Picture, opacity: Double = 1, hole: Bool = false, moved: (Double, Double) = (0, 0)
    ) throws -> PixelBuffer {
        let style = Style(fill: FillSymbol(color: MapColor.black.withOpacity(opacity), pattern: pattern))
        let corners = [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20), (-20, -20)]
        var rings = [SampleScene.places(corners)]
        if hole { rings.append(SampleScene.places(corners.map { ($0.0 / 4, $0.1 / 4) })) }
        return try SampleScene(center: Coordinate(x: moved.0, y: moved.1)).paint([
            SampleScene.styled(.polygon(rings), style)
        ])
    }

    @Test func `an area pattern is drawn pixel for pixel and repeated without seams`() throws {
        let picture = try Self.picture(Self.pattern())
        let first = try #require(Self.colors.firstIndex { Pixel($0) == picture[40, 24] })
        for y in 14..<50 {
            for x in 30..<66 {
                let column = (x - 40 + first % 3 + 300) % 3, row = (y - 24 + first / 3 + 200) % 2
                #expect(picture[x, y] == Pixel(Self.colors[row * 3 + column]), "\(x), \(y)")
            }
        }
        #expect(picture[20, 32] == Pixel(.white))
    }

    @Test func `a hole shows what is below`() throws {
        let picture = try Self.picture(Self.pattern(), hole: true)
        #expect(picture[48, 32] == Pixel(.white))
        #expect(picture[34, 32] != Pixel(.white))
    }

    @Test func `a pattern fades with its opacity`() throws {
        let whole = try Self.picture(Self.pattern()), half = try Self.picture(Self.pattern(), opacity: 0.5)
        let full = whole[40, 24], faded = half[40, 24]
        #expect(
            abs(Int(faded.red) - (Int(full.red) + 255) / 2) <= 1
                && abs(Int(faded.blue) - (Int(full.blue) + 255) / 2) <= 1)
    }

    @Test func `a pattern is anchored to the map`() throws {
        let first = try Self.picture(Self.pattern()), second = try Self.picture(Self.pattern(), moved: (7, -3))
        for y in 20..<44 { for x in 36..<60 { #expect(second[x - 7, y - 3] == first[x, y], "\(x), \(y)") } }
    }

    @Test func `a pattern for dense screens has the size of its pixel ratio`() throws {
        let picture = try Self.picture(Self.pattern(pixelRatio: 0.5))
        // Six pixels wide: so far apart are pixels alike.
        for x in 30..<58 { #expect(picture[x, 30] == picture[x + 6, 30], "\(x)") }
        #expect((0..<5).contains { picture[30 + $0, 30] != picture[31 + $0, 30] })
    }
}

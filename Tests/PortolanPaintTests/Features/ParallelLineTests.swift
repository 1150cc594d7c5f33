import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Testing

/// Lines beside their place.
@Suite struct ParallelLineTests {
    private static let line = Geometry.lineString(SampleScene.places([(-40, 0), (40, 0)]))

    @Test func `a line with an offset is drawn to the right of its direction`() throws {
        let picture = try SampleScene().paint([
            SampleScene.styled(Self.line, Style(stroke: LineSymbol(color: .black, width: 4, cap: .butt, offset: 10)))
        ])
        #expect(picture[48, 42] == Pixel(.black))
        #expect(picture[48, 32] == Pixel(.white))
        #expect(picture[48, 22] == Pixel(.white))
    }

    @Test func `a gap width draws two lines with a gap between`() throws {
        let picture = try SampleScene().paint([
            SampleScene.styled(Self.line, Style(stroke: LineSymbol(color: .black, width: 4, cap: .butt, gapWidth: 8)))
        ])
        // From the middle 4 pixels are left open, then 4 are drawn.
        for y in [25, 26, 37, 38] { #expect(picture[48, y] == Pixel(.black)) }
        for y in [23, 29, 32, 34, 41] { #expect(picture[48, y] == Pixel(.white)) }
    }

    @Test func `a line with an offset around an area is drawn inside`() throws {
        let square = [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20), (-20, -20)]
        let picture = try SampleScene().paint([
            SampleScene.styled(
                .polygon([SampleScene.places(square)]), Style(stroke: LineSymbol(color: .black, width: 2, offset: 6)))
        ])
        #expect(picture[48, 18] == Pixel(.black))
        #expect(picture[48, 12] == Pixel(.white))
    }

    @Test func `a line outside the picture is drawn if its offset leads inside`() throws {
        let outside = Geometry.lineString(SampleScene.places([(-40, 40), (40, 40)]))
        let picture = try SampleScene().paint([
            SampleScene.styled(outside, Style(stroke: LineSymbol(color: .black, width: 4, cap: .butt, offset: 20)))
        ])
        #expect(picture[48, 12] == Pixel(.black))
    }
}

import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct JPEGEncoderTests {
    private static func ramp() -> PixelBuffer? {
        guard let size = ImageSize(width: 70, height: 50) else { return nil }
        var image = PixelBuffer(size: size)
        for y in 0..<50 {
            for x in 0..<70 {
                image[x, y] = Pixel(MapColor(red: UInt8(x * 3), green: UInt8(250 - y * 4), blue: UInt8(x + y)))
            }
        }
        return image
    }

    private func colors(_ image: PixelBuffer) -> [MapColor] { image.pixels.map { Pixel(bits: $0).color } }

    @Test(arguments: JPEGEncoder.ChromaSampling.allCases, [(100, 3), (90, 8), (30, 40)])
    func `a smooth image is preserved within a tolerance`(
        _ chroma: JPEGEncoder.ChromaSampling, _ test: (quality: Int, difference: Int)
    ) throws {
        let image = try #require(Self.ramp())
        let decoded = try ImageDecoders.standard.decode(
            JPEGEncoder.encode(image, quality: test.quality, chroma: chroma))
        #expect(decoded.size == image.size)
        #expect(largestDifference(decoded, colors(image)) <= test.difference)
    }

    @Test func `lower quality and less chroma give smaller files`() throws {
        let image = try #require(Self.ramp())
        let best = try JPEGEncoder.encode(image, quality: 100).count
        let good = try JPEGEncoder.encode(image, quality: 80).count
        let thin = try JPEGEncoder.encode(image, quality: 80, chroma: .quarter).count
        #expect(best > good)
        #expect(good > thin)
    }

    @Test(arguments: [
        (MapColor.clear, MapColor.white, MapColor.white),
        (MapColor.clear, MapColor(red: 10, green: 200, blue: 90, alpha: 3), MapColor(red: 10, green: 200, blue: 90)),
        (MapColor(red: 0, green: 0, blue: 0, alpha: 128), MapColor.white, MapColor(red: 127, green: 127, blue: 127)),
        (MapColor(red: 200, green: 100, blue: 0, alpha: 51), MapColor.black, MapColor(red: 40, green: 20, blue: 0)),
    ])
    func `transparent pixels show the background`(
        _ color: MapColor, _ background: MapColor, _ expected: MapColor
    ) throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 16, height: 16)), filledWith: Pixel(color))
        let decoded = try ImageDecoders.standard.decode(JPEGEncoder.encode(image, quality: 100, background: background))
        #expect(largestDifference(decoded, [MapColor](repeating: expected, count: 256)) <= 2)
    }

    @Test func `the output grows as needed for a large image`() throws {
        var generator = SeededGenerator(seed: 6)
        let size = try #require(ImageSize(width: 400, height: 400))
        let pixels = (0..<size.pixelCount).map { _ in UInt32.random(in: 0xff00_0000...UInt32.max, using: &generator) }
        let bytes = try JPEGEncoder.encode(try #require(PixelBuffer(size: size, pixels: pixels)), quality: 100)
        #expect(bytes.count > 200_000)
        #expect(bytes.suffix(2) == [0xff, 0xd9])
        #expect(try ImageDecoders.standard.size(of: bytes) == size)
    }

    @Test func `a side over 65500 pixels is refused`() throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 65501, height: 1)), filledWith: Pixel(.white))
        let error = #expect(throws: CodecError.self) { try JPEGEncoder.encode(image) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [0, 101, -5])
    func `a quality out of range is a precondition failure`(_ quality: Int) async {
        await #expect(processExitsWith: .failure) { [quality] in
            guard let size = ImageSize(width: 1, height: 1) else { return }
            _ = try JPEGEncoder.encode(PixelBuffer(size: size), quality: quality)
        }
    }
}

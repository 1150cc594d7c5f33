import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct PNGEncoderTests {
    /// Every premultiplied pair of channel and alpha in red, with other pairs in green and blue.
    private static func allPairs() -> PixelBuffer? {
        var pixels: [UInt32] = []
        for alpha in 0..<UInt32(256) {
            for channel in 0..<UInt32(256) {
                let red = min(channel, alpha), green = alpha - red, blue = red / 2
                pixels.append(alpha << 24 | blue << 16 | green << 8 | red)
            }
        }
        return ImageSize(width: 256, height: 256).flatMap { PixelBuffer(size: $0, pixels: pixels) }
    }

    @Test(arguments: PNGEncoder.Compression.allCases)
    func `every premultiplied pixel survives encoding and decoding`(_ compression: PNGEncoder.Compression) throws {
        let image = try #require(Self.allPairs())
        #expect(try ImageDecoders.standard.decode(PNGEncoder.encode(image, compression: compression)) == image)
    }

    @Test(arguments: PNGEncoder.Compression.allCases)
    func `random opaque images survive encoding and decoding`(_ compression: PNGEncoder.Compression) throws {
        var generator = SeededGenerator(seed: 4)
        for (width, height) in [(1, 1), (1, 300), (300, 1), (7, 5), (64, 64)] {
            let size = try #require(ImageSize(width: width, height: height))
            let pixels = (0..<size.pixelCount).map { _ in UInt32.random(in: 0xff00_0000...UInt32.max, using: &generator)
            }
            let image = try #require(PixelBuffer(size: size, pixels: pixels))
            #expect(try ImageDecoders.standard.decode(PNGEncoder.encode(image, compression: compression)) == image)
        }
    }

    @Test(arguments: [(UInt8(255), UInt8(2)), (254, 6)])
    func `the alpha channel is written only if needed`(_ alpha: UInt8, _ colorType: UInt8) throws {
        var image = PixelBuffer(size: try #require(ImageSize(width: 4, height: 3)), filledWith: Pixel(.white))
        image[3, 2] = Pixel(MapColor(red: 9, green: 8, blue: 7, alpha: alpha))
        let header = try #require(PNGFile(PNGEncoder.encode(image)).chunks.first)
        #expect(header == .init(kind: "IHDR", data: [0, 0, 0, 4, 0, 0, 0, 3, 8, colorType, 0, 0, 0]))
    }

    @Test func `the output does not depend on earlier or concurrent encodings`() async throws {
        let image = try #require(Self.allPairs()), bytes = try PNGEncoder.encode(image)
        _ = try PNGEncoder.encode(PixelBuffer(size: image.size, filledWith: Pixel(.white)), compression: .small)
        let others = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try PNGEncoder.encode(image) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for other in others { #expect(other == bytes) }
    }

    @Test func `checksums follow the specification`() throws {
        let bytes = try PNGEncoder.encode(PixelBuffer(size: try #require(ImageSize(width: 2, height: 2))))
        #expect(PNGFile(bytes).bytes == bytes)
    }

    @Test(arguments: Fixture.png)
    func `decoded fixtures survive encoding and decoding`(_ fixture: Fixture) throws {
        let image = try ImageDecoders.standard.decode(fixture.bytes())
        #expect(try ImageDecoders.standard.decode(PNGEncoder.encode(image)) == image)
    }

    @Test(arguments: [1, 2, 255, 256])
    func `an image with no more colours than a palette holds is exact in one`(_ count: Int) throws {
        let size = try #require(ImageSize(width: 64, height: 32))
        let pixels = (0..<size.pixelCount).map { index in
            let number = UInt8(index % count)
            return Pixel(MapColor(red: number, green: 255 - number, blue: 7, alpha: number % 3 == 0 ? 128 : 255)).bits
        }
        let image = try #require(PixelBuffer(size: size, pixels: pixels))
        let bytes = try PNGEncoder.encode(image, colors: .palette)
        #expect(PNGFile(bytes).chunks.prefix(2).map(\.kind) == ["IHDR", "PLTE"])
        #expect(try ImageDecoders.standard.decode(bytes) == image)
    }

    @Test func `an image with more colours is approximated in a palette`() throws {
        let size = try #require(ImageSize(width: 128, height: 128))
        let pixels = (0..<size.pixelCount).map { index in
            let x = UInt8(index % 128), y = UInt8(index / 128)
            return Pixel(MapColor(red: x * 2, green: y * 2, blue: 128, alpha: 255)).bits
        }
        let image = try #require(PixelBuffer(size: size, pixels: pixels))
        let back = try ImageDecoders.standard.decode(PNGEncoder.encode(image, colors: .palette))
        // 256 colours over a square of 255 by 255 leave each pixel within a cell of about 16 by 16.
        for index in pixels.indices {
            let one = Pixel(bits: image.pixels[index]), other = Pixel(bits: back.pixels[index])
            #expect(abs(Int(one.red) - Int(other.red)) <= 16)
            #expect(abs(Int(one.green) - Int(other.green)) <= 16)
            #expect(other.alpha == 255)
        }
    }

    @Test func `gradients are filtered and drawings are not`() throws {
        let size = try #require(ImageSize(width: 256, height: 256))
        let gradation = (0..<size.pixelCount).map { index in
            let value = UInt8((index % 256 + index / 256 * 3) / 4 & 255)
            return Pixel(MapColor(red: value, green: value, blue: value &+ 40, alpha: 255)).bits
        }
        let shaded = try PNGEncoder.encode(try #require(PixelBuffer(size: size, pixels: gradation)))
        // Unfiltered, each of the rows would be new to the compressor.
        #expect(shaded.count < 4000)
        let drawn = try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(.white)))
        #if Drivers
        #expect(drawn.count < 1000)
        #else
        #expect(drawn.count < 1500)
        #endif
    }
}

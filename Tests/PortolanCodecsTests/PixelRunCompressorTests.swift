#if canImport(CPNGShim)
import PortolanRaster
import TestHelpers
import Testing

@testable import PortolanCodecs

@Suite struct PixelRunCompressorTests {
    /// Rows with areas, lines and texture: each pixel repeats the one to its left, the one above, or is new.
    private static func drawing(_ width: Int, _ height: Int, isOpaque: Bool, seed: UInt64) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed), pixels: [UInt32] = []
        let colors: [UInt32] = isOpaque ? [0xffff_ffff, 0xff00_0000, 0xff12_3456] : [0, 0xff80_4020, 0x8040_2010]
        var run = 0, isAbove = false
        for index in 0..<(width * height) {
            if run == 0 {
                run = Int.random(
                    in: 1...[3, 20, 300, 3000][Int.random(in: 0..<4, using: &generator)], using: &generator)
                isAbove = Bool.random(using: &generator)
            }
            run -= 1
            let isNew = index == 0 || run == 0
            let back = isAbove && index >= width ? width : 1
            pixels.append(isNew ? colors.randomElement(using: &generator) ?? 0 : pixels[index - back])
        }
        let size = try #require(ImageSize(width: width, height: height))
        return try #require(PixelBuffer(size: size, pixels: pixels))
    }

    @Test(
        arguments: [
            (1, 1), (1, 200), (2, 90), (7, 9), (8, 8), (9, 64), (64, 65), (65, 3), (300, 257), (1024, 300), (5000, 4),
        ],
        [true, false])
    func `drawings of all widths survive fast compression`(_ size: (width: Int, height: Int), _ isOpaque: Bool) throws {
        for seed in UInt64(1)...8 {
            let image = try Self.drawing(size.width, size.height, isOpaque: isOpaque, seed: seed)
            let bytes = try PNGEncoder.encode(image, compression: .fast)
            #expect(try ImageDecoders.standard.decode(bytes) == image)
        }
    }

    @Test func `rows that are wider than repetitions reach are compressed all the same`() throws {
        let image = try Self.drawing(11_000, 20, isOpaque: true, seed: 1)
        #expect(PixelRunCompressor.compress(image.pixels, width: 11_000, channels: 3) == nil)
        #expect(try ImageDecoders.standard.decode(PNGEncoder.encode(image, compression: .fast)) == image)
    }

    @Test func `textures within a flat picture survive`() throws {
        var image = try Self.drawing(400, 400, isOpaque: true, seed: 3)
        var generator = SeededGenerator(seed: 5)
        for y in 70..<120 {
            for x in 0..<400 { image[x, y] = Pixel(bits: .random(in: 0xff00_0000...UInt32.max, using: &generator)) }
        }
        #expect(try ImageDecoders.standard.decode(PNGEncoder.encode(image, compression: .fast)) == image)
    }

    @Test func `an area of one colour takes few bytes`() throws {
        let size = try #require(ImageSize(width: 1024, height: 768))
        let bytes = try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(.white)), compression: .fast)
        #expect(bytes.count < 5000)
    }

    @Test(arguments: [3, 4])
    func `checksums are those of the rows' bytes`(_ channels: Int) throws {
        for width in [1, 7, 8, 9, 100] {
            let image = try Self.drawing(width, 30, isOpaque: channels == 3, seed: UInt64(width))
            // RFC 1950, section 9.
            var low: UInt32 = 1, high: UInt32 = 0
            for byte in PNGScanlines(pixels: image.pixels, width: width, channels: channels).bytes {
                low = (low + UInt32(byte)) % 65521
                high = (high + low) % 65521
            }
            #expect(AdlerChecksum.ofRows(image.pixels, width: width, channels: channels) == high << 16 | low)
        }
    }

    @Test(arguments: [
        (3, 257, 0, 0), (10, 264, 0, 0), (11, 265, 0, 1), (12, 265, 1, 1), (18, 268, 1, 1), (130, 280, 15, 4),
        (131, 281, 0, 5), (257, 284, 30, 5), (258, 285, 0, 0),
    ])
    func `lengths have the symbols of the specification`(_ length: Int, _ number: Int, _ extra: Int, _ extraCount: Int)
    {
        let symbol = DeflateSymbol.ofLength[length]
        #expect([symbol.number, symbol.extra, symbol.extraCount] == [number, extra, extraCount])
    }

    @Test(arguments: [
        (1, 0, 0, 0), (4, 3, 0, 0), (5, 4, 0, 1), (6, 4, 1, 1), (3073, 23, 0, 10), (24_576, 28, 8191, 13),
        (32_768, 29, 8191, 13),
    ])
    func `distances have the symbols of the specification`(
        _ distance: Int, _ number: Int, _ extra: Int, _ extraCount: Int
    ) {
        let symbol = DeflateSymbol(distance: distance)
        #expect([symbol.number, symbol.extra, symbol.extraCount] == [number, extra, extraCount])
    }
}
#endif

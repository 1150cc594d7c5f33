#if Images
import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct WebPDecoderTests {
    @Test(arguments: Fixture.webp)
    func `decoded pixels equal the originals, or agree with another decoder if lossy`(_ fixture: Fixture) throws {
        let image = try ImageDecoders.standard.decode(fixture.bytes())
        // The inverse transform is exact by RFC 9649; the way from YUV to RGB may round otherwise.
        #expect(try largestDifference(image, fixture.colors()) <= (fixture.name.contains("lossy") ? 2 : 0))
    }

    @Test(arguments: Fixture.webp)
    func `damaged files never crash`(_ fixture: Fixture) throws {
        #expect(try failures(of: fixture, format: "webp") > 100)
    }

    /// A fixture with bytes changed.
    private func changed(_ name: String, _ change: (inout [UInt8]) -> Void) throws -> CodecError? {
        var bytes = try Fixture(name: name).bytes()
        change(&bytes)
        return #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes) }
    }

    @Test func `a size over the limits is refused from the header`() throws {
        let bytes = try Fixture(name: "webp-lossless.webp").bytes()
        for limits in [
            ImageDecoders.Limits(maximumPixelCount: 13 * 11 - 1), .init(maximumSide: 12), .init(maximumMemory: 1000),
        ] {
            let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes, limits: limits) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.format == "webp")
        }
        // The canvas of an animation, 16,777,216 pixels a side at most.
        let error = try changed("webp-animated.webp") {
            $0.replaceSubrange(24..<30, with: [0x5f, 0xea, 0, 0x5f, 0xea, 0])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.detail.contains("60000x60000") == true)
    }

    @Test func `a frame beyond its canvas is corrupt`() throws {
        let error = try changed("webp-animated.webp") { bytes in
            guard let frame = bytes.firstRange(of: Array("ANMF".utf8))?.lowerBound else { return }
            bytes[frame + 8] = 3
        }
        #expect(error?.code == .corrupt)
    }

    @Test func `an unknown bit stream is corrupt`() throws {
        #expect(try changed("webp-lossless.webp") { $0[20] = 0 }?.code == .corrupt)
        #expect(try changed("webp-lossless.webp") { $0.replaceSubrange(12..<16, with: Array("VP9 ".utf8)) } != nil)
    }

    @Test func `a file with an incomplete header is rejected`() throws {
        #expect(try changed("webp-lossy.webp") { $0.replaceSubrange(4..<8, with: [4, 0, 0, 0]) } != nil)
        #expect(
            try changed("webp-lossy.webp") { $0.replaceSubrange(4..<8, with: [255, 255, 255, 255]) }?.code == .truncated
        )
    }
}

@Suite struct WebPEncoderTests {
    /// Premultiplied noise of all opacities.
    private static func noise(_ width: Int, _ height: Int) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 8),
            image = PixelBuffer(size: try #require(ImageSize(width: width, height: height)))
        for y in 0..<height {
            for x in 0..<width {
                func byte() -> UInt8 { .random(in: 0...255, using: &generator) }
                image[x, y] = Pixel(
                    MapColor(red: byte(), green: byte(), blue: byte(), alpha: x % 3 == 0 ? 255 : byte()))
            }
        }
        return image
    }

    @Test(arguments: [(1, 1), (70, 50), (3, 300)])
    func `lossless encoding preserves every pixel`(_ width: Int, _ height: Int) throws {
        let image = try Self.noise(width, height)
        let bytes = try WebPEncoder.encode(image)
        #expect(try ImageDecoders.standard.decode(bytes) == image)
        #expect(try WebPEncoder.encode(image) == bytes)
    }

    @Test func `lossy encoding keeps opacity, approximates colours, and shrinks with quality`() throws {
        var image = PixelBuffer(size: try #require(ImageSize(width: 70, height: 50)))
        for y in 0..<50 {
            for x in 0..<70 {
                image[x, y] = Pixel(
                    MapColor(
                        red: UInt8(x * 3), green: UInt8(250 - y * 4), blue: UInt8(x + y),
                        alpha: y < 25 ? 255 : UInt8(y * 5)))
            }
        }
        var sizes: [Int] = []
        for (quality, difference) in [(100, 6), (80, 12), (20, 40)] {
            let bytes = try WebPEncoder.encode(image, compression: .lossy(quality: quality))
            let decoded = try ImageDecoders.standard.decode(bytes)
            #expect(decoded.pixels.map { $0 >> 24 } == image.pixels.map { $0 >> 24 })
            #expect(largestDifference(decoded, image.pixels.map { Pixel(bits: $0).color }) <= difference, "\(quality)")
            sizes.append(bytes.count)
        }
        #expect(sizes == sizes.sorted(by: >))
    }

    @Test func `a side over 16383 pixels is refused`() throws {
        for (width, height) in [(16384, 1), (1, 16384)] {
            let image = PixelBuffer(size: try #require(ImageSize(width: width, height: height)))
            let error = #expect(throws: CodecError.self) { try WebPEncoder.encode(image) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.detail.contains("16383") == true)
        }
        let widest = PixelBuffer(size: try #require(ImageSize(width: 16383, height: 1)), filledWith: Pixel(.white))
        #expect(try ImageDecoders.standard.decode(WebPEncoder.encode(widest)) == widest)
    }

    @Test(arguments: [0, 101, -5])
    func `a quality out of range is a precondition failure`(_ quality: Int) async {
        await #expect(processExitsWith: .failure) { [quality] in
            guard let size = ImageSize(width: 1, height: 1) else { return }
            _ = try WebPEncoder.encode(PixelBuffer(size: size), compression: .lossy(quality: quality))
        }
    }
}
#endif

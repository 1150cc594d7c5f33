#if Images
import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct GIFDecoderTests {
    @Test(arguments: Fixture.gif)
    func `decoded pixels equal the originals`(_ fixture: Fixture) throws {
        let image = try ImageDecoders.standard.decode(fixture.bytes())
        #expect(try largestDifference(image, fixture.colors()) == 0)
    }

    @Test(arguments: Fixture.gif)
    func `damaged files never crash`(_ fixture: Fixture) throws {
        #expect(try failures(of: fixture, format: "gif") > 100)
    }

    /// The plain fixture with bytes changed; `image` is where its descriptor begins.
    private func plain(_ change: (inout [UInt8], _ image: Int) -> Void) throws -> [UInt8] {
        var bytes = try Fixture(name: "gif-plain.gif").bytes()
        let table = 3 << (Int(bytes[10] & 7) + 1)
        let image = try #require(bytes[(13 + table)...].firstIndex(of: 0x2C))
        change(&bytes, image)
        return bytes
    }

    private func error(_ bytes: [UInt8], limits: ImageDecoders.Limits = ImageDecoders.Limits()) -> CodecError? {
        #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes, limits: limits) }
    }

    @Test func `a size over the limits is rejected before memory is allocated`() throws {
        let bytes = try plain { _, _ in }
        for limits in [
            ImageDecoders.Limits(maximumPixelCount: 13 * 11 - 1), .init(maximumSide: 12), .init(maximumMemory: 500),
        ] {
            #expect(error(bytes, limits: limits)?.code == .limitExceeded)
        }
        let screen = try plain { bytes, _ in bytes.replaceSubrange(6..<10, with: [0, 0xf0, 0, 0xf0]) }
        #expect(error(screen)?.code == .limitExceeded)
        #expect(error(screen)?.detail.contains("61440x61440") == true)
        let image = try plain { $0.replaceSubrange(($1 + 5)..<($1 + 9), with: [0, 32, 0, 32]) }
        #expect(error(image)?.code == .truncated)
        #expect(error(image)?.detail.contains("cannot hold") == true)
        // The screen grows by where the image lies.
        let far = try plain { $0.replaceSubrange(($1 + 1)..<($1 + 5), with: [255, 255, 255, 255]) }
        #expect(error(far)?.code == .limitExceeded)
    }

    @Test func `an image without pixels is corrupt`() throws {
        #expect(error(try plain { $0.replaceSubrange(($1 + 5)..<($1 + 7), with: [0, 0]) })?.code == .corrupt)
        #expect(error(try plain { $0.replaceSubrange(($1 + 7)..<($1 + 9), with: [0, 0]) })?.code == .corrupt)
    }

    @Test func `a file without an image or without colours is corrupt`() throws {
        let none = try plain { bytes, image in bytes.replaceSubrange(image..., with: [0x3B]) }
        #expect(error(none)?.code == .corrupt)
        #expect(error(none)?.detail.contains("no image in the file") == true)
        let colorless = try plain { bytes, _ in
            bytes.removeSubrange(13..<(13 + 3 << (Int(bytes[10] & 7) + 1)))
            bytes[10] &= 0x70
        }
        #expect(error(colorless)?.code == .corrupt)
        #expect(error(colorless)?.detail.contains("no colour table") == true)
    }

    @Test func `image data that end early are corrupt`() throws {
        let short = try plain { bytes, image in
            let count = Int(bytes[image + 11])
            bytes.replaceSubrange((image + 11)..<(image + 12 + count), with: [4] + bytes[(image + 12)..<(image + 16)])
        }
        #expect(error(short)?.code == .corrupt)
    }

    @Test func `a colour index outside the table is transparent`() throws {
        // Two colours in place of eight: what is left of the table is that of the image.
        let bytes = try plain { bytes, _ in
            let count = 3 << (Int(bytes[10] & 7) + 1)
            bytes.removeSubrange(19..<(13 + count))
            bytes[10] &= 0xF8
        }
        let image = try ImageDecoders.standard.decode(bytes), whole = try Fixture(name: "gif-plain.gif").colors()
        for (pixel, color) in zip(image.pixels, whole) {
            let isThere = [MapColor(red: 255, green: 0, blue: 0), MapColor(red: 0, green: 160, blue: 0)].contains(color)
            #expect(pixel == (isThere ? Pixel(color).bits : 0))
        }
    }

    @Test func `unterminated extensions are rejected in bounded time`() throws {
        let bytes = try plain { bytes, image in
            bytes.replaceSubrange(
                image...,
                with: [UInt8](repeating: 0, count: 1 << 20).enumerated().map { [0x21, 0xFE, 0][$0.offset % 3] })
        }
        #expect(error(bytes) != nil)
    }
}
#endif

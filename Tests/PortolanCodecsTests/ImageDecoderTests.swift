import Foundation
import PortolanCodecs
import PortolanRaster
import Testing

@Suite struct ImageDecoderTests {
    #if Images
    static let fixtures = Fixture.png + Fixture.jpeg + Fixture.webp + Fixture.gif
    #else
    static let fixtures = Fixture.png + Fixture.jpeg
    #endif

    @Test func `all fixtures are found`() {
        #expect(Fixture.png.count > 55)
        #expect(Fixture.jpeg.count == 12)
        #expect(Fixture.webp.count == 7)
        #expect(Fixture.gif.count == 8)
    }

    @Test(arguments: ImageDecoderTests.fixtures)
    func `a file truncated at any length is an error`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        // What follows the first image of a GIF is not read: further images, and the byte that ends it.
        let last = try fixture.gifImageEnd() ?? bytes.count
        let start = ["jpg": 3, "gif": 6, "webp": 12][fixture.ending] ?? 8
        for length in 0..<last {
            do {
                _ = try ImageDecoders.standard.decode(Array(bytes.prefix(length)))
                Issue.record("cut to \(length) bytes")
            } catch {
                // Without its signature the rest is not a picture.
                let isKnown = length >= start
                guard error.code == (isKnown ? .truncated : .unsupported), error.byteOffset == (isKnown ? length : nil)
                else {
                    Issue.record("cut to \(length) bytes: \(error)")
                    return
                }
            }
        }
    }

    @Test(arguments: ImageDecoderTests.fixtures)
    func `bytes after the end are ignored`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        #expect(try ImageDecoders.standard.decode(bytes + [0, 1, 2, 3]) == ImageDecoders.standard.decode(bytes))
    }

    @Test(arguments: ImageDecoderTests.fixtures)
    func `the size read from the header equals that of the decoded image`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        #expect(try ImageDecoders.standard.size(of: bytes) == ImageDecoders.standard.decode(bytes).size)
    }

    @Test func `the size is read from the header alone`() throws {
        let bytes = try Fixture(name: "png-rgb-8bit.png").bytes()
        #expect(try ImageDecoders.standard.size(of: Array(bytes.prefix(60))).description == "13x11")
    }

    struct Unknown: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let detail: String
    }

    @Test(arguments: [
        Unknown(testDescription: "nothing", bytes: [], detail: "no data"),
        Unknown(
            testDescription: "text", bytes: Array("No such\n  layer".utf8),
            detail: "unknown image format; it starts with “No such layer”"),
        Unknown(
            testDescription: "long text", bytes: Array(String(repeating: "é", count: 90).utf8),
            detail: "unknown image format; it starts with “\(String(repeating: "é", count: 40))…”"),
        Unknown(
            testDescription: "text cut in a character", bytes: Array(("x" + String(repeating: "é", count: 90)).utf8),
            detail: "unknown image format; it starts with “x\(String(repeating: "é", count: 39))…”"),
        Unknown(
            testDescription: "binary", bytes: [0, 1, 255],
            detail: "unknown image format; it starts with the bytes 00 01 ff"),
        Unknown(
            testDescription: "terminal control", bytes: Array("\u{1b}[2J".utf8),
            detail: "unknown image format; it starts with the bytes 1b 5b 32 4a"),
        Unknown(
            testDescription: "long binary", bytes: [UInt8](repeating: 200, count: 99),
            detail: "unknown image format; it starts with the bytes"
                + String(repeating: " c8", count: 16) + " …"),
    ])
    func `data that are not an image are quoted in the error`(_ test: Unknown) {
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(test.bytes) }
        #expect(error?.code == .unsupported)
        #expect(error?.format == "unknown")
        #expect(error?.detail == test.detail)
    }

    @Test(arguments: [("%PDF-1.7", "pdf", "PDF"), ("BM....\0\0\0\0\u{28}", "bmp", "BMP"), ("<svg>", "svg", "SVG")])
    func `a known but unsupported format is named in the error`(_ text: String, _ format: String, _ name: String) {
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.size(of: Array(text.utf8)) }
        #expect(error?.code == .unsupported)
        #expect(error?.format == format)
        #expect(error?.detail == "\(name) images are not supported; request image/png or image/jpeg from the server")
    }
}

/// Portable pixmaps of the plain kind: a format that no decoder of the package reads.
private struct PixmapDecoder: ImageDecoder {
    let format = "ppm"

    func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "P3".utf8) }

    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        let numbers = numbers(in: bytes)
        guard numbers.count >= 2 else { throw CodecError(code: .truncated, format: format, detail: "no size") }
        return try limits.size(width: numbers[0], height: numbers[1], format: format)
    }

    func decode(_ bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer {
        let size = try size(of: bytes, limits: limits), samples = numbers(in: bytes).dropFirst(3)
        let pixels = stride(from: samples.startIndex, to: samples.endIndex - 2, by: 3).map { index -> UInt32 in
            let color = samples[index..<index + 3].map { UInt8($0) }
            return Pixel(red: color[0], green: color[1], blue: color[2], alpha: 255).bits
        }
        guard let image = PixelBuffer(size: size, pixels: pixels) else {
            throw CodecError(code: .truncated, format: format, detail: "too few samples")
        }
        return image
    }

    private func numbers(in bytes: [UInt8]) -> [Int] {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).dropFirst().compactMap { Int($0) }
    }
}

@Suite struct ImageDecodersTests {
    private static let decoders = ImageDecoders([PixmapDecoder()] + ImageDecoders.standard.decoders)
    private static let pixmap = Array("P3 2 1 255  255 0 0  0 0 255".utf8)

    @Test func `an additional format is recognised by its first bytes`() throws {
        let image = try Self.decoders.decode(Self.pixmap)
        #expect(image.size.description == "2x1")
        #expect([image[0, 0].color, image[1, 0].color] == [MapColor(css: "red"), MapColor(css: "blue")])
        #expect(try Self.decoders.size(of: Array("P3 20 10".utf8)).description == "20x10")
    }

    @Test func `standard formats are still decoded beside an additional one`() throws {
        let bytes = try Fixture(name: "png-rgb-8bit.png").bytes()
        #expect(try Self.decoders.decode(bytes) == ImageDecoders.standard.decode(bytes))
    }

    @Test func `the first decoder that recognises a file decodes it`() throws {
        struct Black: ImageDecoder {
            let format = "black"
            func recognizes(_ head: [UInt8]) -> Bool { !head.isEmpty && head.count <= 1024 }
            func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
                try limits.size(width: 1, height: 1, format: format)
            }
            func decode(_ bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer {
                PixelBuffer(size: try size(of: bytes, limits: limits), filledWith: Pixel(.black))
            }
        }
        let decoders = ImageDecoders(Self.decoders.decoders + [Black()])
        #expect(try decoders.decode(Self.pixmap).width == 2)
        #expect(try decoders.decode([UInt8](repeating: 7, count: 5000)).width == 1)
    }

    @Test(arguments: [
        ("P3 20 10 255", ImageDecoders.Limits(maximumSide: 19), CodecError.Code.limitExceeded),
        ("P3 20 10 255", ImageDecoders.Limits(maximumByteCount: 11), .limitExceeded),
        ("P3 20 10 255", ImageDecoders.Limits(), .truncated),
        ("P3 0 10 255", ImageDecoders.Limits(), .corrupt),
    ])
    func `limits and errors apply to additional decoders`(
        _ text: String, _ limits: ImageDecoders.Limits, _ code: CodecError.Code
    ) {
        let error = #expect(throws: CodecError.self) { try Self.decoders.decode(Array(text.utf8), limits: limits) }
        #expect(error?.code == code)
        #expect(error?.format == "ppm")
    }

    @Test func `an image is recognised by a decoder or by a known signature`() {
        #expect(Self.decoders.recognizes(Self.pixmap))
        #expect(!ImageDecoders.standard.recognizes(Self.pixmap))
        #expect(ImageDecoders.standard.recognizes(Array("GIF89a".utf8)))
        #expect(!Self.decoders.recognizes(Array("No such layer".utf8)))
    }

    @Test(arguments: ImageDecoderTests.fixtures)
    func `an image larger than its target is reduced to the means of areas`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes(), decoders = ImageDecoders.standard
        let whole = try decoders.decode(bytes)
        let place = try #require(ImageSize(width: max(whole.width / 7, 1), height: max(whole.height / 7, 1)))
        let reduced = try decoders.decode(bytes, shownIn: place)
        guard let target = ImageReduction.target(for: whole.size, shownIn: place) else {
            #expect(reduced == whole)
            return
        }
        #expect(reduced.size == target)
        // libwebp shrinks brightness and chroma by themselves.
        #expect(Self.largestDifference(reduced, whole.reduced(to: target)) <= (fixture.ending == "webp" ? 12 : 0))
    }

    private static func largestDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
        zip(one.pixels, other.pixels).map { one, other -> Int in
            let one = Pixel(bits: one), other = Pixel(bits: other)
            return max(
                abs(Int(one.red) - Int(other.red)), abs(Int(one.green) - Int(other.green)),
                abs(Int(one.blue) - Int(other.blue)), abs(Int(one.alpha) - Int(other.alpha)))
        }.max() ?? 0
    }

    @Test func `a large JPEG is reduced by its own decoder, with nearly the same result`() throws {
        let size = try #require(ImageSize(width: 1040, height: 800))
        let waves = (0..<size.pixelCount).map { index -> UInt32 in
            let x = Double(index % size.width), y = Double(index / size.width)
            let red = UInt32(128 + 100 * cos(x / 40)), green = UInt32(128 + 100 * cos(y / 30)), blue = UInt32(x / 5)
            return 0xff00_0000 | blue << 16 | green << 8 | red
        }
        let picture = try #require(PixelBuffer(size: size, pixels: waves))
        let place = try #require(ImageSize(width: 60, height: 60))
        let reduced = try ImageDecoders.standard.decode(try JPEGEncoder.encode(picture), shownIn: place)
        #expect(reduced.size == ImageSize(width: 173, height: 133))
        #expect(Self.largestDifference(reduced, picture.reduced(to: reduced.size)) <= 4)
    }

    @Test(arguments: ImageDecoderTests.fixtures)
    func `a truncated image is an error even if it is reduced`(_ fixture: Fixture) throws {
        let bytes = Array(try fixture.bytes().prefix(try fixture.gifImageEnd() ?? .max))
        let place = try #require(ImageSize(width: 1, height: 1))
        for count in [bytes.count / 2, bytes.count - 20] {
            let error = #expect(throws: CodecError.self) {
                try ImageDecoders.standard.decode(Array(bytes.prefix(count)), shownIn: place)
            }
            #expect(error?.code == .truncated || error?.code == .corrupt)
        }
    }

    @Test func `a large image is reduced without memory for its full size`() throws {
        let size = try #require(ImageSize(width: 2000, height: 1500))
        let picture = PixelBuffer(size: size, filledWith: Pixel(.white))
        let place = try #require(ImageSize(width: 100, height: 100))
        // Less than a tenth of what its pixels take.
        let limits = ImageDecoders.Limits(maximumMemory: 1_000_000)
        var files = [try PNGEncoder.encode(picture), try JPEGEncoder.encode(picture)]
        #if Images
        files.append(try WebPEncoder.encode(picture, compression: .lossy(quality: 80)))
        #endif
        for bytes in files {
            #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes, limits: limits) }
            let reduced = try ImageDecoders.standard.decode(bytes, shownIn: place, limits: limits)
            #expect(reduced.pixels.allSatisfy { $0 == .max })
            #expect(reduced.width >= 200)
            #expect(reduced.height >= 200)
        }
    }
}

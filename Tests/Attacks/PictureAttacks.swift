import CAllocations
import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Testing

/// Pictures with false headers: the decoder reports the error without allocating the claimed memory, and a map of such
/// tiles reports that they are damaged.
@Suite struct PictureAttacks {
    struct Picture: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// The decoder's error, or `nil` if the readable part is drawn.
        let code: CodecError.Code?

        /// Pixels within the limits that the format gives room before it sees that they are not there.
        let pixels: Int

        init(_ name: String, _ bytes: [UInt8], _ code: CodecError.Code?, pixels: Int = 0) {
            testDescription = name
            self.pixels = pixels
            self.bytes = bytes
            self.code = code
        }
    }

    #if Images
    static let pictures = png + jpeg + webp + gif + others
    #else
    // WebP and GIF are refused by their first bytes.
    static let pictures =
        png + jpeg + others + (webp + gif).map { Picture($0.testDescription, $0.bytes, .notBuiltIn) }
    #endif

    @Test(arguments: pictures)
    func `decoding an image takes memory in proportion to its bytes and pixels`(picture: Picture) {
        let held = portolan_allocations_begin_here()
        let result = Result { try ImageDecoders.standard.decode(picture.bytes) }
        let peak = portolan_allocations_peak_here() - held
        switch result {
        case .success(let image):
            #expect(picture.code == nil, "\(image.width) × \(image.height)")
            #expect(peak < (1 << 20) + 16 * image.byteCount + 8 * picture.bytes.count)
        case .failure(let error):
            #expect((error as? CodecError)?.code == picture.code, "\(error)")
            #expect(peak < (2 << 20) + 8 * picture.bytes.count + 5 * picture.pixels, "\(peak) bytes")
        }
    }

    @Test(arguments: pictures.filter { $0.code != nil })
    func `a tile with a damaged image is reported as missing`(picture: Picture) async throws {
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: picture.bytes, url: request.url, network: .global)
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        let template = try XYZTemplate("http://maps.example/{z}/{x}/{y}.png")
        let layer = MapLayer(
            name: "tiles", source: TileSource(grid: try #require(.webMercator()), address: .xyz(template)))
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 0, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
        let report: RenderReport?
        do {
            report = try await MapRenderer(configuration: configuration, transport: transport)
                .render([layer], in: view).report
        } catch { report = error.report }
        // What begins like no picture may be the service's words.
        let codes = report?.layers.flatMap(\.failed).map(\.code)
        #expect(
            codes == [.damaged] || picture.code == .unsupported && codes == [.exception], "\(String(describing: codes))"
        )
    }

    // MARK: PNG

    private static func big(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * (count - 1 - $0))) }
    }

    private static func little(_ value: UInt32, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    /// The check sum of PNG (ISO 15948, annex D).
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }

    private static func chunk(_ name: String, _ data: [UInt8], length: UInt32? = nil) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(length ?? UInt32(data.count)) + body + big(crc(body))
    }

    private static func header(
        _ width: UInt32, _ height: UInt32, depth: UInt8 = 8, colors: UInt8 = 6, interlace: UInt8 = 0
    ) -> [UInt8] {
        chunk("IHDR", big(width) + big(height) + [depth, colors, 0, 0, interlace])
    }

    /// Bytes in blocks of zlib that are stored.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let pieces = stride(from: 0, to: max(bytes.count, 1), by: 65_535).map {
            bytes[$0..<min($0 + 65_535, bytes.count)]
        }
        let blocks = pieces.enumerated().flatMap { index, piece in
            [index == pieces.count - 1 ? 1 : 0] + little(UInt32(piece.count), 2)
                + little(~UInt32(piece.count) & 0xFFFF, 2)
                + piece
        }
        let sums = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let a = (sums.0 + UInt32(byte)) % 65_521
            return (a, (sums.1 + a) % 65_521)
        }
        return [0x78, 1] + blocks + big(sums.1 << 16 | sums.0)
    }

    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let pixel = chunk("IDAT", stored([0, 1, 2, 3, 255])), end = chunk("IEND", [])

    private static let png = [
        Picture("PNG of 65,536 × 65,536", mark + header(65_536, 65_536) + pixel + end, .limitExceeded),
        Picture("PNG as wide as numbers go", mark + header(0x7FFF_FFFF, 1) + pixel + end, .limitExceeded),
        Picture("PNG as large as numbers go", mark + header(0x7FFF_FFFF, 0x7FFF_FFFF) + pixel + end, .limitExceeded),
        Picture("PNG of more than numbers go", mark + header(0xFFFF_FFFF, 1) + pixel + end, .corrupt),
        Picture("PNG of no pixels", mark + header(0, 1) + pixel + end, .corrupt),
        Picture("PNG of 8192 × 8192 in a few bytes", mark + header(8192, 8192) + pixel + end, .truncated),
        Picture("PNG one pixel beyond a side", mark + header(65_537, 1) + pixel + end, .limitExceeded),
        Picture("PNG's first bytes alone", mark, .truncated),
        Picture("PNG with a header alone", mark + header(9, 9), .truncated),
        Picture("PNG that begins with its end", mark + end, .corrupt),
        Picture("PNG that begins with pixels", mark + pixel + header(1, 1) + end, .corrupt),
        Picture("PNG of three bits", mark + header(1, 1, depth: 3) + pixel + end, .corrupt),
        Picture("PNG of colours of no kind", mark + header(1, 1, colors: 5) + pixel + end, .corrupt),
        Picture("PNG with lines of no order", mark + header(1, 1, interlace: 9) + pixel + end, .corrupt),
        Picture(
            "PNG without a palette", mark + header(1, 1, colors: 3) + chunk("IDAT", stored([0, 9])) + end, .corrupt),
        Picture("PNG with two headers", mark + header(1, 1) + header(2, 2) + pixel + end, .corrupt),
        Picture(
            "PNG with a chunk beyond numbers", mark + header(1, 1) + chunk("IDAT", [0], length: 0xFFFF_FFFF), .corrupt),
        Picture(
            "PNG with a chunk beyond the file", mark + header(1, 1) + chunk("IDAT", [0], length: 0x7FFF_FFF0),
            .truncated),
        Picture("PNG without pixels", mark + header(1, 1) + end, .corrupt),
        Picture("PNG whose pixels are no zlib", mark + header(1, 1) + chunk("IDAT", [1, 2, 3, 4, 5]) + end, .corrupt),
        Picture(
            "PNG with a filter of no kind", mark + header(1, 1) + chunk("IDAT", stored([9, 1, 2, 3, 4])) + end, .corrupt
        ),
        Picture("PNG with a line too few", mark + header(1, 2) + pixel + end, .corrupt),
        Picture(
            "PNG with a megabyte too many",
            mark + header(1, 1) + chunk("IDAT", stored([UInt8](repeating: 0, count: 1 << 20))) + end, .corrupt),
        Picture(
            "PNG with 20,000 texts",
            mark + header(1, 1) + (0..<20_000).flatMap { _ in chunk("tEXt", [65, 0, 66]) } + pixel + end, nil),
    ]

    // MARK: JPEG

    private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(UInt32(data.count + 2), 2) + data
    }

    private static func frame(_ width: UInt32, _ height: UInt32, marker: UInt8 = 0xC0, parts: UInt8 = 1) -> [UInt8] {
        segment(marker, [8] + big(height, 2) + big(width, 2) + [parts] + (1...max(parts, 1)).flatMap { [$0, 0x11, 0] })
    }

    private static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0])

    private static let jpeg = [
        Picture("JPEG's first bytes alone", [0xFF, 0xD8, 0xFF], .truncated),
        Picture(
            "JPEG of 65,500 × 65,500", [0xFF, 0xD8] + frame(65_500, 65_500) + scan + [0, 0xFF, 0xD9], .limitExceeded),
        Picture("JPEG of no height", [0xFF, 0xD8] + frame(9, 0) + scan + [0, 0xFF, 0xD9], .corrupt),
        Picture("JPEG without a frame", [0xFF, 0xD8] + scan + [0, 0xFF, 0xD9], .corrupt),
        Picture("JPEG without tables", [0xFF, 0xD8] + frame(9, 9) + scan + [0, 0xFF, 0xD9], .corrupt),
        Picture("JPEG of ten components", [0xFF, 0xD8] + frame(9, 9, parts: 10) + scan + [0xFF, 0xD9], .unsupported),
        Picture("JPEG with two frames", [0xFF, 0xD8] + frame(9, 9) + frame(8, 8) + scan + [0xFF, 0xD9], .corrupt),
        Picture("JPEG that is arithmetic", [0xFF, 0xD8] + frame(9, 9, marker: 0xC9) + scan + [0xFF, 0xD9], .corrupt),
        Picture(
            "JPEG that is hierarchical", [0xFF, 0xD8] + frame(9, 9, marker: 0xC5) + scan + [0xFF, 0xD9], .unsupported),
        Picture("JPEG with a segment of no length", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xD9], .corrupt),
        Picture("JPEG of a megabyte of fill", [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 1 << 20), .truncated),
        Picture(
            "JPEG of a thousand comments", [0xFF, 0xD8] + (0..<1000).flatMap { _ in segment(0xFE, [65, 66]) },
            .truncated),
        Picture(
            "JPEG with a table that is overfull",
            [0xFF, 0xD8] + segment(0xC4, [0] + [UInt8](repeating: 255, count: 16)) + [0xFF, 0xD9], .corrupt),
    ]

    // MARK: WebP

    private static func riff(_ chunks: [UInt8], size: UInt32? = nil) -> [UInt8] {
        Array("RIFF".utf8) + little(size ?? UInt32(chunks.count + 4), 4) + Array("WEBP".utf8) + chunks
    }

    private static func part(_ name: String, _ data: [UInt8], size: UInt32? = nil) -> [UInt8] {
        Array(name.utf8) + little(size ?? UInt32(data.count), 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func canvas(_ width: UInt32, _ height: UInt32, flags: UInt8 = 0) -> [UInt8] {
        part("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    /// The head of a picture without loss, of 14 bits a side.
    private static func lossless(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        part("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4) + [0])
    }

    private static let webp = [
        Picture("WebP's first bytes alone", riff([]), .corrupt),
        Picture("WebP with a size beyond the file", riff(lossless(1, 1), size: 0xFFFF_FFF0), .truncated),
        Picture("WebP of 16,384 × 16,384", riff(lossless(16_384, 16_384)), .limitExceeded),
        Picture("WebP of a canvas of 2²⁴ a side", riff(canvas(1 << 24, 1 << 24) + lossless(1, 1)), .corrupt),
        Picture("WebP of a canvas of 65,000 × 65,000", riff(canvas(65_000, 65_000) + lossless(1, 1)), .corrupt),
        Picture("WebP of 8000 × 8000 in a few bytes", riff(lossless(8000, 8000)), .corrupt, pixels: 8000 * 8000),
        Picture("WebP without a picture", riff(canvas(9, 9)), .truncated),
        Picture("WebP with a chunk beyond the file", riff(part("VP8L", [0x2F], size: 0x7FFF_FFFF)), .corrupt),
        Picture("WebP of opacity alone", riff(canvas(9, 9, flags: 0x10) + part("ALPH", [0, 1, 2])), .truncated),
        Picture(
            "WebP of an animation without frames", riff(canvas(9, 9, flags: 2) + part("ANIM", [0, 0, 0, 0, 0, 0])),
            .corrupt),
    ]

    // MARK: GIF

    private static func screen(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    }

    private static func image(
        _ width: UInt32, _ height: UInt32, codeSize: UInt8 = 2, data: [UInt8] = [2, 0x44, 0x01, 0]
    ) -> [UInt8] {
        [0x2C, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [0, codeSize] + data
    }

    private static let gif = [
        Picture("GIF's first bytes alone", Array("GIF89a".utf8), .truncated),
        Picture("GIF of 65,535 × 65,535", screen(65_535, 65_535) + image(65_535, 65_535) + [0x3B], .limitExceeded),
        Picture("GIF of 8000 × 8000 in a few bytes", screen(8000, 8000) + image(8000, 8000) + [0x3B], .truncated),
        Picture("GIF of no width", screen(0, 9) + image(0, 9) + [0x3B], .corrupt),
        Picture("GIF without an image", screen(1, 1) + [0x3B], .corrupt),
        Picture("GIF with codes of no size", screen(1, 1) + image(1, 1, codeSize: 255) + [0x3B], .corrupt),
        Picture("GIF that ends in a block", screen(9, 9) + image(9, 9, data: [255, 1, 2]), .truncated),
        Picture(
            "GIF of 100,000 extensions",
            screen(1, 1) + (0..<100_000).flatMap { _ in [0x21, 0xFE, 1, 65, 0] as [UInt8] }, .truncated),
        Picture("GIF of a block of no kind", screen(1, 1) + [0x99, 0x3B], .corrupt),
    ]

    private static let others = [
        Picture("nothing but zero bytes", [UInt8](repeating: 0, count: 1 << 20), .unsupported),
        Picture("a page in place of a picture", Array("<!DOCTYPE html><html></html>".utf8), .unsupported),
        Picture("TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], .unsupported),
        Picture("an icon of Windows", [0, 0, 1, 0, 1, 0], .unsupported),
        Picture("gzip", [0x1F, 0x8B, 8, 0], .unsupported),
        Picture("a picture of vectors", Array("<svg/>".utf8), .unsupported),
    ]
}

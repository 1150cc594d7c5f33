import PortolanCodecs
import PortolanRaster
import Testing

@Suite struct HostilePNGTests {
    struct Size: CustomTestStringConvertible, Sendable {
        let width: UInt32
        let height: UInt32
        let code: CodecError.Code
        var testDescription: String { "\(width)x\(height)" }
    }

    @Test(arguments: [
        Size(width: 0, height: 5, code: .corrupt),
        Size(width: 5, height: 0, code: .corrupt),
        Size(width: 60000, height: 60000, code: .limitExceeded),
        Size(width: 1 << 20, height: 1, code: .limitExceeded),
        Size(width: 0x7fff_ffff, height: 0x7fff_ffff, code: .limitExceeded),
        Size(width: 0x8000_0000, height: 1, code: .corrupt),
        Size(width: .max, height: .max, code: .corrupt),
        Size(width: 8192, height: 8192, code: .truncated),
    ])
    func `an invalid size is rejected without being allocated`(_ size: Size) {
        let data = PNGFile.Chunk(kind: "IDAT", data: PNGFile.endlessZeros(100))
        let file = PNGFile(width: size.width, height: size.height, chunks: [data])
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(file.bytes) }
        #expect(error?.code == size.code)
    }

    @Test func `an invalid header is reported with its cause`() {
        let file = PNGFile(width: 0, height: 5, chunks: [.init(kind: "IDAT", data: [])])
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(file.bytes) }
        #expect(error?.detail == "Invalid IHDR data: Image width is zero in IHDR")
        #expect(error?.byteOffset == 33)
    }

    @Test(arguments: [UInt32(1_000_000), 0x7fff_ffff, 0xffff_ffff])
    func `a chunk longer than the file is an error`(_ length: UInt32) throws {
        for kind in ["IDAT", "tEXt", "iCCP", "PLTE", "zzZz"] {
            let file = PNGFile(width: 2, height: 2, chunks: [])
            let head = Array(file.bytes.prefix(33))
            let bytes = head + PNGFile.bigEndian(length) + Array(kind.utf8) + [UInt8](repeating: 7, count: 50)
            #expect(throws: CodecError.self, "\(kind)") { try ImageDecoders.standard.decode(bytes) }
        }
    }

    @Test(arguments: [false, true], [(1, 1), (1, 2), (2, 1), (9, 5), (5, 9), (200, 8)])
    func `a decompression bomb after the last row is rejected`(_ isInterlaced: Bool, _ size: (UInt32, UInt32)) {
        let bomb = PNGFile.Chunk(kind: "IDAT", data: PNGFile.endlessZeros(30_000_000))
        var file = PNGFile(width: size.0, height: size.1, chunks: [bomb])
        file.chunks[0].data[12] = isInterlaced ? 1 : 0
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(file.bytes) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail == "image data goes on far behind the last row")
        #expect((error?.byteOffset ?? .max) < 100_000)
    }

    @Test func `a decompression bomb in a text chunk is not inflated`() throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 3, height: 2)), filledWith: Pixel(.black))
        var file = PNGFile(try PNGEncoder.encode(image))
        let text = Array("Comment".utf8) + [0, 0] + PNGFile.endlessZeros(20_000_000)
        file.chunks.insert(.init(kind: "zTXt", data: text), at: 1)
        #expect(try ImageDecoders.standard.decode(file.bytes) == image)
    }

    @Test func `a decompression bomb in a colour profile is ignored`() throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 3, height: 2)), filledWith: Pixel(.black))
        var file = PNGFile(try PNGEncoder.encode(image))
        file.chunks.insert(
            .init(kind: "iCCP", data: Array("bomb".utf8) + [0, 0] + PNGFile.endlessZeros(20_000_000)), at: 1)
        #expect(try ImageDecoders.standard.decode(file.bytes) == image)
    }

    @Test func `a file without image data is an error`() {
        let error = #expect(throws: CodecError.self) {
            try ImageDecoders.standard.decode(PNGFile(width: 2, height: 2, chunks: []).bytes)
        }
        #expect(error?.code == .corrupt)
    }

    @Test func `image data that is too short is an error`() {
        let file = PNGFile(width: 100, height: 100, chunks: [.init(kind: "IDAT", data: PNGFile.endlessZeros(5000))])
        #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(file.bytes) }
    }

    @Test(arguments: [UInt32(0), 1, 9999, 0x7fff_ffff, .max])
    func `an image with any gamma is decoded`(_ gamma: UInt32) throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 3, height: 2)), filledWith: Pixel(.white))
        var file = PNGFile(try PNGEncoder.encode(image))
        file.chunks.insert(.init(kind: "gAMA", data: PNGFile.bigEndian(gamma)), at: 1)
        #expect(try ImageDecoders.standard.decode(file.bytes) == image)
    }

    @Test(arguments: [
        [UInt32](repeating: 0, count: 8), [UInt32](repeating: 33333, count: 8),
        [31270, 32900, 64000, 33000, 30000, 60000, 30000, 60000],
    ])
    func `degenerate primaries are ignored`(_ values: [UInt32]) throws {
        let orange = Pixel(MapColor(red: 250, green: 120, blue: 10))
        let image = PixelBuffer(size: try #require(ImageSize(width: 3, height: 2)), filledWith: orange)
        var file = PNGFile(try PNGEncoder.encode(image))
        file.chunks.insert(.init(kind: "cHRM", data: values.flatMap { PNGFile.bigEndian($0) }), at: 1)
        file.chunks.insert(.init(kind: "gAMA", data: PNGFile.bigEndian(45455)), at: 1)
        #expect(try ImageDecoders.standard.decode(file.bytes) == image)
    }

    /// Two pixels of 8 bits, or eight of 1 bit, with their indices in a block of deflate that is stored as it is.
    private static func palette(_ indices: [UInt8], colors: Int, depth: UInt8, isInterlaced: Bool) -> PNGFile {
        let row: [UInt8] = [0] + indices
        let length = UInt8(row.count)
        var low: UInt32 = 1, high: UInt32 = 0
        for byte in row {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let data: [UInt8] = [0x78, 0x01, 1, length, 0, ~length, 0xff] + row + PNGFile.bigEndian(high << 16 | low)
        let width: UInt32 = depth == 8 ? UInt32(indices.count) : 8
        let header = PNGFile.bigEndian(width) + PNGFile.bigEndian(1) + [depth, 3, 0, 0, isInterlaced ? 1 : 0]
        return PNGFile(chunks: [
            .init(kind: "IHDR", data: header),
            .init(kind: "PLTE", data: (0..<colors * 3).map { UInt8(10 * $0 + 5) }),
            .init(kind: "tRNS", data: [128]), .init(kind: "IDAT", data: data), .init(kind: "IEND", data: []),
        ])
    }

    @Test func `a colour index outside the palette is an error`() throws {
        let sound = Self.palette([0, 1, 2], colors: 3, depth: 8, isInterlaced: false)
        let picture = try ImageDecoders.standard.decode(sound.bytes)
        #expect(picture[1, 0].color == MapColor(red: 35, green: 45, blue: 55))
        #expect(picture[0, 0].alpha == 128)
        let bits = Self.palette([0b1010_0000], colors: 2, depth: 1, isInterlaced: false)
        #expect(try ImageDecoders.standard.decode(bits.bytes)[2, 0].color == MapColor(red: 35, green: 45, blue: 55))
        for file in [
            Self.palette([0, 3, 2], colors: 3, depth: 8, isInterlaced: false),
            Self.palette([0, 255], colors: 3, depth: 8, isInterlaced: false),
            Self.palette([0b1010_0000], colors: 1, depth: 1, isInterlaced: false),
            Self.palette([9], colors: 3, depth: 8, isInterlaced: true),
        ] {
            let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(file.bytes) }
            #expect(error?.code == .corrupt)
            #expect(error?.detail.contains("palette") == true)
        }
    }
}

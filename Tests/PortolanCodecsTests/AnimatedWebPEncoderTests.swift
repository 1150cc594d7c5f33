#if Images && os(Linux)
import PortolanCodecs
import PortolanRaster
import Testing

@Suite struct AnimatedWebPEncoderTests {
    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }

    private static func chunks(_ bytes: [UInt8]) -> [(name: String, data: [UInt8])] {
        var chunks: [(String, [UInt8])] = [], at = 12
        while at + 8 <= bytes.count {
            let size = number(bytes, at + 4, 4)
            chunks.append((String(decoding: bytes[at..<at + 4], as: UTF8.self), Array(bytes[at + 8..<at + 8 + size])))
            at += 8 + size + size % 2
        }
        return chunks
    }

    @Test func `each picture is exact, at even positions, over or in place of the previous one`() throws {
        var picture = PixelBuffer(
            size: try #require(ImageSize(width: 21, height: 10)),
            filledWith: Pixel(MapColor(red: 9, green: 99, blue: 200)))
        var animation = AnimatedWebPEncoder(playCount: 2), pictures = [picture]
        try animation.add(picture, for: .milliseconds(100))
        picture[5, 3] = Pixel(.black)
        picture[20, 7] = Pixel(MapColor(red: 250, green: 3, blue: 77))
        pictures.append(picture)
        try animation.add(picture, for: .milliseconds(40))
        try animation.add(picture, for: .milliseconds(40))
        picture[8, 1] = .clear
        pictures.append(picture)
        try animation.add(picture, for: .milliseconds(50))
        let bytes = try animation.finish(), chunks = Self.chunks(bytes)
        #expect(chunks.map(\.name) == ["VP8X", "ANIM", "ANMF", "ANMF", "ANMF"])
        #expect(Self.number(bytes, 4, 4) == bytes.count - 8)
        #expect(Self.number(chunks[0].data, 4, 3) == 20 && Self.number(chunks[0].data, 7, 3) == 9)
        #expect(Self.number(chunks[1].data, 4, 2) == 2)
        var shown = PixelBuffer(size: picture.size)
        for (chunk, expected) in zip(chunks.dropFirst(2), pictures) {
            let x = 2 * Self.number(chunk.data, 0, 3), y = 2 * Self.number(chunk.data, 3, 3)
            let body = Array(chunk.data.dropFirst(16))
            let file =
                Array("RIFF".utf8) + (0..<4).map { UInt8((body.count + 4) >> (8 * $0) & 255) } + "WEBP".utf8 + body
            let part = try ImageDecoders.standard.decode(file), isOver = chunk.data[15] & 2 == 0
            #expect(part.width == 1 + Self.number(chunk.data, 6, 3) && part.height == 1 + Self.number(chunk.data, 9, 3))
            for row in 0..<part.height {
                for column in 0..<part.width where !isOver || part[column, row] != .clear {
                    shown[x + column, y + row] = part[column, row]
                }
            }
            #expect(shown == expected)
        }
        #expect(chunks.dropFirst(2).map { Self.number($0.data, 12, 3) } == [100, 80, 50])
        #expect(chunks.dropFirst(2).map { $0.data[15] } == [2, 0, 2])
    }

    @Test func `frames of another size and animations without frames are rejected`() throws {
        var animation = AnimatedWebPEncoder()
        #expect(throws: CodecError.self) { try animation.finish() }
        try animation.add(PixelBuffer(size: try #require(ImageSize(width: 4, height: 4))), for: .milliseconds(1))
        #expect(throws: CodecError.self) {
            try animation.add(PixelBuffer(size: try #require(ImageSize(width: 5, height: 4))), for: .milliseconds(1))
        }
    }
}
#endif

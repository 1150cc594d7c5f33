import PortolanCodecs
import PortolanRaster
import Testing

@Suite struct AnimatedPNGEncoderTests {
    /// The chunks of a PNG: their names and data.
    private static func chunks(_ bytes: [UInt8]) -> [(name: String, data: [UInt8])] {
        var chunks: [(String, [UInt8])] = [], place = 8
        while place + 12 <= bytes.count {
            let count = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
            chunks.append((name, Array(bytes[(place + 8)..<(place + 8 + count)])))
            place += 12 + count
        }
        return chunks
    }

    private static func number(_ data: [UInt8], at place: Int) -> Int {
        data[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func picture(_ width: Int = 20, _ height: Int = 10) throws -> PixelBuffer {
        PixelBuffer(size: try #require(ImageSize(width: width, height: height)), filledWith: Pixel(.white))
    }

    @Test func `only differences are stored, and equal frames extend the previous one`() throws {
        var animation = AnimatedPNGEncoder(playCount: 3), picture = try Self.picture()
        try animation.add(picture, for: .milliseconds(100))
        picture[3, 4] = Pixel(.black)
        picture[8, 6] = Pixel(.black)
        try animation.add(picture, for: .milliseconds(50))
        try animation.add(picture, for: .milliseconds(20))
        picture[19, 9] = .clear
        try animation.add(picture, for: .seconds(1))
        let bytes = try animation.finish(), chunks = Self.chunks(bytes)
        #expect(chunks.map(\.name) == ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
        #expect(Self.number(chunks[1].data, at: 0) == 3)
        #expect(Self.number(chunks[1].data, at: 4) == 3)
        let controls = chunks.filter { $0.name == "fcTL" }.map { chunk in
            (0..<5).map { Self.number(chunk.data, at: 4 * $0) } + [Int(chunk.data[20]) << 8 | Int(chunk.data[21])]
                + [Int(chunk.data[25])]
        }
        // Number, width, height, x, y, milliseconds, and whether it is laid over: what is clear cannot be.
        #expect(controls == [[0, 20, 10, 0, 0, 100, 0], [1, 6, 3, 3, 4, 70, 1], [3, 1, 1, 19, 9, 1000, 0]])
        #expect(chunks.filter { $0.name == "fdAT" }.map { Self.number($0.data, at: 0) } == [2, 4])
        // Programs without animation support show the first picture.
        #expect(try ImageDecoders.standard.decode(bytes) == Self.picture())
    }

    @Test func `frames of another size and animations without frames are rejected`() throws {
        var animation = AnimatedPNGEncoder()
        #expect(throws: CodecError.self) { try animation.finish() }
        try animation.add(Self.picture(), for: .milliseconds(1))
        let error = #expect(throws: CodecError.self) { try animation.add(Self.picture(21, 10), for: .milliseconds(1)) }
        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains("21 x 10") == true)
    }
}

/// A PNG file as its chunks, to make files that no encoder writes.
struct PNGFile {
    struct Chunk: Equatable {
        var kind: String
        var data: [UInt8]
    }

    var chunks: [Chunk]

    init(chunks: [Chunk]) { self.chunks = chunks }

    /// An RGBA file of 8 bits.
    init(width: UInt32, height: UInt32, chunks: [Chunk]) {
        let size = Self.bigEndian(width) + Self.bigEndian(height)
        self.chunks = [Chunk(kind: "IHDR", data: size + [8, 6, 0, 0, 0])] + chunks + [Chunk(kind: "IEND", data: [])]
    }

    /// The chunks of a sound file.
    init(_ bytes: [UInt8]) {
        chunks = []
        var index = 8
        while index + 12 <= bytes.count {
            let length = bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
            let kind = String(decoding: bytes[(index + 4)..<(index + 8)], as: UTF8.self)
            chunks.append(Chunk(kind: kind, data: Array(bytes[(index + 8)..<(index + 8 + length)])))
            index += 12 + length
        }
    }

    /// The file with lengths and checksums that are right.
    var bytes: [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunks.flatMap { chunk in
                let body = Array(chunk.kind.utf8) + chunk.data
                return Self.bigEndian(UInt32(chunk.data.count)) + body + Self.bigEndian(Self.checksum(body))
            }
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// CRC-32 as in the PNG specification, annex D.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xff)] ^ (crc >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }

    /// A zlib stream of at least `count` zero bytes, 158 times shorter; it has no end and no checksum.
    static func endlessZeros(_ count: Int) -> [UInt8] {
        // Fixed codes, RFC 1951 clause 3.2.6: literal 0, then length 258 (11000101) at distance 1 (00000) repeated.
        let repeated = "1100010100000"
        let first = packed("110" + "00110000" + String(repeating: repeated, count: 9))
        // 11 bits and nine times 13 fill whole bytes, and so do eight times 13.
        let block = packed(String(repeating: repeated, count: 8))
        return [0x78, 0x9c] + first + [[UInt8]](repeating: block, count: count / (258 * 8) + 1).joined()
    }

    /// Bits in the order of deflate, the lowest of each byte first.
    private static func packed(_ bits: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: bits.utf8.count / 8)
        for (index, bit) in bits.utf8.enumerated() where bit == 0x31 { bytes[index / 8] |= 1 << (index % 8) }
        return bytes
    }
}

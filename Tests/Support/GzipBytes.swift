import PortolanZip

/// Writes compressed streams with stored content.
package enum GzipBytes {
    /// A gzip stream with a name.
    package static func stored(_ content: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255, 0x61, 0]
        let trailer = word(CRC32.checksum(of: content[...])) + word(UInt32(truncatingIfNeeded: content.count))
        return header + blocks(content) + trailer
    }

    /// A zlib stream.
    package static func zlib(_ content: [UInt8]) -> [UInt8] {
        var a: UInt32 = 1, b: UInt32 = 0
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return [0x78, 0x9C] + blocks(content) + word(b << 16 | a).reversed()
    }

    /// A gzip stream of zeros, some thousand of which take a byte.
    package static let zeros: (bytes: [UInt8], count: Int) = {
        // A dynamic block would be smaller; fixed codes repeat 258 zeros in 13 bits, of which 8 fill 13 bytes.
        let count = 1 + 258 * 8 * 500
        // The block's header and a zero, then 4,000 times the length 258 at the distance 1, then the end.
        var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<(8 * 500) { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [0, 0, 0, 0, 0, 0, 0]
        var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() { bytes[index / 8] |= bit << UInt8(index % 8) }
        let checksum = CRC32.checksum(of: [UInt8](repeating: 0, count: count)[...])
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        return (header + bytes + word(checksum) + word(UInt32(count)), count)
    }()

    private static func blocks(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [], rest = content[...]
        repeat {
            let block = rest.prefix(60_000)
            rest = rest.dropFirst(60_000)
            bytes.append(rest.isEmpty ? 1 : 0)
            for word in [UInt16(block.count), ~UInt16(block.count)] {
                bytes.append(UInt8(word & 0xFF))
                bytes.append(UInt8(word >> 8))
            }
            bytes += block
        } while !rest.isEmpty
        return bytes
    }

    private static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
}

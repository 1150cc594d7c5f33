/// The parts of a PNG file (PNG third edition, clause 5.3).
enum PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Where the chunks are, each with its length, type and checksum, as far as they can be followed.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = signature.count
        while place + 12 <= bytes.count {
            let length = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - place - 12 else { break }
            found.append(place..<(place + 12 + length))
            place += 12 + length
        }
        return found
    }

    /// The file with checksums that are right.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for chunk in ranges(in: bytes) {
            write(
                checksum(bytes[(chunk.lowerBound + 4)..<(chunk.upperBound - 4)]), into: &bytes, at: chunk.upperBound - 4
            )
        }
        return bytes
    }

    /// A chunk.
    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4) + Array(type.utf8.prefix(4)) + data + [0, 0, 0, 0]
        write(UInt32(data.count), into: &bytes, at: 0)
        write(checksum(bytes[4..<(bytes.count - 4)]), into: &bytes, at: bytes.count - 4)
        return bytes
    }

    /// Data as a zlib stream that does not compress them (RFC 1950 and 1951, 3.2.4).
    static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var place = 0
        repeat {
            let piece = data[place..<min(place + 65535, data.count)]
            place += piece.count
            let low = UInt8(piece.count & 255), high = UInt8(piece.count >> 8)
            stream += [place == data.count ? 1 : 0, low, high, ~low, ~high]
            stream += piece
        } while place < data.count
        var first: UInt32 = 1, second: UInt32 = 0
        for byte in data {
            first = (first + UInt32(byte)) % 65521
            second = (second + first) % 65521
        }
        return stream + [UInt8(second >> 8), UInt8(second & 255), UInt8(first >> 8), UInt8(first & 255)]
    }

    private static func write(_ value: UInt32, into bytes: inout [UInt8], at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

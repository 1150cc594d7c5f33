/// A decoder of LZW with codes from the highest bit on (TIFF 6.0, section 13).
enum LZWDecoder {
    /// The position in the block and the reason of a failure.
    struct Failure: Error {
        let offset: Int
        let reason: String
    }

    private static let clear = 256, end = 257, first = 258, tableSize = 4096

    /// Returns the bytes of a block, at most `limit`.
    static func decode(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        // Of each code: the code of all but its last byte, the last byte, and the length.
        var prefixes = [Int](repeating: 0, count: tableSize), lasts = [UInt8](repeating: 0, count: tableSize)
        var lengths = [Int](repeating: 1, count: tableSize)
        for code in 0..<256 { lasts[code] = UInt8(code) }
        var result: [UInt8] = []
        result.reserveCapacity(limit)
        var next = first, width = 9, bits: UInt32 = 0, bitCount = 0, previous: Int?
        for (offset, byte) in bytes.enumerated() {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            guard bitCount >= width else { continue }
            bitCount -= width
            let code = Int(bits >> UInt32(bitCount) & (1 << UInt32(width) - 1))
            if code == end || result.count >= limit { break }
            if code == clear {
                (next, width, previous) = (first, 9, nil)
                continue
            }
            guard code < next || code == next && previous != nil else {
                throw Failure(offset: offset, reason: "a code of LZW before its definition")
            }
            let start = result.count
            if let previous, next < tableSize {
                // The first byte of the code follows the previous one; of a code that is being defined it is that of itself.
                var root = code == next ? previous : code
                while lengths[root] > 1 { root = prefixes[root] }
                prefixes[next] = previous
                lasts[next] = lasts[root]
                lengths[next] = lengths[previous] + 1
                next += 1
            } else if code >= next {
                throw Failure(offset: offset, reason: "more codes of LZW than a table has")
            }
            let count = lengths[code]
            result.append(contentsOf: repeatElement(0, count: count))
            var rest = code
            for index in (start..<(start + count)).reversed() {
                result[index] = lasts[rest]
                rest = prefixes[rest]
            }
            previous = code
            // The code is one longer as soon as the table has all but one of its width.
            if next + 1 >= 1 << width, width < 12 { width += 1 }
        }
        return result
    }
}

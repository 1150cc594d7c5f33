/// Decompresses Snappy blocks.
///
/// Source: google/snappy, `format_description.txt`.
enum SnappyDecoder {
    /// Returns the content of a block, which must have a known length.
    static func content(of block: [UInt8], byteCount: Int) throws(ParquetFault) -> [UInt8] {
        let broken = ParquetFault.malformed("a Snappy block is damaged")
        let input = block.span
        var place = 0, stated = 0, shift = 0
        while true {
            guard place < input.count, shift <= 28 else { throw broken }
            stated |= Int(input[place] & 0x7F) << shift
            place += 1
            shift += 7
            if input[place - 1] < 0x80 { break }
        }
        // An element of three bytes makes at most 64.
        guard stated == byteCount, byteCount / 64 <= block.count else { throw broken }
        var output: [UInt8] = []
        output.reserveCapacity(byteCount)
        while place < input.count {
            let tag = Int(input[place])
            place += 1
            var count = tag >> 2 + 1
            let offset: Int, width: Int
            switch tag & 3 {
            case 0:
                width = max(count - 60, 0)
                guard width <= input.count - place else { throw broken }
                if width > 0 {
                    count = (0..<width).reduce(0) { $0 | Int(input[place + $1]) << (8 * $1) } + 1
                    place += width
                }
                guard count <= input.count - place, count <= byteCount - output.count else { throw broken }
                output.append(contentsOf: block[place..<place + count])
                place += count
                continue
            case 1:
                guard place < input.count else { throw broken }
                count = (tag >> 2 & 7) + 4
                offset = (tag >> 5) << 8 | Int(input[place])
                width = 1
            case 2: (offset, width) = (Self.number(input, place, 2), 2)
            default: (offset, width) = (Self.number(input, place, 4), 4)
            }
            place += width
            let start = output.count - offset
            guard place <= input.count, offset > 0, start >= 0, count <= byteCount - output.count else { throw broken }
            // A copy may overlap with what it appends.
            if offset >= count {
                output.append(contentsOf: output[start..<start + count])
            } else {
                for index in start..<start + count { output.append(output[index]) }
            }
        }
        guard output.count == byteCount else { throw broken }
        return output
    }

    /// Returns a little-endian number, or 0 at the end of the input.
    private static func number(_ input: Span<UInt8>, _ place: Int, _ width: Int) -> Int {
        guard width <= input.count - place else { return 0 }
        return (0..<width).reduce(0) { $0 | Int(input[place + $1]) << (8 * $1) }
    }
}

/// Decodes FastPFOR with blocks of 256 numbers of 32 bits, and the variable bytes of the numbers that do not fill a block.
///
/// The format is described by Lemire and Boytsov, *Decoding billions of integers per second through vectorization* (2012), and
/// defined by their programs. A page of up to 65,536 numbers begins with the offset of its description, then has the packed
/// blocks. The description has for each block the bits of a number and the exceptions, which need more bits; their upper bits
/// follow, packed by width.
enum MLTFastPFOR {
    private static let blockSize = 256
    private static let pageSize = 65_536

    static func decode(_ bytes: [UInt8], _ stream: MLTStream) throws(VectorTileError) -> [UInt32] {
        guard stream.count > 0 else { return [] }
        guard stream.range.count.isMultiple(of: 4), !stream.range.isEmpty,
            let values = decode(words(bytes, stream.range), count: stream.count)
        else { throw VectorTileError(.malformed, offset: stream.range.lowerBound, "invalid FastPFOR content") }
        return values
    }

    private static func words(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt32] {
        stride(from: range.lowerBound, to: range.upperBound, by: 4).map { start in
            (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + $1]) }
        }
    }

    /// The numbers; `nil` if the words are invalid.
    static func decode(_ words: [UInt32], count: Int) -> [UInt32]? {
        guard let first = words.first else { return count == 0 ? [] : nil }
        let packedCount = Int(first)
        guard packedCount <= count, packedCount.isMultiple(of: blockSize) else { return nil }
        var output: [UInt32] = []
        output.reserveCapacity(count)
        var position = 1
        while output.count < packedCount {
            let pageCount = min(pageSize, packedCount - output.count)
            guard let next = decodePage(words, at: position, count: pageCount, into: &output) else { return nil }
            position = next
        }
        return decodeRest(words, at: position, count: count, into: &output) ? output : nil
    }

    /// - Returns: the position after the page; `nil` if it is invalid.
    private static func decodePage(
        _ words: [UInt32], at start: Int, count: Int, into output: inout [UInt32]
    ) -> Int? {
        func word(_ index: Int) -> UInt32? { index < words.count ? words[index] : nil }
        guard let offset = word(start), let byteCount = word(start + Int(offset)) else { return nil }
        let description = start + Int(offset) + 1
        var position = description + (Int(byteCount) + 3) / 4
        guard let widths = word(position) else { return nil }
        position += 1
        var exceptions: [(values: [UInt32], next: Int)] = Array(repeating: ([], 0), count: 33)
        for width in 2...32 where widths >> UInt32(width - 1) & 1 == 1 {
            guard let length = word(position).map(Int.init) else { return nil }
            let size = (length * width + 31) / 32
            guard size <= words.count - position - 1 else { return nil }
            exceptions[width].values = (0..<length).map { unpack(words, from: position + 1, width: width, index: $0) }
            position += 1 + size
        }
        // The bytes of the description fill words from their lowest byte.
        var byte = 0
        func nextByte() -> Int? {
            guard byte < byteCount else { return nil }
            defer { byte += 1 }
            return Int(words[description + byte / 4] >> UInt32(8 * (byte % 4)) & 0xFF)
        }
        var block = start + 1
        for _ in 0..<(count / blockSize) {
            guard let width = nextByte(), width <= 32, let exceptionCount = nextByte(),
                block + 8 * width <= start + Int(offset)
            else { return nil }
            let base = output.count
            for index in 0..<blockSize { output.append(unpack(words, from: block, width: width, index: index)) }
            block += 8 * width
            guard exceptionCount > 0 else { continue }
            guard let most = nextByte(), most > width, most <= 32 else { return nil }
            for _ in 0..<exceptionCount {
                guard let index = nextByte() else { return nil }
                guard most - width > 1 else {
                    output[base + index] |= 1 << UInt32(width)
                    continue
                }
                let next = exceptions[most - width].next
                guard next < exceptions[most - width].values.count else { return nil }
                output[base + index] |= exceptions[most - width].values[next] << UInt32(width)
                exceptions[most - width].next += 1
            }
        }
        return position
    }

    /// A number of some bits in words that are filled from their lowest bit.
    private static func unpack(_ words: [UInt32], from start: Int, width: Int, index: Int) -> UInt32 {
        guard width > 0 else { return 0 }
        let bit = index * width, word = start + bit / 32, shift = UInt64(bit % 32)
        var pair = UInt64(words[word])
        if Int(shift) + width > 32 { pair |= UInt64(words[word + 1]) << 32 }
        return UInt32(truncatingIfNeeded: pair >> shift & (1 << UInt64(width) - 1))
    }

    /// Reads variable bytes, the last of a number marked by its highest bit.
    private static func decodeRest(
        _ words: [UInt32], at start: Int, count: Int, into output: inout [UInt32]
    ) -> Bool {
        var byte = 4 * start, value: UInt32 = 0, shift: UInt32 = 0
        while output.count < count {
            guard byte < 4 * words.count, shift < 35 else { return false }
            let part = words[byte / 4] >> UInt32(8 * (byte % 4)) & 0xFF
            byte += 1
            value |= (part & 0x7F) << shift
            if part & 0x80 != 0 {
                output.append(value)
                (value, shift) = (0, 0)
            } else {
                shift += 7
            }
        }
        return true
    }
}

/// The compression of GIF: Lempel, Ziv and Welch with codes of 3 to 12 bits, in blocks of up to 255 bytes.
///
/// Source: Graphics Interchange Format, version 89a, appendix F.
enum LZWCompressor {
    private static let mostCodes = 4096
    /// The slots of the table of codes: a power of two, a quarter full at most.
    private static let slotCount = 1 << 14

    /// Returns the blocks of compressed indexes, with the empty one at the end.
    ///
    /// - Parameter codeSize: the number of bits of an index, 2 to 8.
    static func compressed(_ indexes: [UInt8], codeSize: Int) -> [UInt8] {
        var output = Output(), size = codeSize + 1
        let clear = 1 << codeSize, end = clear + 1
        var next = end + 1
        // Keys are a code and an index, plus one, so that 0 means free.
        var keys = [UInt32](repeating: 0, count: slotCount), codes = [UInt16](repeating: 0, count: slotCount)
        output.add(clear, size)
        guard var prefix = indexes.first.map(Int.init) else {
            output.add(end, size)
            return output.finish()
        }
        for index in indexes.dropFirst() {
            let key = UInt32(prefix << 8 | Int(index)) + 1
            var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 18)
            while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & (slotCount - 1) }
            if keys[slot] == key {
                prefix = Int(codes[slot])
                continue
            }
            output.add(prefix, size)
            if next < mostCodes {
                keys[slot] = key
                codes[slot] = UInt16(next)
                // The reader is one code behind, and changes to longer codes after this one.
                if next == 1 << size, size < 12 { size += 1 }
                next += 1
            } else {
                output.add(clear, size)
                for slot in keys.indices { keys[slot] = 0 }
                next = end + 1
                size = codeSize + 1
            }
            prefix = Int(index)
        }
        output.add(prefix, size)
        // The reader adds a code for the last one, too.
        if next < mostCodes, next == 1 << size, size < 12 { size += 1 }
        output.add(end, size)
        return output.finish()
    }

    /// Bits, the lowest first, in blocks.
    private struct Output {
        private var bytes: [UInt8] = []
        private var bits = 0, count = 0

        mutating func add(_ code: Int, _ size: Int) {
            bits |= code << count
            count += size
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
        }

        mutating func finish() -> [UInt8] {
            if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
            var blocks: [UInt8] = []
            blocks.reserveCapacity(bytes.count + bytes.count / 255 + 2)
            for start in stride(from: 0, to: bytes.count, by: 255) {
                let block = bytes[start..<min(start + 255, bytes.count)]
                blocks.append(UInt8(block.count))
                blocks += block
            }
            blocks.append(0)
            return blocks
        }
    }
}

/// Runs of equal integers and packed integers in turn: levels, indexes of dictionaries, and truth values.
enum ParquetRuns {
    /// Decodes `count` integers of `width` bits.
    static func decode(
        _ bytes: [UInt8], _ range: Range<Int>, width: Int, count: Int
    ) throws(ParquetFault) -> [UInt32] {
        guard (0...32).contains(width) else { throw .malformed("integers of \(width) bits") }
        let end = ParquetFault.malformed("unexpected end of levels or indexes")
        let span = bytes.span, byteWidth = (width + 7) / 8
        var place = range.lowerBound, values: [UInt32] = []
        values.reserveCapacity(count)
        if width == 0 { return [UInt32](repeating: 0, count: count) }
        while values.count < count {
            var header: UInt64 = 0, shift: UInt64 = 0
            while true {
                guard place < range.upperBound, shift < 63 else { throw end }
                let byte = span[place]
                place += 1
                header |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            let left = count - values.count
            if header & 1 == 0 {
                guard byteWidth <= range.upperBound - place, header >> 1 > 0 else { throw end }
                let value = (0..<byteWidth).reduce(UInt32(0)) { $0 | UInt32(span[place + $1]) << (8 * $1) }
                place += byteWidth
                values.append(contentsOf: repeatElement(value, count: Int(min(header >> 1, UInt64(left)))))
                continue
            }
            let groups = Int(header >> 1)
            guard groups > 0 else { throw end }
            // The last group may be cut after the values that are needed.
            let needed = groups < (left + 7) / 8 ? groups * 8 : left
            guard (needed * width + 7) / 8 <= range.upperBound - place else { throw end }
            Self.unpack(span, place, width: width, count: needed, to: &values)
            place = min(place + min(groups, (left + 7) / 8) * width, range.upperBound)
        }
        return values
    }

    private static func unpack(_ span: Span<UInt8>, _ start: Int, width: Int, count: Int, to values: inout [UInt32]) {
        var place = start, bits: UInt64 = 0, held = 0
        let mask: UInt64 = 1 << UInt64(width) - 1
        for _ in 0..<count {
            while held < width {
                bits |= UInt64(span[place]) << UInt64(held)
                place += 1
                held += 8
            }
            values.append(UInt32(truncatingIfNeeded: bits & mask))
            bits >>= UInt64(width)
            held -= width
        }
    }

    /// Returns the runs of levels of one bit.
    static func encode(bits: some Sequence<Bool>) -> [UInt8] {
        var bytes: [UInt8] = [], last: Bool?, length = 0
        func end() {
            guard let last else { return }
            var header = length << 1
            while header >= 0x80 {
                bytes.append(UInt8(header & 0x7F) | 0x80)
                header >>= 7
            }
            bytes.append(UInt8(header))
            bytes.append(last ? 1 : 0)
        }
        for bit in bits {
            if bit != last {
                end()
                (last, length) = (bit, 0)
            }
            length += 1
        }
        end()
        return bytes
    }
}

/// Integers as packed differences.
enum ParquetDeltas {
    /// Decodes `count` integers from a position on, which advances to the end of them.
    static func decode(_ bytes: [UInt8], _ place: inout Int, count: Int) throws(ParquetFault) -> [Int64] {
        let end = ParquetFault.malformed("unexpected end of packed integers"), span = bytes.span
        var next = place
        func varint() throws(ParquetFault) -> UInt64 {
            var value: UInt64 = 0, shift: UInt64 = 0
            while shift < 64 {
                guard next < span.count else { throw end }
                let byte = span[next]
                next += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw end
        }
        func signed() throws(ParquetFault) -> Int64 {
            let value = try varint()
            return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        }
        let blockSize = try varint(), partCount = try varint(), stated = try varint()
        guard blockSize > 0, blockSize <= 1 << 20, blockSize.isMultiple(of: 128), partCount > 0, partCount <= blockSize,
            (blockSize / partCount).isMultiple(of: 32), blockSize.isMultiple(of: partCount), stated == UInt64(count)
        else { throw .malformed("packed integers have an invalid header") }
        let partSize = Int(blockSize / partCount)
        var value = try signed(), values: [Int64] = []
        values.reserveCapacity(count)
        if count > 0 { values.append(value) }
        while values.count < count {
            let least = try signed(), widths = next
            guard Int(partCount) <= span.count - next else { throw end }
            next += Int(partCount)
            for part in 0..<Int(partCount) where values.count < count {
                let width = Int(span[widths + part])
                guard width <= 64 else { throw .malformed("integers of \(width) bits") }
                let needed = min(partSize, count - values.count)
                guard (needed * width + 7) / 8 <= span.count - next else { throw end }
                var bit = 0
                for _ in 0..<needed {
                    value = value &+ least &+ Int64(bitPattern: Self.bits(span, next, from: bit, width: width))
                    values.append(value)
                    bit += width
                }
                next = min(next + partSize * width / 8, span.count)
            }
        }
        place = next
        return values
    }

    private static func bits(_ span: Span<UInt8>, _ start: Int, from first: Int, width: Int) -> UInt64 {
        var value: UInt64 = 0, taken = 0
        while taken < width {
            let bit = first + taken, byte = span[start + (bit >> 3)]
            let count = min(8 - bit & 7, width - taken)
            value |= (UInt64(byte) >> UInt64(bit & 7) & (1 << UInt64(count) - 1)) << UInt64(taken)
            taken += count
        }
        return value
    }
}

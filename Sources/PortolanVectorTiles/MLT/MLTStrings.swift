/// The streams of texts: lengths and bytes, both possibly in a dictionary, and its bytes possibly compressed by FSST.
struct MLTStrings {
    private(set) var lengths: MLTStream?
    private(set) var data: MLTStream?
    private(set) var symbolLengths: MLTStream?
    private(set) var symbols: MLTStream?
    /// The dictionary index of each text.
    private(set) var offsets: MLTStream?

    mutating func add(_ stream: MLTStream) throws(VectorTileError) {
        switch stream.use {
        case .length(.symbol): symbolLengths = stream
        case .length(.varBinary), .length(.dictionary): lengths = stream
        case .data(.fsst): symbols = stream
        case .data(.none), .data(.single), .data(.shared): data = stream
        case .offset(.string): offsets = stream
        default:
            throw VectorTileError(
                .malformed, offset: stream.range.lowerBound, "a stream that columns of texts do not have")
        }
    }

    /// The texts in the order of their lengths.
    func values(_ numbers: inout MLTNumbers, at offset: Int) throws(VectorTileError) -> VectorTileValues {
        guard let lengths, let data else {
            throw VectorTileError(.malformed, offset: offset, "a column of texts has too few streams")
        }
        var text = numbers.bytes, start = data.range.lowerBound, end = data.range.upperBound
        if let symbols, let symbolLengths {
            text = try expand(data, symbols, try numbers.integers(symbolLengths, as: UInt32.self), &numbers)
            (start, end) = (0, text.count)
        }
        var bits: [UInt64] = []
        let counts: [UInt32] = try numbers.integers(lengths)
        bits.reserveCapacity(counts.count)
        for count in counts {
            guard Int(count) <= end - start else {
                throw VectorTileError(.malformed, offset: lengths.range.lowerBound, "texts are longer than their bytes")
            }
            bits.append(VectorTileValues.bits(of: start..<(start + Int(count))))
            start += Int(count)
        }
        return VectorTileValues(.string, bits: bits, text: text)
    }

    /// Expands FSST: each byte is the number of a symbol, and 255 precedes a byte as it is.
    private func expand(
        _ data: MLTStream, _ symbols: MLTStream, _ lengths: [UInt32], _ numbers: inout MLTNumbers
    ) throws(VectorTileError) -> [UInt8] {
        let bytes = numbers.bytes
        var ranges: [Range<Int>] = [], start = symbols.range.lowerBound
        for length in lengths {
            guard Int(length) <= symbols.range.upperBound - start else {
                throw VectorTileError(
                    .malformed, offset: symbols.range.lowerBound, "symbols are longer than their bytes")
            }
            ranges.append(start..<(start + Int(length)))
            start += Int(length)
        }
        var text: [UInt8] = [], position = data.range.lowerBound
        while position < data.range.upperBound {
            let code = Int(bytes[position])
            position += 1
            let before = text.count
            if code == 255 {
                guard position < data.range.upperBound else {
                    throw VectorTileError(.malformed, offset: position, "compressed texts end too early")
                }
                text.append(bytes[position])
                position += 1
            } else {
                guard code < ranges.count else {
                    throw VectorTileError(.malformed, offset: position, "a symbol that the table does not have")
                }
                text += bytes[ranges[code]]
            }
            try numbers.takeText(text.count - before, data)
        }
        return text
    }
}

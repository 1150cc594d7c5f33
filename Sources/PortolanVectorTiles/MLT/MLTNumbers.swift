import PortolanProtobuf

/// Decodes the streams of a layer into numbers, within a budget.
struct MLTNumbers {
    let bytes: [UInt8]
    /// The number of values that may still be decoded.
    private var remaining: Int
    /// The number of bytes of text that may still be decoded.
    private(set) var remainingText: Int

    init(_ bytes: [UInt8], _ limits: VectorTileLimits) {
        self.bytes = bytes
        remaining = limits.attributeCount + 2 * limits.vertexCount
        remainingText = limits.byteCount
    }

    private mutating func take(_ count: Int, _ stream: MLTStream) throws(VectorTileError) {
        guard count <= remaining else {
            throw VectorTileError(.limitExceeded, offset: stream.range.lowerBound, "too many values")
        }
        remaining -= count
    }

    mutating func takeText(_ count: Int, _ stream: MLTStream) throws(VectorTileError) {
        guard count <= remainingText else {
            throw VectorTileError(.limitExceeded, offset: stream.range.lowerBound, "too much text")
        }
        remainingText -= count
    }

    private func malformed(_ stream: MLTStream, _ reason: String) -> VectorTileError {
        VectorTileError(.malformed, offset: stream.range.lowerBound, reason)
    }

    // MARK: Integers

    /// Whole numbers; those with a sign by their bits.
    mutating func integers<Word: FixedWidthInteger & UnsignedInteger>(
        _ stream: MLTStream, as type: Word.Type = Word.self, isSigned: Bool = false
    ) throws(VectorTileError) -> [Word] {
        var words: [Word] = try words(stream)
        switch (stream.logical, stream.second) {
        case (.none, .none): if isSigned { Self.unzigzag(&words) }
        case (.rle, .none):
            words = try runs(of: words, stream)
            if isSigned { Self.unzigzag(&words) }
        case (.delta, .none): Self.sum(&words)
        case (.delta, .rle):
            words = try runs(of: words, stream)
            Self.sum(&words)
        default:
            throw VectorTileError(
                .unsupported, offset: stream.range.lowerBound, "an encoding that is not for whole numbers")
        }
        return words
    }

    /// Coordinates of vertices, x and y by turns.
    mutating func vertices(_ stream: MLTStream) throws(VectorTileError) -> [Int32] {
        switch (stream.logical, stream.second) {
        case (.componentwiseDelta, .none):
            let words: [UInt32] = try words(stream)
            guard words.count.isMultiple(of: 2) else { throw malformed(stream, "half a vertex") }
            var coordinates = [Int32](repeating: 0, count: words.count)
            var x: Int32 = 0, y: Int32 = 0
            for index in stride(from: 0, to: words.count, by: 2) {
                x &+= Self.signed(words[index])
                y &+= Self.signed(words[index + 1])
                coordinates[index] = x
                coordinates[index + 1] = y
            }
            return coordinates
        case (.morton, .none), (.morton, .delta):
            let words: [UInt32] = try words(stream)
            try take(words.count, stream)
            var coordinates: [Int32] = [], code: UInt32 = 0
            coordinates.reserveCapacity(2 * words.count)
            for word in words {
                code = stream.second == .delta ? code &+ word : word
                for half in [code, code >> 1] {
                    let value = Self.everySecondBit(of: half, count: stream.mortonBits)
                    coordinates.append(Int32(bitPattern: value &- stream.mortonShift))
                }
            }
            return coordinates
        default:
            let words: [UInt32] = try integers(stream, isSigned: true)
            guard words.count.isMultiple(of: 2) else { throw malformed(stream, "half a vertex") }
            return words.map { Int32(bitPattern: $0) }
        }
    }

    private mutating func words<Word: FixedWidthInteger & UnsignedInteger>(
        _ stream: MLTStream
    ) throws(VectorTileError) -> [Word] {
        switch stream.physical {
        case .plain: return try plain(stream)
        case .varint:
            guard stream.count <= stream.range.count else { throw malformed(stream, "a stream is too short") }
            try take(stream.count, stream)
            do throws(WireError) { return try Self.varints(bytes.span, stream) } catch { throw VectorTileError(error) }
        case .fastPFOR:
            guard Word.bitWidth == 32 else {
                throw VectorTileError(
                    .unsupported, offset: stream.range.lowerBound, "FastPFOR is not for numbers of 64 bits")
            }
            try take(stream.count, stream)
            return try MLTFastPFOR.decode(bytes, stream).map { Word(truncatingIfNeeded: $0) }
        }
    }

    @inline(__always) private static func varints<Word: FixedWidthInteger & UnsignedInteger>(
        _ bytes: Span<UInt8>, _ stream: MLTStream
    ) throws(WireError) -> [Word] {
        var words = [Word](repeating: 0, count: stream.count), position = stream.range.lowerBound
        let end = stream.range.upperBound
        var output = words.mutableSpan
        for index in 0..<stream.count {
            let value = try WireCursor.varint(in: bytes, at: &position, end: end)
            guard value <= UInt64(Word.max) else { throw WireError(position, .malformed, "a number has too many bits") }
            output[index] = Word(truncatingIfNeeded: value)
        }
        return words
    }

    private mutating func runs<Word: FixedWidthInteger & UnsignedInteger>(
        of words: [Word], _ stream: MLTStream
    ) throws(VectorTileError) -> [Word] {
        guard words.count == 2 * stream.runs else { throw malformed(stream, "runs without values") }
        try take(stream.runValues, stream)
        var values: [Word] = []
        values.reserveCapacity(stream.runValues)
        for run in 0..<stream.runs {
            guard let length = Int(exactly: words[run]), length <= stream.runValues - values.count else {
                throw malformed(stream, "runs are longer than their stream")
            }
            values += repeatElement(words[stream.runs + run], count: length)
        }
        guard values.count == stream.runValues else { throw malformed(stream, "runs are shorter than their stream") }
        return values
    }

    private static func unzigzag<Word: FixedWidthInteger & UnsignedInteger>(_ words: inout [Word]) {
        for index in words.indices { words[index] = words[index] >> 1 ^ (0 &- (words[index] & 1)) }
    }

    /// Turns differences into values, from 0.
    private static func sum<Word: FixedWidthInteger & UnsignedInteger>(_ words: inout [Word]) {
        var sum: Word = 0
        for index in words.indices {
            sum &+= words[index] >> 1 ^ (0 &- (words[index] & 1))
            words[index] = sum
        }
    }

    private static func signed(_ word: UInt32) -> Int32 { Int32(bitPattern: word >> 1 ^ (0 &- (word & 1))) }

    private static func everySecondBit(of code: UInt32, count: Int) -> UInt32 {
        var value = code & 0x5555_5555
        value = (value | value >> 1) & 0x3333_3333
        value = (value | value >> 2) & 0x0F0F_0F0F
        value = (value | value >> 4) & 0x00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF
        return value & (1 << UInt32(count) - 1)
    }

    // MARK: Floating point and bits

    /// Numbers of a fixed width, by their bits.
    mutating func plain<Word: FixedWidthInteger & UnsignedInteger>(
        _ stream: MLTStream, as type: Word.Type = Word.self
    ) throws(VectorTileError) -> [Word] {
        let width = Word.bitWidth / 8
        guard stream.count <= stream.range.count / width else { throw malformed(stream, "a stream is too short") }
        try take(stream.count, stream)
        var words: [Word] = []
        words.reserveCapacity(stream.count)
        var position = stream.range.lowerBound
        for _ in 0..<stream.count {
            var word: Word = 0
            for byte in 0..<width { word |= Word(bytes[position + byte]) << Word(8 * byte) }
            words.append(word)
            position += width
        }
        return words
    }

    /// Bits, run-length encoded as bytes (ORC, "Boolean Run Length Encoding").
    mutating func bits(_ stream: MLTStream) throws(VectorTileError) -> [Bool] {
        try take(stream.count, stream)
        let byteCount = (stream.count + 7) / 8
        var packed: [UInt8] = []
        packed.reserveCapacity(byteCount)
        if stream.logical == .none, stream.physical == .plain {
            guard stream.range.count == byteCount else { throw malformed(stream, "a stream is too short") }
            packed += bytes[stream.range]
        } else {
            var position = stream.range.lowerBound
            let end = stream.range.upperBound
            while packed.count < byteCount, position < end {
                let control = Int(bytes[position])
                let length = control < 128 ? 1 : 256 - control
                guard position + 1 + length <= end else { throw malformed(stream, "a stream is too short") }
                let run = bytes[(position + 1)..<(position + 1 + length)]
                if control < 128 {
                    packed += repeatElement(run[run.startIndex], count: control + 3)
                } else {
                    packed += run
                }
                position += 1 + length
            }
            guard packed.count >= byteCount else { throw malformed(stream, "a stream is too short") }
        }
        return (0..<stream.count).map { packed[$0 >> 3] >> UInt8($0 & 7) & 1 == 1 }
    }
}

import PortolanFeatures

/// The encodings of values.
///
/// Source: Apache Parquet format, `Encodings.md`.
enum ParquetEncoding: Int {
    case plain = 0
    case plainDictionary = 2
    case runs, bitPacked, deltaPacked, deltaLengths, deltaStrings, dictionary, streamSplit

    /// The most bytes of strings that share their starts, for each byte of a page.
    private static let greatestGrowth = 256

    var isDictionary: Bool { self == .dictionary || self == .plainDictionary }

    /// Decodes `count` values that fill a page from a position on.
    func values(
        _ bytes: [UInt8], from start: Int, count: Int, of column: ParquetColumn
    ) throws(ParquetFault) -> ParquetValues {
        switch (self, column.type) {
        case (.plain, _): return try Self.plain(bytes, from: start, count: count, of: column)
        case (.runs, .boolean):
            guard bytes.count - start >= 4 else { throw .malformed("unexpected end of a page") }
            let values = try ParquetRuns.decode(bytes, start + 4..<bytes.count, width: 1, count: count)
            return .bools(values.map { $0 != 0 })
        case (.deltaPacked, .int32), (.deltaPacked, .int64):
            var place = start
            let values = try ParquetDeltas.decode(bytes, &place, count: count)
            // Differences of 32 bits wrap around.
            return .integers(column.type == .int32 ? values.map { Int64(Int32(truncatingIfNeeded: $0)) } : values)
        case (.deltaLengths, .bytes):
            var place = start
            let lengths = try ParquetDeltas.decode(bytes, &place, count: count)
            return .bytes(ParquetValues.Strings(buffer: bytes, ranges: try Self.ranges(lengths, from: place, bytes)))
        case (.deltaStrings, .bytes), (.deltaStrings, .fixedBytes):
            return .bytes(try Self.strings(bytes, from: start, count: count, of: column))
        case (.streamSplit, .int32), (.streamSplit, .int64), (.streamSplit, .float), (.streamSplit, .double),
            (.streamSplit, .fixedBytes):
            let width = Self.width(of: column)
            guard count <= (bytes.count - start) / width else { throw .malformed("unexpected end of a page") }
            var joined = [UInt8](repeating: 0, count: count * width)
            for stream in 0..<width {
                for index in 0..<count { joined[index * width + stream] = bytes[start + stream * count + index] }
            }
            return try Self.plain(joined, from: 0, count: count, of: column)
        default:
            throw ParquetFault(
                .unsupported, "the encoding \(rawValue) of the column '\(column.name)' is not supported for its type")
        }
    }

    private static func width(of column: ParquetColumn) -> Int {
        switch column.type {
        case .int32, .float: 4
        case .int64, .double: 8
        case .int96: 12
        case .fixedBytes: column.length
        case .boolean, .bytes: 1
        }
    }

    private static func plain(
        _ bytes: [UInt8], from start: Int, count: Int, of column: ParquetColumn
    ) throws(ParquetFault) -> ParquetValues {
        let end = ParquetFault.malformed("unexpected end of a page"), span = bytes.span
        switch column.type {
        case .boolean:
            guard count <= (bytes.count - start) * 8 else { throw end }
            return .bools((0..<count).map { span[start + $0 >> 3] >> ($0 & 7) & 1 != 0 })
        case .bytes:
            var ranges: [Range<Int>] = [], place = start
            ranges.reserveCapacity(min(count, (bytes.count - start) / 4))
            for _ in 0..<count {
                guard span.count - place >= 4 else { throw end }
                let length = Int(word(span, place))
                place += 4
                guard length <= span.count - place else { throw end }
                ranges.append(place..<place + length)
                place += length
            }
            return .bytes(ParquetValues.Strings(buffer: bytes, ranges: ranges))
        default: break
        }
        let width = width(of: column)
        guard count <= (bytes.count - start) / width else { throw end }
        let places = stride(from: start, to: start + count * width, by: width)
        switch column.type {
        case .int32: return .integers(places.map { Int64(Int32(bitPattern: word(span, $0))) })
        case .float: return .numbers(places.map { Double(Float(bitPattern: word(span, $0))) })
        case .int64:
            return .integers(
                places.map { Int64(bitPattern: UInt64(word(span, $0)) | UInt64(word(span, $0 + 4)) << 32) })
        case .double:
            return .numbers(
                places.map { Double(bitPattern: UInt64(word(span, $0)) | UInt64(word(span, $0 + 4)) << 32) })
        default: return .bytes(ParquetValues.Strings(buffer: bytes, ranges: places.map { $0..<$0 + width }))
        }
    }

    private static func word(_ bytes: Span<UInt8>, _ place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            | UInt32(bytes[place + 3]) << 24
    }

    /// Returns the ranges of strings with the given lengths.
    private static func ranges(
        _ lengths: [Int64], from start: Int, _ bytes: [UInt8]
    ) throws(ParquetFault) -> [Range<Int>] {
        var place = start, ranges: [Range<Int>] = []
        ranges.reserveCapacity(lengths.count)
        for length in lengths {
            guard length >= 0, length <= bytes.count - place else { throw .malformed("unexpected end of a page") }
            ranges.append(place..<place + Int(length))
            place += Int(length)
        }
        return ranges
    }

    /// Decodes strings each of which repeats the start of the previous one.
    private static func strings(
        _ bytes: [UInt8], from start: Int, count: Int, of column: ParquetColumn
    ) throws(ParquetFault) -> ParquetValues.Strings {
        var place = start
        let shared = try ParquetDeltas.decode(bytes, &place, count: count)
        let lengths = try ParquetDeltas.decode(bytes, &place, count: count)
        let rests = try ranges(lengths, from: place, bytes)
        let limit = max(1 << 24, greatestGrowth * bytes.count)
        var strings = ParquetValues.Strings(), last = 0..<0
        strings.ranges.reserveCapacity(count)
        for (index, rest) in rests.enumerated() {
            guard shared[index] >= 0, shared[index] <= last.count else {
                throw .malformed("a value repeats more than there is of the previous one")
            }
            let first = strings.buffer.count
            guard first + Int(shared[index]) + rest.count <= limit else {
                throw ParquetFault(.limitExceeded, "the values of a page exceed \(limit) bytes")
            }
            strings.buffer += strings.buffer[last.lowerBound..<last.lowerBound + Int(shared[index])]
            strings.buffer += bytes[rest]
            last = first..<strings.buffer.count
            guard column.type == .bytes || last.count == column.length else {
                throw .malformed("a value has \(last.count) bytes instead of \(column.length)")
            }
            strings.ranges.append(last)
        }
        return strings
    }
}

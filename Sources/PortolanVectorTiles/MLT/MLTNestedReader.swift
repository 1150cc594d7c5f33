/// Reads a column of nested values, which layers of version 2 have: lists and maps, and values of several kinds under one key.
struct MLTNestedReader {
    /// The streams that the first byte of a column announces, in the order in which they follow.
    private struct Mask: OptionSet {
        let rawValue: UInt8
        static let string = Mask(rawValue: 1), int32 = Mask(rawValue: 2), uint32 = Mask(rawValue: 4)
        static let int64 = Mask(rawValue: 8), uint64 = Mask(rawValue: 16), float = Mask(rawValue: 32)
        static let double = Mask(rawValue: 64), presence = Mask(rawValue: 128)
    }

    /// The deepest nesting of lists and maps.
    private static let depthLimit = 64
    /// The numbers of values that are written by themselves: false, true, and the beginnings of a map and of a list.
    private static let falseToken: UInt32 = 0, trueToken: UInt32 = 1, mapToken: UInt32 = 2, listToken: UInt32 = 3
    /// The number of the first value of the dictionary.
    private static let firstValue: UInt32 = 4

    private let offset: Int
    private var mask: Mask = []
    private var counts: MLTStream?
    private var strings = MLTStrings()
    private var numberStreams: [(kind: VectorTileValues.Kind, stream: MLTStream)] = []
    private var presence: MLTStream?
    private var tokens: MLTStream?

    /// Reads the headers of the streams.
    init(_ input: inout MLTInput, streamCount: Int) throws(VectorTileError) {
        offset = input.position
        guard streamCount > 0 else { return }
        mask = Mask(rawValue: try input.byte())
        var remaining = streamCount
        func next() throws(VectorTileError) {
            guard remaining > 0 else {
                throw VectorTileError(.malformed, offset: offset, "a nested column has too few streams")
            }
            remaining -= 1
        }
        try next()
        counts = try MLTStream(&input)
        if mask.contains(.string) {
            for _ in 0..<(try input.byte()) {
                try next()
                try strings.add(try MLTStream(&input))
            }
        }
        // Whole numbers have 32 or 64 bits, not both.
        let kinds: [(Mask, VectorTileValues.Kind)] = [
            (mask.contains(.int32) ? .int32 : .int64, .int), (mask.contains(.uint32) ? .uint32 : .uint64, .uint),
            (.float, .float), (.double, .double),
        ]
        for (flag, kind) in kinds where mask.contains(flag) {
            try next()
            numberStreams.append((kind, try MLTStream(&input)))
        }
        if mask.contains(.presence) {
            try next()
            presence = try MLTStream(&input, isBoolean: true)
        }
        if remaining > 0 {
            try next()
            tokens = try MLTStream(&input)
        }
        guard remaining == 0 else {
            throw VectorTileError(.malformed, offset: offset, "a nested column has too many streams")
        }
    }

    private func malformed(_ reason: String) -> VectorTileError {
        VectorTileError(.malformed, offset: offset, reason)
    }

    /// The columns of the keys, which are encoded one after another.
    func columns(
        _ keys: [String], featureCount: Int, _ numbers: inout MLTNumbers
    ) throws(VectorTileError) -> [VectorTileColumn] {
        guard let counts else { return [] }
        let dictionary = try dictionary(&numbers)
        let lengths: [UInt32] = try numbers.integers(counts)
        let isPresent = try presence.map { stream throws(VectorTileError) in try numbers.bits(stream) }
        let list: [UInt32] = try tokens.map { stream throws(VectorTileError) in try numbers.integers(stream) } ?? []
        guard (isPresent?.count ?? lengths.count) == keys.count * featureCount else {
            throw malformed("a nested column has another number of features than its layer")
        }
        var columns: [VectorTileColumn] = [], nextLength = 0, position = 0
        for (number, key) in keys.enumerated() {
            var values: [VectorTileValue] = [], indices: [UInt32] = []
            for feature in 0..<featureCount {
                guard isPresent?[number * featureCount + feature] ?? true else {
                    indices.append(VectorTileColumn.absent)
                    continue
                }
                guard nextLength < lengths.count, Int(lengths[nextLength]) <= list.count - position else {
                    throw malformed("a nested column has too few values")
                }
                let end = position + Int(lengths[nextLength])
                nextLength += 1
                indices.append(UInt32(values.count))
                values.append(try value(of: list, position..<end, dictionary))
                position = end
            }
            columns.append(
                VectorTileColumn(key: key, values: VectorTileValues(nested: values), indices: .dense(indices)))
        }
        guard position == list.count, nextLength == lengths.count else {
            throw malformed("a nested column has too many values")
        }
        return columns
    }

    private func dictionary(_ numbers: inout MLTNumbers) throws(VectorTileError) -> [VectorTileValue] {
        var dictionary: [VectorTileValue] = []
        if mask.contains(.string) {
            let texts = try strings.values(&numbers, at: offset)
            for index in 0..<texts.count { dictionary.append(texts[index]) }
        }
        for (kind, stream) in numberStreams {
            let isSigned = kind == .int
            switch kind {
            case .float:
                for bits: UInt32 in try numbers.plain(stream) { dictionary.append(.float(Float(bitPattern: bits))) }
            case .double:
                for bits: UInt64 in try numbers.plain(stream) { dictionary.append(.double(Double(bitPattern: bits))) }
            case _ where mask.contains(isSigned ? .int32 : .uint32):
                for bits: UInt32 in try numbers.integers(stream, isSigned: isSigned) {
                    dictionary.append(isSigned ? .int(Int64(Int32(bitPattern: bits))) : .uint(UInt64(bits)))
                }
            default:
                for bits: UInt64 in try numbers.integers(stream, isSigned: isSigned) {
                    dictionary.append(isSigned ? .int(Int64(bitPattern: bits)) : .uint(bits))
                }
            }
        }
        return dictionary
    }

    /// The value of a feature: a single one, a list, or the members of a map.
    private func value(
        of tokens: [UInt32], _ range: Range<Int>, _ dictionary: [VectorTileValue]
    ) throws(VectorTileError) -> VectorTileValue {
        var position = range.lowerBound
        guard range.count == 1 || range.count > 1 && tokens[position] == Self.listToken else {
            return .map(try members(tokens, range, dictionary, depth: 0))
        }
        let value = try value(tokens, &position, range.upperBound, dictionary, depth: 0)
        guard position == range.upperBound else { throw malformed("a nested value is longer than its length") }
        return value
    }

    private func members(
        _ tokens: [UInt32], _ range: Range<Int>, _ dictionary: [VectorTileValue], depth: Int
    ) throws(VectorTileError) -> [VectorTileValue.Member] {
        var members: [VectorTileValue.Member] = [], position = range.lowerBound
        while position < range.upperBound {
            guard case .string(let name) = try scalar(tokens[position], dictionary) else {
                throw malformed("the name of a nested value is not a text")
            }
            position += 1
            let value = try value(tokens, &position, range.upperBound, dictionary, depth: depth)
            members.append(VectorTileValue.Member(name: name, value: value))
        }
        return members
    }

    private func value(
        _ tokens: [UInt32], _ position: inout Int, _ end: Int, _ dictionary: [VectorTileValue], depth: Int
    ) throws(VectorTileError) -> VectorTileValue {
        guard position < end else { throw malformed("a nested value is missing") }
        let token = tokens[position]
        guard token == Self.mapToken || token == Self.listToken else {
            position += 1
            return try scalar(token, dictionary)
        }
        guard depth < Self.depthLimit else {
            throw VectorTileError(.limitExceeded, offset: offset, "values are nested too deeply")
        }
        // The length counts itself and the token.
        guard position + 1 < end, (2...(end - position)).contains(Int(tokens[position + 1])) else {
            throw malformed("a nested value has an invalid length")
        }
        let inner = (position + 2)..<(position + Int(tokens[position + 1]))
        position = inner.lowerBound
        defer { position = inner.upperBound }
        if token == Self.mapToken { return .map(try members(tokens, inner, dictionary, depth: depth + 1)) }
        var list: [VectorTileValue] = []
        while position < inner.upperBound {
            list.append(try value(tokens, &position, inner.upperBound, dictionary, depth: depth + 1))
        }
        return .list(list)
    }

    private func scalar(_ token: UInt32, _ dictionary: [VectorTileValue]) throws(VectorTileError) -> VectorTileValue {
        switch token {
        case Self.falseToken: return .bool(false)
        case Self.trueToken: return .bool(true)
        case Self.mapToken, Self.listToken: throw malformed("a list or map is not a name")
        default:
            guard Int(token - Self.firstValue) < dictionary.count else {
                throw malformed("a value that the dictionary does not have")
            }
            return dictionary[Int(token - Self.firstValue)]
        }
    }
}

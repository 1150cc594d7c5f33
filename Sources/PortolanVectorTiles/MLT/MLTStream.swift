/// A stream of a column: how its values are encoded, and their bytes.
struct MLTStream {
    /// The uses of streams.
    enum Use: Equatable {
        case present
        case data(Dictionary)
        case offset(Offset)
        case length(Length)

        init?(_ byte: UInt8) {
            let detail = byte & 15
            switch byte >> 4 {
            case 0: self = .present
            case 1:
                guard let value = Dictionary(rawValue: detail) else { return nil }
                self = .data(value)
            case 2:
                guard let value = Offset(rawValue: detail) else { return nil }
                self = .offset(value)
            case 3:
                guard let value = Length(rawValue: detail) else { return nil }
                self = .length(value)
            default: return nil
            }
        }
    }

    enum Dictionary: UInt8 { case none, single, shared, vertex, morton, fsst }
    enum Offset: UInt8 { case vertex, index, string, key }
    enum Length: UInt8 { case varBinary, geometries, parts, rings, triangles, symbol, dictionary }

    /// The relation of the numbers of a stream to its values.
    enum Logical: UInt8 { case none, delta, componentwiseDelta, rle, morton, pseudoDecimal }

    /// The encoding of numbers in bytes.
    enum Physical: UInt8 { case plain, fastPFOR, varint }

    let use: Use
    let logical: Logical
    let second: Logical
    let physical: Physical
    /// The number of encoded numbers.
    let count: Int
    /// The number of runs, and the number of values in all of them.
    private(set) var runs = 0, runValues = 0
    /// The bits of a coordinate of a Morton code, and the value to subtract.
    private(set) var mortonBits = 0, mortonShift: UInt32 = 0
    /// The position of the stream's content in the tile.
    let range: Range<Int>

    var isRunLength: Bool { logical == .rle || second == .rle && logical == .delta }

    /// The number of values.
    var valueCount: Int { isRunLength ? runValues : count }

    /// - Parameter isBoolean: whether the stream holds bits, which have no counts of runs.
    init(_ input: inout MLTInput, isBoolean: Bool = false) throws(VectorTileError) {
        let start = input.position
        guard let use = Use(try input.byte()) else {
            throw VectorTileError(.malformed, offset: start, "an unknown kind of stream")
        }
        let encoding = try input.byte()
        guard let logical = Logical(rawValue: encoding >> 5), let second = Logical(rawValue: encoding >> 2 & 7),
            let physical = Physical(rawValue: encoding & 3)
        else { throw VectorTileError(.unsupported, offset: start, "an unknown encoding of a stream") }
        (self.use, self.logical, self.second, self.physical) = (use, logical, second, physical)
        count = try input.count()
        let byteCount = try input.count()
        switch (logical, second) {
        case (.rle, .none), (.delta, .rle):
            if isBoolean {
                runValues = count
            } else {
                runs = try input.count()
                runValues = try input.count()
            }
        case (.morton, .none), (.morton, .delta), (.morton, .rle):
            mortonBits = try input.count()
            mortonShift = UInt32(try input.count())
            guard mortonBits <= 16 else {
                throw VectorTileError(.malformed, offset: start, "Morton codes of more than 32 bits")
            }
        case (_, .none): break
        default: throw VectorTileError(.unsupported, offset: start, "an unknown pair of encodings of a stream")
        }
        range = try input.take(byteCount)
    }
}

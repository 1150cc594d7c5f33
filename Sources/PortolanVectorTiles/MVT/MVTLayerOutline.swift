import PortolanProtobuf

/// The fields of a layer without its features.
struct MVTLayerOutline {
    /// The position of the layer in the tile.
    let range: Range<Int>
    private(set) var name: String?
    private(set) var version = 0
    private(set) var extent: UInt32 = 4096
    private(set) var keys: [String] = []
    private(set) var values = VectorTileValues(kinds: [], bits: [], text: [])
    private var kinds: [VectorTileValues.Kind] = []
    private var bits: [UInt64] = []
    private(set) var featureCount = 0

    init(_ range: Range<Int>) { self.range = range }

    /// Reads the name, so that layers that are not selected cost no more.
    mutating func readHeader(in bytes: [UInt8]) throws(WireError) {
        var cursor = WireCursor(range)
        while let field = try cursor.next(in: bytes.span) {
            guard field.number == 1 else { continue }
            guard field.kind == .bytes else {
                throw WireError(field.start, .malformed, "the name of a layer is not a text")
            }
            guard field.end > field.start else { break }
            name = String(decoding: bytes[field.start..<field.end], as: UTF8.self)
            return
        }
    }

    /// Reads the version, the extent, the keys and the values, and counts the features.
    mutating func readTables(in bytes: [UInt8]) throws(WireError) {
        let span = bytes.span
        var cursor = WireCursor(range), version: UInt64?
        while cursor.position < cursor.end {
            let start = cursor.position, tag = try cursor.tag(in: span)
            switch tag {
            case 2 << 3 | 2:
                featureCount += 1
                _ = try cursor.range(in: span)
            case 3 << 3 | 2: keys.append(String(decoding: bytes[try cursor.range(in: span)], as: UTF8.self))
            case 4 << 3 | 2: try readValue(try cursor.range(in: span), in: span)
            case 5 << 3: extent = UInt32(clamping: try cursor.varint(in: span))
            case 15 << 3: version = try cursor.varint(in: span)
            default:
                switch tag >> 3 {
                case 2: throw WireError(start, .malformed, "a feature is not a message")
                case 3: throw WireError(start, .malformed, "a key is not a text")
                case 4: throw WireError(start, .malformed, "a value is not a message")
                case 5: throw WireError(start, .malformed, "the extent is not a number")
                case 15: throw WireError(start, .malformed, "the version is not a number")
                default: try cursor.skip(tag, from: start, in: span)
                }
            }
        }
        guard let version else { throw WireError(range.lowerBound, .malformed, "the layer has no version") }
        // Bing Maps states 3 for what version 2 describes.
        guard (1...3).contains(version) else {
            throw WireError(range.lowerBound, .malformed, "the version of the layer is unknown")
        }
        guard extent > 0 else { throw WireError(range.lowerBound, .malformed, "the extent is 0") }
        values = VectorTileValues(kinds: kinds, bits: self.bits, text: bytes)
        self.version = min(Int(version), 2)
    }

    private mutating func readValue(_ range: Range<Int>, in span: Span<UInt8>) throws(WireError) {
        var cursor = WireCursor(range)
        var found: (kind: VectorTileValues.Kind, bits: UInt64)?
        while cursor.position < cursor.end {
            let start = cursor.position, tag = try cursor.tag(in: span)
            switch tag {
            case 1 << 3 | 2: found = (.string, VectorTileValues.bits(of: try cursor.range(in: span)))
            case 2 << 3 | 5: found = (.float, try cursor.fixed(4, in: span))
            case 3 << 3 | 1: found = (.double, try cursor.fixed(8, in: span))
            case 4 << 3: found = (.int, try cursor.varint(in: span))
            case 5 << 3: found = (.uint, try cursor.varint(in: span))
            case 6 << 3:
                let value = try cursor.varint(in: span)
                found = (.int, value >> 1 ^ (0 &- (value & 1)))
            case 7 << 3: found = (.bool, try cursor.varint(in: span))
            default:
                guard !(1...7).contains(tag >> 3) else {
                    throw WireError(start, .malformed, "a value has another encoding than its kind")
                }
                try cursor.skip(tag, from: start, in: span)
            }
        }
        guard let found else { throw WireError(range.lowerBound, .malformed, "a value has no known kind") }
        kinds.append(found.kind)
        bits.append(found.bits)
    }
}

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
    mutating func readHeader(in bytes: [UInt8]) throws(WireFault) {
        var cursor = WireCursor(range)
        while let field = try cursor.next(in: bytes.span) {
            guard field.number == 1 else { continue }
            guard field.kind == .bytes else {
                throw WireFault(field.start, .malformed, "the name of a layer is not a text")
            }
            guard field.end > field.start else { break }
            name = String(decoding: bytes[field.start..<field.end], as: UTF8.self)
            return
        }
    }

    /// Reads the version, the extent, the keys and the values, and counts the features.
    mutating func readTables(in bytes: [UInt8]) throws(WireFault) {
        let span = bytes.span
        var cursor = WireCursor(range), version: UInt64?
        while let field = try cursor.next(in: span) {
            switch (field.number, field.kind) {
            case (2, .bytes): featureCount += 1
            case (3, .bytes): keys.append(String(decoding: bytes[field.start..<field.end], as: UTF8.self))
            case (4, .bytes): try readValue(field, in: span)
            case (5, .varint): extent = UInt32(clamping: field.bits)
            case (15, .varint): version = field.bits
            case (2, _): throw WireFault(field.start, .malformed, "a feature is not a message")
            case (3, _): throw WireFault(field.start, .malformed, "a key is not a text")
            case (4, _): throw WireFault(field.start, .malformed, "a value is not a message")
            case (5, _): throw WireFault(field.start, .malformed, "the extent is not a number")
            case (15, _): throw WireFault(field.start, .malformed, "the version is not a number")
            default: break
            }
        }
        guard let version else { throw WireFault(range.lowerBound, .malformed, "the layer has no version") }
        // Bing Maps states 3 for what version 2 describes.
        guard (1...3).contains(version) else {
            throw WireFault(range.lowerBound, .malformed, "the version of the layer is unknown")
        }
        guard extent > 0 else { throw WireFault(range.lowerBound, .malformed, "the extent is 0") }
        values = VectorTileValues(kinds: kinds, bits: self.bits, text: bytes)
        self.version = min(Int(version), 2)
    }

    private mutating func readValue(_ field: WireField, in span: Span<UInt8>) throws(WireFault) {
        var cursor = WireCursor(field.start..<field.end)
        var found: (kind: VectorTileValues.Kind, bits: UInt64)?
        while let value = try cursor.next(in: span) {
            switch (value.number, value.kind) {
            case (1, .bytes): found = (.string, VectorTileValues.bits(of: value.start..<value.end))
            case (2, .fixed32): found = (.float, value.bits)
            case (3, .fixed64): found = (.double, value.bits)
            case (4, .varint): found = (.int, value.bits)
            case (5, .varint): found = (.uint, value.bits)
            case (6, .varint): found = (.int, value.bits >> 1 ^ (0 &- (value.bits & 1)))
            case (7, .varint): found = (.bool, value.bits)
            case (1...7, _): throw WireFault(value.start, .malformed, "a value has another encoding than its kind")
            default: break
            }
        }
        guard let found else { throw WireFault(field.start, .malformed, "a value has no known kind") }
        kinds.append(found.kind)
        bits.append(found.bits)
    }
}

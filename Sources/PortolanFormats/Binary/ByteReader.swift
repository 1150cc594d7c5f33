import PortolanFeatures

/// Reads integers and doubles in either byte order from a document, with bounds checks.
struct ByteReader {
    /// The format name for errors.
    let format: String
    let bytes: [UInt8]
    /// The position of the next value.
    var position: Int
    /// The end of the readable bytes.
    let end: Int
    /// Whether values are big-endian.
    var isBigEndian = false

    init(_ bytes: [UInt8], in format: String, range: Range<Int>? = nil) {
        self.bytes = bytes
        self.format = format
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// The number of remaining bytes.
    var remaining: Int { end - position }

    var isAtEnd: Bool { position >= end }

    /// Returns an error at the current position.
    func fault(_ code: FeatureFileError.Code, _ detail: String) -> FeatureFileError {
        FeatureFileError(code, in: format, at: .byte(position), detail)
    }

    /// Throws unless `count` more bytes are available.
    @inline(__always)
    func need(_ count: Int) throws(FeatureFileError) {
        guard count >= 0, count <= end - position else { throw fault(.malformed, "unexpected end of data") }
    }

    @inline(__always)
    mutating func skip(_ count: Int) throws(FeatureFileError) {
        try need(count)
        position += count
    }

    @inline(__always)
    mutating func uint8() throws(FeatureFileError) -> UInt8 {
        try need(1)
        defer { position += 1 }
        return bytes[position]
    }

    @inline(__always)
    mutating func uint16() throws(FeatureFileError) -> UInt16 {
        try need(2)
        defer { position += 2 }
        let value = UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
        return isBigEndian ? value.byteSwapped : value
    }

    @inline(__always)
    mutating func uint32() throws(FeatureFileError) -> UInt32 {
        try need(4)
        // The known count reduces the bounds checks to one.
        defer { position += 4 }
        let four = bytes.span.extracting(position..<position + 4)
        let value = UInt32(four[0]) | UInt32(four[1]) << 8 | UInt32(four[2]) << 16 | UInt32(four[3]) << 24
        return isBigEndian ? value.byteSwapped : value
    }

    @inline(__always)
    mutating func uint64() throws(FeatureFileError) -> UInt64 {
        guard remaining >= 8 else {
            _ = try uint32()
            throw fault(.malformed, "unexpected end of data")
        }
        defer { position += 8 }
        let first = bytes.span.eight(from: position)
        return isBigEndian ? first.byteSwapped : first
    }

    mutating func int32() throws(FeatureFileError) -> Int32 { try Int32(bitPattern: uint32()) }

    @inline(__always)
    mutating func double() throws(FeatureFileError) -> Double { try Double(bitPattern: uint64()) }

    /// Reads coordinates of two little-endian doubles each into the open part of a geometry.
    mutating func pairs(_ count: Int, to builder: inout GeometryBuilder) throws(FeatureFileError) {
        try need(16 * count)
        builder.add(pairs: bytes.span.extracting(position..<position + 16 * count))
        position += 16 * count
    }

    /// Reads the number of following items, each of which takes at least `size` bytes.
    @inline(__always)
    mutating func count(ofSize size: Int) throws(FeatureFileError) -> Int {
        let count = try Int(uint32())
        guard count <= remaining / size else {
            throw fault(.malformed, "it states \(count) parts, but is too short for them")
        }
        return count
    }
}

/// Writes little-endian values.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func add(_ value: Double) { add(value.bitPattern) }
}

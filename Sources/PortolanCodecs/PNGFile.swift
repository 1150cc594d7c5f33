#if canImport(CPNGShim)
/// A PNG file under construction, chunk by chunk (PNG 3rd edition, clause 5).
struct PNGFile {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// The maximum data per image data chunk; the format allows 2³¹ - 1.
    private static let largestChunk = 1 << 30

    /// Adds the header: 8 bits per sample, no interlacing.
    ///
    /// - Parameter colorType: 2 for RGB, 3 for a palette, 6 for RGBA.
    mutating func addHeader(width: Int, height: Int, colorType: UInt8) {
        add("IHDR", Self.number(UInt32(width)) + Self.number(UInt32(height)) + [8, colorType, 0, 0, 0])
    }

    /// Adds the compressed image data, and the end.
    mutating func finish(_ data: [UInt8]) {
        bytes.reserveCapacity(bytes.count + data.count + 24)
        for start in stride(from: 0, to: data.count, by: Self.largestChunk) {
            add("IDAT", data[start..<min(start + Self.largestChunk, data.count)])
        }
        add("IEND", [])
    }

    /// Adds a chunk.
    mutating func add(_ kind: String, _ data: some Collection<UInt8>) {
        bytes += Self.number(UInt32(data.count))
        let start = bytes.count
        bytes += kind.utf8
        bytes += data
        bytes += Self.number(DeflateCompressor.checksum(bytes[start...]))
    }

    static func number(_ value: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value &>> UInt32($0)) }
    }
}
#endif

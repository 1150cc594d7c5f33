#if canImport(CDeflate)
import CDeflate

/// A PNG file being put together, chunk by chunk (PNG 3rd edition, clause 5).
struct PNGFile {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// The most data a chunk of image data is given; a chunk may have 2³¹ - 1.
    private static let largestChunk = 1 << 30

    /// Adds the header: 8 bits a sample, no interlacing.
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

/// The owner of one libdeflate compressor, for one thread.
@safe struct DeflateCompressor: ~Copyable {
    private let handle: OpaquePointer

    /// Makes a compressor; `level` is 0 to 12.
    init(level: Int32) throws(CodecError) {
        guard let handle = unsafe libdeflate_alloc_compressor(level) else {
            throw CodecError(.outOfMemory, format: .png, detail: "no memory for the compressor")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_compressor(handle) }

    /// `bytes` as a zlib stream (RFC 1950).
    func compress(_ bytes: [UInt8]) -> [UInt8] {
        // With as much room as the bound says, compressing cannot fail; each pointer lives through its closure only.
        let bound = unsafe libdeflate_zlib_compress_bound(handle, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            unsafe bytes.withUnsafeBytes { source in
                count = unsafe libdeflate_zlib_compress(
                    handle, source.baseAddress, source.count, room.baseAddress, bound)
            }
        }
    }

    /// The CRC-32 of `bytes` (ISO 3309), as PNG chunks have it.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }
}
#endif

#if Drivers && os(Linux)
import CDeflate

/// Compresses by libdeflate; for one thread.
@safe struct DeflateCompressor: ~Copyable {
    private let handle: OpaquePointer

    /// Makes a compressor; `level` is 0 to 12.
    init(level: Int32) throws(CodecError) {
        guard let handle = unsafe libdeflate_alloc_compressor(level) else {
            throw CodecError(.outOfMemory, format: .png, detail: "not enough memory for the compressor")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_compressor(handle) }

    /// `bytes` as a zlib stream (RFC 1950).
    func compress(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
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
#elseif canImport(CPNGShim)
import CZlib

/// Compresses by zlib, which libpng needs anyway; for one thread.
struct DeflateCompressor: ~Copyable {
    private let level: Int32

    /// Makes a compressor; `level` is 0 to 12 as libdeflate counts, of which zlib has 0 to 9.
    init(level: Int32) throws(CodecError) { self.level = min(level, 9) }

    /// `bytes` as a zlib stream (RFC 1950).
    func compress(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
        // With as much room as the bound says, compressing fails only for want of memory; each pointer lives through its
        // closure only.
        let bound = compressBound(UInt(bytes.count))
        var status = Z_OK
        let stream = unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { room, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                var written = bound
                status = unsafe compress2(
                    room.baseAddress, &written, source.baseAddress, UInt(source.count), level)
                count = status == Z_OK ? Int(written) : 0
            }
        }
        guard status == Z_OK else {
            throw CodecError(.outOfMemory, format: .png, detail: "not enough memory for the compressor")
        }
        return stream
    }

    /// The CRC-32 of `bytes` (ISO 3309), as PNG chunks have it.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: unsafe crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
#endif

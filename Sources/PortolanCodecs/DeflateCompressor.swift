#if Drivers && os(Linux)
import CDeflate

/// A compressor with libdeflate, for one thread.
@safe struct DeflateCompressor: ~Copyable {
    private let handle: OpaquePointer

    /// Creates a compressor; `level` is 0 to 12.
    init(level: Int32) throws(CodecError) {
        guard let handle = unsafe libdeflate_alloc_compressor(level) else {
            throw CodecError(.outOfMemory, format: .png, detail: "not enough memory for the compressor")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_compressor(handle) }

    /// Returns `bytes` as a zlib stream (RFC 1950).
    func compress(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
        // Compressing cannot fail with a buffer of the bound's size; each pointer is valid only within its closure.
        let bound = unsafe libdeflate_zlib_compress_bound(handle, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            unsafe bytes.withUnsafeBytes { source in
                count = unsafe libdeflate_zlib_compress(
                    handle, source.baseAddress, source.count, room.baseAddress, bound)
            }
        }
    }

    /// Returns the CRC-32 of `bytes` (ISO 3309), as in PNG chunks.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }
}
#elseif canImport(CPNGShim)
import CZlib

/// A compressor with zlib, which libpng requires anyway, for one thread.
struct DeflateCompressor: ~Copyable {
    private let level: Int32

    /// Creates a compressor; `level` is 0 to 12 as in libdeflate, limited to 9 for zlib.
    init(level: Int32) throws(CodecError) { self.level = min(level, 9) }

    /// Returns `bytes` as a zlib stream (RFC 1950).
    func compress(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
        // With a buffer of the bound's size, compressing fails only for lack of memory; each pointer is valid only
        // within its closure.
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

    /// Returns the CRC-32 of `bytes` (ISO 3309), as in PNG chunks.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: unsafe crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
#endif

#if Drivers && os(Linux)
import CDeflate

/// Packs bytes by deflating them (RFC 1951), by libdeflate.
///
/// For one thread at a time.
@safe struct Deflater: ~Copyable {
    private let handle: OpaquePointer

    /// Creates a compressor, or returns `nil` if there is no memory.
    ///
    /// - Parameter level: 1, the fastest, to 12, the smallest.
    init?(level: Int) {
        guard let handle = unsafe libdeflate_alloc_compressor(Int32(level)) else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_compressor(handle) }

    /// The packed bytes, or `nil` if there is no memory.
    func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        // With as much room as the bound says, packing cannot fail; each pointer lives through its closure only.
        let bound = unsafe libdeflate_deflate_compress_bound(handle, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            unsafe bytes.withUnsafeBytes { source in
                count = unsafe libdeflate_deflate_compress(
                    handle, source.baseAddress, source.count, room.baseAddress, bound)
            }
        }
    }
}
#elseif canImport(CZlib)
import CZlib

/// Packs bytes by deflating them (RFC 1951), by zlib.
struct Deflater: ~Copyable {
    private let level: Int32

    /// Creates a compressor.
    ///
    /// - Parameter level: 1, the fastest, to 12; from 9 on all are the smallest.
    init?(level: Int) { self.level = Int32(min(level, 9)) }

    /// The packed bytes, or `nil` if there is no memory.
    func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        // With as much room as the bound says, packing fails only for want of memory; each pointer lives through its closure only.
        let bound = compressBound(UInt(bytes.count))
        var status = Z_OK
        let stream = unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { room, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                var written = bound
                status = unsafe compress2(room.baseAddress, &written, source.baseAddress, UInt(source.count), 6)
                count = status == Z_OK ? Int(written) : 0
            }
        }
        // Without the header and the checksum of zlib (RFC 1950).
        return status == Z_OK && stream.count >= 6 ? Array(stream[2..<(stream.count - 4)]) : nil
    }
}
#else
import Compression

/// Packs bytes by deflating them (RFC 1951), by the platform's library, which has one level.
struct Deflater: ~Copyable {
    /// Creates a compressor.
    init?(level: Int) {}

    /// The packed bytes, or `nil` if there is no memory.
    func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        // Bytes that do not shrink are stored in blocks, which takes little more room.
        let bound = bytes.count + bytes.count / 1000 + 1024
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            count = unsafe bytes.withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let to = room.baseAddress else { return 0 }
                return unsafe compression_encode_buffer(to, bound, from, source.count, nil, COMPRESSION_ZLIB)
            }
        }
        // The library has no stream for no bytes: an empty block of fixed codes.
        return packed.isEmpty ? (bytes.isEmpty ? [3, 0] : nil) : packed
    }
}
#endif

/// Packs contents as gzip streams (RFC 1952), one after the other.
///
/// For one thread at a time.
package final class GzipPacker {
    private let deflater: Deflater

    /// Creates a packer.
    ///
    /// - Parameter level: 1, the fastest, to 12, the smallest.
    /// - Throws: ``ZipError`` if there is no memory.
    package init(level: Int = 6) throws(ZipError) {
        guard let deflater = Deflater(level: level) else {
            throw ZipError(.limitExceeded, offset: 0, "there is no memory to compress")
        }
        self.deflater = deflater
    }

    /// Returns a stream without a name and a time: equal bytes give equal streams.
    ///
    /// - Throws: ``ZipError`` if there is no memory.
    package func pack(_ bytes: [UInt8]) throws(ZipError) -> [UInt8] {
        guard let packed = deflater.deflate(bytes) else {
            throw ZipError(.limitExceeded, offset: 0, "there is no memory to compress \(bytes.count) bytes")
        }
        // The system that wrote it is unknown.
        var stream: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        stream.reserveCapacity(packed.count + 18)
        stream += packed
        for number in [CRC32.checksum(of: bytes[...]), UInt32(truncatingIfNeeded: bytes.count)] {
            for shift in stride(from: 0, to: 32, by: 8) {
                stream.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
            }
        }
        return stream
    }
}

extension CompressedContent {
    /// A gzip stream (RFC 1952) of some bytes; see ``GzipPacker``.
    ///
    /// - Throws: ``ZipError`` if there is no memory.
    package static func gzip(_ bytes: [UInt8]) throws(ZipError) -> [UInt8] { try GzipPacker().pack(bytes) }
}

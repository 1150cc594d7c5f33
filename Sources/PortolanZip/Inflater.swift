#if Drivers && os(Linux)
import CDeflate

/// A deflate decompressor (RFC 1951) with libdeflate.
enum Inflater {
    /// Returns the decompressed bytes, or `nil` if they are damaged or of another length.
    ///
    /// - Parameter isWhole: whether the input must end with them.
    static func inflate(_ packed: ArraySlice<UInt8>, byteCount: Int, isWhole mustEnd: Bool = false) -> [UInt8]? {
        guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
        defer { unsafe libdeflate_free_decompressor(handle) }
        var isWhole = false
        let content = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            // Both buffers are passed with their lengths, which the library does not exceed.
            isWhole = unsafe packed.withUnsafeBytes { input in
                var taken = 0
                let result = unsafe libdeflate_deflate_decompress_ex(
                    handle, input.baseAddress, input.count, output.baseAddress, byteCount, &taken, nil)
                return result == LIBDEFLATE_SUCCESS && (!mustEnd || taken == input.count)
            }
            count = isWhole ? byteCount : 0
        }
        return isWhole ? content : nil
    }

    /// Returns the CRC-32 of bytes that follow others with a known checksum.
    static func checksum(of bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
        // Without an address libdeflate returns the checksum of an empty buffer.
        guard !bytes.isEmpty else { return checksum }
        return unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(checksum, $0.baseAddress, $0.count) }
    }
}
#elseif canImport(CZlib)
import CZlib

/// A deflate decompressor (RFC 1951) with zlib.
enum Inflater {
    /// Returns the decompressed bytes, or `nil` if they are damaged or of another length.
    ///
    /// - Parameter isWhole: whether the input must end with them.
    static func inflate(_ packed: ArraySlice<UInt8>, byteCount: Int, isWhole mustEnd: Bool = false) -> [UInt8]? {
        guard let stream = InflateStream() else { return nil }
        var packed = packed, content: [UInt8] = []
        content.reserveCapacity(byteCount)
        while content.count < byteCount {
            guard let isEnded = stream.append(byteCount - content.count, of: &packed, to: &content) else { return nil }
            if isEnded { return content.count == byteCount && (!mustEnd || packed.isEmpty) ? content : nil }
        }
        // All bytes are present, but the end has not been read, and no more bytes may follow.
        var rest: [UInt8] = []
        let isEnded = stream.append(1, of: &packed, to: &rest) == true && rest.isEmpty
        return isEnded && (!mustEnd || packed.isEmpty) ? content : nil
    }

    /// Returns the CRC-32 of bytes that follow others with a known checksum.
    static func checksum(of bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
        // Without an address zlib returns the checksum of an empty buffer.
        guard !bytes.isEmpty else { return checksum }
        return unsafe bytes.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(checksum), $0.baseAddress, $0.count))
        }
    }
}
#else
import Compression

/// A deflate decompressor (RFC 1951) with the platform's library.
enum Inflater {
    /// Returns the decompressed bytes, or `nil` if they are damaged or of another length.
    ///
    /// - Parameter isWhole: whether the input must end with them. This library does not report that, so the result is
    ///   `nil`.
    static func inflate(_ packed: ArraySlice<UInt8>, byteCount: Int, isWhole mustEnd: Bool = false) -> [UInt8]? {
        guard !mustEnd else { return nil }
        guard byteCount > 0 else { return [] }
        let content = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            // Both buffers are passed with their lengths, which the library does not exceed.
            count = unsafe packed.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else { return 0 }
                return unsafe compression_decode_buffer(to, byteCount, from, input.count, nil, COMPRESSION_ZLIB)
            }
        }
        return content.count == byteCount ? content : nil
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    /// Returns the CRC-32 of bytes that follow others with a known checksum.
    static func checksum(of bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
        ~bytes.reduce(~checksum) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}
#endif

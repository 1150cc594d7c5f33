#if Drivers && os(Linux)
import CDeflate

/// Unpacks deflated bytes (RFC 1951), by libdeflate.
enum Inflater {
    /// The bytes that were packed, or `nil` if they are damaged or not as many.
    ///
    /// - Parameter isWhole: whether the packed bytes must end with them.
    static func inflate(_ packed: ArraySlice<UInt8>, byteCount: Int, isWhole mustEnd: Bool = false) -> [UInt8]? {
        guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
        defer { unsafe libdeflate_free_decompressor(handle) }
        var isWhole = false
        let content = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            // Both buffers are handed over with their own lengths, beyond which the library does not go.
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

    /// The CRC-32 of bytes, behind others whose checksum is known.
    static func checksum(of bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
        // Without an address libdeflate gives the checksum of nothing.
        guard !bytes.isEmpty else { return checksum }
        return unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(checksum, $0.baseAddress, $0.count) }
    }
}
#elseif canImport(CZlib)
import CZlib

/// Unpacks deflated bytes (RFC 1951), by zlib.
enum Inflater {
    /// The bytes that were packed, or `nil` if they are damaged or not as many.
    ///
    /// - Parameter isWhole: whether the packed bytes must end with them.
    static func inflate(_ packed: ArraySlice<UInt8>, byteCount: Int, isWhole mustEnd: Bool = false) -> [UInt8]? {
        guard let stream = InflateStream() else { return nil }
        var packed = packed, content: [UInt8] = []
        content.reserveCapacity(byteCount)
        while content.count < byteCount {
            guard let isEnded = stream.append(byteCount - content.count, of: &packed, to: &content) else { return nil }
            if isEnded { return content.count == byteCount && (!mustEnd || packed.isEmpty) ? content : nil }
        }
        // All of it is there; its end is not yet read, and more must not follow.
        var rest: [UInt8] = []
        let isEnded = stream.append(1, of: &packed, to: &rest) == true && rest.isEmpty
        return isEnded && (!mustEnd || packed.isEmpty) ? content : nil
    }

    /// The CRC-32 of bytes, behind others whose checksum is known.
    static func checksum(of bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
        // Without an address zlib gives the checksum of nothing.
        guard !bytes.isEmpty else { return checksum }
        return unsafe bytes.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(checksum), $0.baseAddress, $0.count))
        }
    }
}
#else
import Compression

/// Unpacks deflated bytes (RFC 1951), by the platform's library.
enum Inflater {
    /// The bytes that were packed, or `nil` if they are damaged or not as many.
    ///
    /// - Parameter isWhole: whether the packed bytes must end with them, which this library does not report: `nil`.
    static func inflate(_ packed: ArraySlice<UInt8>, byteCount: Int, isWhole mustEnd: Bool = false) -> [UInt8]? {
        guard !mustEnd else { return nil }
        guard byteCount > 0 else { return [] }
        let content = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            // Both buffers are handed over with their own lengths, beyond which the library does not go.
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

    /// The CRC-32 of bytes, behind others whose checksum is known.
    static func checksum(of bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
        ~bytes.reduce(~checksum) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}
#endif

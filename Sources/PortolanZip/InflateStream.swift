#if canImport(CZlib)
import CZlib

/// A streaming deflate decompressor (RFC 1951) with zlib.
///
/// For one thread at a time. The stream has a fixed address from `init` to `deinit`, because zlib keeps a pointer to
/// it.
@safe final class InflateStream {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a stream, or returns `nil` if there is not enough memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // Negative: without the header and checksum of zlib (RFC 1950).
        let result = unsafe inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        _ = unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Appends up to `count` decompressed bytes, and removes the corresponding input from `packed`.
    ///
    /// - Returns: whether the end was reached, or `nil` if the input is damaged or truncated.
    func append(_ count: Int, of packed: inout ArraySlice<UInt8>, to buffer: inout [UInt8]) -> Bool? {
        // Both buffers are passed with their lengths, which zlib does not exceed, and only for the call.
        let wanted = UInt32(clamping: count), given = UInt32(clamping: packed.count)
        var result = Z_OK, taken = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Int(wanted)) { output, made in
            unsafe packed.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = given
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = wanted
                result = unsafe inflate(stream, Z_NO_FLUSH)
                taken = unsafe Int(given - stream.pointee.avail_in)
                made = unsafe Int(wanted - stream.pointee.avail_out)
            }
        }
        packed = packed.dropFirst(taken)
        buffer += piece
        switch result {
        case Z_STREAM_END: return true
        // Without further input, the end is missing.
        case Z_OK: return packed.isEmpty && piece.count < Int(wanted) ? nil : false
        default: return nil
        }
    }
}
#else
import Compression

/// A streaming deflate decompressor (RFC 1951) with the platform's library.
///
/// For one thread at a time. The stream has a fixed address from `init` to `deinit`.
@safe final class InflateStream {
    private let stream: UnsafeMutablePointer<compression_stream>

    /// Creates a stream, or returns `nil` if there is not enough memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        guard
            unsafe compression_stream_init(stream, COMPRESSION_STREAM_DECODE, COMPRESSION_ZLIB) == COMPRESSION_STATUS_OK
        else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        _ = unsafe compression_stream_destroy(stream)
        unsafe stream.deallocate()
    }

    /// Appends up to `count` decompressed bytes, and removes the corresponding input from `packed`.
    ///
    /// - Returns: whether the end was reached, or `nil` if the input is damaged or truncated.
    func append(_ count: Int, of packed: inout ArraySlice<UInt8>, to buffer: inout [UInt8]) -> Bool? {
        guard count > 0 else { return false }
        // Both buffers are passed with their lengths, which the library does not exceed, and only for the call.
        var status = COMPRESSION_STATUS_OK, taken = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, made in
            unsafe packed.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else {
                    status = COMPRESSION_STATUS_ERROR
                    return
                }
                unsafe stream.pointee.src_ptr = unsafe from
                unsafe stream.pointee.src_size = input.count
                unsafe stream.pointee.dst_ptr = unsafe to
                unsafe stream.pointee.dst_size = count
                status = unsafe compression_stream_process(stream, 0)
                taken = unsafe input.count - stream.pointee.src_size
                made = unsafe count - stream.pointee.dst_size
            }
        }
        packed = packed.dropFirst(taken)
        buffer += piece
        switch status {
        case COMPRESSION_STATUS_END: return true
        case COMPRESSION_STATUS_OK: return packed.isEmpty && piece.count < count ? nil : false
        default: return nil
        }
    }
}
#endif

#if Images && os(Linux)
import CZstandard
#endif

/// A decompressor of Zstandard frames (RFC 8878) by libzstd.
enum ZstandardFrames {
    /// Returns the content of consecutive frames.
    ///
    /// - Parameter byteLimit: the maximum number of decompressed bytes.
    static func content(of bytes: ArraySlice<UInt8>, byteLimit: Int) throws(ZipError) -> [UInt8] {
        #if Images && os(Linux)
        let start = bytes.startIndex
        guard let stream = ZstandardStream() else {
            throw ZipError(.malformed, offset: start, "not enough memory to decompress the content")
        }
        var rest = bytes, content: [UInt8] = []
        // With room for a whole frame, the library decompresses in one step and without a window.
        var room = min(ZstandardStream.statedLength(of: rest) ?? 1 << 16, byteLimit)
        while true {
            // Grows with the content, up to one byte beyond the limit.
            let count = min(max(1 << 12, room), byteLimit + 1 - content.count)
            let isEnded: Bool
            do throws(ZstandardStream.Failure) {
                isEnded = try stream.append(count, of: &rest, to: &content)
            } catch {
                throw ZipError(
                    .malformed, offset: start, "the compressed content is damaged or incomplete: \(error.reason)")
            }
            guard content.count <= byteLimit else {
                throw ZipError(.limitExceeded, offset: start, "the content exceeds \(byteLimit) bytes")
            }
            if isEnded, rest.isEmpty { return content }
            room = isEnded ? ZstandardStream.statedLength(of: rest) ?? content.count : content.count
        }
        #else
        throw ZipError(
            .unsupported, offset: bytes.startIndex,
            "Zstandard is not built in; install libzstd-dev and build with --traits Images")
        #endif
    }
}

#if Images && os(Linux)
/// A streaming decompressor.
///
/// For one thread at a time.
@safe private final class ZstandardStream {
    /// The failure of the library.
    struct Failure: Error { let reason: String }

    private let context: OpaquePointer

    /// Creates a stream, or returns `nil` if there is not enough memory.
    init?() {
        guard let context = unsafe ZSTD_createDCtx() else { return nil }
        unsafe self.context = unsafe context
    }

    deinit { _ = unsafe ZSTD_freeDCtx(context) }

    /// The length of the content of the first frame, if it states a possible one.
    static func statedLength(of bytes: ArraySlice<UInt8>) -> Int? {
        let length = unsafe bytes.withUnsafeBytes { unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        // The highest numbers mean that it is unknown or that the frame is invalid.
        guard let length = Int(exactly: length), length / CompressedContent.zstd.greatestRatio <= bytes.count else {
            return nil
        }
        return length
    }

    /// Appends up to `count` decompressed bytes, and removes the corresponding input from `packed`.
    ///
    /// - Returns: whether the end of a frame was reached.
    func append(_ count: Int, of packed: inout ArraySlice<UInt8>, to buffer: inout [UInt8]) throws(Failure) -> Bool {
        // Both buffers are passed with their lengths, which the library does not exceed, and only for the call.
        var result = 0, taken = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, made in
            unsafe packed.withUnsafeBytes { input in
                var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: count, pos: 0)
                result = unsafe ZSTD_decompressStream(context, &target, &source)
                taken = unsafe source.pos
                made = unsafe target.pos
            }
        }
        guard ZSTD_isError(result) == 0 else {
            throw Failure(reason: unsafe String(cString: ZSTD_getErrorName(result)))
        }
        packed = packed.dropFirst(taken)
        if buffer.isEmpty { buffer = piece } else { buffer += piece }
        // Without further input, the end is missing.
        guard result == 0 || !packed.isEmpty || piece.count == count else {
            throw Failure(reason: "its end is missing")
        }
        return result == 0
    }
}
#endif

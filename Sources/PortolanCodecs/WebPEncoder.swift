public import PortolanRaster

/// An encoder for WebP files.
public enum WebPEncoder {
    /// Returns `image` as a WebP with its transparency.
    ///
    /// With lossless compression, decoding the result gives `image` again.
    ///
    /// - Throws: ``CodecError`` with the code `limitExceeded` for a side over 16,383 pixels, `outOfMemory`,
    ///   `notBuiltIn` without the trait `Images`, or `unsupported` on Apple platforms, which only read WebP.
    /// - Complexity: O(pixels); tens of times slower than a PNG.
    public static func encode(
        _ image: PixelBuffer, compression: WebPEncoder.Compression = .lossless
    ) throws(CodecError) -> [UInt8] {
        if case .lossy(let quality) = compression {
            precondition((1...100).contains(quality), "the quality of a WebP is 1 to 100")
        }
        #if Images && os(Linux)
        return try WebPWriter.encode(image, compression: compression)
        #elseif os(Linux)
        throw .notBuiltIn(.webp)
        #else
        throw CodecError(.unsupported, format: .webp, detail: "writing WebP is not supported on this platform")
        #endif
    }
}

extension WebPEncoder {
    /// The compression of a WebP.
    public enum Compression: Hashable, Sendable {
        /// Lossless.
        case lossless
        /// Lossy, with one colour for two by two pixels. The quality is 1 (small) to 100 (best); other values are a
        /// programming error. Alpha is lossless.
        case lossy(quality: Int)
    }
}

#if Images && os(Linux)
import CWebP

private enum WebPWriter {
    static func encode(_ image: PixelBuffer, compression: WebPEncoder.Compression) throws(CodecError) -> [UInt8] {
        var config = WebPConfig(), picture = unsafe WebPPicture(), memory = unsafe WebPMemoryWriter()
        guard unsafe WebPConfigInit(&config) != 0, unsafe WebPPictureInit(&picture) != 0 else {
            throw CodecError(.unsupported, format: .webp, detail: "the versions of libwebp and its headers differ")
        }
        switch compression {
        case .lossless:
            config.lossless = 1
        case .lossy(let quality):
            config.quality = Float(quality)
            // Keeps more colour in thin coloured lines.
            config.use_sharp_yuv = 1
        }
        unsafe picture.use_argb = 1
        unsafe picture.width = CInt(clamping: image.width)
        unsafe picture.height = CInt(clamping: image.height)
        guard max(image.width, image.height) <= WEBP_MAX_DIMENSION else { throw error(VP8_ENC_ERROR_BAD_DIMENSION) }
        defer { unsafe WebPPictureFree(&picture) }
        let straight = image.pixels.map { Premultiplication.straight($0).littleEndian }
        let isImported = unsafe straight.withUnsafeBytes { bytes in
            // `straight` has the same number of rows and columns as the picture.
            unsafe WebPPictureImportRGBA(
                &picture, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(image.width * 4))
        }
        guard isImported != 0 else { throw unsafe error(picture.error_code) }
        unsafe WebPMemoryWriterInit(&memory)
        defer { unsafe WebPMemoryWriterClear(&memory) }
        return try unsafe withUnsafeMutablePointer(to: &memory) { (memory) throws(CodecError) -> [UInt8] in
            unsafe picture.writer = { bytes, count, picture in unsafe WebPMemoryWrite(bytes, count, picture) }
            unsafe picture.custom_ptr = UnsafeMutableRawPointer(memory)
            guard unsafe WebPEncode(&config, &picture) != 0 else { throw unsafe error(picture.error_code) }
            // The writer owns this memory until it is cleared, after the copy.
            return unsafe Array(UnsafeBufferPointer(start: memory.pointee.mem, count: memory.pointee.size))
        }
    }

    private static func error(_ code: WebPEncodingError) -> CodecError {
        switch code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
            CodecError(.outOfMemory, format: .webp, detail: "not enough memory for the encoder")
        case VP8_ENC_ERROR_BAD_DIMENSION, VP8_ENC_ERROR_FILE_TOO_BIG, VP8_ENC_ERROR_PARTITION_OVERFLOW,
            VP8_ENC_ERROR_PARTITION0_OVERFLOW:
            CodecError(
                .limitExceeded, format: .webp,
                detail: "the image is too large for WebP; the limit per side is \(WEBP_MAX_DIMENSION) pixels")
        default:
            CodecError(.corrupt, format: .webp, detail: "libwebp cannot encode the image: error \(code.rawValue)")
        }
    }
}
#endif

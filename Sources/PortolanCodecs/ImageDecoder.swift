public import PortolanRaster

/// Turns the bytes of a picture file into pixels, whatever its format.
///
/// PNG (all colour types, depths and interlacing; of an animation the default picture) and JPEG (grey, YCbCr, RGB,
/// CMYK; sequential and progressive) are decoded. Decoding is strict: a file that is cut off or damaged is an error,
/// even where other programs show a part of it, so that a broken tile never enters a cache.
///
/// The result is premultiplied sRGB. PNG's gAMA and cHRM chunks are honoured where sRGB is not stated; embedded ICC
/// profiles are not applied, and neither is an Exif orientation.
public enum ImageDecoder {
    /// The picture in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: one whole file; bytes behind its end are ignored.
    ///   - limits: checked before memory for pixels is taken.
    /// - Throws: ``CodecError`` with the code `unsupported` for anything that is not a PNG or a JPEG.
    /// - Complexity: O(pixels + bytes).
    public static func decode(
        _ bytes: [UInt8], limits: CodecLimits = CodecLimits()
    ) throws(CodecError) -> PixelBuffer {
        let format = try decodableFormat(of: bytes, limits: limits)
        #if canImport(ImageIO) && !canImport(CPNGShim)
        return try ImageIOCodec.decode(bytes, format: format, limits: limits)
        #else
        return format == .png
            ? try PNGDecoder.decode(bytes, limits: limits) : try JPEGDecoder.decode(bytes, limits: limits)
        #endif
    }

    /// The size of the picture in `bytes`, read from its header only.
    ///
    /// What follows the header is not looked at, so ``decode(_:limits:)`` may still fail.
    public static func size(
        of bytes: [UInt8], limits: CodecLimits = CodecLimits()
    ) throws(CodecError) -> ImageSize {
        let format = try decodableFormat(of: bytes, limits: limits)
        #if canImport(ImageIO) && !canImport(CPNGShim)
        return try ImageIOCodec.size(of: bytes, format: format, limits: limits)
        #else
        return format == .png
            ? try PNGDecoder.size(of: bytes, limits: limits) : try JPEGDecoder.size(of: bytes, limits: limits)
        #endif
    }

    private static func decodableFormat(of bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> ImageFormat {
        guard let format = ImageFormat(recognizing: bytes) else {
            throw CodecError(
                code: .unsupported, format: "unknown",
                detail: bytes.isEmpty
                    ? "there are no bytes" : "not a known picture format; it starts with \(FirstBytes(bytes))")
        }
        guard format.isDecodable else {
            throw CodecError(
                .unsupported, format: format,
                detail: "\(format.name) pictures are not decoded; ask the server for image/png or image/jpeg")
        }
        try limits.check(byteCount: bytes.count, format: format)
        return format
    }
}

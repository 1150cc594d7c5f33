#if Images && os(Linux)
import CWebP
import PortolanRaster

/// A WebP decoder with libwebp: lossy and lossless, with and without alpha.
///
/// Of an animation it decodes the first frame on a transparent canvas, as in browsers.
///
/// Source: RFC 9649.
struct WebPDecoder: ReducingImageDecoder {
    let format = ImageFormat.webp.rawValue

    func recognizes(_ head: [UInt8]) -> Bool { ImageFormat(recognizing: head) == .webp }

    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> ImageSize in
            let features = try unsafe Self.features(of: buffer)
            return try limits.size(width: Int(features.width), height: Int(features.height), format: format)
        }
    }

    func decode(_ bytes: [UInt8], to target: ImageSize?, limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer
    {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> PixelBuffer in
            let file = try unsafe Self.file(in: buffer)
            let features = try unsafe Self.features(of: file)
            let size = try limits.size(width: Int(features.width), height: Int(features.height), format: format)
            if features.has_animation != 0 {
                // A frame may be as large as the picture, and its decoder needs as much memory again.
                _ = try limits.memory(after: size, bytesPerPixel: 12, format: .webp)
                let picture = Self.picture(size, try unsafe Self.firstFrame(of: file, on: size, limits: limits))
                return target.map(picture.reduced(to:)) ?? picture
            }
            // The lossless decoder keeps the whole picture in memory, and so may the lossy one for alpha.
            let isHeld = features.format != Self.lossyFormat || features.has_alpha != 0
            let given = target ?? size
            let rest = try limits.memory(after: given, bytesPerPixel: 4, format: .webp)
            if isHeld {
                _ = try ImageDecoders.Limits(maximumMemory: rest).memory(after: size, bytesPerPixel: 4, format: .webp)
            }
            return Self.picture(given, try unsafe Self.pixels(of: file, size: given, isShrunk: given != size))
        }
    }

    /// libwebp's value for a lossy still picture.
    private static let lossyFormat: CInt = 1

    private static func picture(_ size: ImageSize, _ pixels: [UInt32]) -> PixelBuffer {
        guard let picture = PixelBuffer(size: size, pixels: pixels) else {
            preconditionFailure("as many pixels were read as the size has")
        }
        return picture
    }

    /// Returns the bytes of the file itself, with the length in its header (RFC 9649, section 2.4).
    private static func file(in buffer: UnsafeBufferPointer<UInt8>) throws(CodecError) -> UnsafeBufferPointer<UInt8> {
        // A recognised file has at least twelve bytes: RIFF, the number of bytes that follow, WEBP.
        let stated = (0..<4).reduce(8) { sum, place in unsafe sum + Int(buffer[4 + place]) << (8 * place) }
        guard stated <= buffer.count else {
            throw CodecError(
                .truncated, format: .webp, byteOffset: buffer.count,
                detail: "the file has \(buffer.count) of \(stated) bytes")
        }
        return unsafe UnsafeBufferPointer(rebasing: buffer.prefix(stated))
    }

    private static func features(of file: UnsafeBufferPointer<UInt8>) throws(CodecError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        try unsafe check(WebPGetFeatures(file.baseAddress, file.count, &features), byteCount: file.count)
        return features
    }

    /// Returns the premultiplied packed pixels of a still picture of `size`, or of a larger one reduced row by row.
    private static func pixels(
        of file: UnsafeBufferPointer<UInt8>, size: ImageSize, isShrunk: Bool = false
    ) throws(CodecError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: size.pixelCount)
        let status = unsafe pixels.withUnsafeMutableBytes { room -> VP8StatusCode in
            var config = unsafe WebPDecoderConfig()
            guard unsafe WebPInitDecoderConfig(&config) != 0 else { return VP8_STATUS_INVALID_PARAM }
            unsafe config.output.colorspace = MODE_RGBA
            unsafe config.options.use_scaling = isShrunk ? 1 : 0
            unsafe config.options.scaled_width = CInt(size.width)
            unsafe config.options.scaled_height = CInt(size.height)
            unsafe config.output.is_external_memory = 1
            // libwebp checks its rows against this buffer size before it writes.
            unsafe config.output.u.RGBA.rgba = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe config.output.u.RGBA.stride = CInt(size.width * 4)
            unsafe config.output.u.RGBA.size = room.count
            return unsafe WebPDecode(file.baseAddress, file.count, &config)
        }
        try check(status, byteCount: file.count)
        for index in pixels.indices {
            // The bytes in memory are R, G, B, A; the packed form has red lowest.
            pixels[index] = Premultiplication.premultiplied(UInt32(littleEndian: pixels[index]))
        }
        return pixels
    }

    /// Returns the first frame of an animation on its canvas.
    private static func firstFrame(
        of file: UnsafeBufferPointer<UInt8>, on canvas: ImageSize, limits: ImageDecoders.Limits
    ) throws(CodecError) -> [UInt32] {
        let corrupt = CodecError(.corrupt, format: .webp, detail: "no complete first frame in the animation")
        var data = unsafe WebPData(bytes: file.baseAddress, size: file.count)
        guard let demuxer = unsafe WebPDemux(&data) else { throw corrupt }
        defer { unsafe WebPDemuxDelete(demuxer) }
        var frame = unsafe WebPIterator()
        guard unsafe WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { throw corrupt }
        defer { unsafe WebPDemuxReleaseIterator(&frame) }
        let left = unsafe Int(frame.x_offset), top = unsafe Int(frame.y_offset)
        let size = try unsafe limits.size(width: Int(frame.width), height: Int(frame.height), format: "webp")
        guard left + size.width <= canvas.width, top + size.height <= canvas.height else { throw corrupt }
        // The frame's bytes are part of the file's, which outlive the iterator.
        let bytes = unsafe UnsafeBufferPointer(start: frame.fragment.bytes, count: frame.fragment.size)
        let pixels = try unsafe pixels(of: bytes, size: size)
        var drawn = [UInt32](repeating: 0, count: canvas.pixelCount)
        for row in 0..<size.height {
            let start = (top + row) * canvas.width + left
            drawn.replaceSubrange(
                start..<(start + size.width), with: pixels[(row * size.width)..<((row + 1) * size.width)])
        }
        return drawn
    }

    private static func check(_ status: VP8StatusCode, byteCount: Int) throws(CodecError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
            throw CodecError(.truncated, format: .webp, byteOffset: byteCount, detail: "unexpected end of file")
        case VP8_STATUS_OUT_OF_MEMORY:
            throw CodecError(.outOfMemory, format: .webp, detail: "not enough memory for the decoder")
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw CodecError(.unsupported, format: .webp, detail: "unsupported feature of the file")
        default: throw CodecError(.corrupt, format: .webp, detail: "damaged bit stream")
        }
    }
}
#endif

public import PortolanRaster

/// Turns pixels into the bytes of a JPEG file.
public enum JPEGEncoder {
    /// `image` as a sequential JPEG in a JFIF file.
    ///
    /// JPEG knows no transparency: the picture is laid on `background`, whose own alpha is not used.
    /// - Parameters:
    ///   - quality: 1 (small) to 100 (best); another value is a programmer's error.
    ///   - background: seen where the picture is not opaque.
    ///   - chroma: how finely colour is kept.
    /// - Throws: ``CodecError`` with the code `limitExceeded` for a side over 65,500 pixels, or `outOfMemory`.
    /// - Complexity: O(pixels).
    public static func encode(
        _ image: PixelBuffer, quality: Int = 85, background: Color = .white, chroma: ChromaSampling = .full
    ) throws(CodecError) -> [UInt8] {
        precondition((1...100).contains(quality), "the quality of a JPEG is 1 to 100")
        #if canImport(CJPEGShim)
        let writer = try JPEGWriter()
        try writer.begin(width: image.width, height: image.height, quality: quality, chroma: chroma)
        let pixels = image.pixels
        var row = [UInt8](repeating: 0, count: image.width * 3)
        for start in stride(from: 0, to: pixels.count, by: image.width) {
            var byte = 0
            for index in start..<(start + image.width) {
                let pixel = flattened(pixels[index], on: background)
                row[byte] = UInt8(truncatingIfNeeded: pixel)
                row[byte + 1] = UInt8(truncatingIfNeeded: pixel &>> 8)
                row[byte + 2] = UInt8(truncatingIfNeeded: pixel &>> 16)
                byte += 3
            }
            try writer.write(row: row)
        }
        return try writer.end()
        #else
        let opaque = image.pixels.map { flattened($0, on: background) }
        return try ImageIOEncoder.encode(
            PixelBuffer(size: image.size, pixels: opaque) ?? image, format: .jpeg, quality: Double(quality) / 100)
        #endif
    }

    /// A premultiplied packed pixel over an opaque background.
    private static func flattened(_ pixel: UInt32, on background: Color) -> UInt32 {
        let rest = 255 - pixel &>> 24
        if rest == 0 { return pixel }
        let blue = UInt32(background.blue), green = UInt32(background.green), red = UInt32(background.red)
        let shade = Premultiplication.premultiplied(rest << 24 | blue << 16 | green << 8 | red)
        func channel(_ shift: UInt32) -> UInt32 {
            min(((pixel &>> shift) & 0xff) + ((shade &>> shift) & 0xff), 255) &<< shift
        }
        return channel(0) | channel(8) | channel(16) | 0xff00_0000
    }
}

/// How finely a JPEG keeps colour beside brightness.
public enum ChromaSampling: String, Hashable, Sendable, CaseIterable {
    /// Colour for every pixel (4:4:4), which keeps thin coloured lines.
    case full = "4:4:4"
    /// One colour for two by two pixels (4:2:0), for photographs.
    case quarter = "4:2:0"
}

#if canImport(CJPEGShim)
import CJPEGShim

/// The owner of one libjpeg writer, good for one picture.
@safe struct JPEGWriter: ~Copyable {
    private let handle: OpaquePointer

    init() throws(CodecError) {
        guard let handle = unsafe portolan_jpeg_writer_create() else {
            throw CodecError(.outOfMemory, format: .jpeg, detail: "no memory for the encoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_jpeg_writer_destroy(handle) }

    /// Writes the header of an RGB picture.
    func begin(width: Int, height: Int, quality: Int, chroma: ChromaSampling) throws(CodecError) {
        try check(
            unsafe portolan_jpeg_writer_begin(
                handle, UInt32(width), UInt32(height), CInt(quality), chroma == .full ? 1 : 0))
    }

    /// Writes the next row, which has `width * 3` bytes of the begun picture.
    func write(row: [UInt8]) throws(CodecError) {
        try check(unsafe portolan_jpeg_writer_row(handle, row))
    }

    /// Writes the end.
    func end() throws(CodecError) -> [UInt8] {
        try check(unsafe portolan_jpeg_writer_end(handle))
        // The writer owns this memory and keeps it until it is destroyed, after the copy.
        return unsafe Array(
            UnsafeBufferPointer(start: portolan_jpeg_writer_bytes(handle), count: portolan_jpeg_writer_count(handle)))
    }

    private func check(_ status: CInt) throws(CodecError) {
        let code: CodecError.Code
        switch Int(status) {
        case PORTOLAN_JPEG_OK: return
        case PORTOLAN_JPEG_OUT_OF_MEMORY: code = .outOfMemory
        case PORTOLAN_JPEG_LIMIT_EXCEEDED: code = .limitExceeded
        default: code = .corrupt
        }
        throw CodecError(
            code, format: .jpeg, detail: unsafe String(cString: portolan_jpeg_writer_message(handle)))
    }
}
#endif

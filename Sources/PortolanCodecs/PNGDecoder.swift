#if canImport(CPNGShim)
import CPNGShim
import PortolanRaster

/// A PNG decoder with libpng.
///
/// Source: PNG specification, third edition (W3C, 2025).
struct PNGDecoder: ReducingImageDecoder {
    let format = ImageFormat.png.rawValue

    func recognizes(_ head: [UInt8]) -> Bool { ImageFormat(recognizing: head) == .png }

    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> ImageSize in
            let reader = try unsafe PNGReader(buffer)
            let header = try reader.readHeader()
            return try limits.size(width: Int(header.width), height: Int(header.height), format: format)
        }
    }

    func decode(_ bytes: [UInt8], to target: ImageSize?, limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer
    {
        // The reader stays inside the closure, and thus no longer than the borrowed bytes.
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> PixelBuffer in
            let reader = try unsafe PNGReader(buffer)
            return try decode(from: reader, to: target, byteCount: buffer.count, limits: limits)
        }
    }

    private func decode(
        from reader: borrowing PNGReader, to target: ImageSize?, byteCount: Int, limits: ImageDecoders.Limits
    ) throws(CodecError) -> PixelBuffer {
        let header = try reader.readHeader()
        let size = try limits.size(width: Int(header.width), height: Int(header.height), format: format)
        try Self.checkPlausible(header, byteCount: byteCount)
        let space = PNGColorSpace(header)
        let isWide = space != nil && header.bit_depth == 16
        let conversion = space.map { PNGColorConversion($0, maximum: isWide ? 65535 : 255) }
        let bytesPerPixel = isWide ? 12 : 4
        // Each pass of an interlaced picture covers the whole picture.
        guard let target, header.is_interlaced == 0 else {
            _ = try limits.memory(after: size, bytesPerPixel: bytesPerPixel, format: .png)
            let pixels = try Self.pixels(of: reader, count: size.pixelCount, conversion, isWide: isWide)
            guard let picture = PixelBuffer(size: size, pixels: pixels) else {
                preconditionFailure("as many pixels were read as the size has")
            }
            return target.map(picture.reduced(to:)) ?? picture
        }
        _ = try limits.memory(after: target, bytesPerPixel: 4, format: .png)
        var reduction = ImageReduction(of: size, to: target)
        var rest = size.height
        while rest > 0 {
            let rows = min(max((1 << 18) / size.width, 1), rest)
            let pixels = try Self.pixels(of: reader, rows: rows, count: rows * size.width, conversion, isWide: isWide)
            for row in 0..<rows { reduction.add(pixels[row * size.width..<(row + 1) * size.width]) }
            rest -= rows
        }
        return reduction.finish()
    }

    /// Returns the next rows, or the whole picture without `rows`, premultiplied and in sRGB.
    private static func pixels(
        of reader: borrowing PNGReader, rows: Int? = nil, count: Int, _ conversion: PNGColorConversion?, isWide: Bool
    ) throws(CodecError) -> [UInt32] {
        if let conversion, isWide {
            return conversion.convert(wide: try reader.readWideSamples(rows, count: count * 4))
        }
        var pixels = try reader.readPixels(rows, count: count)
        for index in pixels.indices {
            // The bytes in memory are R, G, B, A; the packed form has red lowest.
            let straight = UInt32(littleEndian: pixels[index])
            pixels[index] = Premultiplication.premultiplied(conversion?.convert(straight) ?? straight)
        }
        return pixels
    }

    /// Rejects a header with more rows than the file can contain, before memory is allocated for them.
    ///
    /// Deflate expands a byte to at most 1032 (RFC 1951: 258 bytes for two bits).
    private static func checkPlausible(_ header: portolan_png_header, byteCount: Int) throws(CodecError) {
        let bitsPerRow = Int(header.width) * Int(header.channels) * Int(header.bit_depth)
        let (needed, overflows) = ((bitsPerRow + 7) / 8).multipliedReportingOverflow(by: Int(header.height))
        guard !overflows, needed / 1032 <= byteCount else {
            throw CodecError(
                .truncated, format: .png, byteOffset: byteCount,
                detail: "\(byteCount) bytes cannot hold an image of \(header.width)x\(header.height)")
        }
    }
}

/// The owner of a libpng reader, for one picture.
@safe struct PNGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Starts reading `bytes`, whose memory must stay valid and unchanged as long as the reader lives.
    @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
        guard let handle = unsafe portolan_png_reader_create(bytes.baseAddress, bytes.count) else {
            throw CodecError(.outOfMemory, format: .png, detail: "not enough memory for the decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_png_reader_destroy(handle) }

    /// Reads everything before the image data.
    func readHeader() throws(CodecError) -> portolan_png_header {
        var header = portolan_png_header()
        try check(unsafe portolan_png_reader_header(handle, &header))
        return header
    }

    /// Returns the straight RGBA pixels, four bytes each, packed as in `PixelBuffer`: of the next rows, or of the whole
    /// picture.
    func readPixels(_ rows: Int? = nil, count: Int) throws(CodecError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: count)
        let status = unsafe pixels.withUnsafeMutableBytes { unsafe read(rows, into: $0, isWide: false) }
        try check(status)
        return pixels
    }

    /// Returns the 16-bit samples of the next rows, or of the whole picture.
    func readWideSamples(_ rows: Int? = nil, count: Int) throws(CodecError) -> [UInt16] {
        var samples = [UInt16](repeating: 0, count: count)
        let status = unsafe samples.withUnsafeMutableBytes { unsafe read(rows, into: $0, isWide: true) }
        try check(status)
        return samples
    }

    /// Reads rows.
    ///
    /// The shim checks the buffer size against the header's rows before it writes.
    private func read(_ rows: Int?, into room: UnsafeMutableRawBufferPointer, isWide: Bool) -> CInt {
        guard let rows else {
            return unsafe portolan_png_reader_pixels(handle, room.baseAddress, room.count, isWide ? 1 : 0)
        }
        return unsafe portolan_png_reader_rows(handle, room.baseAddress, room.count, rows, isWide ? 1 : 0)
    }

    private func check(_ status: CInt) throws(CodecError) {
        guard Int(status) != PORTOLAN_PNG_OK else { return }
        let code: CodecError.Code
        switch Int(status) {
        case PORTOLAN_PNG_TRUNCATED: code = .truncated
        case PORTOLAN_PNG_OUT_OF_MEMORY: code = .outOfMemory
        default: code = .corrupt
        }
        throw CodecError(
            code, format: .png, byteOffset: unsafe Int(portolan_png_reader_offset(handle)),
            detail: unsafe String(cString: portolan_png_reader_message(handle)))
    }
}
#endif

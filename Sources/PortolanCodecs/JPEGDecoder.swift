#if canImport(CJPEGShim)
import CJPEGShim
import PortolanRaster

/// A JPEG decoder with libjpeg.
///
/// Its warnings are treated as errors, except for stray bytes between segments.
///
/// Source: ITU-T T.81 (JPEG), T.871 (JFIF) and T.872 (Adobe's marker; inks are inverted).
struct JPEGDecoder: ReducingImageDecoder {
    let format = ImageFormat.jpeg.rawValue

    /// A progressive file has about ten scans; each additional one costs a pass over all coefficients for a few bytes
    /// of input.
    static let maximumScanCount = 500

    func recognizes(_ head: [UInt8]) -> Bool { ImageFormat(recognizing: head) == .jpeg }

    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> ImageSize in
            let reader = try unsafe JPEGReader(buffer)
            let header = try reader.readHeader()
            let size = try limits.size(width: Int(header.width), height: Int(header.height), format: format)
            return ExifOrientation(jpeg: bytes).upright(size)
        }
    }

    func decode(_ bytes: [UInt8], to target: ImageSize?, limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer
    {
        let orientation = ExifOrientation(jpeg: bytes)
        // The reader stays inside the closure, and thus no longer than the borrowed bytes.
        return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> PixelBuffer in
            let reader = try unsafe JPEGReader(buffer)
            // The target refers to the picture before rotation.
            let picture = try decode(
                from: reader, to: target.map(orientation.upright), byteCount: buffer.count, limits: limits)
            return orientation.upright(picture)
        }
    }

    private func decode(
        from reader: borrowing JPEGReader, to target: ImageSize?, byteCount: Int, limits: ImageDecoders.Limits
    ) throws(CodecError) -> PixelBuffer {
        let header = try reader.readHeader()
        let size = try limits.size(width: Int(header.width), height: Int(header.height), format: format)
        guard [1, 3, 4].contains(header.components) else {
            throw CodecError(
                .unsupported, format: .jpeg, detail: "images with \(header.components) components are not supported")
        }
        try Self.checkPlausible(header, byteCount: byteCount)
        let memory = try limits.memory(after: target ?? size, bytesPerPixel: 4, format: .jpeg)
        let denominator = target.map { Self.denominator(of: size, to: $0) } ?? 1
        let given = try reader.begin(
            denominator: denominator, maximumMemory: max(memory, 1), maximumScanCount: Self.maximumScanCount)
        guard let given = ImageSize(width: given.width, height: given.height) else {
            throw CodecError(.corrupt, format: .jpeg, detail: "the image has no size")
        }
        guard let target, target != given else {
            let pixels = try Self.pixels(of: reader, given, rows: given.height)
            guard let picture = PixelBuffer(size: given, pixels: pixels) else {
                preconditionFailure("as many pixels were read as the size has")
            }
            return picture
        }
        var reduction = ImageReduction(of: given, to: target)
        var rest = given.height
        while rest > 0 {
            let rows = min(max((1 << 18) / given.width, 1), rest)
            let pixels = try Self.pixels(of: reader, given, rows: rows)
            for row in 0..<rows { reduction.add(pixels[row * given.width..<(row + 1) * given.width]) }
            rest -= rows
        }
        return reduction.finish()
    }

    /// Returns the largest factor by which libjpeg can reduce a picture without becoming smaller than a size.
    ///
    /// If the factor does not divide the sides, the last column and row would represent less of the picture than the
    /// others.
    private static func denominator(of size: ImageSize, to target: ImageSize) -> Int {
        [8, 4, 2].first {
            size.width.isMultiple(of: $0) && size.height.isMultiple(of: $0) && size.width / $0 >= target.width
                && size.height / $0 >= target.height
        } ?? 1
    }

    private static func pixels(
        of reader: borrowing JPEGReader, _ size: ImageSize, rows: Int
    ) throws(CodecError) -> [UInt32] {
        var pixels = try reader.readRows(rows, count: rows * size.width)
        #if _endian(big)
        for index in pixels.indices { pixels[index] = UInt32(littleEndian: pixels[index]) }
        #endif
        return pixels
    }

    /// Rejects a header with more blocks than the file can contain, before memory is allocated for them.
    ///
    /// Huffman coding takes at least a bit for the DC of each 8 by 8 block, and components are subsampled by at most 4
    /// by 4.
    static func checkPlausible(_ header: portolan_jpeg_header, byteCount: Int) throws(CodecError) {
        let minimum = Int(header.width) * Int(header.height) / (8 * 8 * 16 * 8)
        guard header.is_arithmetic != 0 || minimum <= byteCount else {
            throw CodecError(
                .truncated, format: .jpeg, byteOffset: byteCount,
                detail: "\(byteCount) bytes cannot hold an image of \(header.width)x\(header.height)")
        }
    }
}

/// The owner of a libjpeg reader, for one picture: after an error it would fail for valid files, too.
@safe struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Starts reading `bytes`, whose memory must stay valid and unchanged as long as the reader lives.
    @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
        guard let handle = unsafe portolan_jpeg_reader_create(bytes.baseAddress, bytes.count) else {
            throw CodecError(.outOfMemory, format: .jpeg, detail: "not enough memory for the decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_jpeg_reader_destroy(handle) }

    /// Reads everything before the first scan.
    func readHeader() throws(CodecError) -> portolan_jpeg_header {
        var header = portolan_jpeg_header()
        try check(unsafe portolan_jpeg_reader_header(handle, &header))
        return header
    }

    /// Starts decoding the picture, reduced by 1, 2, 4 or 8, and returns its size.
    ///
    /// - Parameter keepsSamples: whether four components are left as they are in the file, not drawn as inks.
    func begin(
        denominator: Int, maximumMemory: Int, maximumScanCount: Int, keepsSamples: Bool = false
    ) throws(CodecError) -> (width: Int, height: Int) {
        var width: UInt32 = 0, height: UInt32 = 0
        try check(
            unsafe portolan_jpeg_reader_begin(
                handle, CInt(denominator), CLong(maximumMemory), CInt(maximumScanCount), keepsSamples ? 1 : 0, &width,
                &height))
        return (Int(width), Int(height))
    }

    /// Returns the opaque RGBA pixels of the next rows, four bytes each, packed as in `PixelBuffer`.
    func readRows(_ rows: Int, count: Int) throws(CodecError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: count)
        // The shim checks the buffer size against the rows before it writes.
        let status = unsafe pixels.withUnsafeMutableBytes { (room) -> CInt in
            unsafe portolan_jpeg_reader_rows(handle, room.baseAddress, room.count, rows)
        }
        try check(status)
        return pixels
    }

    private func check(_ status: CInt) throws(CodecError) {
        let code: CodecError.Code
        switch Int(status) {
        case PORTOLAN_JPEG_OK: return
        case PORTOLAN_JPEG_TRUNCATED: code = .truncated
        case PORTOLAN_JPEG_OUT_OF_MEMORY: code = .outOfMemory
        case PORTOLAN_JPEG_UNSUPPORTED: code = .unsupported
        case PORTOLAN_JPEG_LIMIT_EXCEEDED: code = .limitExceeded
        default: code = .corrupt
        }
        throw CodecError(
            code, format: .jpeg, byteOffset: unsafe Int(portolan_jpeg_reader_offset(handle)),
            detail: unsafe String(cString: portolan_jpeg_reader_message(handle)))
    }
}
#endif

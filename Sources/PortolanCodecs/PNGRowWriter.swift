#if canImport(CPNGShim)
import CPNGShim
package import PortolanRaster

/// An encoder that writes a PNG file incrementally from bands of rows.
///
/// The pixels are the same as those of ``PNGEncoder``, which compresses better and faster with all rows available.
package struct PNGRowWriter: ~Copyable {
    private let writer: PNGWriter
    private let size: ImageSize
    private let channels: Int
    private let level: Int
    private var hasBegun = false

    /// Starts a picture.
    ///
    /// - Parameter isOpaque: whether every pixel is guaranteed to be opaque.
    /// - Throws: ``CodecError`` with the code `outOfMemory`.
    package init(
        size: ImageSize, isOpaque: Bool, compression: PNGEncoder.Compression = .balanced
    ) throws(CodecError) {
        writer = try PNGWriter()
        self.size = size
        channels = isOpaque ? 3 : 4
        level =
            switch compression {
            case .fast: 1
            case .balanced: 3
            case .small: 9
            }
    }

    /// Adds the next rows, first at least 64 or all, and returns the available bytes.
    ///
    /// - Complexity: O(pixels).
    package mutating func add(_ rows: PixelBuffer) throws(CodecError) -> [UInt8] {
        precondition(rows.width == size.width, "the rows are as wide as the picture")
        if !hasBegun { try begin(with: rows) }
        let count = max((1 << 20) / rows.width, 1)
        for first in stride(from: 0, to: rows.height, by: count) {
            let lines = lines(rows, first..<min(first + count, rows.height)), line = rows.width * channels + 1
            // After the filter byte, which libpng adds itself.
            for start in stride(from: 1, to: lines.bytes.count, by: line) { try writer.write(lines.bytes, from: start) }
        }
        return writer.take()
    }

    /// Returns the rest of the file, after all rows were added.
    package mutating func finish() throws(CodecError) -> [UInt8] {
        try writer.end()
        return writer.take()
    }

    private mutating func begin(with rows: PixelBuffer) throws(CodecError) {
        hasBegun = true
        let isFiltered = try PNGEncoder.isShaded(lines(rows, 0..<min(rows.height, 64)))
        try writer.begin(size, hasAlpha: channels == 4, level: level, isFiltered: isFiltered)
    }

    private func lines(_ image: PixelBuffer, _ rows: Range<Int>) -> PNGScanlines {
        PNGScanlines(
            pixels: image.pixels[(rows.lowerBound * image.width)..<(rows.upperBound * image.width)], width: image.width,
            channels: channels)
    }
}

/// The owner of a libpng writer, for one picture.
///
/// Not private, because optimised code of other modules destroys it with the value that contains it, and refers to its
/// metadata.
@safe struct PNGWriter: ~Copyable {
    private let handle: OpaquePointer

    init() throws(CodecError) {
        guard let handle = unsafe portolan_png_writer_create() else {
            throw CodecError(.outOfMemory, format: .png, detail: "not enough memory for the encoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_png_writer_destroy(handle) }

    /// Writes the header.
    func begin(_ size: ImageSize, hasAlpha: Bool, level: Int, isFiltered: Bool) throws(CodecError) {
        try check(
            unsafe portolan_png_writer_begin(
                handle, UInt32(size.width), UInt32(size.height), hasAlpha ? 1 : 0, CInt(level), isFiltered ? 1 : 0))
    }

    /// Writes the next row, which begins at an offset of the bytes and is complete.
    func write(_ bytes: [UInt8], from start: Int) throws(CodecError) {
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return CInt(PORTOLAN_PNG_CORRUPT) }
            return unsafe portolan_png_writer_row(handle, first + start)
        }
        try check(status)
    }

    /// Writes the end.
    func end() throws(CodecError) { try check(unsafe portolan_png_writer_end(handle)) }

    /// Returns the bytes available since the last call.
    func take() -> [UInt8] {
        // The writer owns this memory and keeps it until it is cleared, after the copy.
        let bytes = unsafe Array(
            UnsafeBufferPointer(start: portolan_png_writer_bytes(handle), count: portolan_png_writer_count(handle)))
        unsafe portolan_png_writer_forget(handle)
        return bytes
    }

    private func check(_ status: CInt) throws(CodecError) {
        let code: CodecError.Code
        switch Int(status) {
        case PORTOLAN_PNG_OK: return
        case PORTOLAN_PNG_OUT_OF_MEMORY: code = .outOfMemory
        default: code = .corrupt
        }
        throw CodecError(code, format: .png, detail: unsafe String(cString: portolan_png_writer_message(handle)))
    }
}
#endif

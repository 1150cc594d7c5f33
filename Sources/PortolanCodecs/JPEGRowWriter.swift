#if canImport(CJPEGShim)
import CJPEGShim
package import PortolanRaster

/// An encoder that writes a JPEG file incrementally from bands of rows.
package struct JPEGRowWriter: ~Copyable {
    private let writer: JPEGWriter
    private let width: Int
    private let background: MapColor
    private var row: [UInt8]

    /// Starts a picture, which is drawn over `background`.
    ///
    /// - Parameter quality: 1 to 100.
    /// - Throws: ``CodecError`` with the code `limitExceeded` for a side over 65,500 pixels, or `outOfMemory`.
    package init(
        size: ImageSize, quality: Int, background: MapColor, chroma: JPEGEncoder.ChromaSampling = .full
    ) throws(CodecError) {
        let writer = try JPEGWriter()
        try writer.begin(width: size.width, height: size.height, quality: quality, chroma: chroma)
        self.writer = writer
        width = size.width
        self.background = background
        row = [UInt8](repeating: 0, count: size.width * 3)
    }

    /// Adds the next rows, and returns the available bytes.
    ///
    /// - Complexity: O(pixels).
    package mutating func add(_ rows: PixelBuffer) throws(CodecError) -> [UInt8] {
        precondition(rows.width == width, "the rows are as wide as the picture")
        let pixels = rows.pixels
        for start in stride(from: 0, to: pixels.count, by: width) {
            var byte = 0
            for index in start..<(start + width) {
                let pixel = JPEGEncoder.flattened(pixels[index], on: background)
                row[byte] = UInt8(truncatingIfNeeded: pixel)
                row[byte + 1] = UInt8(truncatingIfNeeded: pixel &>> 8)
                row[byte + 2] = UInt8(truncatingIfNeeded: pixel &>> 16)
                byte += 3
            }
            try writer.write(row: row)
        }
        return writer.take()
    }

    /// Returns the rest of the file, after all rows were added.
    package mutating func finish() throws(CodecError) -> [UInt8] {
        try writer.end()
        return writer.take()
    }
}

/// The owner of a libjpeg writer, for one picture.
@safe struct JPEGWriter: ~Copyable {
    private let handle: OpaquePointer

    init() throws(CodecError) {
        guard let handle = unsafe portolan_jpeg_writer_create() else {
            throw CodecError(.outOfMemory, format: .jpeg, detail: "not enough memory for the encoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_jpeg_writer_destroy(handle) }

    /// Writes the header of an RGB picture.
    func begin(width: Int, height: Int, quality: Int, chroma: JPEGEncoder.ChromaSampling) throws(CodecError) {
        try check(
            unsafe portolan_jpeg_writer_begin(
                handle, UInt32(width), UInt32(height), CInt(quality), chroma == .full ? 1 : 0))
    }

    /// Writes the next row, with `width * 3` bytes.
    func write(row: [UInt8]) throws(CodecError) {
        try check(unsafe portolan_jpeg_writer_row(handle, row))
    }

    /// Writes the end.
    func end() throws(CodecError) { try check(unsafe portolan_jpeg_writer_end(handle)) }

    /// Returns the bytes available since the last call.
    func take() -> [UInt8] {
        // The writer owns this memory and keeps it until it is cleared, after the copy.
        let bytes = unsafe Array(
            UnsafeBufferPointer(start: portolan_jpeg_writer_bytes(handle), count: portolan_jpeg_writer_count(handle)))
        unsafe portolan_jpeg_writer_forget(handle)
        return bytes
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

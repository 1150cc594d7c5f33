#if canImport(CPNGShim)
import CPNGShim

/// The owner of one libpng writer, good for one picture.
@safe struct PNGWriter: ~Copyable {
    private let handle: OpaquePointer

    init() throws(CodecError) {
        guard let handle = unsafe portolan_png_writer_create() else {
            throw CodecError(.outOfMemory, format: .png, detail: "no memory for the encoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_png_writer_destroy(handle) }

    /// Writes the header; `channels` is 3 for RGB or 4 for RGBA.
    func begin(width: Int, height: Int, channels: Int, effort: PNGEffort) throws(CodecError) {
        try check(
            unsafe portolan_png_writer_begin(
                handle, UInt32(width), UInt32(height), CInt(channels), effort.level, effort.filters))
    }

    /// Writes the next row, which has `width * channels` bytes of the begun picture.
    func write(row: [UInt8]) throws(CodecError) {
        try check(unsafe portolan_png_writer_row(handle, row))
    }

    /// Writes the end.
    func end() throws(CodecError) -> [UInt8] {
        try check(unsafe portolan_png_writer_end(handle))
        // The writer owns this memory and keeps it until it is destroyed, after the copy.
        return unsafe Array(
            UnsafeBufferPointer(start: portolan_png_writer_bytes(handle), count: portolan_png_writer_count(handle)))
    }

    private func check(_ status: CInt) throws(CodecError) {
        guard Int(status) != PORTOLAN_PNG_OK else { return }
        throw CodecError(
            Int(status) == PORTOLAN_PNG_OUT_OF_MEMORY ? .outOfMemory : .corrupt, format: .png,
            detail: unsafe String(cString: portolan_png_writer_message(handle)))
    }
}
#endif

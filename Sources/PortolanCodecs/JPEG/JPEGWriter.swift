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

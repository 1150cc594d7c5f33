#if canImport(CJPEGShim)
import CJPEGShim

/// The owner of one libjpeg reader, good for one picture: after an error it would fail on sound files too.
@safe struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Starts reading `bytes`, whose memory the caller keeps alive and unchanged as long as the reader lives.
    @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
        guard let handle = unsafe portolan_jpeg_reader_create(bytes.baseAddress, bytes.count) else {
            throw CodecError(.outOfMemory, format: .jpeg, detail: "no memory for the decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_jpeg_reader_destroy(handle) }

    /// Everything before the first scan.
    func readHeader() throws(CodecError) -> portolan_jpeg_header {
        var header = portolan_jpeg_header()
        try check(unsafe portolan_jpeg_reader_header(handle, &header))
        return header
    }

    /// The opaque RGBA pixels, four bytes each, packed as in `PixelBuffer`.
    func readPixels(count: Int, maximumMemory: Int, maximumScanCount: Int) throws(CodecError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: count)
        // The shim checks the room against the header's rows before it writes.
        let status = unsafe pixels.withUnsafeMutableBytes { (room) -> CInt in
            unsafe portolan_jpeg_reader_pixels(
                handle, room.baseAddress, room.count, CLong(maximumMemory), CInt(maximumScanCount))
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

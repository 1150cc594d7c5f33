#if canImport(CPNGShim)
import CPNGShim

/// The owner of one libpng reader, good for one picture.
@safe struct PNGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Starts reading `bytes`, whose memory the caller keeps alive and unchanged as long as the reader lives.
    @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
        guard let handle = unsafe portolan_png_reader_create(bytes.baseAddress, bytes.count) else {
            throw CodecError(.outOfMemory, format: .png, detail: "no memory for the decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe portolan_png_reader_destroy(handle) }

    /// Everything before the image data.
    func readHeader() throws(CodecError) -> portolan_png_header {
        var header = portolan_png_header()
        try check(unsafe portolan_png_reader_header(handle, &header))
        return header
    }

    /// The straight RGBA pixels, four bytes each, packed as in `PixelBuffer`.
    func readPixels(count: Int) throws(CodecError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: count)
        // The shim checks the room against the header's rows before it writes.
        let status = unsafe pixels.withUnsafeMutableBytes { (room) -> CInt in
            unsafe portolan_png_reader_pixels(handle, room.baseAddress, room.count, 0)
        }
        try check(status)
        return pixels
    }

    /// The straight RGBA samples of a picture with 16 bits a sample.
    func readWideSamples(count: Int) throws(CodecError) -> [UInt16] {
        var samples = [UInt16](repeating: 0, count: count)
        let status = unsafe samples.withUnsafeMutableBytes { (room) -> CInt in
            unsafe portolan_png_reader_pixels(handle, room.baseAddress, room.count, 1)
        }
        try check(status)
        return samples
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

#if Images && os(Linux)
import CGIF
import PortolanRaster

/// A GIF decoder with giflib: decodes the first image, on the logical screen.
///
/// Only the first image of an animation is read. The screen is extended if the image exceeds it. Pixels outside of the
/// image are transparent, and so are colours missing in its table, as in browsers.
///
/// Source: Graphics Interchange Format, version 89a (CompuServe, 1990).
struct GIFDecoder: ReducingImageDecoder {
    let format = ImageFormat.gif.rawValue

    func recognizes(_ head: [UInt8]) -> Bool { ImageFormat(recognizing: head) == .gif }

    func size(of bytes: [UInt8], limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> ImageSize in
            let reader = try unsafe GIFReader(buffer)
            return try size(of: reader.readFrame(), limits: limits)
        }
    }

    func decode(_ bytes: [UInt8], to target: ImageSize?, limits: ImageDecoders.Limits) throws(CodecError) -> PixelBuffer
    {
        // The reader stays inside the closure, and thus no longer than the borrowed bytes.
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> PixelBuffer in
            let reader = try unsafe GIFReader(buffer)
            let frame = try reader.readFrame(), size = try size(of: frame, limits: limits)
            try checkPlausible(frame, byteCount: buffer.count)
            let colors = try reader.colors(transparentIndex: frame.transparentIndex)
            // The rows of an interlaced image are in another order.
            if let target, !frame.isInterlaced {
                _ = try limits.memory(after: target, bytesPerPixel: 4, format: .gif)
                return try Self.reduced(frame, of: reader, colors, on: size, to: target)
            }
            _ = try limits.memory(after: size, bytesPerPixel: 4, format: .gif)
            var pixels = [UInt32](repeating: 0, count: size.pixelCount)
            for row in Self.rows(of: frame) {
                let start = (frame.top + row) * size.width + frame.left
                for (column, index) in try reader.readRow(count: frame.width).enumerated() {
                    pixels[start + column] = colors[Int(index)]
                }
            }
            guard let picture = PixelBuffer(size: size, pixels: pixels) else {
                preconditionFailure("as many pixels were made as the size has")
            }
            return target.map(picture.reduced(to:)) ?? picture
        }
    }

    /// Returns the image on its screen, reduced row by row.
    private static func reduced(
        _ frame: GIFReader.Frame, of reader: borrowing GIFReader, _ colors: [UInt32], on size: ImageSize,
        to target: ImageSize
    ) throws(CodecError) -> PixelBuffer {
        var reduction = ImageReduction(of: size, to: target)
        let empty = [UInt32](repeating: 0, count: size.width)
        for row in 0..<size.height {
            var pixels = empty
            if (frame.top..<frame.top + frame.height).contains(row) {
                for (column, index) in try reader.readRow(count: frame.width).enumerated() {
                    pixels[frame.left + column] = colors[Int(index)]
                }
            }
            reduction.add(pixels[...])
        }
        return reduction.finish()
    }

    /// Returns the size of the logical screen, extended to hold the image.
    private func size(of frame: GIFReader.Frame, limits: ImageDecoders.Limits) throws(CodecError) -> ImageSize {
        _ = try limits.size(width: frame.width, height: frame.height, format: format)
        return try limits.size(
            width: max(frame.screenWidth, frame.left + frame.width),
            height: max(frame.screenHeight, frame.top + frame.height), format: format)
    }

    /// Rejects an image larger than the file can contain, before memory is allocated for it.
    ///
    /// An LZW code has at least three bits and represents at most 4,096 pixels.
    private func checkPlausible(_ frame: GIFReader.Frame, byteCount: Int) throws(CodecError) {
        guard frame.width * frame.height / (4096 * 8 / 3) <= byteCount else {
            throw CodecError(
                .truncated, format: .gif, byteOffset: byteCount,
                detail: "\(byteCount) bytes cannot hold an image of \(frame.width)x\(frame.height)")
        }
    }

    /// Returns the rows of an image in the order of the file: four passes if it is interlaced.
    private static func rows(of frame: GIFReader.Frame) -> [Int] {
        guard frame.isInterlaced else { return Array(0..<frame.height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: frame.height, by: step))
        }
    }
}

/// The owner of a giflib reader, for the first image of a file.
@safe struct GIFReader: ~Copyable {
    /// The properties of an image before its pixels.
    struct Frame {
        var screenWidth = 0, screenHeight = 0
        var left = 0, top = 0, width = 0, height = 0
        var isInterlaced = false
        /// The index of transparent pixels.
        var transparentIndex: Int?
    }

    /// The bytes and the number of bytes read; they are accessed only within the buffer's bounds.
    @safe private struct Source {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset = 0
        var isExhausted = false
    }

    private let source: UnsafeMutablePointer<Source>
    private let file: UnsafeMutablePointer<GifFileType>

    /// Reads the header of `bytes`, whose memory must stay valid and unchanged as long as the reader lives.
    @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
        let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
        unsafe source.initialize(to: Source(bytes: bytes))
        let read: InputFunc = { file, room, count in
            guard let file = unsafe file, let room = unsafe room, count > 0 else { return 0 }
            // The user data is the source, which outlives the file.
            guard let source = unsafe file.pointee.UserData?.assumingMemoryBound(to: Source.self) else { return 0 }
            let offset = unsafe source.pointee.offset
            let length = unsafe min(Int(count), source.pointee.bytes.count - offset)
            // giflib provides room for `count` bytes, and no more are copied.
            for place in 0..<length { unsafe room[place] = source.pointee.bytes[offset + place] }
            unsafe source.pointee.offset += length
            if length < Int(count) { unsafe source.pointee.isExhausted = true }
            return CInt(length)
        }
        var status: CInt = 0
        guard let file = unsafe DGifOpen(source, read, &status) else {
            let error = unsafe Self.error(status, source.pointee)
            unsafe source.deallocate()
            throw error
        }
        unsafe self.source = unsafe source
        unsafe self.file = unsafe file
    }

    deinit {
        _ = unsafe DGifCloseFile(file, nil)
        unsafe source.deallocate()
    }

    /// Reads everything before the pixels of the first image.
    func readFrame() throws(CodecError) -> Frame {
        var frame = unsafe Frame(screenWidth: Int(file.pointee.SWidth), screenHeight: Int(file.pointee.SHeight))
        while true {
            var kind = UNDEFINED_RECORD_TYPE
            try check(unsafe DGifGetRecordType(file, &kind))
            switch kind {
            case EXTENSION_RECORD_TYPE: try readExtension(into: &frame)
            case IMAGE_DESC_RECORD_TYPE:
                try check(unsafe DGifGetImageDesc(file))
                let image = unsafe file.pointee.Image
                frame.left = unsafe Int(image.Left)
                frame.top = unsafe Int(image.Top)
                frame.width = unsafe Int(image.Width)
                frame.height = unsafe Int(image.Height)
                frame.isInterlaced = unsafe image.Interlace
                return frame
            default: throw error(.corrupt, "no image in the file")
            }
        }
    }

    /// Reads an extension; the graphic control extension has the transparent colour (GIF89a, clause 23).
    private func readExtension(into frame: inout Frame) throws(CodecError) {
        var label: CInt = 0
        var block: UnsafeMutablePointer<GifByteType>?
        try check(unsafe DGifGetExtension(file, &label, &block))
        while let data = unsafe block {
            var control = GraphicsControlBlock()
            // The first byte of a block is the number of bytes that follow.
            if label == GRAPHICS_EXT_FUNC_CODE,
                unsafe DGifExtensionToGCB(Int(data[0]), data + 1, &control) == GIF_OK
            {
                frame.transparentIndex =
                    control.TransparentColor == NO_TRANSPARENT_COLOR ? nil : Int(control.TransparentColor)
            }
            try check(unsafe DGifGetExtensionNext(file, &block))
        }
    }

    /// Returns the packed pixel of each of the 256 indices, after the frame was read.
    func colors(transparentIndex: Int?) throws(CodecError) -> [UInt32] {
        guard let map = unsafe file.pointee.Image.ColorMap ?? file.pointee.SColorMap else {
            throw error(.corrupt, "no colour table")
        }
        let table = unsafe UnsafeBufferPointer(start: map.pointee.Colors, count: Int(map.pointee.ColorCount))
        var colors = [UInt32](repeating: 0, count: 256)
        for index in 0..<min(table.count, 256) where index != transparentIndex {
            let color = unsafe table[index]
            colors[index] =
                0xff00_0000 | UInt32(color.Blue) << 16 | UInt32(color.Green) << 8 | UInt32(color.Red)
        }
        return colors
    }

    /// Returns the indices of the next row of the image, which has `count` columns.
    func readRow(count: Int) throws(CodecError) -> [UInt8] {
        var row = [UInt8](repeating: 0, count: count)
        let status = unsafe row.withUnsafeMutableBufferPointer { unsafe DGifGetLine(file, $0.baseAddress, CInt(count)) }
        try check(status)
        return row
    }

    private func check(_ status: CInt) throws(CodecError) {
        guard status != GIF_OK else { return }
        throw unsafe Self.error(file.pointee.Error, source.pointee)
    }

    private func error(_ code: CodecError.Code, _ detail: String) -> CodecError {
        unsafe CodecError(code, format: .gif, byteOffset: source.pointee.offset, detail: detail)
    }

    private static func error(_ status: CInt, _ source: Source) -> CodecError {
        if source.isExhausted {
            return CodecError(
                .truncated, format: .gif, byteOffset: source.offset, detail: "unexpected end of file")
        }
        let text = unsafe GifErrorString(status), words = unsafe text.map { unsafe String(cString: $0) }
        return CodecError(
            status == D_GIF_ERR_NOT_ENOUGH_MEM ? .outOfMemory : .corrupt, format: .gif, byteOffset: source.offset,
            detail: words ?? "cannot read the file")
    }
}
#endif

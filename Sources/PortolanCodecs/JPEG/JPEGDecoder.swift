#if canImport(CJPEGShim)
import CJPEGShim
import PortolanRaster

/// JPEG bytes to pixels through libjpeg; its warnings are errors here.
///
/// Source: ITU-T T.81 (JPEG), T.871 (JFIF) and T.872 (Adobe's marker; inks are inverted).
enum JPEGDecoder {
    /// A progressive file has about ten scans; each more costs a walk over all coefficients for a few bytes of input.
    private static let maximumScanCount = 500

    static func size(of bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> ImageSize {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> ImageSize in
            let reader = try unsafe JPEGReader(buffer)
            let header = try reader.readHeader()
            return try limits.size(width: Int(header.width), height: Int(header.height), format: .jpeg)
        }
    }

    static func decode(_ bytes: [UInt8], limits: CodecLimits) throws(CodecError) -> PixelBuffer {
        // The reader lives inside the closure, hence no longer than the borrowed bytes.
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> PixelBuffer in
            let reader = try unsafe JPEGReader(buffer)
            return try decode(from: reader, byteCount: buffer.count, limits: limits)
        }
    }

    private static func decode(
        from reader: borrowing JPEGReader, byteCount: Int, limits: CodecLimits
    ) throws(CodecError) -> PixelBuffer {
        let header = try reader.readHeader()
        let size = try limits.size(width: Int(header.width), height: Int(header.height), format: .jpeg)
        guard [1, 3, 4].contains(header.components) else {
            throw CodecError(
                .unsupported, format: .jpeg, detail: "pictures of \(header.components) components are not decoded")
        }
        try checkPlausible(header, byteCount: byteCount)
        let memory = try limits.memory(after: size, bytesPerPixel: 4, format: .jpeg)
        var pixels = try reader.readPixels(
            count: size.pixelCount, maximumMemory: max(memory, 1), maximumScanCount: maximumScanCount)
        #if _endian(big)
        for index in pixels.indices { pixels[index] = UInt32(littleEndian: pixels[index]) }
        #endif
        guard let picture = PixelBuffer(size: size, pixels: pixels) else {
            preconditionFailure("as many pixels were read as the size has")
        }
        return picture
    }

    /// Refuses a header whose blocks cannot come out of the file, before memory is taken for them.
    ///
    /// Huffman coding spends at least a bit on the DC of each 8 by 8 block, and components are thinned by 4 by 4 at
    /// most.
    private static func checkPlausible(_ header: portolan_jpeg_header, byteCount: Int) throws(CodecError) {
        let minimum = Int(header.width) * Int(header.height) / (8 * 8 * 16 * 8)
        guard header.is_arithmetic != 0 || minimum <= byteCount else {
            throw CodecError(
                .truncated, format: .jpeg, byteOffset: byteCount,
                detail: "\(byteCount) bytes cannot hold a picture of \(header.width)x\(header.height)")
        }
    }
}
#endif

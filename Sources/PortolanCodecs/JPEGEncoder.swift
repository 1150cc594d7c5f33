public import PortolanRaster

/// An encoder for JPEG files.
public enum JPEGEncoder {
    /// Returns `image` as a sequential JPEG in a JFIF file.
    ///
    /// JPEG has no transparency: the picture is drawn over `background`, whose alpha is ignored.
    ///
    /// - Parameters:
    ///   - quality: 1 (small) to 100 (best); other values are a programming error.
    ///   - background: the colour behind transparent pixels.
    ///   - chroma: the colour resolution.
    /// - Throws: ``CodecError`` with the code `limitExceeded` for a side over 65,500 pixels, or `outOfMemory`.
    /// - Complexity: O(pixels).
    public static func encode(
        _ image: PixelBuffer, quality: Int = 85, background: MapColor = .white,
        chroma: JPEGEncoder.ChromaSampling = .full
    ) throws(CodecError) -> [UInt8] {
        precondition((1...100).contains(quality), "the quality of a JPEG is 1 to 100")
        #if canImport(CJPEGShim)
        var writer = try JPEGRowWriter(size: image.size, quality: quality, background: background, chroma: chroma)
        return try writer.add(image) + writer.finish()
        #else
        let opaque = image.pixels.map { flattened($0, on: background) }
        return try ImageIOEncoder.encode(
            PixelBuffer(size: image.size, pixels: opaque) ?? image, format: .jpeg, quality: Double(quality) / 100)
        #endif
    }

    /// Returns a premultiplied packed pixel over an opaque background.
    static func flattened(_ pixel: UInt32, on background: MapColor) -> UInt32 {
        let rest = 255 - pixel &>> 24
        if rest == 0 { return pixel }
        let blue = UInt32(background.blue), green = UInt32(background.green), red = UInt32(background.red)
        let shade = Premultiplication.premultiplied(rest << 24 | blue << 16 | green << 8 | red)
        func channel(_ shift: UInt32) -> UInt32 {
            min(((pixel &>> shift) & 0xff) + ((shade &>> shift) & 0xff), 255) &<< shift
        }
        return channel(0) | channel(8) | channel(16) | 0xff00_0000
    }
}

extension JPEGEncoder {
    /// The colour resolution of a JPEG relative to its brightness.
    public enum ChromaSampling: String, Hashable, Sendable, CaseIterable {
        /// Colour for every pixel (4:4:4), which keeps thin coloured lines.
        case full = "4:4:4"
        /// One colour for two by two pixels (4:2:0), for photographs.
        case quarter = "4:2:0"
    }
}

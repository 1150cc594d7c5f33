public import PortolanRaster

/// An encoder for PNG files.
public enum PNGEncoder {
    /// Returns `image` as a PNG with 8 bits per sample.
    ///
    /// In full colours it is RGB if every pixel is opaque, otherwise RGBA with straight alpha, and decoding the result
    /// gives `image` again. The same picture always gives the same bytes with the same version of libdeflate (without
    /// the trait `Drivers`: zlib).
    ///
    /// - Throws: ``CodecError`` with the code `outOfMemory`.
    /// - Complexity: O(pixels).
    public static func encode(
        _ image: PixelBuffer, compression: PNGEncoder.Compression = .balanced, colors: PNGEncoder.Colors = .full
    ) throws(CodecError) -> [UInt8] {
        #if canImport(CPNGShim)
        let pixels = image.pixels
        var file = PNGFile()
        let lines: PNGScanlines
        switch colors {
        case .full:
            // Without a branch, so that several pixels are compared at a time.
            let isOpaque = pixels.reduce(UInt32.max, &) >= 0xff00_0000
            let channels = isOpaque ? 3 : 4
            file.addHeader(width: image.width, height: image.height, colorType: isOpaque ? 2 : 6)
            if compression == .fast, PixelRuns.isFlat(pixels, width: image.width),
                let stream = PixelRunCompressor.compress(pixels, width: image.width, channels: channels)
            {
                file.finish(stream)
                return file.bytes
            }
            lines = PNGScanlines(pixels: pixels, width: image.width, channels: channels)
        case .palette:
            let palette = PNGPalette(pixels: pixels)
            file.addHeader(width: image.width, height: image.height, colorType: 3)
            file.add(palette)
            lines = PNGScanlines(indices: palette.indices, width: image.width)
        }
        file.finish(try compressed(lines, compression: compression, isIndexed: colors == .palette))
        return file.bytes
        #else
        return try ImageIOEncoder.encode(image, format: .png, quality: 1)
        #endif
    }

    #if canImport(CPNGShim)
    /// Returns the rows as a zlib stream.
    ///
    /// A sample of the rows determines whether the picture has flat colours, which compress best without filters, or
    /// gradients.
    static func compressed(
        _ lines: PNGScanlines, compression: PNGEncoder.Compression, isIndexed: Bool
    ) throws(CodecError) -> [UInt8] {
        let level: Int32 =
            switch compression {
            case .fast: 1
            case .balanced: 3
            case .small: 11
            }
        let compressor = try DeflateCompressor(level: level)
        if isIndexed { return try compressor.compress(lines.bytes) }
        guard compression == .small else {
            return try compressor.compress(isShaded(lines.sample) ? lines.filtered() : lines.bytes)
        }
        let plain = try compressor.compress(lines.bytes), filtered = try compressor.compress(lines.filtered())
        return plain.count <= filtered.count ? plain : filtered
    }

    /// Returns whether the rows contain gradients, so that filters make them smaller.
    static func isShaded(_ sample: PNGScanlines) throws(CodecError) -> Bool {
        let quick = try DeflateCompressor(level: 1), count = try quick.compress(sample.bytes).count
        // Such a high compression indicates flat colours, and makes the second attempt unnecessary.
        guard count >= sample.bytes.count / 32 else { return false }
        return try count > quick.compress(sample.filtered()).count
    }
    #endif
}

#if canImport(CPNGShim)
extension PNGFile {
    /// Adds the colours of a palette, and their alpha values unless all are opaque.
    mutating func add(_ palette: PNGPalette) {
        add("PLTE", palette.colors.flatMap { color in (0..<3).map { UInt8(truncatingIfNeeded: color &>> ($0 * 8)) } })
        let opacities = palette.colors.map { UInt8(truncatingIfNeeded: $0 &>> 24) }.prefix { $0 < 255 }
        if !opacities.isEmpty { add("tRNS", opacities) }
    }
}
#endif

extension PNGEncoder {
    /// The compression effort of a PNG; the pixels do not depend on it.
    public enum Compression: String, Hashable, Sendable, CaseIterable {
        /// The fastest compression, for pictures that are used immediately; files of maps are a fifth larger.
        case fast
        /// A good size in slightly more time.
        case balanced
        /// The smaller of two thorough attempts, which take tens of times as long.
        case small
    }
}

extension PNGEncoder {
    /// The colours of a PNG.
    public enum Colors: String, Hashable, Sendable, CaseIterable {
        /// Unchanged: RGB if every pixel is opaque, otherwise RGBA.
        case full
        /// At most 256 colours with alpha: exact if the picture has no more, otherwise the nearest of an optimised palette.
        case palette
    }
}

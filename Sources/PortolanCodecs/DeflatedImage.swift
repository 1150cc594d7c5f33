package import PortolanRaster

/// An image as zlib streams of samples, for document formats such as PDF.
///
/// The colours are straight. An image of at most 256 colours has a palette.
package struct DeflatedImage: Sendable {
    /// The colours of the samples.
    package enum Samples: Hashable, Sendable {
        /// Red, green and blue, 8 bits each.
        case rgb
        /// Indices of 8 bits into a palette of red, green and blue.
        case indexed(palette: [UInt8])
    }

    /// The colours of the samples.
    package let samples: Samples
    /// The samples as a zlib stream.
    package let colors: [UInt8]
    /// The alpha values as a zlib stream, 8 bits each, or `nil` if the image is opaque.
    package let alpha: [UInt8]?
    /// Whether each row begins with a filter byte of PNG (PNG 3rd edition, clause 9).
    package let hasFilters: Bool

    /// Compresses an image.
    ///
    /// - Throws: ``CodecError`` with the code `outOfMemory`.
    /// - Complexity: O(pixels).
    package init(_ image: PixelBuffer) throws(CodecError) {
        var pixels = image.pixels
        let isOpaque = pixels.reduce(UInt32.max, &) >= 0xff00_0000
        let opacities = isOpaque ? [] : pixels.map { UInt8(truncatingIfNeeded: $0 &>> 24) }
        if !isOpaque { Self.makeOpaque(&pixels) }
        #if canImport(CPNGShim)
        let lines: PNGScanlines, palette = PNGPalette(exactly: pixels)
        if let palette {
            samples = .indexed(
                palette: palette.colors.flatMap { color in
                    (0..<3).map { UInt8(truncatingIfNeeded: color &>> ($0 * 8)) }
                })
            lines = PNGScanlines(indices: palette.indices, width: image.width)
        } else {
            samples = .rgb
            lines = PNGScanlines(pixels: pixels[...], width: image.width, channels: 3)
        }
        colors = try PNGEncoder.compressed(lines, compression: .balanced, isIndexed: palette != nil)
        alpha =
            isOpaque ? nil : try ZlibStream.compress(PNGScanlines(indices: opacities, width: image.width).bytes)
        hasFilters = true
        #else
        samples = .rgb
        colors = try ZlibStream.compress(
            pixels.flatMap { pixel in (0..<3).map { UInt8(truncatingIfNeeded: pixel &>> ($0 * 8)) } })
        alpha = isOpaque ? nil : try ZlibStream.compress(opacities)
        hasFilters = false
        #endif
    }

    /// Makes premultiplied pixels opaque; a transparent one has the colour of its left neighbour, so that enlarged
    /// images have no dark edges.
    private static func makeOpaque(_ pixels: inout [UInt32]) {
        func opaque(_ pixel: UInt32) -> UInt32 {
            let color = Pixel(bits: pixel).color
            return Pixel(MapColor(red: color.red, green: color.green, blue: color.blue)).bits
        }
        var last = opaque(pixels.first { $0 &>> 24 != 0 } ?? 0xff00_0000)
        for index in pixels.indices {
            let pixel = pixels[index]
            if pixel &>> 24 != 0 { last = opaque(pixel) }
            pixels[index] = last
        }
    }
}

/// Bytes as a zlib stream (RFC 1950).
package enum ZlibStream {
    /// Compresses bytes; without a compressor (on Apple platforms) they are stored.
    ///
    /// - Throws: ``CodecError`` with the code `outOfMemory`.
    package static func compress(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
        #if canImport(CPNGShim)
        return try DeflateCompressor(level: 6).compress(bytes)
        #else
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let count = min(bytes.count - start, 0xFFFF), isLast = start + count == bytes.count
            let length = UInt16(count)
            stream += [isLast ? 1 : 0, UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
            stream += [UInt8(truncatingIfNeeded: ~length), UInt8(~length >> 8)]
            stream += bytes[start..<start + count]
            start += count
        } while start < bytes.count
        var low: UInt32 = 1, high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let sum = high << 16 | low
        return stream + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
        #endif
    }
}

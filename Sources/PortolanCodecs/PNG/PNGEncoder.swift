public import PortolanRaster

/// Turns pixels into the bytes of a PNG file.
public enum PNGEncoder {
    /// `image` as a PNG with 8 bits a sample: RGB when every pixel is opaque, otherwise RGBA with straight alpha.
    ///
    /// Decoding the result gives `image` again. The same picture always gives the same bytes, as long as libpng and
    /// zlib stay the same.
    /// - Throws: ``CodecError`` with the code `outOfMemory`.
    /// - Complexity: O(pixels).
    public static func encode(
        _ image: PixelBuffer, compression: PNGCompression = .balanced
    ) throws(CodecError) -> [UInt8] {
        #if canImport(CPNGShim)
        var smallest: [UInt8]?
        for effort in PNGEffort.attempts(for: compression) {
            let file = try encode(image, effort: effort)
            if file.count < smallest?.count ?? .max { smallest = file }
        }
        guard let smallest else { preconditionFailure("there is an attempt for each compression") }
        return smallest
        #else
        return try ImageIOCodec.encode(image, format: .png, quality: 1)
        #endif
    }

    #if canImport(CPNGShim)
    private static func encode(_ image: PixelBuffer, effort: PNGEffort) throws(CodecError) -> [UInt8] {
        let pixels = image.pixels
        let isOpaque = pixels.allSatisfy { $0 >= 0xff00_0000 }
        let channels = isOpaque ? 3 : 4
        let writer = try PNGWriter()
        try writer.begin(width: image.width, height: image.height, channels: channels, effort: effort)
        var row = [UInt8](repeating: 0, count: image.width * channels)
        for start in stride(from: 0, to: pixels.count, by: image.width) {
            var byte = 0
            for index in start..<(start + image.width) {
                let straight = Premultiplication.straight(pixels[index])
                row[byte] = UInt8(truncatingIfNeeded: straight)
                row[byte + 1] = UInt8(truncatingIfNeeded: straight &>> 8)
                row[byte + 2] = UInt8(truncatingIfNeeded: straight &>> 16)
                if !isOpaque { row[byte + 3] = UInt8(truncatingIfNeeded: straight &>> 24) }
                byte += channels
            }
            try writer.write(row: row)
        }
        return try writer.end()
    }
    #endif
}

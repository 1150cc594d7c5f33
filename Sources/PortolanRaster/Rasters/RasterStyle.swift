/// The colours in which the bands of a raster are drawn.
public struct RasterStyle: Hashable, Sendable {
    /// The bands and what becomes of their values.
    package enum Coloring: Hashable, Sendable {
        /// One band in grey.
        case gray(RasterChannel)
        /// Three bands as red, green and blue.
        case channels(red: RasterChannel, green: RasterChannel, blue: RasterChannel)
        /// One band by a map of colours.
        case map(RasterColorMap, band: Int)
    }

    /// The bands and what becomes of their values.
    package var coloring: Coloring

    package init(_ coloring: Coloring) { self.coloring = coloring }

    /// The numbers of the bands, the first one is 1.
    package var bands: [Int] {
        switch coloring {
        case .gray(let channel): [channel.band]
        case .channels(let red, let green, let blue): [red.band, green.band, blue.band]
        case .map(_, let band): [band]
        }
    }

    /// Returns the premultiplied pixels of values, transparent where no band has data.
    ///
    /// - Parameters:
    ///   - values: the values of ``bands``, NaN without data.
    ///   - opacities: the opacities of the pixels, or `nil` if all are opaque.
    package func pixels(of values: [[Float]], opacities: [UInt8]?) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: values[0].count)
        switch coloring {
        case .gray(let channel):
            let levels = channel.levels(of: values[0])
            for index in pixels.indices where !values[0][index].isNaN {
                pixels[index] = 0xFF00_0000 | UInt32(levels[index]) &* 0x01_0101
            }
        case .channels(let red, let green, let blue):
            let channels = zip([red, green, blue], values).map { $0.levels(of: $1) }
            for index in pixels.indices
            where !(values[0][index].isNaN && values[1][index].isNaN && values[2][index].isNaN) {
                pixels[index] =
                    0xFF00_0000 | UInt32(channels[2][index]) << 16 | UInt32(channels[1][index]) << 8
                    | UInt32(channels[0][index])
            }
        case .map(let map, _): map.paint(values[0], into: &pixels)
        }
        guard let opacities else { return pixels }
        for index in pixels.indices where opacities[index] < 255 {
            var pixel =
                SIMD4<UInt32>(pixels[index], pixels[index] >> 8, pixels[index] >> 16, pixels[index] >> 24) & 0xFF
            pixel = (pixel &* UInt32(opacities[index]) &+ 127) / 255
            pixels[index] = pixel.w << 24 | pixel.z << 16 | pixel.y << 8 | pixel.x
        }
        return pixels
    }
}

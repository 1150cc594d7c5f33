package import PortolanRaster

/// The form in which a tile holds elevations (MapLibre Style Specification, Sources, `raster-dem`).
package enum ElevationEncoding: Hashable, Sendable {
    /// Terrarium: 256 red + green + blue / 256 - 32768 metres.
    case terrarium
    /// Mapbox Terrain-RGB: (65536 red + 256 green + blue) / 10 - 10000 metres.
    case mapbox
    /// A factor for each channel and a shift, which is subtracted from the sum.
    ///
    /// The specification describes the shift as added. MapLibre subtracts it, and so do the tiles that exist.
    case custom(red: Double, green: Double, blue: Double, shift: Double)
    /// The values of a band, in metres; the first band is 1.
    case values(band: Int)

    /// The factors of red, green and blue and the shift, or `nil` if tiles are not images.
    private var factors: (red: Double, green: Double, blue: Double, shift: Double)? {
        switch self {
        case .terrarium: (256, 1, 1.0 / 256, 32_768)
        case .mapbox: (6_553.6, 25.6, 0.1, 10_000)
        case .custom(let red, let green, let blue, let shift): (red, green, blue, shift)
        case .values: nil
        }
    }

    /// Returns the elevations of an image in metres; transparent pixels are NaN.
    ///
    /// In Terrarium and Terrain-RGB tiles, black means no data too: it would be far below any sea floor.
    package func elevations(_ image: PixelBuffer) -> RasterValues {
        var result = RasterValues(width: image.width, height: image.height)
        guard let factors else { return result }
        var isBlackVoid = true
        if case .custom = self { isBlackVoid = false }
        for index in image.pixels.indices {
            var pixel = Pixel(bits: image.pixels[index])
            if pixel.alpha < 255 {
                guard pixel.alpha > 0 else { continue }
                let color = pixel.color
                pixel = Pixel(red: color.red, green: color.green, blue: color.blue, alpha: 255)
            }
            if isBlackVoid, pixel.bits & 0xFF_FFFF == 0 { continue }
            result.values[index] = Float(
                Double(pixel.red) * factors.red + Double(pixel.green) * factors.green
                    + Double(pixel.blue) * factors.blue - factors.shift)
        }
        return result
    }
}

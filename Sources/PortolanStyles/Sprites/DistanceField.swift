import PortolanFeatures
import PortolanRaster

/// An image whose opacity encodes the distance from an outline: an eighth of full opacity per pixel, three quarters on
/// the outline, more inside.
///
/// It is drawn in any colour and size with sharp edges, and with a halo of up to six pixels.
struct DistanceField {
    /// The opacity on the outline, and the number of field pixels for full opacity.
    private static let edge = 0.75, reach = 8.0
    /// The largest side of a drawn image.
    private static let largestSide = 2_048.0

    let pixels: PixelBuffer

    /// Returns the image in a colour, enlarged by `scale`.
    func tinted(_ color: MapColor, halo: MapColor?, haloWidth: Double, scale: Double) -> PixelBuffer? {
        let width = (Double(pixels.width) * scale).rounded(.up), height = (Double(pixels.height) * scale).rounded(.up)
        guard scale > 0, width >= 1, height >= 1, width <= Self.largestSide, height <= Self.largestSide,
            let size = ImageSize(width: Int(width), height: Int(height))
        else { return nil }
        var result = PixelBuffer(size: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let alpha = opacity(x: (Double(x) + 0.5) / scale - 0.5, y: (Double(y) + 0.5) / scale - 0.5)
                // The distance in pixels of the result, positive inside.
                let distance = (alpha - Self.edge) * Self.reach * scale
                var pixel = Pixel(color.withOpacity(Self.coverage(distance)))
                if let halo {
                    let below = Pixel(halo.withOpacity(Self.coverage(distance + haloWidth * scale)))
                    pixel = Self.over(pixel, below)
                }
                result[x, y] = pixel
            }
        }
        return result
    }

    private static func coverage(_ distance: Double) -> Double { min(max(distance + 0.5, 0), 1) }

    private static func over(_ top: Pixel, _ below: Pixel) -> Pixel {
        let rest = 255 - Int(top.alpha)
        func channel(_ top: UInt8, _ below: UInt8) -> UInt8 {
            UInt8(min(Int(top) + (Int(below) * rest + 127) / 255, 255))
        }
        return Pixel(
            red: channel(top.red, below.red), green: channel(top.green, below.green),
            blue: channel(top.blue, below.blue), alpha: channel(top.alpha, below.alpha))
    }

    /// The interpolated opacity at a position, 0 to 1; beyond the sides that of the last pixel.
    private func opacity(x: Double, y: Double) -> Double {
        let left = x.rounded(.down), top = y.rounded(.down)
        func alpha(_ column: Double, _ row: Double) -> Double {
            let column = min(max(Int(column), 0), pixels.width - 1), row = min(max(Int(row), 0), pixels.height - 1)
            return Double(pixels[column, row].alpha) / 255
        }
        let across = x - left, down = y - top
        let above = alpha(left, top) * (1 - across) + alpha(left + 1, top) * across
        let below = alpha(left, top + 1) * (1 - across) + alpha(left + 1, top + 1) * across
        return above * (1 - down) + below * down
    }
}

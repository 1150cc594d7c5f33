/// An adjustment of the colours of a picture, as for rasters in the MapLibre Style Specification.
package struct ColorAdjustment: Hashable, Sendable {
    /// The hue rotation: the cosine and the sine of the angle.
    package var hueCosine = 1.0
    package var hueSine = 0.0
    /// The change of saturation, from -1 (grey) to 1.
    package var saturation = 0.0
    /// The change of contrast, from -1 to 1.
    package var contrast = 0.0
    /// The brightness of black, 0 to 1.
    package var leastBrightness = 0.0
    /// The brightness of white, 0 to 1.
    package var mostBrightness = 1.0

    /// Creates an adjustment without effect.
    package init() {}

    /// Whether it has no effect.
    package var isNone: Bool { self == ColorAdjustment() }

    /// Returns a picture with adjusted colours and unchanged opacity.
    ///
    /// - Complexity: O(pixels).
    package func applied(to image: PixelBuffer) -> PixelBuffer {
        guard !isNone else { return image }
        let change = Change(self)
        // Adjacent pixels often have the same colour.
        var last: (from: UInt32, to: UInt32) = (0, 0)
        let pixels = image.pixels.map { bits -> UInt32 in
            if bits == last.from { return last.to }
            last = (bits, change(bits))
            return last.to
        }
        return PixelBuffer(size: image.size, pixels: pixels) ?? image
    }

    /// The precomputed coefficients of the adjustment.
    private struct Change {
        private let spin: (Float, Float, Float)
        private let saturation: Float
        private let contrast: Float
        private let least: Float
        private let range: Float

        init(_ adjustment: ColorAdjustment) {
            let cosine = Float(adjustment.hueCosine), sine = Float(adjustment.hueSine)
            let root = Float(3).squareRoot()
            spin = ((2 * cosine + 1) / 3, (-root * sine - cosine + 1) / 3, (root * sine - cosine + 1) / 3)
            let colour = min(max(adjustment.saturation, -1), 1), contrast = min(max(adjustment.contrast, -1), 1)
            saturation = Float(colour > 0 ? 1 - 1 / (1.001 - colour) : -colour)
            self.contrast = Float(contrast > 0 ? 1 / max(1 - contrast, 1e-3) : 1 + contrast)
            least = Float(adjustment.leastBrightness)
            range = Float(adjustment.mostBrightness - adjustment.leastBrightness)
        }

        func callAsFunction(_ bits: UInt32) -> UInt32 {
            let color = Pixel(bits: bits).color
            guard color.alpha > 0 else { return bits }
            let red = Float(color.red) / 255, green = Float(color.green) / 255, blue = Float(color.blue) / 255
            let turned = [
                red * spin.0 + green * spin.1 + blue * spin.2, red * spin.2 + green * spin.0 + blue * spin.1,
                red * spin.1 + green * spin.2 + blue * spin.0,
            ]
            let average = (turned[0] + turned[1] + turned[2]) / 3
            func channel(_ value: Float) -> UInt8 {
                let strong = value + (average - value) * saturation
                let bright = least + range * ((strong - 0.5) * contrast + 0.5)
                return UInt8(min(max(bright, 0), 1) * 255 + 0.5)
            }
            return Pixel(
                MapColor(
                    red: channel(turned[0]), green: channel(turned[1]), blue: channel(turned[2]), alpha: color.alpha)
            ).bits
        }
    }
}

/// A colour that stands for transparency in images that have none, as the white around an overlay in JPEG.
public struct ColorKey: Hashable, Sendable {
    /// The colour; its own alpha does not count.
    public let color: Color

    /// How far red, green and blue may each be from the colour, 0 to 255; JPEG needs some 10.
    public let tolerance: Int

    /// Makes a key; a tolerance out of its range is brought into it.
    public init(color: Color, tolerance: Int = 0) {
        self.color = color
        self.tolerance = min(max(tolerance, 0), 255)
    }

    /// An image with the opaque pixels of the colour made transparent.
    ///
    /// - Complexity: O(pixels).
    package func clearing(_ image: PixelBuffer) -> PixelBuffer {
        let red = range(color.red), green = range(color.green), blue = range(color.blue)
        let pixels = image.pixels.map { bits -> UInt32 in
            let pixel = Pixel(bits: bits)
            let isKey =
                pixel.alpha == 255 && red.contains(pixel.red) && green.contains(pixel.green)
                && blue.contains(pixel.blue)
            return isKey ? 0 : bits
        }
        return PixelBuffer(size: image.size, pixels: pixels) ?? image
    }

    private func range(_ value: UInt8) -> ClosedRange<UInt8> {
        UInt8(max(Int(value) - tolerance, 0))...UInt8(min(Int(value) + tolerance, 255))
    }
}

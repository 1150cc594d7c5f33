/// A picture: premultiplied RGBA pixels in sRGB, rows from top to bottom, without padding.
///
/// A value with copy-on-write storage; copying it is cheap until one of the copies is changed.
public struct PixelBuffer: Hashable, Sendable {
    /// Width and height in pixels.
    public let size: ImageSize

    /// Packed pixels (see ``Pixel``), `size.pixelCount` of them, row after row.
    public internal(set) var pixels: [UInt32]

    /// Makes a picture of one colour, clear by default.
    public init(size: ImageSize, filledWith pixel: Pixel = .clear) {
        self.size = size
        pixels = [UInt32](repeating: pixel.bits, count: size.pixelCount)
    }

    /// Takes over packed premultiplied pixels, or `nil` when their count is not `size.pixelCount`.
    public init?(size: ImageSize, pixels: [UInt32]) {
        guard pixels.count == size.pixelCount else { return nil }
        self.size = size
        self.pixels = pixels
    }

    /// Pixels in a row.
    public var width: Int { size.width }

    /// Rows.
    public var height: Int { size.height }

    /// The memory the pixels take, in bytes.
    public var byteCount: Int { pixels.count * 4 }

    /// The pixel in column `x` and row `y`, both from the top left; outside the picture is a programmer's error.
    public subscript(x: Int, y: Int) -> Pixel {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside the picture")
            return Pixel(bits: pixels[y * width + x])
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside the picture")
            pixels[y * width + x] = newValue.bits
        }
    }
}

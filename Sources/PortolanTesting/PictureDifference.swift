public import PortolanRaster

/// The difference of two pictures: the number of different pixels, and the largest difference.
public struct PictureDifference: Hashable, Sendable, CustomStringConvertible {
    /// The number of different pixels.
    public let pixelCount: Int

    /// The largest difference of a premultiplied channel, 0 to 255.
    public let largest: Int

    /// A picture of the differences, black where the pictures are equal.
    public let picture: PixelBuffer

    /// Compares two pictures, or returns `nil` if their sizes differ.
    public init?(_ one: PixelBuffer, _ other: PixelBuffer) {
        guard one.size == other.size else { return nil }
        var picture = PixelBuffer(size: one.size, filledWith: Pixel(.black))
        var count = 0, largest = 0
        for y in 0..<one.height {
            for x in 0..<one.width {
                let a = one[x, y], b = other[x, y]
                guard a != b else { continue }
                func gap(_ left: UInt8, _ right: UInt8) -> UInt8 { left > right ? left - right : right - left }
                let red = gap(a.red, b.red), green = gap(a.green, b.green), blue = gap(a.blue, b.blue)
                let alpha = gap(a.alpha, b.alpha)
                count += 1
                largest = max(largest, Int(max(red, green, blue, alpha)))
                picture[x, y] = Pixel(
                    red: max(red, alpha), green: max(green, alpha), blue: max(blue, alpha), alpha: 255)
            }
        }
        pixelCount = count
        self.largest = largest
        self.picture = picture
    }

    /// Whether the pictures are bitwise equal.
    public var isNone: Bool { pixelCount == 0 }

    /// The two numbers in words.
    public var description: String { "\(pixelCount) pixels differ, by at most \(largest)" }
}

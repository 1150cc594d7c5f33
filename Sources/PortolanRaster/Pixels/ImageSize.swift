/// The width and height of a picture in pixels, both at least 1 and together within ``ImageSize/maximumPixelCount``.
///
/// A size is checked when it is made, so no later step has to ask whether a buffer can be allocated.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// The most pixels a picture may have: 2²⁸, which is one gibibyte of memory.
    public static let maximumPixelCount = 1 << 28

    /// The longest side a picture may have, in pixels.
    public static let maximumSide = 1 << 16

    /// Pixels in a row.
    public let width: Int

    /// Rows.
    public let height: Int

    /// Makes a size, or `nil` when a side is not in `1...maximumSide` or the pixels are more than `maximumPixelCount`.
    public init?(width: Int, height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height),
            width * height <= Self.maximumPixelCount
        else { return nil }
        self.width = width
        self.height = height
    }

    /// Width times height.
    public var pixelCount: Int { width * height }

    /// The size as `WIDTHxHEIGHT`.
    public var description: String { "\(width)x\(height)" }
}

/// A colour in sRGB with straight (not premultiplied) 8-bit channels.
public struct Color: Hashable, Sendable {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8
    /// Opacity, 0 (clear) to 255 (opaque).
    public var alpha: UInt8

    /// Makes a colour from straight channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque black.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = Color(red: 255, green: 255, blue: 255)
    /// Fully transparent.
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// The same colour with its opacity multiplied by `opacity`, which is clamped to 0 through 1.
    public func withOpacity(_ opacity: Double) -> Color {
        let factor = opacity >= 0 ? min(opacity, 1) : 0
        var copy = self
        copy.alpha = UInt8((Double(alpha) * factor + 0.5).rounded(.down))
        return copy
    }
}

/// One premultiplied RGBA pixel in 32 bits: red in the lowest byte, alpha in the highest.
///
/// On little-endian machines the bytes in memory are R, G, B, A. Each colour channel is at most alpha.
public struct Pixel: Hashable, Sendable {
    /// The packed channels, `alpha << 24 | blue << 16 | green << 8 | red`.
    public var bits: UInt32

    /// Makes a pixel from packed, already premultiplied bits.
    public init(bits: UInt32) { self.bits = bits }

    /// Makes a pixel from premultiplied channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        bits = UInt32(alpha) << 24 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
    }

    /// Premultiplies a straight colour: each channel becomes `round(channel * alpha / 255)`.
    public init(_ color: Color) {
        self.init(
            red: Self.multiply(color.red, color.alpha), green: Self.multiply(color.green, color.alpha),
            blue: Self.multiply(color.blue, color.alpha), alpha: color.alpha)
    }

    /// Fully transparent.
    public static let clear = Pixel(bits: 0)

    /// Premultiplied red.
    public var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
    /// Premultiplied green.
    public var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
    /// Premultiplied blue.
    public var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
    /// Alpha.
    public var alpha: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }

    /// The straight colour: each channel is `round(channel * 255 / alpha)`, and clear where alpha is 0.
    public var color: Color {
        guard alpha > 0 else { return .clear }
        let a = UInt32(alpha)
        func straight(_ channel: UInt8) -> UInt8 { UInt8(min((UInt32(channel) * 255 + a / 2) / a, 255)) }
        return Color(red: straight(red), green: straight(green), blue: straight(blue), alpha: alpha)
    }

    /// `round(a * b / 255)`, exact for all bytes.
    static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let product = UInt32(a) * UInt32(b) + 128
        return UInt8(truncatingIfNeeded: (product + (product >> 8)) >> 8)
    }
}

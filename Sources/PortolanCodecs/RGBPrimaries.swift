#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The primaries and white point of an RGB colour space as CIE 1931 x and y.
struct RGBPrimaries {
    typealias Chromaticity = (x: Double, y: Double)

    let red: Chromaticity
    let green: Chromaticity
    let blue: Chromaticity
    let white: Chromaticity

    /// The primaries of sRGB, from IEC 61966-2-1.
    static let sRGB = RGBPrimaries(red: (0.64, 0.33), green: (0.3, 0.6), blue: (0.15, 0.06), white: (0.3127, 0.329))

    /// The cone responses of the Bradford transform, from CIE XYZ.
    private static let cones = Matrix3(
        rows: (0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))

    /// Returns the matrix from linear light in these primaries to that of sRGB, with adaptation of the white point.
    ///
    /// Returns `nil` if the primaries are those of sRGB apart from rounding, or degenerate: both are shown unchanged.
    func matrixToSRGB() -> Matrix3? {
        guard !isSRGB, let toXYZ = matrixToXYZ(), let fromXYZ = Self.sRGB.matrixToXYZ()?.inverse(),
            let fromCones = Self.cones.inverse()
        else { return nil }
        let source = Self.cones.times(Self.tristimulus(white))
        let target = Self.cones.times(Self.tristimulus(Self.sRGB.white))
        guard source.0 > 0.01, source.1 > 0.01, source.2 > 0.01 else { return nil }
        let gains = Matrix3.diagonal((target.0 / source.0, target.1 / source.1, target.2 / source.2))
        return fromXYZ.times(fromCones).times(gains).times(Self.cones).times(toXYZ)
    }

    private var isSRGB: Bool {
        func isNear(_ a: Chromaticity, _ b: Chromaticity) -> Bool {
            let x = abs(a.x - b.x), y = abs(a.y - b.y)
            return max(x, y) < 0.005
        }
        return isNear(red, Self.sRGB.red) && isNear(green, Self.sRGB.green) && isNear(blue, Self.sRGB.blue)
            && isNear(white, Self.sRGB.white)
    }

    private func matrixToXYZ() -> Matrix3? {
        func isColor(_ c: Chromaticity) -> Bool { c.y > 0.00001 && c.x >= 0 && c.x + c.y <= 1.001 }
        guard [red, green, blue, white].allSatisfy(isColor) else { return nil }
        let r = Self.tristimulus(red), g = Self.tristimulus(green), b = Self.tristimulus(blue)
        let unscaled = Matrix3(rows: (r.0, g.0, b.0), (r.1, g.1, b.1), (r.2, g.2, b.2))
        guard let gains = unscaled.inverse()?.times(Self.tristimulus(white)) else { return nil }
        return unscaled.times(.diagonal(gains))
    }

    /// Returns X, Y, Z with a Y of 1.
    private static func tristimulus(_ c: Chromaticity) -> Matrix3.Column { (c.x / c.y, 1, (1 - c.x - c.y) / c.y) }
}

/// A 3 by 3 matrix in rows, for colours.
struct Matrix3 {
    typealias Column = (Double, Double, Double)

    private let rows: (Column, Column, Column)

    init(rows first: Column, _ second: Column, _ third: Column) { rows = (first, second, third) }

    static func diagonal(_ values: Column) -> Matrix3 {
        Matrix3(rows: (values.0, 0, 0), (0, values.1, 0), (0, 0, values.2))
    }

    func times(_ v: Column) -> Column { (Self.dot(rows.0, v), Self.dot(rows.1, v), Self.dot(rows.2, v)) }

    func times(_ other: Matrix3) -> Matrix3 {
        let (a, b, c) = other.rows
        let x = times((a.0, b.0, c.0)), y = times((a.1, b.1, c.1)), z = times((a.2, b.2, c.2))
        return Matrix3(rows: (x.0, y.0, z.0), (x.1, y.1, z.1), (x.2, y.2, z.2))
    }

    /// Returns the inverse, or `nil` for a nearly singular matrix.
    func inverse() -> Matrix3? {
        let (a, b, c) = rows
        let x = Self.cross(b, c), y = Self.cross(c, a), z = Self.cross(a, b)
        let determinant = Self.dot(a, x)
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        let s = 1 / determinant
        return Matrix3(
            rows: (x.0 * s, y.0 * s, z.0 * s), (x.1 * s, y.1 * s, z.1 * s), (x.2 * s, y.2 * s, z.2 * s))
    }

    private static func dot(_ a: Column, _ b: Column) -> Double { a.0 * b.0 + a.1 * b.1 + a.2 * b.2 }

    private static func cross(_ a: Column, _ b: Column) -> Column {
        (a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0)
    }
}

/// Conversions between straight and premultiplied packed pixels, with the rounding of `Pixel`.
///
/// Each premultiplied colour is unchanged after conversion to straight and back: straight is off by at most half a step
/// of 1/255, which `alpha / 255` reduces to less than half a step.
enum Premultiplication {
    /// Returns `round(channel * alpha / 255)` for the three colour channels.
    @inline(__always)
    static func premultiplied(_ straight: UInt32) -> UInt32 {
        let alpha = straight &>> 24
        if alpha == 255 { return straight }
        if alpha == 0 { return 0 }
        var outer = (straight & 0x00ff_00ff) &* alpha &+ 0x0080_0080
        outer = ((outer &+ ((outer &>> 8) & 0x00ff_00ff)) &>> 8) & 0x00ff_00ff
        var green = ((straight &>> 8) & 0xff) &* alpha &+ 0x80
        green = (green &+ (green &>> 8)) & 0xff00
        return outer | green | (straight & 0xff00_0000)
    }

    /// Returns `round(channel * 255 / alpha)` for the three colour channels, clear if alpha is 0.
    @inline(__always)
    static func straight(_ premultiplied: UInt32) -> UInt32 {
        let alpha = premultiplied &>> 24
        if alpha == 255 { return premultiplied }
        if alpha == 0 { return 0 }
        func channel(_ shift: UInt32) -> UInt32 {
            min((((premultiplied &>> shift) & 0xff) &* 255 &+ alpha / 2) / alpha, 255) &<< shift
        }
        return channel(0) | channel(8) | channel(16) | (premultiplied & 0xff00_0000)
    }
}

/// Returns `base` to the power of `exponent`, from the system's mathematics library.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

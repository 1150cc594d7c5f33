import PortolanGeo

/// A colour space for interpolation.
enum ColorSpace: Hashable, Sendable {
    /// The channels of sRGB.
    case rgb
    /// Hue, chroma and lightness (CIE LCh with the D50 white point).
    case hcl
    /// CIE L*a*b* with the D50 white point.
    case lab
}

extension StyleColor {
    /// Converts hue in degrees, saturation and lightness (CSS Color 4 section 7.1).
    static func hsl(hue: Double, saturation: Double, lightness: Double, alpha: Double) -> StyleColor {
        let turn = hue - (hue / 360).rounded(.down) * 360
        let amplitude = saturation * min(lightness, 1 - lightness)
        func channel(_ place: Double) -> Double {
            let k = (place + turn / 30).truncatingRemainder(dividingBy: 12)
            return lightness - amplitude * max(-1, min(k - 3, 9 - k, 1))
        }
        return StyleColor(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
    }

    /// Returns the colour at a fraction of the interval to another.
    func interpolated(to other: StyleColor, at part: Double, in space: ColorSpace) -> StyleColor {
        func between(_ from: Double, _ to: Double) -> Double { from + part * (to - from) }
        let alpha = between(alpha, other.alpha)
        switch space {
        case .rgb:
            return StyleColor(
                red: between(red, other.red), green: between(green, other.green), blue: between(blue, other.blue),
                alpha: alpha)
        case .lab:
            let from = LabColor(self), to = LabColor(other)
            return LabColor(
                lightness: between(from.lightness, to.lightness), a: between(from.a, to.a), b: between(from.b, to.b)
            ).color(alpha: alpha)
        case .hcl:
            let from = LabColor(self), to = LabColor(other)
            var hue: Double?, chroma = between(from.chroma, to.chroma)
            switch (from.hue, to.hue) {
            case (let start?, let end?):
                // Takes the shorter direction around the circle.
                var turn = end - start
                if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
                hue = start + part * turn
            // Greys have no hue and take that of the other colour. Black and white take its chroma, too.
            case (let start?, nil):
                hue = start
                if to.lightness == 0 || to.lightness == 1 { chroma = from.chroma }
            case (nil, let end?):
                hue = end
                if from.lightness == 0 || from.lightness == 1 { chroma = to.chroma }
            case (nil, nil): break
            }
            let angle = (hue ?? 0) * Double.pi / 180
            return LabColor(
                lightness: between(from.lightness, to.lightness), a: Libm.cosine(angle) * chroma,
                b: Libm.sine(angle) * chroma
            ).color(alpha: alpha)
        }
    }
}

/// A colour in CIE L*a*b* with the D50 white point (CSS Color 4 section 9).
private struct LabColor {
    /// 0 to 100.
    var lightness: Double
    var a: Double
    var b: Double

    private static let white = (x: 0.96422, z: 0.82521)
    private static let bend = 6.0 / 29

    init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    init(_ color: StyleColor) {
        func linear(_ channel: Double) -> Double {
            channel <= 0.04045 ? channel / 12.92 : Libm.power((channel + 0.055) / 1.055, 2.4)
        }
        func root(_ value: Double) -> Double {
            let bend = Self.bend
            return value > bend * bend * bend ? Libm.power(value, 1.0 / 3) : value / (3 * bend * bend) + 4.0 / 29
        }
        let r = linear(color.red), g = linear(color.green), b = linear(color.blue)
        let y = root(0.2225045 * r + 0.7168786 * g + 0.0606169 * b)
        // Greys remain exactly grey.
        let isGrey = r == g && g == b
        let x = isGrey ? y : root((0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / Self.white.x)
        let z = isGrey ? y : root((0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / Self.white.z)
        self.init(lightness: max(116 * y - 16, 0), a: 500 * (x - y), b: 200 * (y - z))
    }

    var chroma: Double { (a * a + b * b).squareRoot() }

    /// Degrees from 0 to 360, or `nil` for greys.
    var hue: Double? {
        guard (chroma * 10_000).rounded() != 0 else { return nil }
        let degrees = Libm.arcTangent(y: b, x: a) * 180 / Double.pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    func color(alpha: Double) -> StyleColor {
        func power(_ value: Double) -> Double {
            let bend = Self.bend
            return value > bend ? value * value * value : 3 * bend * bend * (value - 4.0 / 29)
        }
        func gamma(_ value: Double) -> Double {
            let channel = value <= 0.00304 ? 12.92 * value : 1.055 * Libm.power(value, 1 / 2.4) - 0.055
            return min(max(channel, 0), 1)
        }
        let middle = (lightness + 16) / 116
        let x = Self.white.x * power(middle + a / 500)
        let y = power(middle)
        let z = Self.white.z * power(middle - b / 200)
        return StyleColor(
            red: gamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
            green: gamma(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
            blue: gamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: alpha)
    }
}

/// The primaries and white of an RGB colour space as CIE 1931 x and y.
struct RGBPrimaries {
    typealias Chromaticity = (x: Double, y: Double)

    let red: Chromaticity
    let green: Chromaticity
    let blue: Chromaticity
    let white: Chromaticity

    /// sRGB's, from IEC 61966-2-1.
    static let sRGB = RGBPrimaries(red: (0.64, 0.33), green: (0.3, 0.6), blue: (0.15, 0.06), white: (0.3127, 0.329))

    /// The cone responses of Bradford's method, from CIE XYZ.
    private static let cones = Matrix3(
        rows: (0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))

    /// From light in these primaries to light in sRGB's, white to white.
    ///
    /// `nil` when the primaries are sRGB's within a rounding of the file, or when they span no colours at all: both
    /// are shown unchanged.
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
        func isNear(_ a: Chromaticity, _ b: Chromaticity) -> Bool { abs(a.x - b.x) < 0.005 && abs(a.y - b.y) < 0.005 }
        return isNear(red, Self.sRGB.red) && isNear(green, Self.sRGB.green) && isNear(blue, Self.sRGB.blue)
            && isNear(white, Self.sRGB.white)
    }

    private func matrixToXYZ() -> Matrix3? {
        guard [red, green, blue, white].allSatisfy({ $0.y > 0.00001 && $0.x >= 0 && $0.x + $0.y <= 1.001 }) else {
            return nil
        }
        let r = Self.tristimulus(red), g = Self.tristimulus(green), b = Self.tristimulus(blue)
        let unscaled = Matrix3(rows: (r.0, g.0, b.0), (r.1, g.1, b.1), (r.2, g.2, b.2))
        guard let gains = unscaled.inverse()?.times(Self.tristimulus(white)) else { return nil }
        return unscaled.times(.diagonal(gains))
    }

    /// X, Y, Z with a Y of 1.
    private static func tristimulus(_ c: Chromaticity) -> Matrix3.Column { (c.x / c.y, 1, (1 - c.x - c.y) / c.y) }
}

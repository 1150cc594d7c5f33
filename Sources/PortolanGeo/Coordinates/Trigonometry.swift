// The mathematical functions of the platform's C library, for the whole target.
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The square root and trigonometry for projections, defined here so that only one file imports the C library.
package enum Libm {
    package static func sine(_ x: Double) -> Double { sin(x) }
    package static func cosine(_ x: Double) -> Double { cos(x) }
    package static func tangent(_ x: Double) -> Double { tan(x) }
    package static func arcTangent(_ x: Double) -> Double { atan(x) }
    package static func arcSine(_ x: Double) -> Double { asin(x) }
    package static func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }
    package static func hyperbolicSine(_ x: Double) -> Double { sinh(x) }
    package static func hyperbolicCosine(_ x: Double) -> Double { cosh(x) }
    package static func hyperbolicTangent(_ x: Double) -> Double { tanh(x) }
    package static func exponential(_ x: Double) -> Double { exp(x) }
    package static func logarithm(_ x: Double) -> Double { log(x) }
    package static func inverseHyperbolicSine(_ x: Double) -> Double { asinh(x) }
    package static func inverseHyperbolicTangent(_ x: Double) -> Double { atanh(x) }
    package static func hypotenuse(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
    package static func logarithm2(_ x: Double) -> Double { log2(x) }
    package static func power2(_ x: Double) -> Double { exp2(x) }
    package static func arcCosine(_ x: Double) -> Double { acos(x) }
    package static func power(_ x: Double, _ exponent: Double) -> Double { pow(x, exponent) }
}

/// Conversions of angles.
enum Angle {
    static let radiansPerDegree = Double.pi / 180

    /// Returns the sine and cosine of an angle in degrees, exact for the poles and the equator.
    static func sineAndCosine(_ degrees: Double) -> (sine: Double, cosine: Double) {
        let axes = Bearing.axes(degrees: degrees)
        return (axes.sine, axes.cosine)
    }

    /// Returns a longitude in degrees relative to a meridian, -180 to 180.
    static func difference(_ longitude: Double, from meridian: Double) -> Double {
        var difference = longitude - meridian
        // Within a turn the remainder equals the number, and computing it costs as much as a sine.
        if abs(difference) >= 360 { difference = difference.truncatingRemainder(dividingBy: 360) }
        if difference > 180 { difference -= 360 } else if difference < -180 { difference += 360 }
        return difference
    }

    /// Returns a longitude between -540 and 540 degrees wrapped to -180 through 180.
    static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}

/// Trigonometry of angles in degrees.
package enum Bearing {
    /// Returns the cosine and the sine of an angle in degrees; exact for quarter turns, so that these need no
    /// resampling.
    package static func axes(degrees: Double) -> (cosine: Double, sine: Double) {
        switch degrees.truncatingRemainder(dividingBy: 360) {
        case 0: (1, 0)
        case 90, -270: (0, 1)
        case 180, -180: (-1, 0)
        case 270, -90: (0, -1)
        default: (Libm.cosine(degrees * .pi / 180), Libm.sine(degrees * .pi / 180))
        }
    }
}

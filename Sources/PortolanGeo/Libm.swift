// The maths functions of the platform's C library, for the whole target.
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The square root and trigonometry that the projections use, named once so that one file imports the C library.
enum Libm {
    static func sine(_ x: Double) -> Double { sin(x) }
    static func cosine(_ x: Double) -> Double { cos(x) }
    static func tangent(_ x: Double) -> Double { tan(x) }
    static func arcTangent(_ x: Double) -> Double { atan(x) }
    static func arcSine(_ x: Double) -> Double { asin(x) }
    static func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }
    static func hyperbolicSine(_ x: Double) -> Double { sinh(x) }
    static func hyperbolicCosine(_ x: Double) -> Double { cosh(x) }
    static func hyperbolicTangent(_ x: Double) -> Double { tanh(x) }
    static func exponential(_ x: Double) -> Double { exp(x) }
    static func logarithm(_ x: Double) -> Double { log(x) }
    static func inverseHyperbolicSine(_ x: Double) -> Double { asinh(x) }
    static func inverseHyperbolicTangent(_ x: Double) -> Double { atanh(x) }
    static func hypotenuse(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
    static func logarithm2(_ x: Double) -> Double { log2(x) }
    static func power2(_ x: Double) -> Double { exp2(x) }
}

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The trigonometry that turned markers use, named once so that one file imports the C library.
enum Libm {
    /// The cosine and the sine of an angle in degrees; exact for quarter turns.
    static func axes(degrees: Double) -> (cosine: Double, sine: Double) {
        switch degrees.truncatingRemainder(dividingBy: 360) {
        case 0: (1, 0)
        case 90, -270: (0, 1)
        case 180, -180: (-1, 0)
        case 270, -90: (0, -1)
        default: (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        }
    }
}

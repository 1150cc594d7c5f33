/// The trigonometry of a turn given in degrees.
package enum Bearing {
    /// The cosine and the sine of an angle in degrees; exact for quarter turns, so that these stay free of resampling.
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

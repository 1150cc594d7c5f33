import PortolanGeo

/// A path that zooms out, moves and zooms in so that the picture seems to move evenly.
///
/// Lengths are pixels of the view it begins with. Source: J. van Wijk and W. Nuij, Smooth and efficient zooming and panning,
/// IEEE InfoVis 2003, equation 9.
struct FlightPath: Hashable, Sendable {
    /// How wide the ground is seen at first and in the end.
    private let first: Double, last: Double
    /// How far it is from centre to centre.
    private let distance: Double
    /// How much of zooming there is for moving: ρ.
    private let curvature: Double
    private let r0: Double
    /// The length of the path in units of 1/ρ screens: S.
    let length: Double

    /// Makes a path over a distance, from a width seen to another; all finite, the widths above zero.
    init(from first: Double, to last: Double, distance: Double, curvature: Double = 1.42) {
        self.first = first
        self.last = last
        self.distance = distance
        self.curvature = curvature
        let squared = curvature * curvature
        func r(_ width: Double, _ sign: Double) -> Double {
            let b =
                (last * last - first * first + sign * squared * squared * distance * distance)
                / (2 * width * squared * distance)
            return -Libm.inverseHyperbolicSine(b)
        }
        r0 = r(first, 1)
        let isStraight = distance < first * 1e-6
        length = isStraight ? abs(Libm.logarithm(last / first)) / curvature : (r(last, -1) - r0) / curvature
        isPureZoom = isStraight
    }

    /// Whether there is no way to go: there the equation has no solution.
    private let isPureZoom: Bool

    /// How much of the way is done and how wide the ground is seen, over its first width, at a part of the path, 0 to 1.
    func state(at part: Double) -> (way: Double, width: Double) {
        let s = part * length
        guard !isPureZoom else { return (part, Libm.exponential((last < first ? -1 : 1) * curvature * s)) }
        let r = r0 + curvature * s
        let width = Libm.hyperbolicCosine(r0) / Libm.hyperbolicCosine(r)
        let way =
            first * (Libm.hyperbolicCosine(r0) * Libm.hyperbolicTangent(r) - Libm.hyperbolicSine(r0))
            / (curvature * curvature)
        return (way / distance, width)
    }
}

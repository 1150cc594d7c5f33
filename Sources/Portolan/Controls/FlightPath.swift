import PortolanGeo

/// A path that zooms out, moves and zooms in at a constant perceived speed.
///
/// Lengths are pixels of the initial view. Source: J. van Wijk and W. Nuij, Smooth and efficient zooming and panning,
/// IEEE InfoVis 2003, equation 9.
struct FlightPath: Hashable, Sendable {
    /// The visible ground width at the start and at the end.
    private let first: Double, last: Double
    /// The distance between the centres.
    private let distance: Double
    /// The ratio of zooming to panning: ρ.
    private let curvature: Double
    private let r0: Double
    /// The path length in units of 1/ρ screens: S.
    let length: Double

    /// Creates a path over a distance, from one visible width to another.
    ///
    /// All values are finite, and the widths positive.
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

    /// Whether the distance is zero; the equation has no solution for this case.
    private let isPureZoom: Bool

    /// Returns the travelled fraction of the distance and the width relative to the first width, at a fraction of the
    /// path, 0 to 1.
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

/// Straight-line interpolation that stays finite and inside its ends for all finite numbers.
enum Interpolation {
    /// The value at `position` on the line through (`position0`, `value0`) and (`position1`, `value1`), kept between
    /// the two values; `position` lies between the two positions, which differ.
    static func value(
        at position: Double, from position0: Double, _ value0: Double, to position1: Double, _ value1: Double
    ) -> Double {
        let span = position1 - position0, rise = value1 - value0
        let result: Double
        if span.isFinite, rise.isFinite {
            result = value0 + rise * ((position - position0) / span)
        } else {
            // Halves keep differences of the largest finite numbers finite.
            let t = (position / 2 - position0 / 2) / (position1 / 2 - position0 / 2)
            result = value0 * (1 - t) + value1 * t
        }
        return min(max(result, min(value0, value1)), max(value0, value1))
    }
}

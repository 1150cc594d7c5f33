/// An axis with ticks at round numbers: 1, 2 or 5 times a power of ten.
struct ProfileAxis: Equatable {
    /// The shown range.
    let low: Double, high: Double
    /// The distance between ticks.
    let step: Double

    /// Creates an axis.
    ///
    /// - Parameters:
    ///   - count: the largest number of intervals that have room.
    ///   - isExtended: whether the range is extended to ticks.
    init(from low: Double, to high: Double, count: Int, isExtended: Bool) {
        let span = max(high - low, 1e-3), most = Double(max(count, 1))
        var power = 1e-4
        while power * 10 <= span / most { power *= 10 }
        step = [1.0, 2, 5, 10].map { $0 * power }.first { span / $0 <= most } ?? 20 * power
        self.low = isExtended ? (low / step).rounded(.down) * step : low
        self.high = isExtended ? (high / step).rounded(.up) * step : high
    }

    /// The ticks.
    var ticks: [Double] {
        let first = Int((low / step - 1e-9).rounded(.up)), last = Int((high / step + 1e-9).rounded(.down))
        return first <= last ? (first...last).map { Double($0) * step } : []
    }

    /// Returns the text of a tick, in a unit that has `scale` of the axis' own.
    func text(_ tick: Double, scale: Double = 1) -> String {
        var decimals = 0, unit = step / scale
        while decimals < 3, abs(unit - unit.rounded()) > 1e-6 {
            unit *= 10
            decimals += 1
        }
        let units = DecimalText.units(tick / scale, decimals: decimals), digits = String(units.magnitude)
        guard units != 0 else { return "0" }
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}

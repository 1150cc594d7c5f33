import Foundation

/// Round numbers for ticks: multiples of 1, 2 or 5 times a power of ten.
enum RoundNumbers {
    /// Returns the multiples of a round step within a range, at most `count` and one more.
    static func within(_ range: ClosedRange<Double>, count: Int) -> [Double] {
        let least = (range.upperBound - range.lowerBound) / Double(max(count, 1))
        guard least > 0, least.isFinite else { return [] }
        let power = pow(10, log10(least).rounded(.down))
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? 10 * power
        let first = (range.lowerBound / step - 1e-9).rounded(.up),
            last = (range.upperBound / step + 1e-9).rounded(.down)
        guard first <= last, first.magnitude < 0x1p50, last.magnitude < 0x1p50 else { return [] }
        // A division keeps decimals such as 0.3 exact.
        let parts = step < 1 ? (1 / step).rounded() : 1
        return stride(from: first, through: last, by: 1).map { step < 1 ? $0 / parts : $0 * step }
    }

    /// The largest number of 1, 2 or 5 times a power of ten that is not above a positive number.
    static func floor(_ number: Double) -> Double {
        let power = pow(10, log10(number).rounded(.down)), factor = number / power
        return ([5, 2].first { factor >= $0 } ?? 1) * power
    }
}

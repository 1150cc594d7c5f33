import Foundation

/// Classes of numbers: ranges that follow each other, with each bound in the lower class.
///
/// ```swift
/// let classes = Classification([1, 3, 4, 20, 31, 900], count: 3, by: .jenks)
/// ```
///
/// The bounds are those of mapclassify (PySAL) for the same method.
package struct Classification: Hashable, Sendable {
    /// The methods that divide numbers into classes.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        /// Equally many values in each class; fewer classes if values repeat.
        case quantile
        /// Ranges of equal width.
        case equal
        /// The least variance within classes (natural breaks, Fisher and Jenks).
        case jenks
        /// Ranges of equal width with round bounds; the number of classes is approximate.
        case pretty
        /// Ranges of equal ratio between the smallest positive and the largest value.
        case log
    }

    /// The smallest value.
    package let minimum: Double
    /// The largest value of each class, in ascending order.
    package let upperBounds: [Double]
    /// Whether the bounds between classes are stated, not computed.
    package let isStated: Bool

    /// Divides numbers into classes, or returns `nil` without finite numbers.
    ///
    /// - Parameter count: the number of classes, at least 1. There are fewer if there are fewer distinct values.
    /// - Complexity: O(*n* log *n*) in the numbers; O(`count` · *n* log *n*) for ``Method/jenks``.
    package init?(_ values: [Double], count: Int, by method: Method) {
        let sorted = values.filter(\.isFinite).sorted()
        guard let low = sorted.first, let high = sorted.last, count > 0 else { return nil }
        isStated = false
        minimum = low
        guard low < high, count > 1 else {
            upperBounds = [high]
            return
        }
        let bounds =
            switch method {
            case .quantile: Self.quantiles(sorted, count)
            case .equal: Self.equalWidths(low, high, count)
            case .jenks: Self.naturalBreaks(sorted, count)
            case .pretty: Self.roundBounds(low, high, count)
            case .log: Self.equalRatios(sorted, count)
            }
        var distinct: [Double] = []
        for bound in bounds where distinct.last.map({ $0 < bound }) ?? true { distinct.append(bound) }
        upperBounds = distinct
    }

    /// Creates classes between bounds, or returns `nil` if the bounds are not finite and ascending.
    ///
    /// - Parameters:
    ///   - bounds: the smallest value, and the largest one of each class.
    ///   - areStated: whether a person has chosen the bounds, which titles then show as they are.
    package init?(bounds: [Double], areStated: Bool = false) {
        guard bounds.count > 1, bounds.allSatisfy(\.isFinite), zip(bounds, bounds.dropFirst()).allSatisfy(<) else {
            return nil
        }
        isStated = areStated
        minimum = bounds[0]
        upperBounds = Array(bounds.dropFirst())
    }

    /// Returns the class of a number: 0 for numbers below all bounds, the last one for numbers above.
    package func index(of value: Double) -> Int {
        min(upperBounds.firstIndex { value <= $0 } ?? upperBounds.count, upperBounds.count - 1)
    }

    // MARK: - Methods

    /// Quantiles by linear interpolation between sorted values.
    private static func quantiles(_ sorted: [Double], _ count: Int) -> [Double] {
        let share = 100 / Double(count)
        return (1...count).map { number in
            let percentage = number == count ? 100 : share + Double(number - 1) * share
            let position = percentage / 100 * Double(sorted.count - 1), below = Int(position)
            let part = position - Double(below)
            guard part > 0, below + 1 < sorted.count else { return sorted[min(below, sorted.count - 1)] }
            return sorted[below] * (Double(below + 1) - position) + sorted[below + 1] * part
        }
    }

    private static func equalWidths(_ low: Double, _ high: Double, _ count: Int) -> [Double] {
        // Halves do not overflow.
        let width = (high / 2 - low / 2) / Double(count) * 2, first = low + width
        return (0..<count).map { $0 == count - 1 ? high : first + Double($0) * width }
    }

    /// Bounds that are multiples of 1, 2 or 5 times a power of ten (Heckbert, Nice Numbers for Graph Labels).
    private static func roundBounds(_ low: Double, _ high: Double, _ count: Int) -> [Double] {
        func nice(_ number: Double, isNearest: Bool) -> Double {
            let power = pow(10, log10(number).rounded(.down)), factor = number / power
            let limits = isNearest ? [1.5, 3, 7] : [1, 2, 5]
            // A nearest number rounds up at its limit.
            let place = limits.firstIndex { isNearest ? factor < $0 : factor <= $0 } ?? 3
            return [1, 2, 5, 10][place] * power
        }
        let range = nice(high - low, isNearest: false)
        let step = nice(range / Double(count - 1), isNearest: true)
        guard step.isFinite, step > 0 else { return equalWidths(low, high, count) }
        let start = (low / step).rounded(.down), end = (high / step).rounded(.up)
        guard start.isFinite, end.isFinite, end - start < 10_000 else { return equalWidths(low, high, count) }
        return stride(from: start + 1, through: end, by: 1).map { $0 * step }
    }

    private static func equalRatios(_ sorted: [Double], _ count: Int) -> [Double] {
        guard let low = sorted.first(where: { $0 > 0 }), let high = sorted.last, high > low else {
            return [sorted[sorted.count - 1]]
        }
        let ratio = log(high) - log(low)
        return (1...count).map { $0 == count ? high : exp(log(low) + ratio * Double($0) / Double(count)) }
    }

    /// The largest values of the classes with the least sum of squared deviations from their means.
    ///
    /// Dynamic programming over distinct values. The start of the last class grows with its end, so each row is found by division.
    private static func naturalBreaks(_ sorted: [Double], _ count: Int) -> [Double] {
        var values: [Double] = [], weights: [Double] = []
        for value in sorted {
            if values.last == value {
                weights[weights.count - 1] += 1
            } else {
                values.append(value)
                weights.append(1)
            }
        }
        guard values.count > count else { return values }
        // Sums of squares lose digits far from zero.
        let middle = sorted.reduce(0) { $0 + $1 / Double(sorted.count) }
        let scale = max(abs(values[0] - middle), abs(values[values.count - 1] - middle))
        var sums = [0.0], squares = [0.0], masses = [0.0]
        for (value, weight) in zip(values, weights) {
            let own = (value - middle) / scale
            sums.append(sums[sums.count - 1] + weight * own)
            squares.append(squares[squares.count - 1] + weight * own * own)
            masses.append(masses[masses.count - 1] + weight)
        }
        /// The squared deviations of the values from a place up to another one.
        func cost(_ start: Int, _ end: Int) -> Double {
            let sum = sums[end] - sums[start]
            return max(squares[end] - squares[start] - sum * sum / (masses[end] - masses[start]), 0)
        }
        let total = values.count
        var costs = (0...total).map { $0 == 0 ? 0 : cost(0, $0) }
        var starts: [[Int32]] = []
        for classes in 2...count {
            var next = [Double](repeating: .infinity, count: total + 1)
            var chosen = [Int32](repeating: 0, count: total + 1)
            // Ends, and the starts that are possible for them.
            var open = [(classes...total, classes - 1, total - 1)]
            while let (ends, first, last) = open.popLast() {
                let end = (ends.lowerBound + ends.upperBound) / 2
                var best = Double.infinity, place = first
                for start in first...min(last, end - 1) {
                    let sum = costs[start] + cost(start, end)
                    if sum < best { (best, place) = (sum, start) }
                }
                next[end] = best
                chosen[end] = Int32(place)
                if ends.lowerBound < end { open.append((ends.lowerBound...(end - 1), first, place)) }
                if end < ends.upperBound { open.append(((end + 1)...ends.upperBound, place, last)) }
            }
            costs = next
            starts.append(chosen)
        }
        var bounds: [Double] = [], end = total
        for chosen in starts.reversed() {
            bounds.append(values[end - 1])
            end = Int(chosen[end])
        }
        bounds.append(values[end - 1])
        return bounds.reversed()
    }
}

import Foundation

extension Classification {
    /// Returns the classes with bounds of few digits, which legends show.
    ///
    /// A bound moves at most by a twentieth of the narrower class beside it, and past no value if it has three digits then.
    /// Otherwise it moves at most by a hundredth of that class. The ends are rounded outwards.
    ///
    /// - Complexity: O(*n* log *n*) in the numbers.
    package func withRoundBounds(for numbers: [Double]) -> Classification {
        let sorted = numbers.filter(\.isFinite).sorted(), bounds = [minimum] + upperBounds
        guard bounds.count > 2 else { return self }
        var rounded = bounds
        for place in bounds.indices.dropFirst().dropLast() where !isStated {
            let bound = bounds[place], width = min(bound - bounds[place - 1], bounds[place + 1] - bound)
            // Each bound is in its lower class.
            let above = sorted.partitioningIndex { $0 > bound }
            let low = above > 0 ? sorted[above - 1] : -.infinity,
                high = above < sorted.count ? sorted[above] : .infinity
            let few = (1...3).lazy.flatMap { Self.multiples(of: bound, digits: $0) }.first {
                low <= $0 && $0 < high && abs($0 - bound) <= width / 20
            }
            rounded[place] =
                few
                ?? (3...17).lazy.map { Self.multiples(of: bound, digits: $0)[0] }.first {
                    abs($0 - bound) <= width / 100
                } ?? bound
        }
        let last = bounds.count - 1
        rounded[0] = Self.end(bounds[0], within: bounds[1] - bounds[0], isLow: true)
        rounded[last] = Self.end(bounds[last], within: bounds[last] - bounds[last - 1], isLow: false)
        return Classification(bounds: rounded, areStated: isStated) ?? self
    }

    /// Returns the number of the fewest digits, at least three, that is not inside an end of the classes, and at most a
    /// fiftieth of the class beyond it.
    private static func end(_ number: Double, within width: Double, isLow: Bool) -> Double {
        (3...17).lazy.flatMap { multiples(of: number, digits: $0) }.first {
            (isLow ? $0 <= number : $0 >= number) && abs($0 - number) <= width / 50
        } ?? number
    }

    /// Returns the numbers of some digits next to a number, the nearest one first.
    private static func multiples(of number: Double, digits: Int) -> [Double] {
        guard number != 0 else { return [0] }
        let power = Int(log10(abs(number)).rounded(.down)) - digits + 1
        // A division keeps decimals such as 0.3 exact.
        let unit = pow(10, Double(abs(power))), scaled = power < 0 ? number * unit : number / unit
        guard unit.isFinite, scaled.isFinite else { return [number] }
        let nearest = scaled.rounded()
        return [nearest, nearest < scaled ? nearest + 1 : nearest - 1].map { power < 0 ? $0 / unit : $0 * unit }
    }
}

extension [Double] {
    /// Returns the index of the first element that a condition holds for, if it holds for all after it, too.
    fileprivate func partitioningIndex(_ isAfter: (Double) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A place in a checked, repeating list of dashes and gaps.
struct DashPattern: Sendable {
    /// Shorter lists cannot be told from a solid line.
    private static let minimumLength = 0.1

    private let lengths: [Double]
    /// The sum of the lengths.
    let length: Double
    /// The number of the current dash (even) or gap (odd).
    private(set) var index = 0
    /// How much of the current dash or gap is left.
    private(set) var remaining = 0.0
    private let phase: Double

    /// Makes a pattern, or `nil` for a solid line.
    init?(dashes: [Double], phase: Double) {
        guard !dashes.isEmpty, dashes.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
        lengths = dashes.count.isMultiple(of: 2) ? dashes : dashes + dashes
        length = lengths.reduce(0, +)
        guard length.isFinite, length >= Self.minimumLength else { return nil }
        self.phase = phase
        reset()
    }

    /// Dashes and gaps in the list.
    var count: Int { lengths.count }

    /// Whether the current part is painted.
    var isDash: Bool { index.isMultiple(of: 2) }

    /// Goes to the place where a subpath begins.
    mutating func reset() {
        index = 0
        remaining = lengths[0]
        guard phase.isFinite else { return }
        let offset = phase.truncatingRemainder(dividingBy: length)
        // Not by 0, which would pass over a dash of length 0.
        if offset != 0 { advance(by: offset < 0 ? offset + length : offset) }
    }

    /// Goes to the beginning of the next dash or gap.
    mutating func next() {
        index = (index + 1) % lengths.count
        remaining = lengths[index]
    }

    /// Goes on by `distance`, which is at most what remains, and stays in the same dash or gap.
    mutating func use(_ distance: Double) { remaining = max(remaining - distance, 0) }

    /// Goes on by `distance`.
    mutating func advance(by distance: Double) {
        guard distance >= remaining else { return remaining -= distance }
        var rest = (distance - remaining).truncatingRemainder(dividingBy: length)
        guard rest.isFinite else { return }
        next()
        // One turn through the list at most; rounding may leave nothing for the last entry.
        for _ in lengths where rest >= remaining {
            rest -= remaining
            next()
        }
        remaining = max(remaining - rest, 0)
    }
}

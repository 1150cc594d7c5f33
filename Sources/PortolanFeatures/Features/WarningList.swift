package import PortolanWeb

extension MapWarning {
    /// Makes a warning about a file of features.
    package init(
        feature: String?, key: String? = nil, byteOffset: Int? = nil, line: Int? = nil, message: String,
        effect: Effect = .note
    ) {
        let place = byteOffset == nil && line == nil ? nil : Place(line: line, byteOffset: byteOffset)
        self.init(.data, Subject(feature: feature, member: key), at: place, effect: effect, message: message)
    }

    /// Makes the warning about a value that a key does not take.
    init(feature: String?, key: String, value: String, isNot expected: String) {
        self.init(
            .data, Subject(feature: feature, member: key), effect: .ignored, expected: expected,
            message: "\(value) is not \(expected); ignored")
    }
}

/// The warnings of a document while it is read: as many as are kept, and how many more there were.
package struct WarningList: Sendable {
    /// The most that are kept.
    let limit: Int
    private var kept: [MapWarning] = []
    /// The number of the feature that each of the kept ones is about.
    private var numbers: [Int?] = []
    private var lostCount = 0
    /// The worst effect of those that are not kept.
    private var lostEffect = MapWarning.Effect.note

    package init(limit: Int) { self.limit = limit }

    /// How many are kept.
    var count: Int { kept.count }

    package mutating func append(
        _ warning: @autoclosure () -> MapWarning, effect: MapWarning.Effect, number: Int? = nil
    ) {
        guard kept.count < limit else {
            lostCount += 1
            lostEffect = max(lostEffect, effect)
            return
        }
        kept.append(warning())
        numbers.append(number)
    }

    /// How many warnings there are, to go back to.
    struct Mark {
        fileprivate let keptCount: Int, lostCount: Int, lostEffect: MapWarning.Effect
    }

    /// What there is so far.
    var mark: Mark { Mark(keptCount: kept.count, lostCount: lostCount, lostEffect: lostEffect) }

    /// Forgets what has come since, as of what is read once more.
    mutating func goBack(to mark: Mark) {
        if kept.count > mark.keptCount {
            kept.removeSubrange(mark.keptCount...)
            numbers.removeSubrange(mark.keptCount...)
        }
        (lostCount, lostEffect) = (mark.lostCount, mark.lostEffect)
    }

    /// Adds the warnings of features that follow others, whose numbers begin behind theirs.
    mutating func append(_ more: WarningList, behind count: Int) {
        for (warning, number) in zip(more.kept, more.numbers) {
            append(
                number.map { warning.about(feature: "#\(count + $0)") } ?? warning,
                effect: warning.effect, number: number.map { count + $0 })
        }
        guard more.lostCount > 0 else { return }
        lostCount += more.lostCount
        lostEffect = max(lostEffect, more.lostEffect)
    }

    /// The warnings, the last of which counts those that were not kept.
    package var all: [MapWarning] {
        guard lostCount > 0 else { return kept }
        return kept + [MapWarning(feature: nil, message: "and \(lostCount) more warnings", effect: lostEffect)]
    }
}

package import PortolanWeb

extension MapWarning {
    /// Creates a warning about a feature file.
    package init(
        feature: String?, key: String? = nil, byteOffset: Int? = nil, line: Int? = nil, message: String,
        effect: Effect = .note
    ) {
        let place = byteOffset == nil && line == nil ? nil : Place(line: line, byteOffset: byteOffset)
        self.init(.data, Subject(feature: feature, member: key), at: place, effect: effect, message: message)
    }

    /// Creates the warning about an invalid value of a key.
    init(feature: String?, key: String, value: String, isNot expected: String) {
        self.init(
            .data, Subject(feature: feature, member: key), effect: .ignored, expected: expected,
            message: "\(value) is not \(expected); ignored")
    }
}

/// The warnings of a document during reading, up to a limit, and the number of further ones.
package struct WarningList: Sendable {
    /// The maximum number of kept warnings.
    let limit: Int
    private var kept: [MapWarning] = []
    /// The feature number of each kept warning.
    private var numbers: [Int?] = []
    private var lostCount = 0
    /// The most severe effect of the warnings that are not kept.
    private var lostEffect = MapWarning.Effect.note

    package init(limit: Int) { self.limit = limit }

    /// The number of kept warnings.
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

    /// A state of the list, for a rollback.
    struct Mark {
        fileprivate let keptCount: Int, lostCount: Int, lostEffect: MapWarning.Effect
    }

    /// The current state.
    var mark: Mark { Mark(keptCount: kept.count, lostCount: lostCount, lostEffect: lostEffect) }

    /// Removes the warnings since a state, before content is read again.
    mutating func goBack(to mark: Mark) {
        if kept.count > mark.keptCount {
            kept.removeSubrange(mark.keptCount...)
            numbers.removeSubrange(mark.keptCount...)
        }
        (lostCount, lostEffect) = (mark.lostCount, mark.lostEffect)
    }

    /// Appends the warnings of later features, whose numbers are shifted by `count`.
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

    /// The warnings.
    ///
    /// The last one states how many were not kept.
    package var all: [MapWarning] {
        guard lostCount > 0 else { return kept }
        return kept + [MapWarning(feature: nil, message: "and \(lostCount) more warnings", effect: lostEffect)]
    }
}

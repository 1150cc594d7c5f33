package import PortolanWeb

/// The number of features with and without a row in a table, and the rows used so far.
package struct JoinOutcome: Hashable, Sendable {
    /// The number of features with a row.
    private(set) var matchedCount = 0
    /// The number of features without a row.
    private(set) var unmatchedCount = 0
    /// The key of the first feature without a row.
    private var firstUnmatched: String?
    private var rows: Set<Int> = []
    /// The properties of the first feature without a key.
    private var keyless: [String]?
    private var keylessCount = 0

    package init() {}

    /// Whether a feature has a row.
    package var hasMatches: Bool { matchedCount > 0 }

    /// Returns the row of a feature, and counts it.
    package mutating func row(
        of id: Feature.ID?, _ properties: Properties, in join: FeatureJoin
    ) -> Int? {
        guard let key = join.key(of: id, properties) else {
            keylessCount += 1
            if keyless == nil { keyless = properties.names }
            return nil
        }
        guard let row = join.row(ofKey: key) else {
            unmatchedCount += 1
            firstUnmatched = firstUnmatched ?? key
            return nil
        }
        matchedCount += 1
        rows.insert(row)
        return row
    }

    /// Adds the counts of other features.
    ///
    /// Those of a layer without any row, such as the roads beside the countries of a table, are not counted.
    package mutating func add(_ other: JoinOutcome) {
        let isOther = matchedCount > 0 && other.matchedCount == 0
        guard !isOther else { return }
        if matchedCount == 0, other.matchedCount > 0 { self = JoinOutcome() }
        matchedCount += other.matchedCount
        unmatchedCount += other.unmatchedCount
        keylessCount += other.keylessCount
        firstUnmatched = firstUnmatched ?? other.firstUnmatched
        keyless = keyless ?? other.keyless
        rows.formUnion(other.rows)
    }

    /// The warnings about features and rows without a partner.
    ///
    /// - Parameter isWhole: whether the features are all of their source, and not those of a view alone.
    package func warnings(_ join: FeatureJoin, isWhole: Bool) -> [MapWarning] {
        func warning(_ effect: MapWarning.Effect, _ message: String) -> MapWarning {
            MapWarning(
                effect == .ignored ? .layerKey : .data, MapWarning.Subject(member: "join"), effect: effect,
                message: message)
        }
        let count = matchedCount + unmatchedCount + keylessCount, unused = join.rowCount - rows.count
        guard count > 0 else { return [] }
        guard matchedCount > 0 else {
            return [warning(.ignored, "no feature has a row in '\(join.name)': " + cause(join))]
        }
        let without = unmatchedCount + keylessCount
        var parts: [String] = []
        if without > 0 {
            let example = firstUnmatched.map { ", such as '\($0.prefix(60))'" } ?? ""
            parts.append("\(without) of \(count) features have no row in '\(join.name)'\(example)")
        }
        if isWhole, unused > 0 { parts.append("\(unused) of \(join.rowCount) rows have no feature") }
        return parts.isEmpty ? [] : [warning(.note, parts.joined(separator: "; "))]
    }

    /// The reason why no feature has a row.
    private func cause(_ join: FeatureJoin) -> String {
        let key = join.firstKey.map { "'\($0.prefix(60))'" } ?? "nothing"
        guard let firstUnmatched else {
            guard let property = join.property else {
                return "features have no identifiers; state a property with 'on'"
            }
            guard let keyless, let near = NearName.nearest(to: property, in: keyless) else {
                return "features have no property '\(property)'"
            }
            return "features have no property '\(property)'; did you mean '\(near)'?"
        }
        let subject = join.property.map { "'\($0)'" } ?? "the identifier"
        return "\(subject) is '\(firstUnmatched.prefix(60))' in a feature, and the key is \(key) in the first row"
    }
}

extension FeatureCollection {
    /// Adds the values of a table to the features with the same key, and records the number of features and rows without
    /// a partner as a warning.
    ///
    /// - Complexity: O(features).
    public mutating func join(_ join: FeatureJoin) {
        var outcome = JoinOutcome()
        features.join(join, &outcome)
        warnings += outcome.warnings(join, isWhole: true)
    }
}

extension [Feature] {
    /// Adds the values of a table to the features with the same key.
    package mutating func join(_ join: FeatureJoin, _ outcome: inout JoinOutcome) {
        for index in indices {
            guard let row = outcome.row(of: self[index].id, self[index].properties, in: join) else { continue }
            self[index].properties.add(join.values(ofRow: row))
        }
    }
}

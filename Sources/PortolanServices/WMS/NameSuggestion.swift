/// Finds the name that somebody probably meant.
enum NameSuggestion {
    /// The name nearest to `name` among `names` by the number of letters that differ, at most a third of them, or `nil`.
    ///
    /// - Complexity: O(`names.count`) for names shorter than 64 letters; longer ones are compared by case alone.
    static func nearest(to name: String, in names: [String]) -> String? {
        let wanted = Array(name.lowercased())
        if let same = names.first(where: { $0.lowercased() == name.lowercased() }) { return same }
        guard wanted.count < 64 else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in names.prefix(10_000) where candidate.utf8.count < 64 {
            let distance = distance(wanted, Array(candidate.lowercased()))
            guard distance * 3 <= max(wanted.count, 3), distance < best?.distance ?? Int.max else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// How many letters must be put in, taken out or changed (Levenshtein).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

/// Finds the most similar name for "did you mean" messages.
package enum NearName {
    /// Longer names are compared only by case.
    private static let longest = 64
    /// The maximum number of names to compare.
    private static let mostNames = 10_000

    /// Returns the name nearest to `wanted`, or `nil` if more than a third of its letters differ, ignoring case.
    ///
    /// Of equally near names it returns the alphabetically first.
    ///
    /// - Complexity: O(names · letters²).
    package static func nearest(to wanted: String, in names: some Sequence<String>) -> String? {
        let letters = Array(wanted.lowercased())
        let allowed = letters.count > longest ? 0 : max(1, letters.count / 3)
        var best: (distance: Int, name: String)?
        for name in names.prefix(mostNames) {
            let other = Array(name.lowercased())
            guard abs(other.count - letters.count) <= allowed else { continue }
            let distance = other == letters ? 0 : allowed == 0 ? 1 : distance(letters, other)
            guard distance <= allowed else { continue }
            if let known = best, (known.distance, known.name) <= (distance, name) { continue }
            best = (distance, name)
        }
        return best?.name
    }

    /// Returns the number of letters to insert, delete, replace or transpose to change one word into the other.
    ///
    /// This is Damerau's optimal string alignment distance.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var before: [Int] = [], previous = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            before = previous
            previous = row
        }
        return previous[b.count]
    }
}

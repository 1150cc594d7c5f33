/// Finds the name that somebody meant who wrote another.
package enum NearName {
    /// The name nearest to `wanted`, or `nil` when none is near: at most a third of its letters differ, without regard
    /// to case.
    ///
    /// - Complexity: O(names · letters²).
    package static func nearest(to wanted: String, in names: some Sequence<String>) -> String? {
        let letters = Array(wanted.lowercased().prefix(64))
        let allowed = max(1, letters.count / 3)
        var best: (distance: Int, name: String)?
        for name in names {
            let other = Array(name.lowercased().prefix(64))
            guard abs(other.count - letters.count) <= allowed else { continue }
            let distance = distance(letters, other)
            guard distance <= allowed else { continue }
            if let known = best, (known.distance, known.name) <= (distance, name) { continue }
            best = (distance, name)
        }
        return best?.name
    }

    /// How many letters are to be put in, taken out, changed or swapped with the next to make one word of the other
    /// (Damerau's optimal string alignment).
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

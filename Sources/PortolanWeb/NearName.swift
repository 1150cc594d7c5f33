/// Finds the name that was probably meant by another.
package enum NearName {
    /// Longer names are compared by case alone.
    private static let longest = 64
    /// Of more names the first are looked at.
    private static let mostNames = 10_000

    /// The name nearest to `wanted`, or `nil` when none is near: at most a third of its letters differ, without regard
    /// to case.
    ///
    /// Of names equally near it is the first of the alphabet.
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

    /// The number of letters to insert, delete, change or swap with the next to make one word of the other (Damerau's
    /// optimal string alignment).
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

/// Ranges of zoom levels in options.
enum ZoomText {
    /// Reads a range, such as `10-14` or `12`.
    static func range(_ text: String, within levels: ClosedRange<Int>) throws(CommandFailure) -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last,
            levels.contains(first), levels.contains(last)
        else {
            throw CommandFailure(
                .usage,
                "--zooms \(text): expected A-B from \(levels.lowerBound) to \(levels.upperBound), as in 10-14")
        }
        return first...last
    }
}

/// The dashes of lines that were cut, for example by the tiles that contain them.
///
/// The middle of a dash is on each cut, and the dashes between two cuts are stretched so that whole ones fit. Each piece
/// of a line is dashed without knowledge of the others, and yet the rhythm continues across the cut.
package struct DashedLines: Sendable {
    private var dasher = Dasher()
    private var flat = FlatPath()
    private let pattern: DashPattern?

    /// Creates the dashes of a style.
    ///
    /// - Parameter visible: the area with everything that may be painted, including half the width of the line.
    package init(_ style: StrokeStyle, in visible: Rectangle) {
        pattern = DashPattern(dashes: style.dashes, phase: 0)
        dasher.prepare(style, visible: visible)
    }

    /// Adds the visible dashes of a line to a path.
    ///
    /// - Parameter cuts: the indexes of the points at which it was cut, ascending.
    /// - Complexity: O(points + dashes).
    package mutating func add(_ points: [Point], cuts: [Int], isClosed: Bool, to path: inout Path) {
        guard points.count > 1 else { return }
        flat.removeAll()
        for point in points { flat.append(point, isSmooth: false) }
        flat.subpaths.append(FlatPath.Subpath(start: 0, end: points.count, isClosed: isClosed))
        // The end of a ring is its start.
        let wraps = isClosed && cuts.first == 0
        let stretches = pattern.map {
            self.stretches(of: wraps ? points + points.prefix(1) : points, wraps ? cuts + [points.count] : cuts, $0)
        }
        let pieces = dasher.dash(flat, stretches: stretches ?? [])
        for piece in pieces.subpaths {
            path.move(to: pieces.points[piece.start])
            for index in piece.start + 1..<piece.end { path.line(to: pieces.points[index]) }
            if piece.isClosed { path.close() }
        }
    }

    /// The dashes of each stretch between the ends of the line and its cuts.
    private func stretches(of points: [Point], _ cuts: [Int], _ pattern: DashPattern) -> [Dasher.Stretch] {
        guard let first = cuts.first else { return [] }
        var stretches: [Dasher.Stretch] = []
        func length(_ range: Range<Int>) -> Double {
            range.reduce(0) { $0 + points[$1].distance(to: points[$1 + 1]) }
        }
        if first > 0 { stretches.append(Dasher.Stretch(start: 0, pattern: pattern.ending(after: length(0..<first)))) }
        for (place, cut) in cuts.enumerated() where cut < points.count - 1 {
            let next = place + 1 < cuts.count ? cuts[place + 1] : nil
            stretches.append(
                Dasher.Stretch(start: cut, pattern: next.map { pattern.fitting(length(cut..<$0)) } ?? pattern.centered))
        }
        return stretches
    }
}

extension DashPattern {
    /// The pattern from the middle of its first dash.
    fileprivate var centered: DashPattern { started(at: firstLength / 2) }

    /// The pattern that reaches the middle of its first dash after a distance.
    fileprivate func ending(after distance: Double) -> DashPattern {
        started(at: firstLength / 2 - distance.truncatingRemainder(dividingBy: length))
    }

    /// The pattern from the middle of a dash to the middle of another, stretched for a distance, or `nil` for a solid
    /// line if the distance is too short for a gap.
    fileprivate func fitting(_ distance: Double) -> DashPattern? {
        let count = (distance / length).rounded()
        return count < 1 ? nil : scaled(by: distance / (count * length))?.centered
    }
}

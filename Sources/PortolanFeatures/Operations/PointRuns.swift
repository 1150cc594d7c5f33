package import PortolanRaster

/// Runs of points in one array, to be filled and emptied again and again without new memory.
package struct PointRuns: Sendable {
    /// The points of all runs.
    package var points: [Point] = []
    /// Where each run ends in the points; what comes after the last end belongs to the run that is being made.
    package private(set) var ends: [Int] = []

    /// Makes an empty list.
    package init() {}

    /// How many runs there are.
    package var count: Int { ends.count }

    /// Where the run begins that is being made.
    package var openStart: Int { ends.last ?? 0 }

    /// The points of a run.
    package func range(_ run: Int) -> Range<Int> { (run == 0 ? 0 : ends[run - 1])..<ends[run] }

    /// Empties the list and keeps its memory.
    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Ends the run that is being made; one without points is none.
    package mutating func end() {
        if points.count > openStart { ends.append(points.count) }
    }

    /// Ends the run that is being made as a line, or drops it when all its points are one.
    mutating func endLine() {
        let start = openStart
        var isLine = false
        for index in start..<points.count where points[index] != points[start] {
            isLine = true
            break
        }
        if isLine { ends.append(points.count) } else { points.removeLast(points.count - start) }
    }

    /// The runs as arrays of their own.
    package var arrays: [[Point]] { (0..<count).map { Array(points[range($0)]) } }
}

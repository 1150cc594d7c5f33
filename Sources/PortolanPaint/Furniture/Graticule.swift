/// Lines of equal longitude and latitude over a map.
public enum Graticule: Hashable, Sendable {
    /// As many as leave room for their degrees.
    case automatic
    /// One every so many degrees.
    case degrees(Double)

    /// Intervals that read well, in degrees, the widest first.
    static let intervals: [Double] =
        [90, 45, 30, 20, 10, 5, 2, 1] + [30, 20, 10, 5, 2, 1].map { $0 / 60 } + [30, 20, 10, 5, 2, 1].map { $0 / 3600 }

    /// The most lines drawn in one direction; with more the interval is widened.
    private static let mostLines = 100.0

    /// The interval for a view that spans so many degrees across, or `nil` when there is none.
    ///
    /// - Parameter room: how many lines have room beside each other.
    func interval(forSpan span: Double, room: Double) -> Double? {
        guard span > 0, span.isFinite else { return nil }
        switch self {
        case .automatic: return Self.intervals.last { span / $0 <= max(room, 1) } ?? Self.intervals.first
        case .degrees(let degrees):
            guard degrees > 0, degrees.isFinite else { return nil }
            if span / degrees <= Self.mostLines { return degrees }
            return Self.intervals.last { span / $0 <= Self.mostLines }
        }
    }
}

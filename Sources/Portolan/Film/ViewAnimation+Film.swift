public import PortolanPlan

extension ViewAnimation {
    /// Returns views of a flight at equal steps of time: zooming out, moving and zooming in, with a soft start and end.
    ///
    /// - Parameter count: the number of views; the first and the last one are the ends of the flight.
    public static func views(from start: Viewport, to end: Viewport, count: Int) -> [Viewport] {
        guard count > 1 else { return count == 1 ? [end] : [] }
        let flight = fly(from: start, to: end, at: .zero, longest: .seconds(1e9))
        return (0..<count).map { number in
            number == 0
                ? start
                : number == count - 1 ? end : flight.view(at: flight.duration * (Double(number) / Double(count - 1)))
        }
    }
}

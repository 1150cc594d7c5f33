/// A straight boundary piece that lies on the canvas, its upper end first.
struct Edge: Sendable {
    /// The upper end.
    let x0: Double
    let y0: Double
    /// The lower end; `y1 > y0`.
    let x1: Double
    let y1: Double
    /// 1 when the path goes down along the edge, and -1 when it goes up.
    let direction: Double

    /// The x at height `y` between the two ends.
    func x(at y: Double) -> Double {
        if y <= y0 { return x0 }
        if y >= y1 { return x1 }
        return Interpolation.value(at: y, from: y0, x0, to: y1, x1)
    }
}

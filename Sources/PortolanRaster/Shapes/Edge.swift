import CPrefetch

/// A straight boundary piece that lies on the canvas, its upper end first, in fixed point.
///
/// x counts in units of 2⁻⁴⁰ and y in units of 2⁻³² of a pixel. While the rows are worked through, the upper end moves
/// down along the edge.
struct Edge: Sendable {
    /// How many bits of an x are behind the point.
    static let xBits: Int64 = 40
    /// How many bits of a y are behind the point.
    static let yBits: Int64 = 32
    /// A pixel's width.
    static let pixelWidth: Int64 = 1 << xBits
    /// A row's height.
    static let rowHeight: Int64 = 1 << yBits
    /// Stands for no other edge.
    static let none: Int32 = -1

    /// The upper end.
    var x0: Int64
    var y0: Int64
    /// The lower end; `y1 > y0`.
    let x1: Int64
    let y1: Int64
    /// How far x goes in one full row; known once the edge has been entered.
    var step: Int64 = 0
    /// 1 when the path goes down along the edge, and -1 when it goes up.
    let direction: Int16
    /// Whether the first part row has been worked through.
    var isEntered = false
    /// The next edge of the same band.
    var next = Edge.none

    init(x0: Int64, y0: Int64, x1: Int64, y1: Int64, direction: Int16) {
        self.x0 = x0
        self.y0 = y0
        self.x1 = x1
        self.y1 = y1
        self.direction = direction
    }

    /// Works out where the edge leaves its first row at `boundary`, above its lower end, and how it goes on from there.
    @inline(__always)
    mutating func enter(_ boundary: Int64) -> Int64 {
        // The way to the boundary is rounded towards the upper end, so it stays on the edge.
        let run = Double(x1 &- x0), rise = Double(y1 &- y0)
        let x = x0 &+ whole_part(run * (Double(boundary &- y0) / rise))
        let rows = (y1 &- boundary) &>> Self.yBits
        if rows > 0 {
            step = whole_part(run / rise * Double(Self.rowHeight))
            // Rounding may lead beyond the lower end; then the rest is divided evenly.
            let end = x &+ step &* rows
            if run < 0 ? end < x1 : end > x1 { step = (x1 &- x) / rows }
        }
        isEntered = true
        return x
    }

    /// Moves the upper end down to `top`, the upper side of a row, exactly as working through the rows does.
    mutating func advance(to top: Int64) {
        guard y0 < top, top < y1 else { return }
        let boundary = ((y0 >> Self.yBits) + 1) << Self.yBits
        let x = enter(boundary)
        x0 = x + step * ((top - boundary) >> Self.yBits)
        y0 = top
    }
}

import CPrefetch

/// A straight boundary segment on the canvas, its upper end first, in fixed point.
///
/// The units are 2⁻⁴⁰ of a pixel for x and 2⁻³² for y. While rows are processed, the upper end moves down along the
/// edge.
struct Edge: Sendable {
    /// The number of fraction bits of an x.
    static let xBits: Int64 = 40
    /// The number of fraction bits of a y.
    static let yBits: Int64 = 32
    /// The width of a pixel.
    static let pixelWidth: Int64 = 1 << xBits
    /// The height of a row.
    static let rowHeight: Int64 = 1 << yBits
    /// The index that means no edge.
    static let none: Int32 = -1

    /// The upper end.
    var x0: Int64
    var y0: Int64
    /// The lower end; `y1 > y0`.
    let x1: Int64
    let y1: Int64
    /// The change of x per full row; known after the edge has been entered.
    var step: Int64 = 0
    /// 1 if the path goes down along the edge, and -1 if it goes up.
    let direction: Int16
    /// Whether the first partial row has been processed.
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

    /// Half the height per pixel and unit of width, in the direction of the path; 0 for a vertical edge.
    @inline(__always)
    var slope: Double {
        let run = Double(abs(x1 &- x0))
        return run == 0 ? 0 : Double((y1 &- y0) &* Int64(direction)) / run * (0.5 / Double(Self.pixelWidth))
    }

    /// Computes where the edge leaves its first row at `boundary`, above its lower end, and its step from there.
    @inline(__always)
    mutating func enter(_ boundary: Int64) -> Int64 {
        // The boundary is at least one unit above the lower end, more than the rounding error, so x is on the edge.
        let run = x1 &- x0, gradient = Double(run) / Double(y1 &- y0)
        let x = x0 &+ whole_part(gradient * Double(boundary &- y0))
        let rows = (y1 &- boundary) &>> Self.yBits
        if rows > 0 {
            step = whole_part(gradient * Double(Self.rowHeight))
            // If rounding leads beyond the lower end, the rest is divided evenly.
            let end = x &+ step &* rows
            if run < 0 ? end < x1 : end > x1 { step = (x1 &- x) / rows }
        }
        isEntered = true
        return x
    }

    /// Moves the upper end down to `top`, the upper boundary of a row, with the same result as processing the rows.
    mutating func advance(to top: Int64) {
        guard y0 < top, top < y1 else { return }
        let boundary = ((y0 >> Self.yBits) + 1) << Self.yBits
        let x = enter(boundary)
        x0 = x + step * ((top - boundary) >> Self.yBits)
        y0 = top
    }
}

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
    /// How far x goes in one full row; known when the first part row has been worked through.
    var step: Int64 = 0
    /// 1 when the path goes down along the edge, and -1 when it goes up.
    let direction: Int32
    /// The next edge of the same band.
    var next = Edge.none

    init(x0: Int64, y0: Int64, x1: Int64, y1: Int64, direction: Int32) {
        self.x0 = x0
        self.y0 = y0
        self.x1 = x1
        self.y1 = y1
        self.direction = direction
    }
}

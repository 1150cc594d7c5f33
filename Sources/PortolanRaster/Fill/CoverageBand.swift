/// The signed areas that edges enclose in a few pixel rows.
///
/// A cell holds by how much the signed covered area of its pixel differs from that of the pixel to its left, in units
/// of 2⁻³², so the running sum from the left is each pixel's area. Whole numbers cancel exactly and in any order. One
/// bit for each block of four cells tells whether an edge touched it; only touched blocks are visited and cleared.
///
/// Cells and bits are reached by pointer, without a check for each access. The bound: `add(_:)` is given edges whose
/// ends have 0 ≤ x ≤ width and lie in the band's rows or below, and every x it works out lies between the two ends';
/// so the last cell it writes in a row is number width + 1, and a row has at least width + 2 cells.
struct CoverageBand: Sendable {
    /// The memory for which the height of a band is chosen, in bytes: part of what a core has to itself.
    private static let memory = 160 << 10

    private var cells: [Int64] = []
    private var touched: [UInt64] = []
    private var width = 0
    /// Cells in a row.
    private(set) var stride = 0
    /// Words of bits in a row.
    private(set) var words = 0
    /// Rows, as a power of two.
    private(set) var heightBits = 4
    /// Rows.
    var height: Int { 1 << heightBits }

    /// Makes room for rows of `width` pixels; all cells are clear.
    mutating func prepare(width: Int) {
        guard width != self.width else { return }
        self.width = width
        stride = (width + 2 + 3) & ~3
        words = (stride / 4 + 63) / 64
        heightBits = 6
        while heightBits > 2, stride * 8 << heightBits > Self.memory { heightBits -= 1 }
        cells = [Int64](repeating: 0, count: stride * height)
        touched = [UInt64](repeating: 0, count: words * height)
    }

    /// Lends the cells for as long as `body` works.
    mutating func withRows<Result>(_ body: (Rows) -> Result) -> Result {
        let stride = stride, words = words
        return unsafe cells.withUnsafeMutableBufferPointer { cells in
            unsafe touched.withUnsafeMutableBufferPointer { touched in
                guard let cells = cells.baseAddress, let touched = touched.baseAddress else {
                    preconditionFailure("a band is prepared before it is used")
                }
                return unsafe body(Rows(cells: cells, touched: touched, stride: stride, words: words))
            }
        }
    }

    /// The band's rows, while they are lent.
    @safe struct Rows {
        let cells: UnsafeMutablePointer<Int64>
        let touched: UnsafeMutablePointer<UInt64>
        let stride: Int
        let words: Int
    }
}

/// The order of places along the Hilbert curve, in which neighbours on the curve are neighbours on the ground.
enum HilbertCurve {
    /// The place on the curve through 2¹⁶ × 2¹⁶ cells of the cell at column `x` and row `y`.
    static func order(x: UInt32, y: UInt32) -> UInt32 {
        var x = x & 0xFFFF, y = y & 0xFFFF
        var order: UInt32 = 0
        var side: UInt32 = 1 << 15
        while side > 0 {
            let right: UInt32 = x & side > 0 ? 1 : 0
            let upper: UInt32 = y & side > 0 ? 1 : 0
            order += side &* side &* ((3 * right) ^ upper)
            if upper == 0 {
                if right == 1 {
                    x = 0xFFFF - x
                    y = 0xFFFF - y
                }
                swap(&x, &y)
            }
            side >>= 1
        }
        return order
    }
}

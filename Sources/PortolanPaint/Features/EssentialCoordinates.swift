import PortolanGeo

/// Finds the coordinates of a line or ring that affect the drawing within an extent.
///
/// Of a run that is completely beyond one side of the extent, only the ends are kept. The segment between them is
/// beyond that side as well, so that neither segments within the extent nor ring containment change. This is far
/// cheaper than clipping and simplifying.
enum EssentialCoordinates {
    /// Passes the indexes of the essential coordinates in `range` to `body`, in order.
    static func forEach(
        of x: [Double], _ y: [Double], in range: Range<Int>, within extent: Extent, _ body: (Int) -> Void
    ) {
        // The sides beyond which all coordinates since and including the last kept one are.
        var common: UInt8 = 0
        // The previous coordinate, if it was not kept, and the sides beyond which it is.
        var held: (index: Int, sides: UInt8)?
        let xs = x.span, ys = y.span
        for index in range {
            let x = xs[index], y = ys[index]
            // One bit for each side; none for a NaN coordinate.
            let sides: UInt8 =
                (x < extent.minX ? 1 : 0) | (x > extent.maxX ? 2 : 0) | (y < extent.minY ? 4 : 0)
                | (y > extent.maxY ? 8 : 0)
            if sides & common != 0 {
                common &= sides
                held = (index, sides)
                continue
            }
            if let last = held {
                // The run ends at the previous coordinate; another may begin there.
                body(last.index)
                common = last.sides & sides
                held = nil
                if common != 0 {
                    held = (index, sides)
                    continue
                }
            }
            body(index)
            common = sides
        }
        if let held { body(held.index) }
    }
}

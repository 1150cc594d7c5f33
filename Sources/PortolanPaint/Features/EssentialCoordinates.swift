import PortolanGeo

/// Finds the coordinates of a line or ring that make a difference within an extent.
///
/// Of a run that lies wholly beyond one side of the extent only the ends are given: what leads from one to the other
/// lies beyond that side either way, so that no segment within changes, nor whether a place within is inside a ring.
/// Looking at a coordinate costs far less than cutting and simplifying it.
enum EssentialCoordinates {
    /// Gives the numbers of those among `range`, in order.
    static func forEach(
        of x: [Double], _ y: [Double], in range: Range<Int>, within extent: Extent, _ body: (Int) -> Void
    ) {
        // The sides beyond which all coordinates since the last one given lie, that one included.
        var common: UInt8 = 0
        // The last coordinate looked at, when it has not been given, and the sides beyond which it lies.
        var held: (index: Int, sides: UInt8)?
        let xs = x.span, ys = y.span
        for index in range {
            let x = xs[index], y = ys[index]
            // A bit for each side; none for a coordinate that is no number.
            let sides: UInt8 =
                (x < extent.minX ? 1 : 0) | (x > extent.maxX ? 2 : 0) | (y < extent.minY ? 4 : 0)
                | (y > extent.maxY ? 8 : 0)
            if sides & common != 0 {
                common &= sides
                held = (index, sides)
                continue
            }
            if let last = held {
                // The run ends with the one before; another may begin there.
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

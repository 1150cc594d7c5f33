package import PortolanGeo

/// How much pictures of one reference system lose when they are bent onto a map of another.
package enum WarpCost {
    /// What counts against a system on another datum than the map's.
    ///
    /// A shift is known to some metres only, so what it is used for is drawn beside its place at large scales; that is
    /// worse than to be stretched.
    private static let shifted = 2.0

    /// What counts against a system for each place of those looked at that it does not have.
    private static let missing = 100.0

    /// The longest side of a bent pixel by the shortest: 1 when all are squares of one size; twice that on another
    /// datum, and a hundredfold for each part of the place that the system does not cover.
    ///
    /// - Parameter place: what is looked at, in units of `map`.
    /// - Returns: `nil` when the two systems cannot be brought together there.
    package static func between(_ crs: CRS, and map: CRS, in place: Extent) -> Double? {
        guard let transform = try? CoordinateTransform(from: map, to: crs) else { return nil }
        if transform.isIdentity { return 1 }
        var shortest = Double.infinity, longest = 0.0
        var penalty = crs.datumShift == map.datumShift ? 1 : shifted
        let step = min(place.width, place.height) / 1000
        for (i, j) in [(0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)] {
            let x = place.minX + i * place.width, y = place.minY + j * place.height
            guard let here = transform(Coordinate(x: x, y: y)), let east = transform(Coordinate(x: x + step, y: y)),
                let north = transform(Coordinate(x: x, y: y + step))
            else {
                penalty *= missing
                continue
            }
            // The singular values of the derivative are the sides of the ellipse that a small circle becomes.
            let a = (east.x - here.x) / step, b = (north.x - here.x) / step
            let c = (east.y - here.y) / step, d = (north.y - here.y) / step
            let sum = a * a + b * b + c * c + d * d, determinant = abs(a * d - b * c)
            let root = max(sum * sum - 4 * determinant * determinant, 0).squareRoot()
            shortest = min(shortest, max((sum - root) / 2, 0).squareRoot())
            longest = max(longest, ((sum + root) / 2).squareRoot())
        }
        let cost = longest / shortest
        return cost.isFinite && cost >= 1 ? cost * penalty : nil
    }
}

package import PortolanGeo

/// The loss of pictures in one reference system that are warped onto a map in another.
package enum WarpCost {
    /// The penalty of a system on another datum than the map's.
    ///
    /// A shift is known to some metres only, so what it is used for is drawn beside its place at large scales; that is
    /// worse than to be stretched.
    private static let shifted = 2.0

    /// The penalty for each of the probed places that a system does not cover.
    private static let missing = 100.0

    /// The penalty where a part of the place is offered in another system alone.
    package static let uncovered = missing * missing

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

/// What of a view can be had in other reference systems than the map's.
package struct ViewCover {
    /// The share that a system may leave out before another is better: boxes are rounded, and some are drawn too tight.
    package static let bearable = 0.2

    private let map: CRS
    /// Places of the view, each on the map and in degrees.
    private let places: [(onMap: Coordinate, inDegrees: Coordinate)]

    /// Looks at a place, in units of `map`; `nil` when it cannot be brought into degrees, or shows no part of the world.
    package init?(of place: Extent, in map: CRS) {
        guard let degrees = try? CoordinateTransform(from: map, to: .crs84),
            let seen = map.worldExtent.map({ place.intersection($0) }) ?? place
        else { return nil }
        self.map = map
        places = seen.lattice.compactMap { position in degrees(position).map { (position, $0) } }
    }

    /// The share of the view, 0 to 1, where a layer has data and a box in another system does not reach.
    ///
    /// - Parameters:
    ///   - whole: where the layer has data, in degrees; `nil` for everywhere.
    ///   - reach: the box, in units of `crs`.
    package func missingShare(of whole: Extent?, outside reach: Extent, in crs: CRS) -> Double {
        guard let there = try? CoordinateTransform(from: map, to: crs),
            // Boxes are rounded, and their sides are bent.
            let reach = reach.grown(by: max(reach.width, reach.height) / 50)
        else { return 0 }
        let wanted = places.filter { whole?.contains($0.inDegrees) ?? true }
        let missed = wanted.count { there($0.onMap).map { !reach.contains($0) } ?? true }
        return Double(missed) / Double(max(wanted.count, 1))
    }
}

extension Extent {
    /// Places all over the extent, a tenth of its sides apart.
    fileprivate var lattice: [Coordinate] {
        (0...10).flatMap { j in
            (0...10).map { i in
                Coordinate(x: minX + Double(i) / 10 * width, y: minY + Double(j) / 10 * height)
            }
        }
    }
}

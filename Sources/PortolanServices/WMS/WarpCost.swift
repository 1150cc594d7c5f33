package import PortolanGeo

/// The quality loss of images in one CRS that are reprojected to another.
package enum WarpCost {
    /// The penalty for a CRS with another datum than the map's.
    ///
    /// Datum shifts are only accurate to some metres, which displaces the content at large scales. That is worse than
    /// distortion.
    private static let shifted = 2.0

    /// The penalty for each sample position outside of a CRS.
    private static let missing = 100.0

    /// The penalty if a part of the area is only offered in another CRS.
    package static let uncovered = missing * missing

    /// Returns the ratio of the longest to the shortest side of distorted pixels: 1 if all are squares of the same
    /// size.
    ///
    /// It is doubled for another datum, and multiplied by a hundred for each part of the area that the CRS does not
    /// cover.
    ///
    /// - Parameter place: the visible area in units of `map`.
    /// - Returns: `nil` if there is no transformation between the CRSs.
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
            // The singular values of the derivative are the axes of the ellipse to which a small circle is mapped.
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

/// The coverage of a view in other CRSs than the map's.
package struct ViewCover {
    /// The fraction that a CRS may leave out before another is preferred.
    ///
    /// Boxes are rounded, and some are too small.
    package static let bearable = 0.2

    private let map: CRS
    /// The sample positions of the view, on the map and in degrees.
    private let places: [(onMap: Coordinate, inDegrees: Coordinate)]

    /// Samples an area in units of `map`; returns `nil` if it cannot be transformed to degrees, or is outside of the world.
    package init?(of place: Extent, in map: CRS) {
        guard let degrees = try? CoordinateTransform(from: map, to: .crs84),
            let seen = map.worldExtent.map({ place.intersection($0) }) ?? place
        else { return nil }
        self.map = map
        places = seen.lattice.compactMap { position in degrees(position).map { (position, $0) } }
    }

    /// Returns the fraction of the view, 0 to 1, in which a layer has data that a box in another CRS does not cover.
    ///
    /// - Parameters:
    ///   - whole: the extent of the layer in degrees; `nil` for everywhere.
    ///   - reach: the box in units of `crs`.
    package func missingShare(of whole: Extent?, outside reach: Extent, in crs: CRS) -> Double {
        guard let there = try? CoordinateTransform(from: map, to: crs),
            // Boxes are rounded, and their sides are curved.
            let reach = reach.grown(by: max(reach.width, reach.height) / 50)
        else { return 0 }
        let wanted = places.filter { whole?.contains($0.inDegrees) ?? true }
        let missed = wanted.count { there($0.onMap).map { !reach.contains($0) } ?? true }
        return Double(missed) / Double(max(wanted.count, 1))
    }
}

extension Extent {
    /// A grid of positions over the extent, a tenth of its sides apart.
    fileprivate var lattice: [Coordinate] {
        (0...10).flatMap { j in
            (0...10).map { i in
                Coordinate(x: minX + Double(i) / 10 * width, y: minY + Double(j) / 10 * height)
            }
        }
    }
}

/// West, south, east and north in degrees, as in TileJSON and styles; the bounds may cross the antimeridian.
package struct GeographicBounds: Hashable, Sendable {
    package let west, south, east, north: Double

    /// Creates bounds, or returns `nil` if the latitudes exceed 90 degrees or the longitudes one turn.
    package init?(_ sides: [Double]) {
        guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[1] < sides[3], sides[0] != sides[2],
            sides[1] < 90, sides[3] > -90, abs(sides[0]) <= 540, abs(sides[2]) <= 540
        else { return nil }
        (west, south, east, north) = (sides[0], max(sides[1], -90), sides[2], min(sides[3], 90))
    }

    /// Returns the extent in a system, or `nil` if it is unknown or empty.
    ///
    /// Bounds across the antimeridian, the edge of many systems, limit only north and south.
    package func extent(in crs: CRS) -> Extent? {
        let isWhole = west > east || east - west >= 360 || west < -180 || east > 180
        guard let box = Extent(minX: isWhole ? -180 : west, minY: south, maxX: isWhole ? 180 : east, maxY: north) else {
            return nil
        }
        if crs == .crs84 { return box }
        guard let transform = try? CoordinateTransform(from: .crs84, to: crs) else { return nil }
        guard let world = crs.worldExtent, let back = try? CoordinateTransform(from: crs, to: .crs84),
            let whole: Extent = back(world)
        else { return transform(box) }
        // Poles are outside of Web Mercator.
        guard let clipped = box.intersection(whole), let extent: Extent = transform(clipped) else { return nil }
        return isWhole
            ? Extent(minX: world.minX, minY: extent.minY, maxX: world.maxX, maxY: extent.maxY) : extent
    }
}

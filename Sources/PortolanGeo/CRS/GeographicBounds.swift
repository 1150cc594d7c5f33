/// West, south, east and north in degrees, as TileJSON and styles bound tiles; east may lie across the antimeridian.
package struct GeographicBounds: Hashable, Sendable {
    package let west, south, east, north: Double

    /// Makes bounds of the four sides, or `nil` if they are not within 90 degrees of the equator and one turn of the earth.
    package init?(_ sides: [Double]) {
        guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[1] < sides[3], sides[0] != sides[2],
            sides[1] < 90, sides[3] > -90, abs(sides[0]) <= 540, abs(sides[2]) <= 540
        else { return nil }
        (west, south, east, north) = (sides[0], max(sides[1], -90), sides[2], min(sides[3], 90))
    }

    /// The part of a system within the bounds, or `nil` if that is not known or nothing of it is there.
    ///
    /// Bounds across the antimeridian, where the two ends of a world lie, limit what is north and south alone.
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
        // Poles are beyond what web mercator has.
        guard let clipped = box.intersection(whole), let extent: Extent = transform(clipped) else { return nil }
        return isWhole
            ? Extent(minX: world.minX, minY: extent.minY, maxX: world.maxX, maxY: extent.maxY) : extent
    }
}

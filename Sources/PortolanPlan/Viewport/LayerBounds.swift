public import PortolanGeo

/// Where a layer has something to show, as far as its source says.
public struct LayerBounds: Hashable, Sendable, CustomStringConvertible {
    /// The box, in units of ``crs``, x east.
    public let extent: Extent

    /// The system of the box.
    public let crs: CRS

    /// Makes bounds.
    public init(_ extent: Extent, crs: CRS) {
        self.extent = extent
        self.crs = crs
    }

    /// Makes bounds of a box in degrees, or `nil` when nothing of it is on earth; a box of one point is grown a little.
    package init?(geographic box: BoundingBox) {
        let west = max(box.minX, -180), east = min(box.maxX, 180), south = max(box.minY, -90), north = min(box.maxY, 90)
        // A hundred metres, or so.
        let least = 0.001
        guard west <= east, south <= north,
            let extent = Extent(
                center: Coordinate(x: (west + east) / 2, y: (south + north) / 2), width: max(east - west, least),
                height: max(north - south, least))
        else { return nil }
        self.init(extent, crs: .crs84)
    }

    /// The box in another system, or `nil` when none of it is there.
    ///
    /// - Complexity: O(1): a lattice of points is transformed.
    public func extent(in target: CRS) -> Extent? {
        guard let transform = try? CoordinateTransform(from: crs, to: target) else { return nil }
        guard crs.isGeographic, let world = target.worldExtent,
            let back = try? CoordinateTransform(from: target, to: crs), let whole: Extent = back(world)
        else { return transform(extent) }
        guard let clipped = extent.intersection(whole) else { return nil }
        // Poles are beyond what web mercator has: the edge of that is asked for, not the last of the lattice before it.
        return transform(clipped)
    }

    /// Whether some of the box may be in a view; a system that it cannot be told in shows it.
    package func meets(_ viewport: Viewport) -> Bool {
        guard let box = extent(in: viewport.crs) else {
            // All of a world is known; of other systems only where they end is not.
            return viewport.crs.worldExtent == nil || (try? CoordinateTransform(from: crs, to: viewport.crs)) == nil
        }
        let view = viewport.extent
        return worldShifts(of: viewport.crs, in: view).contains { shift in
            box.minX + shift <= view.maxX && box.maxX + shift >= view.minX && box.minY <= view.maxY
                && box.maxY >= view.minY
        }
    }

    /// The sides, west first, and the system: in degrees where they are known.
    public var description: String {
        guard !crs.isGeographic, let degrees = extent(in: .crs84) else { return Self.text(extent, crs) }
        return "\(Self.text(degrees, .crs84)) (\(Self.text(extent, crs)))"
    }

    private static func text(_ extent: Extent, _ crs: CRS) -> String {
        let digits = crs.isGeographic ? 10_000.0 : 1
        let sides = [extent.minX, extent.minY, extent.maxX, extent.maxY].map { side in
            let rounded = (side * digits).rounded() / digits
            return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
        }
        return sides.joined(separator: ",") + (crs.isGeographic ? " degrees" : " in \(crs)")
    }
}

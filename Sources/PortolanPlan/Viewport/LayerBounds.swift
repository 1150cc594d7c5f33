public import PortolanGeo

/// The extent of a layer's content, as stated by its source.
public struct LayerBounds: Hashable, Sendable, CustomStringConvertible {
    /// The box in units of ``crs``, with x pointing east.
    public let extent: Extent

    /// The CRS of the box.
    public let crs: CRS

    /// Creates bounds.
    public init(_ extent: Extent, crs: CRS) {
        self.extent = extent
        self.crs = crs
    }

    /// Creates bounds from a box in degrees, or `nil` if no part of it is on the earth.
    ///
    /// A box of one point is enlarged slightly.
    package init?(geographic box: BoundingBox) {
        let west = max(box.minX, -180), east = min(box.maxX, 180), south = max(box.minY, -90), north = min(box.maxY, 90)
        // About a hundred metres.
        let least = 0.001
        guard west <= east, south <= north,
            let extent = Extent(
                center: Coordinate(x: (west + east) / 2, y: (south + north) / 2), width: max(east - west, least),
                height: max(north - south, least))
        else { return nil }
        self.init(extent, crs: .crs84)
    }

    /// Returns the box in another CRS, or `nil` if no part of it is in the domain.
    ///
    /// - Complexity: O(1): a lattice of points is transformed.
    public func extent(in target: CRS) -> Extent? {
        guard let transform = try? CoordinateTransform(from: crs, to: target) else { return nil }
        guard crs.isGeographic, let world = target.worldExtent,
            let back = try? CoordinateTransform(from: target, to: crs), let whole: Extent = back(world)
        else { return transform(extent) }
        guard let clipped = extent.intersection(whole) else { return nil }
        // Web Mercator ends short of the poles, so its exact edge is transformed, not the last lattice point before it.
        return transform(clipped)
    }

    /// Returns whether part of the box may be in a view; `true` if the CRS does not allow a decision.
    package func meets(_ viewport: Viewport) -> Bool {
        guard let box = extent(in: viewport.crs) else {
            // In a CRS with a world extent, content outside the domain is invisible. In others, only the end of the
            // domain is unknown.
            return viewport.crs.worldExtent == nil || (try? CoordinateTransform(from: crs, to: viewport.crs)) == nil
        }
        let view = viewport.extent
        return worldShifts(of: viewport.crs, in: view).contains { shift in
            box.minX + shift <= view.maxX && box.maxX + shift >= view.minX && box.minY <= view.maxY
                && box.maxY >= view.minY
        }
    }

    /// The sides, west first, and the CRS; in degrees if known.
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

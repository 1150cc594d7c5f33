public import PortolanGeo
import PortolanRaster

/// A view in the CRS of a layer: the extent to cover and the resolution.
struct ViewInSource {
    /// The visible extent, in units of the source's CRS.
    let shown: Extent
    /// The visible extent with the margin.
    let fetched: Extent
    /// Units of the source's CRS per picture pixel, at the position of the view where it is finest.
    let resolution: Resolution
    /// Whether coordinates are equal in both CRSs, as in EPSG:4326 and CRS:84.
    let keepsCoordinates: Bool

    /// Converts a view, or returns `nil` if it is outside the source's domain.
    ///
    /// - Throws: ``PlanError/notTransformable(_:)`` if one of the CRSs has no built-in projection.
    init?(viewport: Viewport, margin: Double, sourceCRS: CRS) throws(PlanError) {
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: viewport.crs, to: sourceCRS) } catch {
            throw .notTransformable(error)
        }
        guard let shown = Self.cover(viewport.extent, in: viewport.crs, by: transform),
            let fetched = Self.cover(viewport.extent(margin: margin), in: viewport.crs, by: transform),
            let resolution = Self.resolution(of: viewport, by: transform, shown: shown)
        else { return nil }
        self.shown = shown
        self.fetched = fetched
        self.resolution = resolution
        keepsCoordinates = transform.isIdentity
    }

    /// Returns the visible extent with a margin in units of the source's CRS, or `nil` if it is outside the source's
    /// domain.
    ///
    /// - Throws: ``PlanError/notTransformable(_:)`` if one of the CRSs has no built-in projection.
    static func fetched(
        _ viewport: Viewport, margin: Double, sourceCRS: CRS
    ) throws(PlanError) -> Extent? {
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: viewport.crs, to: sourceCRS) } catch {
            throw .notTransformable(error)
        }
        return cover(viewport.extent(margin: margin), in: viewport.crs, by: transform)
    }

    /// The extent in the source's CRS.
    ///
    /// Parts beyond the world to the north or south are cut off first, since no projection is defined there.
    private static func cover(_ extent: Extent, in crs: CRS, by transform: CoordinateTransform) -> Extent? {
        if transform.isIdentity { return extent }
        var seen = extent
        if let world = crs.worldExtent {
            // Stops short of the poles, where Mercator is not defined.
            let inset = world.height * 1e-7
            guard
                let inside = Extent(
                    minX: seen.minX, minY: max(seen.minY, world.minY + inset), maxX: seen.maxX,
                    maxY: min(seen.maxY, world.maxY - inset))
            else { return nil }
            seen = inside
        }
        guard
            let moved = transform.keepsAxes
                ? corners(of: seen, by: transform) ?? transform(seen)
                : meetsAntimeridian(crs, transform) ? unwrapped(seen, by: transform) : transform(seen)
        else { return nil }
        guard let world = transform.target.worldExtent else { return moved }
        return Extent(
            minX: moved.minX, minY: max(moved.minY, world.minY), maxX: moved.maxX, maxY: min(moved.maxY, world.maxY))
    }

    /// The extent between two corners, if both are in the domain of the source's CRS.
    private static func corners(of extent: Extent, by transform: CoordinateTransform) -> Extent? {
        guard let low = transform(Coordinate(x: extent.minX, y: extent.minY)),
            let high = transform(Coordinate(x: extent.minX + extent.width, y: extent.minY + extent.height))
        else { return nil }
        return Extent(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }

    /// Whether neighbouring coordinates can be a world width apart: if the source's CRS repeats and the map's does not.
    private static func meetsAntimeridian(_ crs: CRS, _ transform: CoordinateTransform) -> Bool {
        crs.worldWidth == nil && transform.target.worldWidth != nil
    }

    /// The extent in the source's CRS, with all coordinates in one copy of the world: that around the meridian opposite
    /// to the cut of the map's projection, or else that nearest to the middle of the view.
    private static func unwrapped(_ extent: Extent, by transform: CoordinateTransform) -> Extent? {
        guard let world = transform.target.worldWidth else { return transform(extent) }
        var cut: (west: Double, east: Double)?, middle = transform(extent.center)?.x
        switch transform.source.domain {
        case .box(let meridian?, let halfWidth, _):
            middle = meridian * world / 360
            cut = ((meridian - halfWidth) * world / 360, (meridian + halfWidth) * world / 360)
        case .cap(let center, _): middle = middle ?? center.x * world / 360
        case .box, .everywhere, nil: break
        }
        guard let middle else { return transform(extent) }
        let steps = 32
        func place(_ column: Double, _ row: Double) -> Coordinate? {
            transform(
                Coordinate(
                    x: extent.minX + extent.width * column / Double(steps),
                    y: extent.minY + extent.height * row / Double(steps))
            ).map { Coordinate(x: $0.x + ((middle - $0.x) / world).rounded() * world, y: $0.y) }
        }
        var lattice: [[Coordinate?]] = []
        for row in 0...steps { lattice.append((0...steps).map { place(Double($0), Double(row)) }) }
        var places = lattice.joined().compactMap(\.self)
        /// Adds the position at the edge of the projection's domain between two neighbours.
        func addEdge(_ one: (Int, Int), _ other: (Int, Int)) {
            let isFirst = lattice[one.1][one.0] != nil
            guard isFirst != (lattice[other.1][other.0] != nil) else { return }
            let from = isFirst ? one : other, to = isFirst ? other : one
            var inside = 0.0, outside = 1.0, found: Coordinate?
            for _ in 0..<16 {
                let share = (inside + outside) / 2
                let middle = place(
                    Double(from.0) + Double(to.0 - from.0) * share, Double(from.1) + Double(to.1 - from.1) * share)
                if let middle { (inside, found) = (share, middle) } else { outside = share }
            }
            if let found { places.append(found) }
        }
        for row in 0...steps {
            for column in 0...steps {
                if column < steps { addEdge((column, row), (column + 1, row)) }
                if row < steps { addEdge((column, row), (column, row + 1)) }
            }
        }
        guard var found = BoundingBox(places)?.extent else { return nil }
        found = withPoles(found, around: middle, in: extent, by: transform) ?? found
        guard let cut else { return found }
        // The search ends shortly before the edge.
        let slack = world * 1e-3
        return Extent(
            minX: abs(found.minX - cut.west) < slack ? cut.west : found.minX, minY: found.minY,
            maxX: abs(found.maxX - cut.east) < slack ? cut.east : found.maxX, maxY: found.maxY)
    }

    /// The extent including visible poles.
    ///
    /// A view around a pole covers all longitudes, which a lattice of points misses.
    private static func withPoles(
        _ found: Extent, around middle: Double, in view: Extent, by transform: CoordinateTransform
    ) -> Extent? {
        guard let world = transform.target.worldExtent else { return found }
        let inverse = transform.inverse
        var minX = found.minX, maxX = found.maxX, minY = found.minY, maxY = found.maxY
        for edge in [world.minY, world.maxY] {
            // Mercator ends short of the pole. If the pole is visible, both sides of that edge are visible.
            let sides = [0, world.width / 2].compactMap { inverse(Coordinate(x: middle + $0, y: edge)) }
            guard sides.count == 2, sides.allSatisfy({ view.contains($0) }) else { continue }
            minX = min(minX, middle - world.width / 2)
            maxX = max(maxX, middle + world.width / 2)
            minY = min(minY, edge)
            maxY = max(maxY, edge)
        }
        return Extent(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    private static func resolution(
        of viewport: Viewport, by transform: CoordinateTransform, shown: Extent
    ) -> Resolution? {
        if transform.isIdentity { return Resolution(unitsPerPixel: viewport.imageResolution) }
        let step = viewport.imageResolution
        var finest = Double.infinity
        let seen = viewport.extent
        for fraction in [0.5, 0.25, 0.75] {
            let place = Coordinate(x: seen.minX + seen.width * fraction, y: seen.minY + seen.height * fraction)
            guard let here = transform(place),
                let east = transform(Coordinate(x: place.x + step, y: place.y)),
                let north = transform(Coordinate(x: place.x, y: place.y + step))
            else { continue }
            for there in [east, north] {
                var dx = there.x - here.x
                let dy = there.y - here.y
                if let world = transform.target.worldWidth { dx -= (dx / world).rounded() * world }
                let length = (dx * dx + dy * dy).squareRoot()
                if length > 0 { finest = min(finest, length) }
            }
        }
        if let resolution = Resolution(unitsPerPixel: finest) { return resolution }
        return Resolution(unitsPerPixel: max(shown.width, shown.height) / Double(viewport.imageSize.width))
    }
}

/// Returns the eastward offsets of the copies of the world that touch `extent`; only 0 if the world does not repeat.
package func worldShifts(of crs: CRS, in extent: Extent) -> [Double] {
    guard let width = crs.worldWidth else { return [0] }
    let first = ((extent.minX + width / 2) / width).rounded(.down)
    let last = ((extent.maxX - width / 2) / width).rounded(.up)
    guard first.isFinite, last.isFinite, last - first < 64 else { return [0] }
    return stride(from: first, through: max(first, last), by: 1).map { $0 * width }
}

/// The reason why a layer cannot be planned for a view.
public enum PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No transformation between the layer's CRS and the map's is available.
    case notTransformable(CRSError)
    /// The view would need too many tiles.
    case tooManyTiles(limit: Int)
    /// The request would exceed the maximum picture size.
    case requestTooLarge
    /// Another reason that the source states.
    case notDrawable(String)

    /// The failure in one sentence.
    public var description: String {
        switch self {
        case .notTransformable(let error): "\(error); choose another CRS for the map or the layer"
        case .tooManyTiles(let limit):
            "the view needs more than \(limit) tiles, or more pixels than allowed; zoom in, or give the layer coarser levels"
        case .requestTooLarge: "the view with its margin exceeds the picture limit; request a smaller picture"
        case .notDrawable(let reason): reason
        }
    }
}

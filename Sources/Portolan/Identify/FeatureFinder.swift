import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Finds the features that a picture of a view shows at a place: nothing hidden, each copy of the world, marks as large
/// as they are drawn.
struct FeatureFinder {
    /// What is looked at.
    let viewport: Viewport
    /// The view pixel.
    let pixel: Point
    /// How far beside a feature the place may be, in view pixels.
    let tolerance: Double

    /// A feature that was found, and how hard it is to hit: 0 for marks, 1 for lines, 2 for areas.
    struct Hit {
        let feature: Feature
        let rank: Int
        /// The system of the feature's coordinates.
        let crs: CRS
    }

    /// The features of a layer at the place, the topmost first, or `nil` where the layer draws no features.
    ///
    /// Only what lies about the place is planned.
    ///
    /// - Complexity: O(log features + features about the place).
    func hits(in layer: MapLayer, limit: Int, below rank: Int = Int.max) -> [Hit]? {
        guard let around = viewport.around(pixel, reach: tolerance + 1),
            let plan = try? layer.source.plan(
                for: LayerView(around, layer: layer.name), given: Arrivals())
        else { return nil }
        let steps = plan.nodes.flatMap(\.featureSteps)
        guard !steps.isEmpty else { return nil }
        var hits: [Hit] = []
        for step in steps.reversed() { hits += self.hits(in: step, limit: limit, below: rank) }
        return Array((0...3).flatMap { rank in hits.filter { $0.rank == rank } }.prefix(limit))
    }

    /// The features of a step at the place, the topmost first: marks before lines, lines before areas.
    ///
    /// - Parameters:
    ///   - limit: how many are wanted at the most.
    ///   - rank: what is as hard to hit as this, or less, is not looked for.
    /// - Complexity: O(coordinates of the features in view).
    func hits(in step: FeatureStep, limit: Int, below rank: Int = Int.max) -> [Hit] {
        guard let transform = try? CoordinateTransform(from: step.crs, to: viewport.crs) else { return [] }
        let cutter = ShapeCutter(transform)
        var hits: [Hit] = []
        // How many have been found that are no harder to hit than each rank.
        var counts = [0, 0, 0, 0]
        for styled in step.features.reversed() where counts[0] < limit {
            guard var geometry = styled.feature.geometry else { continue }
            let own = Self.rank(of: geometry)
            guard own < rank, counts[own] < limit else { continue }
            if styled.style.isGeodesic, step.crs.isLongitudeLatitude {
                var edges = GreatCircleEdges()
                geometry = edges.drawn(geometry)
            }
            // As it is drawn: without what lies beyond the end of the map.
            let drawn = cutter?.cut(geometry) ?? geometry
            let isTouched = step.worldShifts.contains { shift in
                styled.isTouched(drawn, at: pixel, tolerance: tolerance) { coordinate in
                    transform(coordinate).map { viewport.pixel(of: Coordinate(x: $0.x + shift, y: $0.y)) }
                }
            }
            guard isTouched else { continue }
            hits.append(Hit(feature: styled.feature, rank: own, crs: step.crs))
            for rank in own...3 { counts[rank] += 1 }
        }
        let ordered = (0...3).flatMap { rank in hits.filter { $0.rank == rank } }
        return Array(ordered.prefix(limit))
    }

    /// How hard a geometry is to hit: what is smaller is looked for first.
    private static func rank(of geometry: Geometry) -> Int {
        switch geometry.kind {
        case .point, .multiPoint: 0
        case .lineString, .multiLineString: 1
        case .polygon, .multiPolygon: 2
        case .collection: geometry.children.map(rank(of:)).min() ?? 3
        }
    }
}

extension StyledFeature {
    /// Whether the feature, of whose geometry this is drawn, lies within `tolerance` pixels of a place.
    func isTouched(
        _ geometry: Geometry, at place: Point, tolerance: Double, pixel: (Coordinate) -> Point?
    ) -> Bool {
        let reach = tolerance + (style.stroke?.width ?? 0) / 2
        if HitTest.touches(place, geometry, tolerance: reach, pixel: pixel) { return true }
        guard geometry.kind == .point || geometry.kind == .multiPoint, let mark = style.marker?.box else {
            return false
        }
        return geometry.coordinates.contains { coordinate in
            guard let point = pixel(coordinate) else { return false }
            let x = place.x - point.x, y = place.y - point.y
            return x >= mark.minX - tolerance && x <= mark.maxX + tolerance && y >= mark.minY - tolerance
                && y <= mark.maxY + tolerance
        }
    }
}

extension MarkerSymbol {
    /// The box of the mark about its point, unturned, in pixels; `nil` for an icon whose size is that of its picture.
    fileprivate var box: Rectangle? {
        switch self {
        case .shape(let shape):
            let r = shape.radius
            return shape.shape == .pin
                ? Rectangle(minX: -r, minY: -3 * r, maxX: r, maxY: 0) : Rectangle(minX: -r, minY: -r, maxX: r, maxY: r)
        case .icon(let icon):
            guard let width = icon.width, let height = icon.height,
                let picture = ImageSize(width: max(Int(width), 1), height: max(Int(height), 1))
            else { return nil }
            let corner = icon.topLeftOffset(of: picture), size = icon.drawnSize(of: picture)
            return Rectangle(
                minX: corner.x, minY: corner.y, maxX: corner.x + size.width, maxY: corner.y + size.height)
        }
    }
}

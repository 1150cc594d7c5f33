import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension MapFacade {
    /// The topmost feature within `tolerance` view pixels of a place: marks before lines, lines before areas.
    ///
    /// What is looked at is what a picture of the view would show: nothing hidden, each copy of the world, marks as large
    /// as they are drawn.
    func feature(at pixel: Point, tolerance: Double) -> (layer: String, feature: Feature)? {
        var best: (layer: String, feature: Feature, rank: Int)?
        for step in MapPlanner(viewport: viewport).plan(layers).steps.reversed() {
            guard case .features(let shown) = step.content,
                let transform = try? CoordinateTransform(from: shown.crs, to: viewport.crs)
            else { continue }
            for styled in shown.features.reversed() {
                guard let geometry = styled.feature.geometry else { continue }
                let rank = Self.rank(of: geometry)
                if let best, best.rank <= rank { continue }
                let isTouched = shown.worldShifts.contains { shift in
                    styled.isTouched(at: pixel, tolerance: tolerance) { coordinate in
                        transform(coordinate).map { viewport.pixel(of: Coordinate(x: $0.x + shift, y: $0.y)) }
                    }
                }
                if isTouched { best = (step.layer, styled.feature, rank) }
            }
        }
        return best.map { ($0.layer, $0.feature) }
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
    /// Whether the feature, as it is drawn, lies within `tolerance` pixels of a place.
    fileprivate func isTouched(at place: Point, tolerance: Double, pixel: (Coordinate) -> Point?) -> Bool {
        guard let geometry = feature.geometry else { return false }
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

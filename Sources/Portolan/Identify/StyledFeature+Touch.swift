import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

extension StyledFeature {
    /// Whether the feature, as it is drawn, lies within `tolerance` pixels of a place.
    func isTouched(at place: Point, tolerance: Double, pixel: (Coordinate) -> Point?) -> Bool {
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

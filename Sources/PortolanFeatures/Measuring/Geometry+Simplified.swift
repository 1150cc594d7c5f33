public import PortolanGeo
import PortolanRaster

extension Geometry {
    /// The shape with fewer coordinates: no place of a line or ring lies farther than so many metres from the new one.
    ///
    /// Points stay, as do the ends of lines. Rings nowhere wider than the tolerance are gone, with their polygon where it is
    /// the outer one. Each line is taken by itself: borders that two areas share may come apart by the tolerance, and lines
    /// may cross. Altitudes go.
    ///
    /// - Parameters:
    ///   - meters: on the ground; nothing changes at zero or less.
    ///   - crs: the system of the coordinates. In degrees a place is measured at the middle latitude of the shape; elsewhere
    ///     by the unit of the system, whatever its scale is there.
    /// - Complexity: O(*n* log *n*) as a rule.
    public func simplified(meters: Double, in crs: CRS = .crs84) -> Geometry {
        guard meters > 0, let box = boundingBox else { return self }
        let unit = crs.metersPerUnit
        let narrowing = crs.isGeographic ? max(Libm.cosine((box.minY + box.maxY) / 2 * .pi / 180), 1e-3) : 1
        return simplified(tolerance: meters / unit, narrowing: narrowing)
    }

    private func simplified(tolerance: Double, narrowing: Double) -> Geometry {
        func simple(_ part: ArraySlice<Coordinate>, isRing: Bool) -> [Coordinate] {
            let points = part.map { Point(x: $0.x * narrowing, y: $0.y) }
            let kept =
                isRing
                ? LineSimplifier.simplifyRing(points, tolerance: tolerance)
                : LineSimplifier.simplify(points, tolerance: tolerance)
            return kept.map { Coordinate(x: $0.x / narrowing, y: $0.y) }
        }
        switch kind {
        case .point, .multiPoint: return self
        case .lineString: return .lineString(simple(coordinates[...], isRing: false))
        case .multiLineString: return .multiLineString(parts.map { simple($0, isRing: false) })
        case .polygon, .multiPolygon:
            let polygons = polygons.map { polygon in
                let rings = polygon.map { simple($0, isRing: true) }
                return rings.first?.isEmpty == true ? [] : rings
            }
            return kind == .polygon ? .polygon(polygons.first ?? []) : .multiPolygon(polygons)
        case .collection:
            return .collection(children.map { $0.simplified(tolerance: tolerance, narrowing: narrowing) })
        }
    }
}

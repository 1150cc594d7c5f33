public import PortolanGeo
import PortolanRaster

extension Geometry {
    /// Returns the geometry with fewer coordinates.
    ///
    /// ```swift
    /// let coarse = geometry.simplified(meters: 10)
    /// ```
    ///
    /// No position of a line or ring is farther than the tolerance from the new one.
    ///
    /// Points and the ends of lines are unchanged. Rings that are narrower than the tolerance are removed, and their
    /// polygon if it is the outer ring. Each line is simplified separately: a border that two areas share may separate
    /// by the tolerance, and lines may cross. Altitudes are removed.
    ///
    /// - Parameters:
    ///   - meters: the tolerance on the ground. A value that is not positive changes nothing.
    ///   - crs: the CRS of the coordinates. Degrees are converted at the middle latitude of the geometry; other CRSs by
    ///     their unit, without regard to the local scale.
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

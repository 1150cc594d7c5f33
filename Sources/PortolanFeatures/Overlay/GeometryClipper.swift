import PortolanGeo

/// Clips geometries to areas.
struct GeometryClipper {
    /// The grid on which areas are intersected.
    let grid: OverlayGrid
    /// The box outside which nothing remains, and to which the area was cut.
    let frame: BoundingBox

    /// Thrown if borders cross too often.
    struct TooManyCrossings: Error {}

    /// Returns the part of a geometry within an area, or `nil` if nothing remains.
    ///
    /// Areas remain areas, lines remain lines. A geometry that is inside keeps its altitudes.
    func clip(_ geometry: Geometry, to area: ClipArea) throws(TooManyCrossings) -> Geometry? {
        guard let box = geometry.boundingBox, let seen = box.intersection(frame) else { return nil }
        let around = seen.widened(by: 1.0 / 1024), area = area.near(around)
        if let covers = area.covers(around) {
            if !covers { return nil }
            // Beyond the frame, nothing is inside.
            if frame.contains(box) { return geometry }
        }
        switch geometry.kind {
        case .point, .multiPoint:
            let kept = geometry.coordinates.indices.filter { area.contains(geometry.coordinates[$0]) }
            guard !kept.isEmpty else { return nil }
            return Geometry(
                kind: geometry.kind, coordinates: kept.map { geometry.coordinates[$0] },
                altitudes: geometry.altitudes.isEmpty ? [] : kept.map { geometry.altitudes[$0] })
        case .lineString, .multiLineString:
            let clipper = EdgeClipper(area)
            let pieces = geometry.parts.flatMap { clipper.pieces(of: $0) }
            guard let first = pieces.first else { return nil }
            return pieces.count == 1 && geometry.kind == .lineString ? .lineString(first) : .multiLineString(pieces)
        case .polygon, .multiPolygon:
            var overlay = AreaOverlay(grid)
            for polygon in geometry.polygons {
                let rings = polygon.map { ring in
                    frame.contains(box) ? Array(ring) : ClipArea.cut(ring, to: frame)
                }
                if rings.first?.isEmpty == false { overlay.add(rings) }
            }
            for ring in area.rings { overlay.addMask(ring) }
            guard let polygons = overlay.polygons(isMasked: true) else { throw TooManyCrossings() }
            guard !polygons.isEmpty else { return nil }
            return geometry.kind == .polygon ? .ofPolygons(polygons) : .multiPolygon(polygons)
        case .collection:
            var children: [Geometry] = []
            for child in geometry.children {
                if let part = try clip(child, to: area) { children.append(part) }
            }
            return children.isEmpty ? nil : .collection(children)
        }
    }
}

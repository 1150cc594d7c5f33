package import PortolanGeo
package import PortolanRaster

/// Hit tests for geometries on a picture.
package enum HitTest {
    /// Returns the distance from a point on the picture to a geometry in pixels, or `nil` if no part of the geometry is
    /// on it.
    ///
    /// Inside a polygon, but not in a hole, the distance is zero; elsewhere it is that to the nearest border, line or
    /// point. Marker sizes and line widths are not considered: add half of them to the tolerance.
    ///
    /// - Parameter pixel: returns the pixel of a coordinate, or `nil` if it has none. Such coordinates are ignored.
    /// - Complexity: O(*n*) in the coordinates.
    package static func distance(from point: Point, to geometry: Geometry, pixel: (Coordinate) -> Point?) -> Double? {
        switch geometry.kind {
        case .point, .multiPoint:
            return least(geometry.coordinates.map { pixel($0).flatMap { Distance.from(point, toLine: [$0]) } })
        case .lineString, .multiLineString:
            return least(geometry.parts.map { Distance.from(point, toLine: $0.compactMap(pixel)) })
        case .polygon, .multiPolygon:
            var nearest: Double?
            for polygon in geometry.polygons {
                let rings = polygon.map { $0.compactMap(pixel) }
                if PolygonTest.contains(point, rings: rings) { return 0 }
                guard let distance = least(rings.map { Distance.from(point, toLine: $0) }) else { continue }
                nearest = min(nearest ?? distance, distance)
            }
            return nearest
        case .collection:
            return least(geometry.children.map { distance(from: point, to: $0, pixel: pixel) })
        }
    }

    /// Returns whether a geometry is within `tolerance` pixels of a point on the picture.
    package static func touches(
        _ point: Point, _ geometry: Geometry, tolerance: Double, pixel: (Coordinate) -> Point?
    ) -> Bool {
        distance(from: point, to: geometry, pixel: pixel).map { $0 <= tolerance } ?? false
    }

    private static func least(_ distances: [Double?]) -> Double? {
        var result: Double?
        for case let distance? in distances { result = min(result ?? distance, distance) }
        return result
    }
}

/// Distances on a picture, in pixels.
package enum Distance {
    /// Returns the square of the distance from a point to a segment, including its ends.
    package static func squared(from point: Point, toSegment start: Point, _ end: Point) -> Double {
        let dx = end.x - start.x, dy = end.y - start.y
        let px = point.x - start.x, py = point.y - start.y
        let length = dx * dx + dy * dy
        var along = length > 0 ? (px * dx + py * dy) / length : 0
        along = along > 0 ? min(along, 1) : 0
        let x = px - along * dx, y = py - along * dy
        return x * x + y * y
    }

    /// Returns the distance from a point to the nearest point of a line, or `nil` if the line has no points.
    ///
    /// - Complexity: O(*n*) in the points of the line.
    package static func from(_ point: Point, toLine line: [Point]) -> Double? {
        guard let first = line.first else { return nil }
        var least = squared(from: point, toSegment: first, first)
        var previous = first
        for next in line.dropFirst() {
            least = min(least, squared(from: point, toSegment: previous, next))
            previous = next
        }
        return least.squareRoot()
    }
}

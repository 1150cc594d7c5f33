import PortolanFeatures
import PortolanGeo

/// Computes the area that the surfaces of a multipatch cover when seen from above.
enum ShapePatch {
    /// The kinds of parts (ESRI Shapefile Technical Description, *MultiPatch*).
    private enum Kind: UInt32 {
        case triangleStrip, triangleFan, outerRing, innerRing, firstRing, ring
    }

    /// The maximum number of triangles that are joined.
    private static let joinLimit = 1 << 18

    /// Returns the area of parts, or `nil` if it is empty.
    ///
    /// Triangles are merged, so that overlapping ones do not cancel. Rings inside others are holes.
    static func area(of parts: Geometry, kinds: [UInt32]) -> Geometry? {
        var rings: [[Coordinate]] = []
        for (part, number) in zip(parts.parts, kinds) {
            let places = Array(part)
            switch Kind(rawValue: number) ?? .ring {
            case .triangleStrip:
                for index in places.indices.dropFirst(2) { add(places[(index - 2)...index], to: &rings) }
            case .triangleFan:
                for index in places.indices.dropFirst(2) {
                    add([places[0], places[index - 1], places[index]], to: &rings)
                }
            case .innerRing: add(places[...], isHole: true, to: &rings)
            case .outerRing, .firstRing, .ring: add(places[...], to: &rings)
            }
        }
        guard let box = parts.boundingBox, !rings.isEmpty else { return nil }
        return joined(rings, in: box) ?? polygons(rings.map { $0.reversed() })
    }

    /// Adds a ring, counterclockwise unless it is a hole.
    private static func add(
        _ ring: some RandomAccessCollection<Coordinate>, isHole: Bool = false, to rings: inout [[Coordinate]]
    ) {
        guard let first = ring.first else { return }
        var sum = 0.0, last = first
        for place in ring {
            sum += (last.x - first.x) * (place.y - first.y) - (place.x - first.x) * (last.y - first.y)
            last = place
        }
        // A vertical surface covers no area.
        guard sum != 0 else { return }
        rings.append((sum > 0) != isHole ? Array(ring) : ring.reversed())
    }

    private static func joined(_ rings: [[Coordinate]], in box: BoundingBox) -> Geometry? {
        guard rings.count <= joinLimit else { return nil }
        let side = max(box.maxX - box.minX, box.maxY - box.minY), scale = Double(GridPoint.most) / side
        guard scale.isFinite, scale > 0 else { return nil }
        var known: [GridPoint: Coordinate] = [:]
        let paths = rings.map { ring in
            ring.map { place in
                let grid = GridPoint(
                    x: Int(((place.x - box.minX) * scale).rounded()), y: Int(((place.y - box.minY) * scale).rounded()))
                known[grid] = place
                return grid
            }
        }
        guard let border = WindingUnion.rings(paths) else { return nil }
        return polygons(
            border.map { ring in
                let open = ring.map { grid in
                    known[grid]
                        ?? Coordinate(x: box.minX + Double(grid.x) / scale, y: box.minY + Double(grid.y) / scale)
                }
                return (open + open.prefix(1)).reversed()
            })
    }

    /// Returns the polygons of rings that are clockwise around areas.
    private static func polygons(_ rings: [[Coordinate]]) -> Geometry? {
        guard !rings.isEmpty else { return nil }
        var builder = GeometryBuilder()
        for ring in rings {
            for place in ring { builder.add(place) }
            builder.endRing()
        }
        return RingArrangement.polygons(of: builder.geometry(.multiLineString))
    }
}

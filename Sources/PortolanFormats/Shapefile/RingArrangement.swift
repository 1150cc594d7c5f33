import PortolanFeatures
import PortolanGeo

/// Assigns holes to outer rings.
enum RingArrangement {
    /// The maximum number of comparisons of holes with outer rings.
    ///
    /// Beyond it, a hole belongs to the previous outer ring.
    private static let comparisonLimit = 1 << 20

    /// Returns the polygons of the parts of a geometry.
    ///
    /// Clockwise rings are outer ones; each other ring is a hole of the smallest one around it (ESRI Shapefile
    /// Technical Description, *Polygon*). If none is clockwise, all are outer rings.
    static func polygons(of rings: Geometry) -> Geometry {
        let parts = rings.parts
        if parts.count == 1 {
            return Geometry(kind: .polygon, coordinates: rings.coordinates, altitudes: rings.altitudes)
        }
        let areas = parts.map(\.doubledRingArea)
        var outers = parts.indices.filter { areas[$0] < 0 }
        if outers.isEmpty { outers = Array(parts.indices) }
        let isOuter = Set(outers)
        let holes = parts.indices.filter { !isOuter.contains($0) }
        let boxes = parts.map { BoundingBox($0) }
        let isBounded = holes.count * outers.count <= comparisonLimit
        var holesOf: [Int: [Int]] = [:]
        for hole in holes {
            var best: Int?
            if outers.count == 1 {
                best = outers[0]
            } else if isBounded, let place = parts[hole].first, let box = boxes[hole] {
                for outer in outers {
                    guard let own = boxes[outer], own.contains(box) else { continue }
                    if let known = best, abs(areas[known]) <= abs(areas[outer]) { continue }
                    if contains(place, parts[outer]) || onBorder(place, parts[outer]) { best = outer }
                }
            }
            // A hole outside of all outer rings becomes an area.
            let before = outers.last { $0 < hole } ?? outers[0]
            holesOf[best ?? (isBounded ? hole : before), default: []].append(hole)
        }
        var builder = GeometryBuilder()
        var count = 0
        func add(_ index: Int) {
            for place in parts[index].indices {
                builder.add(rings.coordinates[place], altitude: rings.altitude(at: place))
            }
            builder.endRing()
        }
        for index in parts.indices where isOuter.contains(index) || holesOf[index] == [index] {
            add(index)
            for hole in holesOf[index] ?? [] where hole != index { add(hole) }
            builder.endPolygon()
            count += 1
        }
        return builder.geometry(count == 1 ? .polygon : .multiPolygon)
    }

    private static func contains(_ place: Coordinate, _ ring: ArraySlice<Coordinate>) -> Bool {
        var isInside = false
        guard var last = ring.last else { return false }
        for next in ring {
            if (next.y > place.y) != (last.y > place.y),
                place.x < last.x + (place.y - last.y) / (next.y - last.y) * (next.x - last.x)
            {
                isInside.toggle()
            }
            last = next
        }
        return isInside
    }

    private static func onBorder(_ place: Coordinate, _ ring: ArraySlice<Coordinate>) -> Bool { ring.contains(place) }
}

extension BoundingBox {
    fileprivate func contains(_ other: BoundingBox) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }
}

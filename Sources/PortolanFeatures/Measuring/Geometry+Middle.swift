public import PortolanGeo

extension Geometry {
    /// The centroid in the CRS of the coordinates, or `nil` for an empty geometry.
    ///
    /// It is weighted by the area of polygons; without polygons by the length of lines, and without lines by the number
    /// of points. It may be outside the geometry. It is measured on the flat map, like `Centroid` of OGC 06-103r4,
    /// 6.1.13.
    ///
    /// - Complexity: linear in the coordinates.
    public var centroid: Coordinate? {
        guard let origin = firstCoordinate else { return nil }
        var sums = [MassSum](repeating: MassSum(), count: 3)
        addMass(to: &sums, around: origin)
        // Geometries without area count by length, and those without length by their positions.
        guard let sum = sums.last(where: { abs($0.mass) > 0 }) else { return nil }
        return Coordinate(x: origin.x + sum.x / sum.mass, y: origin.y + sum.y / sum.mass)
    }

    private var firstCoordinate: Coordinate? {
        coordinates.first ?? children.lazy.compactMap(\.firstCoordinate).first
    }

    /// Adds the mass of points, lines and areas to the three sums.
    private func addMass(to sums: inout [MassSum], around origin: Coordinate) {
        for child in children { child.addMass(to: &sums, around: origin) }
        for place in coordinates { sums[0].add(place.x - origin.x, place.y - origin.y, 1) }
        guard kind != .point, kind != .multiPoint else { return }
        for part in parts {
            for (one, other) in zip(part, part.dropFirst()) {
                let (dx, dy) = (other.x - one.x, other.y - one.y)
                sums[1].add(
                    (one.x + other.x) / 2 - origin.x, (one.y + other.y) / 2 - origin.y, Libm.hypotenuse(dx, dy))
            }
        }
        for polygon in polygons {
            for (place, ring) in polygon.enumerated() {
                var sum = MassSum()
                for (one, other) in zip(ring, ring.dropFirst()) {
                    let (x1, y1, x2, y2) = (one.x - origin.x, one.y - origin.y, other.x - origin.x, other.y - origin.y)
                    sum.add((x1 + x2) / 3, (y1 + y2) / 3, (x1 * y2 - x2 * y1) / 2)
                }
                sums[2].add(sum, sign: (sum.mass < 0 ? -1 : 1) * (place == 0 ? 1 : -1))
            }
        }
    }
}

/// A sum of masses and of their moments.
private struct MassSum {
    var x = 0.0, y = 0.0, mass = 0.0

    mutating func add(_ x: Double, _ y: Double, _ mass: Double) {
        self.x += x * mass
        self.y += y * mass
        self.mass += mass
    }

    mutating func add(_ other: MassSum, sign: Double) {
        x += other.x * sign
        y += other.y * sign
        mass += other.mass * sign
    }
}

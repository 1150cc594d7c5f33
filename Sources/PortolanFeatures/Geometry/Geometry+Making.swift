public import PortolanGeo

extension Geometry {
    /// A place.
    public static func point(_ coordinate: Coordinate, altitude: Double? = nil) -> Geometry {
        Geometry(kind: .point, coordinates: [coordinate], altitudes: altitude.map { [$0] } ?? [])
    }

    /// Several places.
    public static func multiPoint(_ coordinates: [Coordinate]) -> Geometry {
        Geometry(kind: .multiPoint, coordinates: coordinates)
    }

    /// A line through some coordinates.
    public static func lineString(_ coordinates: [Coordinate]) -> Geometry {
        Geometry(kind: .lineString, coordinates: coordinates)
    }

    /// Several lines; those without coordinates are left out.
    public static func multiLineString(_ lines: [[Coordinate]]) -> Geometry {
        var flat: [Coordinate] = []
        var ends: [Int] = []
        for line in lines where !line.isEmpty {
            flat += line
            ends.append(flat.count)
        }
        return Geometry(kind: .multiLineString, coordinates: flat, partEnds: ends)
    }

    /// A polygon from its outer ring and those of its holes; open rings are closed, empty ones left out.
    public static func polygon(_ rings: [[Coordinate]]) -> Geometry {
        let multi = multiPolygon([rings])
        return Geometry(kind: .polygon, coordinates: multi.coordinates, partEnds: multi.partEnds)
    }

    /// Several polygons, each from its rings; open rings are closed, empty ones left out.
    public static func multiPolygon(_ polygons: [[[Coordinate]]]) -> Geometry {
        var flat: [Coordinate] = []
        var ends: [Int] = []
        var polygonEnds: [Int] = []
        for rings in polygons {
            let before = ends.count
            for ring in rings {
                guard let first = ring.first else { continue }
                flat += ring
                if ring.last != first { flat.append(first) }
                ends.append(flat.count)
            }
            if ends.count > before { polygonEnds.append(ends.count) }
        }
        return Geometry(kind: .multiPolygon, coordinates: flat, partEnds: ends, polygonEnds: polygonEnds)
    }

    /// A collection of shapes.
    public static func collection(_ children: [Geometry]) -> Geometry {
        Geometry(kind: .collection, coordinates: [], children: children)
    }

    /// A shape of a kind that has no coordinates.
    public static func empty(_ kind: Kind) -> Geometry { Geometry(kind: kind, coordinates: []) }
}

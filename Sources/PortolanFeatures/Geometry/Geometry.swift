public import PortolanGeo

/// A geometry: points, lines, polygons, or a collection of geometries.
///
/// ```swift
/// let line = Geometry.lineString([Coordinate(x: -0.9, y: 41.6), Coordinate(x: -0.8, y: 41.7)])
/// let box = line.boundingBox
/// ```
///
/// All coordinates are in one flat array, x east and y north. ``Geometry/parts`` and ``Geometry/polygons`` return
/// slices of it. Rings are closed: the last coordinate repeats the first. Empty parts are omitted, so that equal
/// geometries are equal values. The seven kinds are those of RFC 7946, section 3.1.
public struct Geometry: Hashable, Sendable {
    /// The kinds of geometries.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// One position.
        case point
        /// Several positions.
        case multiPoint
        /// One line of two or more coordinates.
        case lineString
        /// Several lines.
        case multiLineString
        /// One outer ring and the rings of its holes.
        case polygon
        /// Several polygons.
        case multiPolygon
        /// Several geometries of any kind.
        case collection
    }

    /// The kind of geometry.
    public let kind: Kind

    /// All coordinates in order; empty for a collection, whose children have their own.
    public let coordinates: [Coordinate]

    /// Rarely used values, stored separately to keep the millions of geometries of large files small; `nil` without
    /// such values.
    private let more: More?

    private final class More: Hashable, Sendable {
        let partEnds: [Int]
        let polygonEnds: [Int]
        let altitudes: [Double?]
        let children: [Geometry]

        init(partEnds: [Int], polygonEnds: [Int], altitudes: [Double?], children: [Geometry]) {
            self.partEnds = partEnds
            self.polygonEnds = polygonEnds
            self.altitudes = altitudes
            self.children = children
        }

        static func == (left: More, right: More) -> Bool {
            left === right
                || left.partEnds == right.partEnds && left.polygonEnds == right.polygonEnds
                    && left.altitudes == right.altitudes && left.children == right.children
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(partEnds)
            hasher.combine(polygonEnds)
            hasher.combine(altitudes)
            hasher.combine(children)
        }
    }

    /// The altitude of each coordinate in metres above the ellipsoid, or `nil` for a coordinate without one.
    ///
    /// The array is empty if no coordinate has an altitude.
    public var altitudes: [Double?] { more?.altitudes ?? [] }

    /// The geometries of a collection; empty for the other kinds.
    public var children: [Geometry] { more?.children ?? [] }

    /// The end index of each part in `coordinates`; empty with fewer than two parts.
    package var partEnds: [Int] { more?.partEnds ?? [] }

    /// The end index of each polygon in parts; used by multipolygons only.
    var polygonEnds: [Int] { more?.polygonEnds ?? [] }

    /// Creates a geometry from arrays in canonical form.
    package init(
        kind: Kind, coordinates: [Coordinate], partEnds: [Int] = [], polygonEnds: [Int] = [], altitudes: [Double?] = [],
        children: [Geometry] = []
    ) {
        precondition(altitudes.isEmpty || altitudes.count == coordinates.count, "one altitude a coordinate, or none")
        self.kind = kind
        self.coordinates = coordinates
        let isInParts = partEnds.count > 1
        more =
            isInParts || !polygonEnds.isEmpty || !altitudes.isEmpty || !children.isEmpty
            ? More(
                partEnds: isInParts ? partEnds : [], polygonEnds: polygonEnds, altitudes: altitudes, children: children)
            : nil
    }

    /// The lines or rings, including those of all polygons of a multipolygon, as slices of `coordinates`.
    ///
    /// A point or multipoint has one part with all its positions; an empty geometry or a collection has no parts.
    public var parts: Geometry.Parts { Geometry.Parts(geometry: self, range: 0..<partCount) }

    /// The polygons of a polygon or multipolygon, each as its rings, the outer one first; empty for other kinds.
    public var polygons: Geometry.Polygons { Geometry.Polygons(geometry: self) }

    /// Whether the geometry and its children have no coordinates.
    public var isEmpty: Bool { coordinates.isEmpty && children.allSatisfy(\.isEmpty) }

    /// The number of coordinates of the geometry and its children.
    public var coordinateCount: Int { children.reduce(coordinates.count) { $0 + $1.coordinateCount } }

    /// The bounding box, or `nil` for an empty geometry.
    ///
    /// - Complexity: O(*n*) in the coordinates; the box is not stored.
    public var boundingBox: BoundingBox? {
        var box = BoundingBox(coordinates)
        for child in children {
            guard let other = child.boundingBox else { continue }
            box = box?.union(other) ?? other
        }
        return box
    }

    /// Returns the geometry with every coordinate transformed.
    ///
    /// Altitudes are unchanged.
    public func mapCoordinates(_ body: (Coordinate) -> Coordinate) -> Geometry {
        Geometry(
            kind: kind, coordinates: coordinates.map(body), partEnds: partEnds, polygonEnds: polygonEnds,
            altitudes: altitudes, children: children.map { $0.mapCoordinates(body) })
    }

    /// Returns the geometry with every coordinate transformed, or `nil` if `body` returns `nil` for one.
    ///
    /// Altitudes are unchanged.
    public func mapWholeCoordinates(_ body: (Coordinate) -> Coordinate?) -> Geometry? {
        var places: [Coordinate] = [], shapes: [Geometry] = []
        places.reserveCapacity(coordinates.count)
        for coordinate in coordinates {
            guard let place = body(coordinate) else { return nil }
            places.append(place)
        }
        for child in children {
            guard let shape = child.mapWholeCoordinates(body) else { return nil }
            shapes.append(shape)
        }
        return Geometry(
            kind: kind, coordinates: places, partEnds: partEnds, polygonEnds: polygonEnds, altitudes: altitudes,
            children: shapes)
    }

    var partCount: Int { coordinates.isEmpty ? 0 : max(partEnds.count, 1) }

    func partRange(_ index: Int) -> Range<Int> {
        partEnds.isEmpty ? 0..<coordinates.count : (index == 0 ? 0 : partEnds[index - 1])..<partEnds[index]
    }
}

extension Geometry {
    /// The lines or rings of a geometry, each a slice of its coordinates.
    public struct Parts: RandomAccessCollection, Sendable {
        private let geometry: Geometry
        private let range: Range<Int>

        init(geometry: Geometry, range: Range<Int>) {
            self.geometry = geometry
            self.range = range
        }

        /// Zero.
        public var startIndex: Int { 0 }

        /// The number of parts.
        public var endIndex: Int { range.count }

        /// Returns the coordinates of one part.
        ///
        /// The slice has the indices of ``Geometry/coordinates``.
        public subscript(position: Int) -> ArraySlice<Coordinate> {
            precondition(position >= 0 && position < range.count, "part out of range")
            return geometry.coordinates[geometry.partRange(range.lowerBound + position)]
        }
    }
}

extension Geometry {
    /// The polygons of a geometry, each as its rings: the outer one first, followed by the holes.
    public struct Polygons: RandomAccessCollection, Sendable {
        private let geometry: Geometry

        init(geometry: Geometry) { self.geometry = geometry }

        /// Zero.
        public var startIndex: Int { 0 }

        /// The number of polygons.
        public var endIndex: Int {
            switch geometry.kind {
            case .polygon: geometry.isEmpty ? 0 : 1
            case .multiPolygon: geometry.polygonEnds.count
            default: 0
            }
        }

        /// Returns the rings of one polygon.
        public subscript(position: Int) -> Geometry.Parts {
            precondition(position >= 0 && position < endIndex, "polygon out of range")
            guard geometry.kind == .multiPolygon else { return geometry.parts }
            let start = position == 0 ? 0 : geometry.polygonEnds[position - 1]
            return Geometry.Parts(geometry: geometry, range: start..<geometry.polygonEnds[position])
        }
    }
}

extension Geometry {
    /// Creates a point.
    public static func point(_ coordinate: Coordinate, altitude: Double? = nil) -> Geometry {
        Geometry(kind: .point, coordinates: [coordinate], altitudes: altitude.map { [$0] } ?? [])
    }

    /// Creates a multipoint.
    public static func multiPoint(_ coordinates: [Coordinate]) -> Geometry {
        Geometry(kind: .multiPoint, coordinates: coordinates)
    }

    /// Creates a line through coordinates.
    public static func lineString(_ coordinates: [Coordinate]) -> Geometry {
        Geometry(kind: .lineString, coordinates: coordinates)
    }

    /// Creates a multi-line.
    ///
    /// Lines without coordinates are omitted.
    public static func multiLineString(_ lines: [[Coordinate]]) -> Geometry {
        var flat: [Coordinate] = []
        var ends: [Int] = []
        for line in lines where !line.isEmpty {
            flat += line
            ends.append(flat.count)
        }
        return Geometry(kind: .multiLineString, coordinates: flat, partEnds: ends)
    }

    /// Creates a polygon from its outer ring and holes.
    ///
    /// Open rings are closed, and empty ones omitted.
    public static func polygon(_ rings: [[Coordinate]]) -> Geometry {
        let multi = multiPolygon([rings])
        return Geometry(kind: .polygon, coordinates: multi.coordinates, partEnds: multi.partEnds)
    }

    /// Creates a multipolygon from the rings of each polygon.
    ///
    /// Open rings are closed, and empty ones omitted.
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

    /// Creates a collection of geometries.
    public static func collection(_ children: [Geometry]) -> Geometry {
        Geometry(kind: .collection, coordinates: [], children: children)
    }

    /// Creates a geometry of a kind without coordinates.
    public static func empty(_ kind: Kind) -> Geometry { Geometry(kind: kind, coordinates: []) }
}

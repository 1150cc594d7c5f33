public import PortolanGeo

/// A shape on the ground: points, lines, polygons, or a collection of such shapes.
///
/// All coordinates lie in one flat array, x east and y north; ``Geometry/parts`` and ``Geometry/polygons`` lend slices
/// of it. Rings are closed: the last coordinate repeats the first. Parts without coordinates are not kept, so equal
/// shapes are equal values. The seven kinds are those of RFC 7946 section 3.1.
public struct Geometry: Hashable, Sendable {
    /// The kinds of shape.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// One place.
        case point
        /// Several places.
        case multiPoint
        /// One line of two or more coordinates.
        case lineString
        /// Several lines.
        case multiLineString
        /// One outer ring, and rings of holes.
        case polygon
        /// Several polygons.
        case multiPolygon
        /// Several shapes of any kind.
        case collection
    }

    /// What the coordinates mean.
    public let kind: Kind

    /// Every coordinate of the shape in order; empty for a collection, whose children have their own.
    public let coordinates: [Coordinate]

    /// What most shapes have none of, kept apart so that a shape is small where it lies by the million; `nil` for nothing.
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

    /// The height of each coordinate in metres above the ellipsoid, `nil` where one has none; an empty array when no
    /// coordinate has one.
    public var altitudes: [Double?] { more?.altitudes ?? [] }

    /// The shapes of a collection; empty for the other kinds.
    public var children: [Geometry] { more?.children ?? [] }

    /// Where each part ends in `coordinates`; empty when there are not two parts.
    package var partEnds: [Int] { more?.partEnds ?? [] }

    /// Where each polygon ends, counted in parts; used by multipolygons only.
    var polygonEnds: [Int] { more?.polygonEnds ?? [] }

    /// Makes a shape from arrays that are already in canonical form.
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

    /// The lines or rings (of a multipolygon, those of all its polygons), as slices of `coordinates`.
    ///
    /// A point or multipoint has one part with all its places; an empty shape or a collection has none.
    public var parts: GeometryParts { GeometryParts(geometry: self, range: 0..<partCount) }

    /// The polygons of a polygon or multipolygon, each as its rings, the outer one first; empty for other kinds.
    public var polygons: GeometryPolygons { GeometryPolygons(geometry: self) }

    /// Whether there is no coordinate in the shape or its children.
    public var isEmpty: Bool { coordinates.isEmpty && children.allSatisfy(\.isEmpty) }

    /// How many coordinates the shape and its children have.
    public var coordinateCount: Int { children.reduce(coordinates.count) { $0 + $1.coordinateCount } }

    /// The smallest box around the shape, or `nil` when it is empty.
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

    /// The same shape with every coordinate replaced; altitudes are kept.
    public func mapCoordinates(_ body: (Coordinate) -> Coordinate) -> Geometry {
        Geometry(
            kind: kind, coordinates: coordinates.map(body), partEnds: partEnds, polygonEnds: polygonEnds,
            altitudes: altitudes, children: children.map { $0.mapCoordinates(body) })
    }

    /// The same shape with every coordinate replaced, or `nil` when there is nothing in the place of one; altitudes are kept.
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

/// The lines or rings of a geometry, each a slice of its coordinates that shares their storage.
public struct GeometryParts: RandomAccessCollection, Sendable {
    private let geometry: Geometry
    private let range: Range<Int>

    init(geometry: Geometry, range: Range<Int>) {
        self.geometry = geometry
        self.range = range
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many parts there are.
    public var endIndex: Int { range.count }

    /// The coordinates of one part; the slice keeps the indices of ``Geometry/coordinates``.
    public subscript(position: Int) -> ArraySlice<Coordinate> {
        precondition(position >= 0 && position < range.count, "part out of range")
        return geometry.coordinates[geometry.partRange(range.lowerBound + position)]
    }
}

/// The polygons of a geometry, each as its rings: the outer one first, then those of the holes.
public struct GeometryPolygons: RandomAccessCollection, Sendable {
    private let geometry: Geometry

    init(geometry: Geometry) { self.geometry = geometry }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many polygons there are.
    public var endIndex: Int {
        switch geometry.kind {
        case .polygon: geometry.isEmpty ? 0 : 1
        case .multiPolygon: geometry.polygonEnds.count
        default: 0
        }
    }

    /// The rings of one polygon.
    public subscript(position: Int) -> GeometryParts {
        precondition(position >= 0 && position < endIndex, "polygon out of range")
        guard geometry.kind == .multiPolygon else { return geometry.parts }
        let start = position == 0 ? 0 : geometry.polygonEnds[position - 1]
        return GeometryParts(geometry: geometry, range: start..<geometry.polygonEnds[position])
    }
}

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

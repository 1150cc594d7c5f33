import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb

/// The geometry in a `within` or `distance` expression.
private enum StatedShape {
    /// The largest number of coordinates, each of which is compared with every coordinate of a feature.
    static let coordinateLimit = 10_000

    /// The geometries in a GeoJSON object, with collections flattened, or `nil` if it is invalid.
    static func read(
        _ arguments: [PropertyValue], _ parser: inout ExpressionParser
    ) -> [Geometry]? {
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        let document = try? GeoJSONReader.read(GeoJSONWriter.json(arguments[1]))
        guard let document, !document.warnings.contains(where: { $0.effect == .omitted }) else {
            return parser.fail(.malformed(wanted: "a GeoJSON object"))
        }
        let shapes = document.features.compactMap(\.geometry)
        guard shapes.reduce(0, { $0 + $1.coordinateCount }) <= coordinateLimit else {
            return parser.fail(.tooLarge(limit: coordinateLimit))
        }
        return shapes
    }
}

/// `within`: whether a point or a line is inside areas, excluding their borders.
struct WithinNode: ExpressionNode {
    /// The rings of each area in the Mercator plane, where edges are straight.
    let areas: [[[Point]]]
    private let bounds: Rectangle
    var type: ExpressionValue.ValueType { .boolean }
    var children: [any ExpressionNode] { [] }
    var dependence: Dependence { [.feature, .shape] }

    init(areas: [[[Point]]]) {
        self.areas = areas
        let all = areas.joined().joined()
        bounds = Rectangle(
            minX: all.lazy.map(\.x).min() ?? 0, minY: all.lazy.map(\.y).min() ?? 0,
            maxX: all.lazy.map(\.x).max() ?? 0, maxY: all.lazy.map(\.y).max() ?? 0)
    }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        guard let geometry = context.geometry else { return .boolean(false) }
        let parts = geometry.parts.map { $0.map(Self.plane) }
        switch geometry.kind {
        case .point, .multiPoint:
            return .boolean(parts.joined().allSatisfy { point in areas.contains { Self.contains(shifted(point), $0) } })
        case .lineString, .multiLineString:
            // A line around half of the world is not shifted.
            let all = parts.joined().map(\.x)
            let isShort = (all.max() ?? 0) - (all.min() ?? 0) <= 180
            return .boolean(
                parts.allSatisfy { line in
                    let line = isShort ? line.map(shifted) : line
                    return areas.contains { Self.contains(line: line, $0) }
                })
        default: return .boolean(false)
        }
    }

    private static func plane(_ place: Coordinate) -> Point {
        Point(x: place.x, y: Libm.inverseHyperbolicSine(Libm.tangent(place.y * Double.pi / 180)) * 180 / Double.pi)
    }

    /// A point beyond the antimeridian, shifted to the side of the areas.
    private func shifted(_ point: Point) -> Point {
        guard point.x < bounds.minX || point.x > bounds.maxX else { return point }
        if point.x - bounds.minX > 180 { return Point(x: point.x - 360, y: point.y) }
        if bounds.maxX - point.x > 180 { return Point(x: point.x + 360, y: point.y) }
        return point
    }

    private static func contains(_ point: Point, _ rings: [[Point]]) -> Bool {
        for ring in rings {
            for (from, to) in zip(ring, ring.dropFirst()) where PlaneSegment(from, to).touches(point) { return false }
        }
        return PolygonTest.contains(point, rings: rings)
    }

    private static func contains(line: [Point], _ rings: [[Point]]) -> Bool {
        guard line.allSatisfy({ contains($0, rings) }) else { return false }
        return !zip(line, line.dropFirst()).contains { from, to in
            rings.contains { ring in
                zip(ring, ring.dropFirst()).contains { PlaneSegment($0, $1).crosses(PlaneSegment(from, to)) }
            }
        }
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard let shapes = StatedShape.read(arguments, &parser) else { return nil }
        let areas = shapes.flatMap { shape in shape.polygons.map { $0.map { $0.map(plane) } } }
        guard !areas.isEmpty else { return parser.fail(.malformed(wanted: "an area")) }
        return WithinNode(areas: areas)
    }
}

/// `distance`: the distance of a feature from geometries in metres, using the ellipsoid's curvature at the beginning of
/// the feature.
///
/// - Complexity: O(*n* · *m*) in the coordinates of the feature and of the geometries.
struct DistanceNode: ExpressionNode {
    let shapes: [Geometry]
    var type: ExpressionValue.ValueType { .number }
    var children: [any ExpressionNode] { [] }
    var dependence: Dependence { [.feature, .shape] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        guard let geometry = context.geometry, let first = geometry.coordinates.first else { return .number(.nan) }
        let plane = LocalPlane(at: first), own = PlaneShape(geometry, plane)
        return .number(shapes.reduce(Double.infinity) { min($0, own.distance(to: PlaneShape($1, plane))) })
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard let shapes = StatedShape.read(arguments, &parser) else { return nil }
        guard !shapes.isEmpty else { return parser.fail(.malformed(wanted: "a geometry")) }
        return DistanceNode(shapes: shapes)
    }
}

/// Metres east and north of a point, by the two curvatures of the WGS 84 ellipsoid there.
private struct LocalPlane {
    private let origin: Coordinate
    private let east: Double
    private let north: Double

    init(at origin: Coordinate) {
        self.origin = origin
        let ellipsoid = Ellipsoid.wgs84, square = ellipsoid.flattening * (2 - ellipsoid.flattening)
        let cosine = Libm.cosine(origin.y * Double.pi / 180)
        let root = 1 / (1 - square * (1 - cosine * cosine))
        let degree = ellipsoid.semiMajorAxis * Double.pi / 180
        east = degree * root.squareRoot() * cosine
        north = degree * root.squareRoot() * root * (1 - square)
    }

    func point(_ place: Coordinate) -> Point {
        var longitude = place.x - origin.x
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return Point(x: longitude * east, y: (place.y - origin.y) * north)
    }
}

/// A geometry in a plane.
private struct PlaneShape {
    var points: [Point] = []
    var segments: [PlaneSegment] = []
    var areas: [[[Point]]] = []

    init(_ geometry: Geometry, _ plane: LocalPlane) { add(geometry, plane) }

    private mutating func add(_ geometry: Geometry, _ plane: LocalPlane) {
        for part in geometry.parts {
            let line = part.map(plane.point)
            points += line
            guard geometry.kind != .point, geometry.kind != .multiPoint else { continue }
            segments += zip(line, line.dropFirst()).map { PlaneSegment($0, $1) }
        }
        areas += geometry.polygons.map { $0.map { $0.map(plane.point) } }
        for child in geometry.children { add(child, plane) }
    }

    func distance(to other: PlaneShape) -> Double {
        if holdsPart(of: other) || other.holdsPart(of: self) { return 0 }
        if segments.contains(where: { own in other.segments.contains { own.crosses($0) } }) { return 0 }
        var square = Double.infinity
        for point in points {
            for segment in other.segments { square = min(square, segment.squaredDistance(to: point)) }
        }
        for point in other.points {
            for segment in segments { square = min(square, segment.squaredDistance(to: point)) }
            if segments.isEmpty, other.segments.isEmpty {
                for own in points { square = min(square, PlaneSegment(own, own).squaredDistance(to: point)) }
            }
        }
        return square.squareRoot()
    }

    private func holdsPart(of other: PlaneShape) -> Bool {
        areas.contains { rings in other.points.contains { PolygonTest.contains($0, rings: rings) } }
    }
}

/// A segment between two points.
private struct PlaneSegment {
    let from: Point
    let to: Point

    init(_ from: Point, _ to: Point) {
        self.from = from
        self.to = to
    }

    /// Twice the signed area of the triangle with a point: positive on one side, negative on the other.
    private func side(_ point: Point) -> Double {
        (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
    }

    func touches(_ point: Point) -> Bool {
        side(point) == 0 && (point.x - from.x) * (point.x - to.x) <= 0 && (point.y - from.y) * (point.y - to.y) <= 0
    }

    func crosses(_ other: PlaneSegment) -> Bool {
        side(other.from) * side(other.to) < 0 && other.side(from) * other.side(to) < 0
    }

    func squaredDistance(to point: Point) -> Double {
        let x = to.x - from.x, y = to.y - from.y, length = x * x + y * y
        let part =
            length > 0 ? min(max(((point.x - from.x) * x + (point.y - from.y) * y) / length, 0), 1) : 0
        let dx = point.x - from.x - part * x, dy = point.y - from.y - part * y
        return dx * dx + dy * dy
    }
}

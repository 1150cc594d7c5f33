package import PortolanFeatures
import PortolanGeo

/// A geometry transformation of a symbolizer, by the geometry functions of GeoServer that styles use.
package enum GeometryChange: Hashable, Sendable {
    /// A translation, in coordinate units to the east and north.
    case offset(x: Double, y: Double)
    /// A buffer, in coordinate units; negative values shrink areas.
    case buffer(Double)
    /// The centroid.
    case centroid
    /// A point on the geometry, inside an area.
    case interiorPoint
    /// The first point.
    case startPoint
    /// The last point.
    case endPoint
    /// All vertices.
    case vertices
    /// The rings of areas, as lines.
    case boundary
    /// The bounding box.
    case envelope
    /// The convex hull.
    case convexHull
    /// Adds the directions of both ends as properties, in degrees clockwise from the right.
    case angles

    /// The properties that ``angles`` adds.
    static let startAngle = "portolan:start-angle"
    static let endAngle = "portolan:end-angle"

    private static let plain: [String: GeometryChange] = [
        "centroid": .centroid, "interiorPoint": .interiorPoint, "startPoint": .startPoint, "endPoint": .endPoint,
        "vertices": .vertices, "boundary": .boundary, "exteriorRing": .boundary, "envelope": .envelope,
        "convexHull": .convexHull, "angles": .angles,
    ]

    /// The transformation of a function, or `nil` if no function has this name and number of arguments.
    init?(_ name: String, _ numbers: [Double]) {
        switch (name, numbers.count) {
        case ("offset", 2): self = .offset(x: numbers[0], y: numbers[1])
        case ("buffer", 1): self = .buffer(numbers[0])
        case (_, 0):
            guard let change = Self.plain[name] else { return nil }
            self = change
        default: return nil
        }
    }

    /// Reads the result of ``value``.
    init?(_ value: PropertyValue) {
        guard let items = value.arrayValue, let name = items.first?.stringValue else { return nil }
        self.init(name, items.dropFirst().compactMap(\.doubleValue))
    }

    /// The transformation as a function name and its arguments.
    var value: PropertyValue {
        switch self {
        case .offset(let x, let y): ["offset", .number(x), .number(y)]
        case .buffer(let distance): ["buffer", .number(distance)]
        default: .array([.string(Self.plain.keys.sorted().first { Self.plain[$0] == self } ?? "")])
        }
    }

    /// A remark about an approximation, or `nil`.
    var remark: String? {
        switch self {
        case .offset: "the function 'offset' uses the units of the features' coordinates"
        case .buffer: "the function 'buffer' uses the units of the features' coordinates"
        default: nil
        }
    }

    /// Returns a feature with the transformation applied, without a geometry if nothing is left.
    ///
    /// - Complexity: O(*n*) in the coordinates, and more for ``buffer(_:)``, ``interiorPoint`` and ``convexHull``.
    package func applied(to feature: Feature) -> Feature {
        var changed = feature
        guard let geometry = feature.geometry else { return feature }
        if case .angles = self {
            changed.properties[Self.startAngle] = Self.angle(from: geometry.coordinates.first, to: 1, in: geometry)
            changed.properties[Self.endAngle] = Self.angle(from: nil, to: geometry.coordinates.count - 1, in: geometry)
            return changed
        }
        changed.geometry = applied(to: geometry)
        return changed
    }

    private func applied(to geometry: Geometry) -> Geometry? {
        if geometry.kind == .collection {
            let children = geometry.children.compactMap { applied(to: $0) }
            return children.isEmpty ? nil : .collection(children)
        }
        func point(_ place: Coordinate?) -> Geometry? { place.map { Geometry.point($0) } }
        switch self {
        case .offset(let x, let y): return geometry.mapCoordinates { Coordinate(x: $0.x + x, y: $0.y + y) }
        case .buffer(let distance): return Self.buffered(geometry, distance)
        case .centroid: return point(geometry.centroid)
        case .interiorPoint: return point(geometry.labelPoint)
        case .startPoint: return point(geometry.coordinates.first)
        case .endPoint: return point(geometry.coordinates.last)
        case .vertices: return .multiPoint(geometry.coordinates)
        case .boundary:
            guard geometry.kind == .polygon || geometry.kind == .multiPolygon else { return geometry }
            return .multiLineString(geometry.parts.map(Array.init))
        case .envelope:
            return geometry.boundingBox.map { box in
                .polygon([
                    [
                        Coordinate(x: box.minX, y: box.minY), Coordinate(x: box.maxX, y: box.minY),
                        Coordinate(x: box.maxX, y: box.maxY), Coordinate(x: box.minX, y: box.maxY),
                        Coordinate(x: box.minX, y: box.minY),
                    ]
                ])
            }
        case .convexHull: return Self.convexHull(geometry.coordinates)
        case .angles: return geometry
        }
    }

    /// A buffer in the plane of the map.
    ///
    /// It equals a buffer on the ground if it is small and near the equator.
    private static func buffered(_ geometry: Geometry, _ distance: Double) -> Geometry? {
        guard let box = geometry.boundingBox else { return nil }
        let metersPerUnit = 110_946.0, side = 0.01
        let extent = max(box.maxX - box.minX, box.maxY - box.minY, abs(distance))
        guard extent > 0, extent.isFinite else { return nil }
        let x = (box.minX + box.maxX) / 2, y = (box.minY + box.maxY) / 2, scale = side / extent
        let small = geometry.mapCoordinates { Coordinate(x: ($0.x - x) * scale, y: ($0.y - y) * scale) }
        let grown = small.buffered(meters: distance * scale * metersPerUnit)
        return grown.isEmpty ? nil : grown.mapCoordinates { Coordinate(x: $0.x / scale + x, y: $0.y / scale + y) }
    }

    /// The convex hull, by Andrew's monotone chain.
    private static func convexHull(_ coordinates: [Coordinate]) -> Geometry? {
        let places = coordinates.filter(\.isFinite).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard places.count > 2 else { return nil }
        func chain(_ places: some Sequence<Coordinate>) -> [Coordinate] {
            var chain: [Coordinate] = []
            for place in places {
                while chain.count > 1 {
                    let one = chain[chain.count - 2], other = chain[chain.count - 1]
                    let turn = (other.x - one.x) * (place.y - one.y) - (other.y - one.y) * (place.x - one.x)
                    guard turn <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(place)
            }
            return chain
        }
        let ring = chain(places).dropLast() + chain(places.reversed())
        return ring.count > 3 ? .polygon([Array(ring)]) : nil
    }

    /// The direction of the first or the last edge as displayed on a map.
    private static func angle(from first: Coordinate?, to index: Int, in geometry: Geometry) -> PropertyValue {
        let places = geometry.coordinates
        guard index > 0, index < places.count else { return 0 }
        let start = first ?? places[index - 1], end = places[index]
        // Maps stretch latitudes towards the poles.
        let isInDegrees = abs(start.x) <= 360 && abs(start.y) < 89
        let stretch = isInDegrees ? 1 / Libm.cosine(start.y * Double.pi / 180) : 1
        return .number(-Libm.arcTangent(y: (end.y - start.y) * stretch, x: end.x - start.x) * 180 / Double.pi)
    }
}

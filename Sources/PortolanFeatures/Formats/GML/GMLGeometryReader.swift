import PortolanGeo
import PortolanXML
import Synchronization

/// Reads the geometries of GML 2 and 3.
///
/// Follows OGC 02-069 (GML 2.1.2) clause 4.3 and OGC 07-036 (GML 3.2.1) clauses 10 and 11. Arcs and circles become chords, a box
/// a polygon. `EPSG:4326` and the old `epsg.xml#4326` mean x first, as all did when they were in use; names that begin with `urn:`
/// and `http://www.opengis.net/def` mean the order of the system's axes.
struct GMLGeometryReader {
    /// The system of geometries that name none, or `nil` for longitude and latitude on WGS 84.
    var defaultCRS: CRS?
    /// Whether geometries that name no system have north first.
    var isNorthFirst = false
    /// The order of all coordinates, whatever the names of their systems mean; `nil` where those decide.
    var axisOrder: AxisOrder?

    /// The system that was named last, since all of a document name the same as a rule.
    private let systems = LastSystem()

    init(defaultCRS: CRS? = nil, isNorthFirst: Bool = false, axisOrder: AxisOrder? = nil) {
        self.defaultCRS = defaultCRS
        self.isNorthFirst = isNorthFirst
        self.axisOrder = axisOrder
    }

    private final class LastSystem: Sendable {
        private let last = Mutex<(name: String, crs: CRS, isNorthFirst: Bool)?>(nil)

        func system(_ name: String) -> (crs: CRS, isNorthFirst: Bool) {
            last.withLock { last in
                if let last, last.name == name { return (last.crs, last.isNorthFirst) }
                let (crs, isNorthFirst) = GMLGeometryReader.system(name)
                last = (name, crs, isNorthFirst)
                return (crs, isNorthFirst)
            }
        }
    }

    /// A shape, x first, in a system.
    struct Shape {
        var geometry: Geometry
        /// The system, or `nil` for longitude and latitude on WGS 84; one that is not known is only named.
        var crs: CRS?
    }

    /// Whether an element is a geometry.
    static func isGeometry(_ element: XMLElement) -> Bool {
        // All of them begin with a capital letter, and most properties do not.
        guard let first = element.name.utf8.first, (0x41...0x5A).contains(first) else { return false }
        guard names.contains(element.name) else { return false }
        guard let namespace = element.namespace else { return !element.children.isEmpty }
        return usualNamespaces.contains { $0 == namespace } || namespace.contains("opengis.net/gml")
    }

    private static let usualNamespaces = ["http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"]

    static let names: Set<String> = [
        "Point", "LineString", "LinearRing", "Ring", "Polygon", "Curve", "CompositeCurve", "OrientableCurve", "Surface",
        "CompositeSurface", "OrientableSurface", "PolyhedralSurface", "TriangulatedSurface", "Tin", "Triangle",
        "Rectangle", "MultiPoint",
        "MultiLineString", "MultiCurve", "MultiPolygon", "MultiSurface", "MultiGeometry", "GeometryCollection", "Box",
        "Envelope", "Arc", "ArcString", "Circle", "ArcByCenterPoint", "CircleByCenterPoint",
    ]

    /// A shape in degrees, or `nil` when there is no way from its system.
    func inDegrees(_ shape: Shape) -> Geometry? {
        guard let transform = try? CoordinateTransform(from: shape.crs ?? .crs84, to: .crs84) else { return nil }
        return transform.isIdentity ? shape.geometry : shape.geometry.mapWholeCoordinates { transform($0) }
    }

    /// The geometry that an element is, in its own system, or `nil` when it is none.
    func shape(_ element: XMLElement) -> Shape? {
        var crs = defaultCRS
        var isNorthFirst = isNorthFirst
        if let name = element.attribute("srsName") ?? Self.innerName(element) {
            (crs, isNorthFirst) = systems.system(name)
        }
        if let axisOrder { isNorthFirst = axisOrder == .northEast }
        let notation = GMLNotation(dimension: GMLNotation.dimension(element) ?? 2, isNorthFirst: isNorthFirst)
        guard let geometry = Self.geometry(element, notation, depth: 0), !geometry.isEmpty else { return nil }
        return Shape(geometry: geometry, crs: crs)
    }

    /// The system of a name, and whether its coordinates then have north first; one that is not known is only named.
    static func system(_ name: String) -> (crs: CRS, isNorthFirst: Bool) {
        let lower = name.lowercased()
        let isFormal = lower.hasPrefix("urn:") || lower.contains("opengis.net/def/")
        let crs =
            (try? CRS(name))
            ?? CRS(name: String(name.prefix(100)), axisOrder: .eastNorth, unit: .meter)
        return (crs, isFormal && crs.axisOrder == .northEast)
    }

    /// The system that a multigeometry leaves to its members to name.
    private static func innerName(_ element: XMLElement) -> String? {
        var element = element
        while let child = element.children.first {
            if let name = child.attribute("srsName") { return name }
            element = child
        }
        return nil
    }

    private static func members(_ element: XMLElement, _ names: [String]) -> [XMLElement] {
        var members: [XMLElement] = []
        for child in element.children where names.contains(child.name) { members += child.children }
        return members
    }

    private static func geometry(_ element: XMLElement, _ outer: GMLNotation, depth: Int) -> Geometry? {
        var notation = outer
        notation.dimension = GMLNotation.dimension(element) ?? outer.dimension
        var builder = GeometryBuilder()
        switch element.name {
        case "Point":
            notation.add(element, to: &builder)
            let all = builder.geometry(.multiPoint)
            return all.coordinates.first.map { .point($0, altitude: all.altitude(at: 0)) }
        case "Polygon", "Triangle", "Rectangle", "Box", "Envelope":
            addArea(element, notation, &builder)
            return builder.geometry(.polygon)
        case "Surface", "CompositeSurface", "OrientableSurface", "PolyhedralSurface", "TriangulatedSurface", "Tin":
            addArea(element, notation, &builder)
            let areas = builder.geometry(.multiPolygon)
            return areas
        case "MultiPoint":
            for point in members(element, ["pointMember", "pointMembers"]) {
                let before = builder.count
                notation.add(point, to: &builder, limit: 1)
                if builder.count > before + 1 { builder.dropLast() }
            }
            return builder.geometry(.multiPoint)
        case "MultiLineString", "MultiCurve":
            for line in members(element, ["lineStringMember", "curveMember", "curveMembers"]) {
                GMLCurve.add(line, notation, to: &builder)
                builder.endLine()
            }
            return builder.geometry(.multiLineString)
        case "MultiPolygon", "MultiSurface":
            for area in members(element, ["polygonMember", "surfaceMember", "surfaceMembers"]) {
                addArea(area, notation, &builder)
            }
            return builder.geometry(.multiPolygon)
        case "MultiGeometry", "GeometryCollection":
            guard depth < 32 else { return nil }
            let children = element.children.filter {
                $0.name == "geometryMember" || $0.name == "geometryMembers" || $0.name.hasSuffix("Member")
            }
            return .collection(
                children.flatMap(\.children).compactMap { geometry($0, notation, depth: depth + 1) })
        default:
            GMLCurve.add(element, notation, to: &builder)
            if element.name == "LinearRing" || element.name == "Ring" { builder.endRing() } else { builder.endLine() }
            return builder.geometry(.lineString)
        }
    }

    private static let outerNames = ["exterior", "outerBoundaryIs"]
    private static let innerNames = ["interior", "innerBoundaryIs"]

    /// Adds the polygon that an element is, or the polygons that it is made of.
    private static func addArea(_ element: XMLElement, _ outer: GMLNotation, _ builder: inout GeometryBuilder) {
        var notation = outer
        notation.dimension = GMLNotation.dimension(element) ?? outer.dimension
        switch element.name {
        case "Box", "Envelope":
            var corners = GeometryBuilder()
            notation.add(element, to: &corners)
            guard let box = corners.geometry(.multiPoint).boundingBox else { return }
            for (x, y) in [(box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)] {
                builder.add(Coordinate(x: x, y: y))
            }
            builder.endRing()
        case "Polygon", "PolygonPatch", "Triangle", "Rectangle":
            // Of several outer rings the first is meant.
            for ring in members(element, outerNames).prefix(1) + members(element, innerNames) {
                GMLCurve.add(ring, notation, to: &builder)
                builder.endRing()
            }
        default:
            // Patches and members of a surface; each level is an element of the document, which are not endlessly deep.
            for child in element.children.flatMap(\.children) { addArea(child, notation, &builder) }
            return
        }
        builder.endPolygon()
    }
}

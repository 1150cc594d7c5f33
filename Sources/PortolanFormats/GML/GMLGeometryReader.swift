import PortolanFeatures
import PortolanGeo
import PortolanXML
import Synchronization

/// Reads the geometries of GML 2 and 3.
///
/// It follows OGC 02-069 (GML 2.1.2) clause 4.3 and OGC 07-036 (GML 3.2.1) clauses 10 and 11. Arcs and circles are
/// approximated by chords, and a box becomes a polygon. `EPSG:4326` and the old `epsg.xml#4326` mean x first, as was
/// common when they were in use. Names that start with `urn:` and `http://www.opengis.net/def` mean the axis order of
/// the CRS.
struct GMLGeometryReader {
    /// The CRS of geometries that name none, or `nil` for longitude and latitude on WGS 84.
    var defaultCRS: CRS?
    /// Whether geometries without a CRS have north first.
    var isNorthFirst = false
    /// The axis order of all coordinates, overriding that of the CRS names; `nil` to use these.
    var axisOrder: CRS.AxisOrder?

    /// A cache of the last CRS, since most geometries of a document have the same one.
    private let systems = LastSystem()

    init(defaultCRS: CRS? = nil, isNorthFirst: Bool = false, axisOrder: CRS.AxisOrder? = nil) {
        self.defaultCRS = defaultCRS
        self.isNorthFirst = isNorthFirst
        self.axisOrder = axisOrder
    }

    private final class LastSystem: Sendable {
        private let last = Mutex<(name: [UInt8], crs: CRS, isNorthFirst: Bool)?>(nil)

        func system(_ name: Span<UInt8>) -> (crs: CRS, isNorthFirst: Bool) {
            var copy: [UInt8] = []
            let known = last.withLock { $0 }
            if let known, name.isSame(as: known.name) { return (known.crs, known.isNorthFirst) }
            copy.append(name)
            let (crs, isNorthFirst) = GMLGeometryReader.system(String(decoding: copy, as: UTF8.self))
            last.withLock { [copy] in $0 = (copy, crs, isNorthFirst) }
            return (crs, isNorthFirst)
        }
    }

    /// A geometry, x first, with its CRS.
    struct Shape {
        var geometry: Geometry
        /// The CRS, or `nil` for longitude and latitude on WGS 84.
        ///
        /// An unknown CRS has only a name.
        var crs: CRS?
    }

    /// Returns whether an element is a geometry.
    static func isGeometry(_ element: XMLElement) -> Bool {
        guard element.word.isGeometry else { return false }
        guard let namespace = element.namespace else { return element.hasChildren }
        return usualNamespaces.contains { $0 == namespace } || namespace.contains("opengis.net/gml")
    }

    private static let usualNamespaces = ["http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"]

    static let names = Set(GMLWord.allCases.filter(\.isGeometry).map(\.name))

    /// Returns a geometry in degrees, or `nil` if it cannot be transformed.
    func inDegrees(_ shape: Shape) -> Geometry? {
        guard let transform = try? CoordinateTransform(from: shape.crs ?? .crs84, to: .crs84) else { return nil }
        return transform.isIdentity ? shape.geometry : shape.geometry.mapWholeCoordinates { transform($0) }
    }

    /// Returns the geometry in an element, in its own CRS, or `nil` if it is not a geometry.
    func shape(_ element: XMLElement) -> Shape? {
        var crs = defaultCRS
        var isNorthFirst = isNorthFirst
        if let system = system(of: element) { (crs, isNorthFirst) = system }
        if let axisOrder { isNorthFirst = axisOrder == .northEast }
        let notation = GMLNotation(isNorthFirst: isNorthFirst)
        guard let geometry = Self.geometry(element, notation, depth: 0), !geometry.isEmpty else { return nil }
        return Shape(geometry: geometry, crs: crs)
    }

    /// Returns the CRS with a name, and whether its coordinates have north first.
    ///
    /// An unknown CRS has only the name.
    static func system(_ name: String) -> (crs: CRS, isNorthFirst: Bool) {
        let lower = name.lowercased()
        let isFormal = lower.hasPrefix("urn:") || lower.contains("opengis.net/def/")
        let crs =
            (try? CRS(name))
            ?? CRS(name: String(name.prefix(100)), axisOrder: .eastNorth, unit: .meter)
        return (crs, isFormal && crs.axisOrder == .northEast)
    }

    /// Returns the CRS that an element or, for a multi-geometry, its first members name.
    private func system(of element: XMLElement) -> (crs: CRS, isNorthFirst: Bool)? {
        var element = element
        while true {
            if let system = element.withAttribute("srsName", { systems.system($0) }) { return system }
            guard let child = element.children.first else { return nil }
            element = child
        }
    }

    private static func members(_ element: XMLElement, _ names: GMLWord...) -> [XMLElement] {
        var members: [XMLElement] = []
        for child in element.children where names.contains(child.word) { members += child.children }
        return members
    }

    private static func geometry(_ element: XMLElement, _ outer: GMLNotation, depth: Int) -> Geometry? {
        var builder = GeometryBuilder()
        // Areas and curves determine their dimension themselves.
        var notation: GMLNotation { outer.inside(element) }
        switch element.word {
        case .point:
            notation.add(element, to: &builder)
            let all = builder.geometry(.multiPoint)
            return all.coordinates.first.map { .point($0, altitude: all.altitude(at: 0)) }
        case .polygon, .triangle, .rectangle, .box, .envelope:
            addArea(element, outer, &builder)
            return builder.geometry(.polygon)
        case .surface, .compositeSurface, .orientableSurface, .polyhedralSurface, .triangulatedSurface, .tin:
            addArea(element, outer, &builder)
            let areas = builder.geometry(.multiPolygon)
            return areas
        case .multiPoint:
            let notation = notation
            for point in members(element, .pointMember, .pointMembers) {
                let before = builder.count
                notation.add(point, to: &builder, limit: 1)
                if builder.count > before + 1 { builder.dropLast() }
            }
            return builder.geometry(.multiPoint)
        case .multiLineString, .multiCurve:
            let notation = notation
            for line in members(element, .lineStringMember, .curveMember, .curveMembers) {
                GMLCurve.add(line, notation, to: &builder)
                builder.endLine()
            }
            return builder.geometry(.multiLineString)
        case .multiPolygon, .multiSurface:
            let notation = notation
            for area in members(element, .polygonMember, .surfaceMember, .surfaceMembers) {
                addArea(area, notation, &builder)
            }
            return builder.geometry(.multiPolygon)
        case .multiGeometry, .geometryCollection:
            guard depth < 32 else { return nil }
            let children = element.children.filter {
                $0.name == "geometryMember" || $0.name == "geometryMembers" || $0.name.hasSuffix("Member")
            }
            let notation = notation
            return .collection(
                children.flatMap(\.children).compactMap { geometry($0, notation, depth: depth + 1) })
        default:
            GMLCurve.add(element, outer, to: &builder)
            if element.word == .linearRing || element.word == .ring { builder.endRing() } else { builder.endLine() }
            return builder.geometry(.lineString)
        }
    }

    /// Adds the polygon in an element, or the polygons that it consists of.
    private static func addArea(_ element: XMLElement, _ outer: GMLNotation, _ builder: inout GeometryBuilder) {
        let notation = outer.inside(element)
        switch element.word {
        case .box, .envelope:
            var corners = GeometryBuilder()
            notation.add(element, to: &corners)
            guard let box = corners.geometry(.multiPoint).boundingBox else { return }
            for (x, y) in [(box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)] {
                builder.add(Coordinate(x: x, y: y))
            }
            builder.endRing()
        case .polygon, .polygonPatch, .triangle, .rectangle:
            // Of several outer rings, the first is used.
            func addRing(_ ring: XMLElement) {
                GMLCurve.add(ring, notation, to: &builder)
                builder.endRing()
            }
            var outerCount = 0
            for child in element.children where child.word == .exterior || child.word == .outerBoundaryIs {
                for ring in child.children where outerCount == 0 {
                    addRing(ring)
                    outerCount += 1
                }
            }
            for child in element.children where child.word == .interior || child.word == .innerBoundaryIs {
                for ring in child.children { addRing(ring) }
            }
        default:
            // Patches and members of a surface. The depth is limited by that of the document.
            for child in element.children.flatMap(\.children) { addArea(child, notation, &builder) }
            return
        }
        builder.endPolygon()
    }
}

import PortolanGeo
import PortolanXML

/// Reads the geometries of GML 2 and 3 that answers about features hold, into degrees.
///
/// Follows OGC 02-069 (GML 2.1.2) clause 4.3 and OGC 07-036 (GML 3.2.1) clause 10. Curves and surfaces are read where
/// they are made of straight segments and of polygons. `EPSG:4326` and the old `epsg.xml#4326` mean x first, as all did
/// when they were in use; names that begin with `urn:` and `http://www.opengis.net/def` mean the order of the system's
/// axes.
struct GMLGeometryReader {
    /// The system of geometries that name none, x first.
    let defaultCRS: CRS?

    /// How coordinates are written.
    private struct Notation {
        var dimension = 2
        var isNorthFirst = false
    }

    /// Whether an element is a geometry.
    static func isGeometry(_ element: XMLElement) -> Bool {
        names.contains(element.name) && (element.namespace?.contains("opengis.net/gml") ?? !element.children.isEmpty)
    }

    private static let names: Set<String> = [
        "Point", "LineString", "LinearRing", "Polygon", "Curve", "Surface", "MultiPoint", "MultiLineString",
        "MultiCurve", "MultiPolygon", "MultiSurface", "MultiGeometry",
    ]

    /// The geometry that an element is, in degrees, or `nil` when it is none, or in a system whose projection is not
    /// known.
    func geometry(_ element: XMLElement) -> Geometry? {
        var crs = defaultCRS
        var notation = Notation()
        if let name = element.attribute("srsName") ?? Self.innerName(element) {
            guard let named = try? CRS(name) else { return nil }
            crs = named
            let lower = name.lowercased()
            let isFormal = lower.hasPrefix("urn:") || lower.contains("opengis.net/def/")
            notation.isNorthFirst = isFormal && named.axisOrder == .northEast
        }
        notation.dimension = Self.dimension(element) ?? notation.dimension
        guard let shape = shape(element, notation), !shape.isEmpty,
            let transform = try? CoordinateTransform(from: crs ?? .crs84, to: .crs84)
        else { return nil }
        if transform.isIdentity { return shape }
        var isWhole = true
        let moved = shape.mapCoordinates { coordinate in
            guard let place = transform(coordinate) else {
                isWhole = false
                return coordinate
            }
            return place
        }
        return isWhole ? moved : nil
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

    private static func dimension(_ element: XMLElement) -> Int? {
        element.attribute("srsDimension").flatMap { Int($0) }.flatMap { (2...4).contains($0) ? $0 : nil }
    }

    private func shape(_ element: XMLElement, _ outer: Notation) -> Geometry? {
        var notation = outer
        notation.dimension = Self.dimension(element) ?? outer.dimension
        func members(_ names: Set<String>) -> [XMLElement] {
            element.children.filter { names.contains($0.name) }.flatMap(\.children)
        }
        switch element.name {
        case "Point":
            return coordinates(in: element, notation).first.map { .point($0) }
        case "LineString", "LinearRing": return .lineString(coordinates(in: element, notation))
        case "Curve": return .lineString(curve(element, notation))
        case "Polygon": return .polygon(rings(of: element, notation))
        case "Surface":
            let patches = members(["patches", "polygonPatches", "trianglePatches"])
            return .multiPolygon(patches.map { rings(of: $0, notation) })
        case "MultiPoint":
            let points = members(["pointMember", "pointMembers"])
            return .multiPoint(points.flatMap { coordinates(in: $0, notation).prefix(1) })
        case "MultiLineString", "MultiCurve":
            let lines = members(["lineStringMember", "curveMember", "curveMembers"])
            return .multiLineString(
                lines.map { $0.name == "Curve" ? curve($0, notation) : coordinates(in: $0, notation) })
        case "MultiPolygon", "MultiSurface":
            let areas = members(["polygonMember", "surfaceMember", "surfaceMembers"])
            return .multiPolygon(
                areas.flatMap { area in
                    area.name == "Surface"
                        ? area.children.flatMap(\.children).map { rings(of: $0, notation) }
                        : [rings(of: area, notation)]
                })
        case "MultiGeometry":
            return .collection(members(["geometryMember", "geometryMembers"]).compactMap { shape($0, notation) })
        default: return nil
        }
    }

    private func curve(_ element: XMLElement, _ notation: Notation) -> [Coordinate] {
        var line: [Coordinate] = []
        for segment in element.child("segments")?.children ?? [] where segment.name == "LineStringSegment" {
            let next = coordinates(in: segment, notation)
            line += next.first == line.last ? next.dropFirst() : next[...]
        }
        return line
    }

    private func rings(of polygon: XMLElement, _ notation: Notation) -> [[Coordinate]] {
        let borders = { (names: Set<String>) in
            polygon.children.filter { names.contains($0.name) }.flatMap(\.children).filter { $0.name == "LinearRing" }
        }
        let outer = borders(["exterior", "outerBoundaryIs"]), inner = borders(["interior", "innerBoundaryIs"])
        return (outer.prefix(1) + inner).map { coordinates(in: $0, notation) }
    }

    /// The places of `pos`, `posList`, `coordinates` and `coord` elements, in their order.
    private func coordinates(in element: XMLElement, _ notation: Notation) -> [Coordinate] {
        var places: [Coordinate] = []
        for child in element.children {
            switch child.name {
            case "pos":
                let numbers = Self.numbers(child.text)
                // One place says by its length how many numbers it has.
                add(numbers, every: max(numbers.count, 2), notation, to: &places)
            case "posList":
                add(Self.numbers(child.text), every: Self.dimension(child) ?? notation.dimension, notation, to: &places)
            case "coordinates":
                for tuple in Self.tuples(child) { add(tuple, every: max(tuple.count, 2), notation, to: &places) }
            case "coord":
                let numbers = ["X", "Y"].compactMap { child.text(of: $0).flatMap { Double($0) } }
                add(numbers, every: 2, notation, to: &places)
            case "pointProperty", "pointRep", "Point":
                places += coordinates(in: child.child("Point") ?? child, notation)
            default: break
            }
        }
        return places
    }

    private func add(_ numbers: [Double], every count: Int, _ notation: Notation, to places: inout [Coordinate]) {
        var index = 0
        while index + count <= numbers.count {
            let first = numbers[index], second = numbers[index + 1]
            let place = notation.isNorthFirst ? Coordinate(x: second, y: first) : Coordinate(x: first, y: second)
            if place.isFinite { places.append(place) }
            index += count
        }
    }

    private static func numbers(_ text: String) -> [Double] {
        text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).compactMap { Double($0) }
    }

    /// The tuples of a `coordinates` element, whose marks between numbers and tuples may be other than usual.
    private static func tuples(_ element: XMLElement) -> [[Double]] {
        func mark(_ name: String, _ usual: Character) -> Character {
            guard let text = element.attribute(name), text.count == 1, let mark = text.first else { return usual }
            return mark
        }
        let between = mark("cs", ","), after = mark("ts", " "), point = mark("decimal", ".")
        return element.text.split { $0 == after || (after.isWhitespace && $0.isWhitespace) }.map { tuple in
            tuple.split { $0 == between || $0.isWhitespace }.compactMap { number in
                Double(point == "." ? String(number) : String(number).replacing(String(point), with: "."))
            }
        }
    }
}

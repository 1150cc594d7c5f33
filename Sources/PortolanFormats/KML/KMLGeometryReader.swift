import PortolanFeatures
import PortolanGeo
import PortolanXML

/// Reads the geometries of KML (OGC 12-007r2 clause 10) and the tracks of Google's extensions.
struct KMLGeometryReader {
    /// Messages about omitted content.
    private(set) var faults: [String] = []
    /// The times of a track's positions, a list for each part, or `nil` without times.
    private(set) var times: PropertyValue?
    /// `altitudeMode`, `extrude` and `tessellate` of the first geometry that has them.
    private(set) var words: [(name: String, text: String)] = []
    private let depthLimit: Int

    init(depthLimit: Int) { self.depthLimit = depthLimit }

    /// The names of geometry elements, including some non-standard ones.
    static let names: Set<String> = [
        "Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "MultiPoint", "MultiLineString",
        "MultiPolygon",
        "GeometryCollection", "Track", "MultiTrack", "Model", "LatLonBox", "LatLonQuad",
    ]

    /// Returns the geometry formed by several elements, or `nil` if none is readable.
    mutating func geometry(of elements: [XMLElement]) -> Geometry? {
        let shapes = elements.compactMap { geometry($0, depth: 0) }
        return shapes.count == 1 ? shapes[0] : Self.joined(shapes)
    }

    private mutating func geometry(_ element: XMLElement, depth: Int) -> Geometry? {
        guard depth < depthLimit else {
            faults.append("geometries nested deeper than \(depthLimit) are left out")
            return nil
        }
        note(element)
        var builder = GeometryBuilder()
        switch element.name {
        case "Point":
            add(element, to: &builder)
            return builder.count > 0 ? first(of: builder, element) : nil
        case "LineString", "LinearRing":
            add(element, to: &builder)
            guard builder.count > 1 else {
                if builder.count == 1 {
                    faults.append("line \(element.line): a line with a single position is left out")
                }
                return nil
            }
            if element.name == "LinearRing" { builder.endRing() } else { builder.endLine() }
            return builder.geometry(.lineString).continuedOverAntimeridian()
        case "Polygon":
            for name in ["outerBoundaryIs", "innerBoundaryIs"] {
                for ring in element.children(name).flatMap({ $0.children("LinearRing") }) {
                    add(ring, to: &builder)
                    builder.endRing()
                }
            }
            return builder.count > 0 ? builder.geometry(.polygon).continuedOverAntimeridian() : nil
        case "Track":
            let track = KMLTrack(element)
            faults += track.faults
            guard track.geometry != nil else { return nil }
            times = track.times
            return track.geometry
        case "MultiTrack":
            let tracks = element.children("Track").map { KMLTrack($0) }
            for track in tracks { faults += track.faults }
            let whole = tracks.filter { $0.geometry?.kind == .lineString }
            if whole.contains(where: { $0.times != nil }) {
                times = whole.count == 1 ? whole[0].times : .array(whole.map { $0.times ?? .array([]) })
            }
            let shapes = tracks.compactMap(\.geometry)
            return shapes.count == 1 ? shapes[0] : Self.joined(shapes)
        case "LatLonBox":
            guard let corners = KMLOverlay.corners(ofBox: element) else { return nil }
            for corner in corners { builder.add(corner) }
            builder.endRing()
            return builder.geometry(.polygon)
        case "LatLonQuad":
            add(element, to: &builder)
            builder.endRing()
            return builder.count > 3 ? builder.geometry(.polygon).continuedOverAntimeridian() : nil
        case "Model":
            faults.append("line \(element.line): a 3D model is left out")
            return nil
        default:
            var shapes: [Geometry] = []
            for child in element.children where Self.names.contains(child.name) {
                if let shape = geometry(child, depth: depth + 1) { shapes.append(shape) }
            }
            return Self.joined(shapes)
        }
    }

    /// Returns geometries of one kind as a multi-geometry, others as a collection; `nil` for none.
    private static func joined(_ shapes: [Geometry]) -> Geometry? {
        guard let first = shapes.first else { return nil }
        let kinds: [Geometry.Kind: Geometry.Kind] = [
            .point: .multiPoint, .lineString: .multiLineString, .polygon: .multiPolygon,
        ]
        guard let kind = kinds[first.kind], shapes.allSatisfy({ $0.kind == first.kind }) else {
            return .collection(shapes)
        }
        var builder = GeometryBuilder()
        for shape in shapes {
            for part in shape.parts {
                for index in part.indices { builder.add(part[index], altitude: shape.altitude(at: index)) }
                if kind != .multiPoint { builder.endLine() }
            }
            if kind == .multiPolygon { builder.endPolygon() }
        }
        let whole = builder.geometry(kind)
        return kind == .multiLineString ? whole.continuedOverAntimeridian() : whole
    }

    private mutating func note(_ element: XMLElement) {
        guard words.isEmpty else { return }
        for name in ["altitudeMode", "extrude", "tessellate"] {
            if let text = element.text(of: name) { words.append((name, text)) }
        }
    }

    /// Returns the first of several positions as a point.
    private mutating func first(of builder: GeometryBuilder, _ element: XMLElement) -> Geometry {
        let all = builder.geometry(.multiPoint)
        if all.coordinates.count > 1 {
            faults.append("line \(element.line): a point with several positions; only the first is kept")
        }
        return .point(all.coordinates[0], altitude: all.altitude(at: 0))
    }

    /// Adds the positions in the `coordinates` of an element.
    private mutating func add(_ element: XMLElement, to builder: inout GeometryBuilder) {
        guard let text = element.child("coordinates") else {
            return faults.append("line \(element.line): a \(element.name) without coordinates is left out")
        }
        let before = builder.count
        let bad = text.withText { KMLCoordinates.add($0, to: &builder) }
        if bad > 0 { faults.append("line \(text.line): \(bad) invalid positions left out") }
        if builder.count == before, bad == 0 {
            faults.append("line \(element.line): a \(element.name) without coordinates is left out")
        }
    }
}

/// Parses the text of `coordinates`: positions separated by spaces, with numbers separated by commas.
enum KMLCoordinates {
    @inline(__always)
    private static func skipBlanks(_ span: Span<UInt8>, _ index: inout Int) {
        while index < span.count, span[index] <= 0x20 { index += 1 }
    }

    /// Returns whether a number after a comma is directly followed by another comma; it is then the first of a
    /// position, and not an altitude.
    private static func beginsPlace(_ span: Span<UInt8>, after comma: Int) -> Bool {
        var index = comma + 1
        skipBlanks(span, &index)
        guard DecimalScanner.number(in: span, at: &index) != nil else { return true }
        return index < span.count && span[index] == UInt8(ascii: ",")
    }

    /// Adds the positions in a text and returns the number of invalid ones.
    ///
    /// Spaces around commas are allowed in a position that has them around its first comma. Otherwise they end the
    /// position, even next to a comma. Commas may replace spaces between positions.
    static func add(_ span: Span<UInt8>, to builder: inout GeometryBuilder) -> Int {
        var index = 0, badCount = 0
        // The approximate size of a position in bytes.
        builder.reserve(span.count / 18 + 1)
        while true {
            skipBlanks(span, &index)
            while index < span.count, span[index] == UInt8(ascii: ",") {
                index += 1
                skipBlanks(span, &index)
            }
            guard index < span.count else { return badCount }
            var numbers = (x: 0.0, y: 0.0, z: 0.0)
            var count = 0, isBad = false, isLoose = false
            repeat {
                skipBlanks(span, &index)
                guard let number = DecimalScanner.number(in: span, at: &index) else {
                    // An empty third number means no altitude.
                    if count < 2 || (index < span.count && span[index] > 0x20) { isBad = true }
                    break
                }
                switch count {
                case 0: numbers.x = number
                case 1: numbers.y = number
                case 2: numbers.z = number
                default: break
                }
                count += 1
                let end = index
                skipBlanks(span, &index)
                guard index < span.count, span[index] == UInt8(ascii: ",") else {
                    // A number ends at a space or at the end.
                    if end == index, index < span.count { isBad = true }
                    break
                }
                let isSpaced = end != index || index + 1 < span.count && span[index + 1] <= 0x20
                if count == 1 { isLoose = isSpaced }
                if count == 2, isSpaced, !isLoose, beginsPlace(span, after: index) { break }
                index += 1
                // If all numbers are separated by commas only, each three numbers are a position.
                if count == 3 { break }
            } while true
            if isBad || count < 2 {
                badCount += 1
                while index < span.count, span[index] > 0x20 { index += 1 }
            } else {
                builder.add(Coordinate(x: numbers.x, y: numbers.y), altitude: count > 2 ? numbers.z : nil)
            }
        }
    }
}

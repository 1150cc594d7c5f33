import PortolanFeatures
import PortolanGeo

/// Writes KML 2.2 (OGC 07-147r2).
enum KMLWriter {
    /// Text properties with KML elements, in the order of the schema.
    private static let elements = [
        ("name", "name"), ("address", "address"), ("phoneNumber", "phoneNumber"), ("snippet", "Snippet"),
        ("description", "description"),
    ]
    /// Properties that are written in the geometry element.
    private static let geometryWords = ["extrude", "tessellate", "altitudeMode"]

    /// Returns the document.
    ///
    /// Numbers, texts and Booleans have a type in a `Schema`; other values are JSON texts.
    ///
    /// - Parameter decimals: the maximum number of decimals of coordinates; `nil` for the shortest exact form.
    /// - Complexity: linear in the coordinates.
    static func write(_ collection: FeatureCollection, decimals: Int? = nil) -> [UInt8] {
        var output = XMLOutput()
        output.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        output.add(
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n<Document>\n"
        )
        output.element("name", collection.foreignMembers["name"])
        output.element("description", collection.foreignMembers["description"])
        var styles = KMLStyleSheet()
        for feature in collection.features { styles.add(feature, to: &output) }
        let fields = KMLFields(collection.features, isTaken: isElement)
        fields.write(to: &output)
        for link in collection.foreignMembers["networkLinks"]?.arrayValue ?? [] {
            guard let link = link.objectValue, let address = link["href"] else { continue }
            output.add("<NetworkLink>")
            output.element("name", link["name"])
            output.add("<visibility>0</visibility><Link>")
            output.element("href", address)
            output.add("</Link></NetworkLink>\n")
        }
        let toDegrees = try? CoordinateTransform(from: collection.effectiveCRS, to: .crs84)
        var open: [Substring] = []
        for feature in collection.features {
            let path = (feature.properties["folder"]?.stringValue ?? "").split(separator: "/")
            let shared = zip(open, path).prefix { $0 == $1 }.count
            for _ in open.dropFirst(shared) { output.add("</Folder>\n") }
            for name in path.dropFirst(shared) {
                output.add("<Folder>")
                output.element("name", .string(String(name)))
                output.add("\n")
            }
            open = path
            let shape = toDegrees.flatMap { transform in
                feature.geometry.map { transform.isIdentity ? $0 : $0.mapCoordinates { transform($0) ?? .nowhere } }
            }
            placemark(feature, shape, styles, fields, decimals, to: &output)
        }
        for _ in open { output.add("</Folder>\n") }
        output.add("</Document>\n</kml>\n")
        return output.bytes
    }

    /// Returns whether a property has a KML element.
    private static func isElement(_ property: Properties.Element) -> Bool {
        switch property.name {
        case "style", "folder", "coordinateProperties": return true
        case "name", "description", "address", "phoneNumber", "snippet", "time", "begin", "end", "extrude",
            "tessellate",
            "altitudeMode":
            return property.value.stringValue.map { !$0.isEmpty } ?? false
        default: return false
        }
    }

    private static func placemark(
        _ feature: Feature, _ shape: Geometry?, _ styles: KMLStyleSheet, _ fields: KMLFields, _ decimals: Int?,
        to output: inout XMLOutput
    ) {
        output.add("<Placemark")
        if let id = feature.id?.description, !id.isEmpty { output.attribute("id", id) }
        output.add(">")
        let properties = feature.properties
        func text(_ name: String) -> PropertyValue? { properties[name]?.stringValue.map { .string($0) } }
        output.element("name", text("name"))
        if styles.isHidden(feature) { output.add("<visibility>0</visibility>") }
        for (name, element) in elements.dropFirst() { output.element(element, text(name)) }
        if let time = text("time") {
            output.add("<TimeStamp>")
            output.element("when", time)
            output.add("</TimeStamp>")
        } else if text("begin") != nil || text("end") != nil {
            output.add("<TimeSpan>")
            output.element("begin", text("begin"))
            output.element("end", text("end"))
            output.add("</TimeSpan>")
        }
        if let id = styles.id(of: feature) { output.add("<styleUrl>#\(id)</styleUrl>") }
        fields.write(properties, isTaken: isElement, to: &output)
        if let shape, !shape.isEmpty {
            var words = XMLOutput()
            for name in geometryWords { words.element(name, text(name)) }
            let times = properties["coordinateProperties"]?.objectValue?["times"]?.arrayValue
            var writer = KMLGeometryWriter(decimals: decimals, words: words.bytes)
            writer.write(shape, times: times, to: &output)
        }
        output.add("</Placemark>\n")
    }
}

extension Coordinate {
    /// The replacement of a position that cannot be transformed.
    static let nowhere = Coordinate(x: .nan, y: .nan)
}

/// Writes KML geometries.
struct KMLGeometryWriter {
    let decimals: Int?
    /// The elements in the first geometry before its coordinates.
    private(set) var words: [UInt8]

    init(decimals: Int?, words: [UInt8]) {
        self.decimals = decimals
        self.words = words
    }

    /// Writes a geometry without positions that are not finite.
    ///
    /// - Parameter times: the times of its positions, a list for each of several parts.
    mutating func write(_ shape: Geometry, times: [PropertyValue]?, to output: inout XMLOutput) {
        switch shape.kind {
        case .point: element("Point", shape, 0..<shape.coordinates.count, to: &output)
        case .multiPoint:
            multi(&output) { writer, output in
                for index in shape.coordinates.indices {
                    writer.element("Point", shape, index..<(index + 1), to: &output)
                }
            }
        case .lineString:
            if let times, times.count == shape.coordinates.count, times.allSatisfy({ $0.arrayValue == nil }) {
                track(shape, shape.coordinates.indices, times, to: &output)
            } else {
                element("LineString", shape, shape.coordinates.indices, to: &output)
            }
        case .multiLineString:
            let lists = times?.compactMap(\.arrayValue) ?? []
            if !lists.isEmpty, lists.count == shape.parts.count,
                zip(lists, shape.parts).allSatisfy({ $0.count == $1.count })
            {
                output.add("<gx:MultiTrack>")
                for (part, list) in zip(shape.parts, lists) { track(shape, part.indices, list, to: &output) }
                output.add("</gx:MultiTrack>")
            } else {
                multi(&output) { writer, output in
                    for part in shape.parts { writer.element("LineString", shape, part.indices, to: &output) }
                }
            }
        case .polygon: polygon(shape, shape.parts, to: &output)
        case .multiPolygon:
            multi(&output) { writer, output in
                for rings in shape.polygons { writer.polygon(shape, rings, to: &output) }
            }
        case .collection:
            multi(&output) { writer, output in
                for child in shape.children { writer.write(child, times: nil, to: &output) }
            }
        }
    }

    private mutating func multi(
        _ output: inout XMLOutput, _ body: (inout KMLGeometryWriter, inout XMLOutput) -> Void
    ) {
        output.add("<MultiGeometry>")
        body(&self, &output)
        output.add("</MultiGeometry>")
    }

    private mutating func begin(_ name: String, to output: inout XMLOutput) {
        output.add("<\(name)>")
        output.add(String(decoding: words, as: UTF8.self))
        words = []
    }

    private mutating func element(_ name: String, _ shape: Geometry, _ range: Range<Int>, to output: inout XMLOutput) {
        begin(name, to: &output)
        coordinates(shape, range, to: &output)
        output.add("</\(name)>")
    }

    private mutating func polygon(_ shape: Geometry, _ rings: Geometry.Parts, to output: inout XMLOutput) {
        begin("Polygon", to: &output)
        for (number, ring) in rings.enumerated() {
            let border = number == 0 ? "outerBoundaryIs" : "innerBoundaryIs"
            output.add("<\(border)><LinearRing>")
            coordinates(shape, ring.indices, to: &output)
            output.add("</LinearRing></\(border)>")
        }
        output.add("</Polygon>")
    }

    private mutating func track(
        _ shape: Geometry, _ range: Range<Int>, _ times: [PropertyValue], to output: inout XMLOutput
    ) {
        begin("gx:Track", to: &output)
        for time in times {
            output.add("<when>")
            output.escaped(time.stringValue ?? "")
            output.add("</when>")
        }
        for index in range { output.add("<gx:coord>\(numbers(shape, index, between: " "))</gx:coord>") }
        output.add("</gx:Track>")
    }

    private func coordinates(_ shape: Geometry, _ range: Range<Int>, to output: inout XMLOutput) {
        output.add("<coordinates>")
        for index in range where shape.coordinates[index].isFinite {
            if index > range.lowerBound { output.add(" ") }
            if index > range.lowerBound, let middle = middle(of: shape.coordinates[index - 1], shape.coordinates[index])
            {
                output.add(middle + " ")
            }
            output.add(numbers(shape, index, between: ","))
        }
        output.add("</coordinates>")
    }

    /// Returns the midpoint of an edge that spans more than half a turn.
    ///
    /// Without it, KML would use the shorter direction.
    private func middle(of one: Coordinate, _ other: Coordinate) -> String? {
        guard abs(other.x - one.x) > 180, abs(other.x - one.x) < 360 else { return nil }
        let place = Coordinate(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
        let moved = AntimeridianCut.moved(place, by: -AntimeridianCut.window(of: place.x))
        return DecimalText.text(moved.x, decimals: decimals) + "," + DecimalText.text(moved.y, decimals: decimals)
    }

    private func numbers(_ shape: Geometry, _ index: Int, between mark: String) -> String {
        // Longitudes of KML end at 180 degrees.
        let own = shape.coordinates[index], place = AntimeridianCut.moved(own, by: -AntimeridianCut.window(of: own.x))
        let text = DecimalText.text(place.x, decimals: decimals) + mark + DecimalText.text(place.y, decimals: decimals)
        return shape.altitude(at: index).map { text + mark + DecimalText.text($0, decimals: decimals) } ?? text
    }
}

import PortolanFeatures
import PortolanGeo

/// Writes GPX 1.1.
enum GPXWriter {
    /// Returns the document: points as waypoints, lines as tracks, or as routes if their property `gpx` says so.
    ///
    /// - Complexity: linear in the coordinates.
    static func write(_ collection: FeatureCollection) -> [UInt8] {
        var output = XMLOutput()
        output.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        output.add("<gpx version=\"1.1\" creator=\"Portolan\" xmlns=\"http://www.topografix.com/GPX/1/1\"")
        output.add(" xmlns:ogr=\"\(GPXExtensions.propertyNamespace)\"")
        output.add(" xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\">\n")
        let members = collection.foreignMembers
        let said = ["name", "description", "author"].compactMap { members[$0]?.displayText }
        if !said.isEmpty {
            output.add(" <metadata>")
            output.element("name", members["name"])
            output.element("desc", members["description"])
            if let author = members["author"]?.displayText {
                output.add("<author>")
                output.element("name", .string(author))
                output.add("</author>")
            }
            output.add("</metadata>\n")
        }
        // The schema requires waypoints before routes, and routes before tracks.
        let toDegrees = try? CoordinateTransform(from: collection.effectiveCRS, to: .crs84)
        let shapes = collection.features.flatMap { feature in
            let isLine = ["rte", "trk"].contains(feature.properties["gpx"]?.stringValue)
            return Self.shapes(of: feature.geometry, toDegrees, isLine: isLine).map { (feature.properties, $0) }
        }
        for (properties, shape) in shapes where shape.isPoint {
            for index in shape.coordinates.indices { output.point("wpt", shape, index, properties: properties) }
        }
        func isRoute(_ properties: Properties, _ shape: Shape) -> Bool {
            properties["gpx"]?.stringValue == "rte" && shape.parts.count == 1
        }
        for (properties, shape) in shapes where !shape.isPoint && isRoute(properties, shape) {
            output.line("rte", properties) { output in
                for index in shape.coordinates.indices { output.point("rtept", shape, index) }
            }
        }
        for (properties, shape) in shapes where !shape.isPoint && !isRoute(properties, shape) {
            let columns = Self.columns(properties, parts: shape.parts)
            output.line("trk", properties) { output in
                for part in shape.parts {
                    output.add("  <trkseg>\n")
                    for index in part { output.point("trkpt", shape, index, properties: columns[index] ?? [:]) }
                    output.add("  </trkseg>\n")
                }
            }
        }
        output.add("</gpx>\n")
        return output.bytes
    }

    /// Points or lines, in degrees.
    fileprivate struct Shape {
        let isPoint: Bool
        let coordinates: [Coordinate]
        let altitudes: [Double?]
        let parts: [Range<Int>]
    }

    private static func shapes(
        of geometry: Geometry?, _ toDegrees: CoordinateTransform?, isLine: Bool = false
    ) -> [Shape] {
        guard let toDegrees else { return [] }
        guard let geometry else {
            // A route or track without a line is kept.
            return isLine ? [Shape(isPoint: false, coordinates: [], altitudes: [], parts: [])] : []
        }
        switch geometry.kind {
        case .polygon, .multiPolygon: return []
        case .collection: return geometry.children.flatMap { shapes(of: $0, toDegrees) }
        case .point, .multiPoint, .lineString, .multiLineString:
            let degrees = geometry.mapCoordinates { toDegrees.isIdentity ? $0 : toDegrees($0) ?? $0 }
            return [
                Shape(
                    isPoint: geometry.kind == .point || geometry.kind == .multiPoint,
                    coordinates: degrees.coordinates, altitudes: degrees.altitudes,
                    parts: degrees.parts.map { $0.indices })
            ]
        }
    }

    /// Returns the attributes of the points of a line, from the lists that the reader creates.
    private static func columns(_ properties: Properties, parts: [Range<Int>]) -> [Int: Properties] {
        var said: [Int: Properties] = [:]
        for column in properties["coordinateProperties"]?.objectValue ?? [:] {
            guard let lists = column.value.arrayValue else { continue }
            let name = column.name == "times" ? "time" : column.name
            for (number, part) in parts.enumerated() {
                let list = parts.count == 1 ? lists : number < lists.count ? lists[number].arrayValue ?? [] : []
                for (index, value) in zip(part, list) where value != .null { said[index, default: [:]][name] = value }
            }
        }
        return said
    }
}

/// The properties with GPX elements; other properties become extensions.
private enum GPXElements {
    /// Returns whether the element of a property preserves it exactly.
    static func hold(_ property: Properties.Element, of feature: Properties, in element: String) -> Bool {
        if element == "trkpt" { return property.name == "time" && isText(property.value) }
        let isPoint = element == "wpt"
        switch property.name {
        case "gpx": return true
        case "type": return property.value == (isPoint ? "poi" : "route")
        case "comment": return isText(property.value) && feature["description"] != nil
        case "name", "description", "source", "category": return isText(property.value)
        case "symbol", "time": return isPoint && isText(property.value)
        // Routes have no point attributes.
        case "coordinateProperties": return element == "trk"
        case "links":
            return property.value.arrayValue?.allSatisfy { link in
                link.objectValue?["href"]?.stringValue?.isEmpty == false
                    && link.objectValue?.allSatisfy { ["href", "text", "type"].contains($0.name) && isText($0.value) }
                        == true
            } == true
        default: return false
        }
    }

    private static func isText(_ value: PropertyValue) -> Bool {
        value.stringValue.map { !$0.isEmpty && $0.hasNoOuterBlanks } ?? false
    }
}

extension XMLOutput {
    fileprivate mutating func line(_ name: String, _ properties: Properties, _ points: (inout XMLOutput) -> Void) {
        add(" <\(name)>")
        words(properties)
        element("type", properties["category"])
        extensions(properties, in: name)
        add("\n")
        points(&self)
        add(" </\(name)>\n")
    }

    fileprivate mutating func point(
        _ name: String, _ shape: GPXWriter.Shape, _ index: Int, properties: Properties = [:]
    ) {
        let place = shape.coordinates[index]
        guard place.x.isFinite, place.y.isFinite else { return }
        add("  <\(name) lat=\"")
        decimal(place.y)
        add("\" lon=\"")
        // Longitudes of a track jump at the antimeridian.
        decimal(AntimeridianCut.moved(place, by: -AntimeridianCut.window(of: place.x)).x)
        add("\">")
        if index < shape.altitudes.count, let altitude = shape.altitudes[index], altitude.isFinite {
            add("<ele>")
            decimal(altitude)
            add("</ele>")
        }
        element("time", properties["time"])
        words(properties)
        element("sym", properties["symbol"])
        element("type", properties["category"])
        extensions(properties, in: name)
        add("</\(name)>\n")
    }

    /// Writes the properties without elements: Garmin's extensions for track points, and GDAL's for the others.
    private mutating func extensions(_ properties: Properties, in name: String) {
        let isTrackPoint = name == "trkpt"
        let own = properties.filter { !GPXElements.hold($0, of: properties, in: name) }
        guard !own.isEmpty else { return }
        // In the order of Garmin's schema.
        let garmin =
            isTrackPoint
            ? ["atemp", "wtemp", "depth", "hr", "cad"].filter { properties[$0]?.doubleValue != nil } : []
        add("<extensions>")
        if !garmin.isEmpty {
            add("<gpxtpx:TrackPointExtension>")
            for name in garmin { element("gpxtpx:\(name)", properties[name]) }
            add("</gpxtpx:TrackPointExtension>")
        }
        for property in own where !garmin.contains(property.name) {
            let isName = property.name.isXMLName
            add("<ogr:\(isName ? property.name : "property")")
            if !isName { attribute("name", property.name) }
            if let text = property.value.stringValue, text.hasNoOuterBlanks {
                add(">")
                escaped(text)
            } else {
                attribute("type", "json")
                add(">")
                escaped(String(decoding: GeoJSONWriter.json(property.value), as: UTF8.self))
            }
            add("</ogr:\(isName ? property.name : "property")>")
        }
        add("</extensions>")
    }

    /// Writes name, comment, description, source and links, in the order of the schema.
    private mutating func words(_ properties: Properties) {
        element("name", properties["name"] ?? properties["title"])
        element("cmt", properties["comment"])
        element("desc", properties["description"])
        element("src", properties["source"])
        for link in properties["links"]?.arrayValue ?? [] {
            guard let link = link.objectValue, let address = link["href"]?.stringValue else { continue }
            add("<link")
            attribute("href", address)
            add(">")
            element("text", link["text"])
            element("type", link["type"])
            add("</link>")
        }
    }
}

extension String {
    /// Whether the reader preserves the text exactly.
    fileprivate var hasNoOuterBlanks: Bool { first?.isWhitespace != true && last?.isWhitespace != true }

    /// Whether it is a valid element name, in ASCII only.
    fileprivate var isXMLName: Bool {
        guard let first = utf8.first, utf8.count <= 100, first == 95 || (first | 32) >= 97 && (first | 32) <= 122 else {
            return false
        }
        return utf8.allSatisfy { byte in
            (97...122).contains(byte | 32) || (48...57).contains(byte) || byte == 95 || byte == 45 || byte == 46
        }
    }
}

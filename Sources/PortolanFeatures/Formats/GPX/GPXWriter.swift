import PortolanGeo

/// Writes GPX 1.1.
enum GPXWriter {
    /// The document: points as way points, lines as tracks, or as routes where their property `gpx` says so.
    ///
    /// - Complexity: linear in the coordinates.
    static func write(_ collection: FeatureCollection) -> [UInt8] {
        var output = XMLOutput()
        output.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        output.add("<gpx version=\"1.1\" creator=\"Portolan\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
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
        // The schema wants way points before routes, and routes before tracks.
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
            let times = Self.times(properties, parts: shape.parts)
            output.line("trk", properties) { output in
                for part in shape.parts {
                    output.add("  <trkseg>\n")
                    for index in part { output.point("trkpt", shape, index, time: times[index]) }
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
            // A route or track without a line is one all the same.
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

    /// The times of the points of a line, from the lists in which reading leaves them.
    private static func times(_ properties: Properties, parts: [Range<Int>]) -> [Int: String] {
        guard let lists = properties["coordinateProperties"]?.objectValue?["times"]?.arrayValue else { return [:] }
        var times: [Int: String] = [:]
        for (number, part) in parts.enumerated() {
            let list = parts.count == 1 ? lists : number < lists.count ? lists[number].arrayValue ?? [] : []
            for (index, time) in zip(part, list) { times[index] = time.stringValue }
        }
        return times
    }
}

extension XMLOutput {
    fileprivate mutating func line(_ name: String, _ properties: Properties, _ points: (inout XMLOutput) -> Void) {
        add(" <\(name)>")
        words(properties)
        element("type", properties["category"])
        add("\n")
        points(&self)
        add(" </\(name)>\n")
    }

    fileprivate mutating func point(
        _ name: String, _ shape: GPXWriter.Shape, _ index: Int, time: String? = nil, properties: Properties = [:]
    ) {
        let place = shape.coordinates[index]
        guard place.x.isFinite, place.y.isFinite else { return }
        add("  <\(name) lat=\"")
        decimal(place.y)
        add("\" lon=\"")
        decimal(place.x)
        add("\">")
        if index < shape.altitudes.count, let altitude = shape.altitudes[index], altitude.isFinite {
            add("<ele>")
            decimal(altitude)
            add("</ele>")
        }
        element("time", time.map(PropertyValue.string) ?? properties["time"])
        words(properties)
        element("sym", properties["symbol"])
        element("type", properties["category"])
        add("</\(name)>\n")
    }

    /// Name, comment, description, source and links, in the order of the schema.
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

public import PortolanGeo

/// Writes GeoJSON according to RFC 7946: outer rings counterclockwise, holes clockwise, numbers in shortest decimal
/// form.
///
/// ```swift
/// let bytes = GeoJSONWriter.write(FeatureCollection(features: [feature]))
/// ```
///
/// Properties and foreign members keep their order. A `crs` member in the form of 2008 is written only if the
/// coordinates are not longitude and latitude on WGS 84. Coordinates that are not finite are omitted, and properties
/// that are not finite become `null`, since JSON cannot express them. Longitudes are limited to -180 to 180: lines and
/// areas across the antimeridian are cut there (``Geometry/cutAtAntimeridian(_:)``).
public enum GeoJSONWriter {
    /// Returns the document of a collection, in UTF-8 on one line.
    public static func write(_ collection: FeatureCollection) -> [UInt8] {
        var output = GeoJSONOutput(cutsAtAntimeridian: collection.effectiveCRS.isLongitudeLatitude)
        output.add("{\"type\":\"FeatureCollection\"")
        if let crs = collection.crs, crs != .crs84, crs != .epsg4326 {
            let parts = crs.name.split(separator: ":")
            output.add(",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":")
            output.string(parts.count == 2 ? "urn:ogc:def:crs:\(parts[0])::\(parts[1])" : crs.name)
            output.add("}}")
        }
        output.bounds(collection.declaredBounds)
        output.members(collection.foreignMembers, except: ["type", "crs", "bbox", "features"])
        output.add(",\"features\":[")
        for (index, feature) in collection.features.enumerated() {
            if index > 0 { output.add(",") }
            output.feature(feature)
        }
        output.add("]}")
        return output.bytes
    }

    /// Returns the document of one feature, in UTF-8 on one line.
    ///
    /// - Parameter crs: the CRS of its coordinates, which is not written.
    public static func write(_ feature: Feature, in crs: CRS = .crs84) -> [UInt8] {
        var output = GeoJSONOutput(cutsAtAntimeridian: crs.isLongitudeLatitude)
        output.feature(feature)
        return output.bytes
    }

    /// Returns the JSON of any value, in UTF-8 on one line.
    package static func json(_ value: PropertyValue) -> [UInt8] {
        var output = GeoJSONOutput(cutsAtAntimeridian: false)
        output.value(value)
        return output.bytes
    }

    /// Returns the document of a bare geometry, in UTF-8 on one line.
    ///
    /// - Parameter crs: the CRS of its coordinates, which is not written.
    public static func write(_ geometry: Geometry, in crs: CRS = .crs84) -> [UInt8] {
        var output = GeoJSONOutput(cutsAtAntimeridian: crs.isLongitudeLatitude)
        output.whole(geometry)
        return output.bytes
    }
}

extension Geometry.Kind {
    /// Creates the kind for a geometry type name of RFC 7946, or returns `nil` for other names.
    init?(geoJSONName: String) {
        guard let kind = Self.allCases.first(where: { $0.geoJSONName == geoJSONName }) else { return nil }
        self = kind
    }

    /// The value of a geometry's `type` member.
    package var geoJSONName: String {
        switch self {
        case .point: "Point"
        case .multiPoint: "MultiPoint"
        case .lineString: "LineString"
        case .multiLineString: "MultiLineString"
        case .polygon: "Polygon"
        case .multiPolygon: "MultiPolygon"
        case .collection: "GeometryCollection"
        }
    }
}

/// The bytes of a document during writing.
struct GeoJSONOutput {
    private(set) var bytes: [UInt8] = []
    /// Whether coordinates are longitudes and latitudes, which RFC 7946, section 3.1.9, limits to one world.
    private let cutsAtAntimeridian: Bool

    init(cutsAtAntimeridian: Bool) { self.cutsAtAntimeridian = cutsAtAntimeridian }

    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func feature(_ feature: Feature) {
        add("{\"type\":\"Feature\"")
        switch feature.id {
        case .string(let text):
            add(",\"id\":")
            string(text)
        case .integer, .number: add(",\"id\":\(feature.id?.description ?? "null")")
        case nil: break
        }
        bounds(feature.declaredBounds)
        add(",\"geometry\":")
        if let geometry = feature.geometry { whole(geometry) } else { add("null") }
        add(",\"properties\":")
        value(.object(feature.properties))
        members(feature.foreignMembers, except: ["type", "id", "bbox", "geometry", "properties"])
        add("}")
    }

    /// Writes a geometry that is not part of another.
    mutating func whole(_ geometry: Geometry) {
        self.geometry(cutsAtAntimeridian ? geometry.cutAtAntimeridian() : geometry)
    }

    private mutating func geometry(_ geometry: Geometry) {
        add("{\"type\":\"\(geometry.kind.geoJSONName)\",")
        guard geometry.kind != .collection else {
            add("\"geometries\":[")
            for (index, child) in geometry.children.enumerated() {
                if index > 0 { add(",") }
                self.geometry(child)
            }
            add("]}")
            return
        }
        add("\"coordinates\":")
        switch geometry.kind {
        case .point: if geometry.isEmpty { add("[]") } else { position(geometry, 0) }
        case .multiPoint, .lineString: positions(geometry, 0..<geometry.coordinates.count)
        case .multiLineString: parts(geometry, geometry.parts, areRings: false)
        case .polygon: parts(geometry, geometry.parts, areRings: true)
        case .multiPolygon:
            add("[")
            for (index, rings) in geometry.polygons.enumerated() {
                if index > 0 { add(",") }
                parts(geometry, rings, areRings: true)
            }
            add("]")
        case .collection: break
        }
        add("}")
    }

    private mutating func parts(_ geometry: Geometry, _ parts: Geometry.Parts, areRings: Bool) {
        add("[")
        for (index, part) in parts.enumerated() {
            if index > 0 { add(",") }
            // RFC 7946, section 3.1.6: outer rings are counterclockwise, holes clockwise.
            if areRings, part.doubledRingArea * (index == 0 ? 1 : -1) < 0 {
                positions(geometry, part.indices.reversed())
            } else {
                positions(geometry, part.indices)
            }
        }
        add("]")
    }

    private mutating func positions(_ geometry: Geometry, _ indices: some Sequence<Int>) {
        add("[")
        var isFirst = true
        for index in indices where geometry.coordinates[index].isFinite {
            if !isFirst { add(",") }
            isFirst = false
            position(geometry, index)
        }
        add("]")
    }

    private mutating func position(_ geometry: Geometry, _ index: Int) {
        let coordinate = geometry.coordinates[index]
        guard coordinate.isFinite else { return add("[]") }
        add("[\(JSONNumber.text(coordinate.x)),\(JSONNumber.text(coordinate.y))")
        if !geometry.altitudes.isEmpty, let altitude = geometry.altitudes[index], altitude.isFinite {
            add(",\(JSONNumber.text(altitude))")
        }
        add("]")
    }

    mutating func bounds(_ bounds: FeatureCollection.DeclaredBounds?) {
        guard var bounds else { return }
        if cutsAtAntimeridian { bounds.moveIntoOurWorld() }
        var numbers = [bounds.west, bounds.south]
        if let altitudes = bounds.altitudes { numbers.append(altitudes.lowerBound) }
        numbers += [bounds.east, bounds.north]
        if let altitudes = bounds.altitudes { numbers.append(altitudes.upperBound) }
        add(",\"bbox\":[\(numbers.map(JSONNumber.text).joined(separator: ","))]")
    }

    /// Writes foreign members, each after a comma.
    mutating func members(_ members: Properties, except reserved: [String]) {
        for element in members where !reserved.contains(element.name) {
            add(",")
            string(element.name)
            add(":")
            value(element.value)
        }
    }

    mutating func value(_ value: PropertyValue) {
        switch value {
        case .null: add("null")
        case .bool(let flag): add(flag ? "true" : "false")
        case .integer(let number): add(String(number))
        // The `.0` is kept, so that the value is read back as the same type of number.
        case .number(let number): add(number.isFinite ? number.description : "null")
        case .string(let text): string(text)
        case .array(let values):
            add("[")
            for (index, item) in values.enumerated() {
                if index > 0 { add(",") }
                self.value(item)
            }
            add("]")
        case .object(let properties):
            add("{")
            for (index, element) in properties.enumerated() {
                if index > 0 { add(",") }
                string(element.name)
                add(":")
                self.value(element.value)
            }
            add("}")
        }
    }

    mutating func string(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22: add("\\\"")
            case 0x5C: add("\\\\")
            case 0x0A: add("\\n")
            case 0x0D: add("\\r")
            case 0x09: add("\\t")
            case ..<0x20:
                let digits = String(byte, radix: 16)
                add("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}

extension FeatureCollection.DeclaredBounds {
    /// Moves both sides to between -180 and 180 degrees.
    ///
    /// If the antimeridian is between them, west is then greater than east (RFC 7946, section 5.2).
    fileprivate mutating func moveIntoOurWorld() {
        guard max(abs(west), abs(east)) > 180, east >= west else { return }
        if east - west >= 360 {
            (west, east) = (-180, 180)
        } else {
            west -= AntimeridianCut.window(of: west) * 360
            east -= AntimeridianCut.window(of: east) * 360
            // A box that ends at the antimeridian is on one side of it.
            if east == -180, west != -180 { east = 180 }
            if west == 180, east != 180 { west = -180 }
        }
    }
}

public import PortolanFeatures
import PortolanGeo

extension CSVFormat {
    /// Writes a table with a row for each feature, in the form that ``read(_:limits:)`` reads.
    ///
    /// Points have their coordinates in columns (`longitude`, `latitude` and, if one has it, `altitude`; `x`, `y` in a
    /// projected CRS). If there are
    /// other geometries, all are well-known text in the column `wkt`. Identifiers are in the column `id`; arrays and
    /// objects are JSON. The table names no CRS; coordinates are in that of the collection.
    public func write(_ collection: FeatureCollection) -> [UInt8]? {
        let shapes = collection.features.compactMap(\.geometry)
        let isOfPoints = shapes.allSatisfy { $0.kind == .point && !$0.isEmpty }
        let hasAltitudes = isOfPoints && shapes.contains { ($0.altitudes.first ?? nil) != nil }
        let isInDegrees = collection.crs?.isGeographic ?? true
        var places = isOfPoints ? isInDegrees ? ["longitude", "latitude"] : ["x", "y"] : ["wkt"]
        if hasAltitudes { places.append("altitude") }
        var names: [String] = [], known = Set(places)
        if collection.features.contains(where: { $0.id != nil }) {
            known.insert("id")
            names.append("id")
        }
        for feature in collection.features {
            for property in feature.properties where known.insert(property.name).inserted {
                names.append(property.name)
            }
        }
        var bytes: [UInt8] = []
        func add(_ row: [String]) {
            for (index, value) in row.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(value, to: &bytes)
            }
            // A blank line would not be a row.
            if row.count == 1, row[0].isEmpty { bytes.append(contentsOf: [0x22, 0x22]) }
            bytes.append(0x0A)
        }
        add(places + names)
        for feature in collection.features {
            var row: [String]
            if isOfPoints {
                let place = feature.geometry?.coordinates.first
                row = [place.map { JSONNumber.text($0.x) } ?? "", place.map { JSONNumber.text($0.y) } ?? ""]
                if hasAltitudes { row.append((feature.geometry?.altitudes.first ?? nil).map(JSONNumber.text) ?? "") }
            } else {
                row = [feature.geometry.map { WKT.write(EncodedGeometry($0)) } ?? ""]
            }
            row += names.map { name in
                if name == "id", let id = feature.id { return id.description }
                return feature.properties[name].map(Self.text) ?? ""
            }
            add(row)
        }
        return bytes
    }

    private static func text(_ value: PropertyValue) -> String {
        switch value {
        case .null: ""
        case .array, .object: String(decoding: GeoJSONWriter.json(value), as: UTF8.self)
        case .string, .integer, .number, .bool: value.displayText ?? ""
        }
    }

    /// Appends a value, in quotes if it contains a separator, quote or line break, or starts or ends with white space.
    private static func append(_ value: String, to bytes: inout [UInt8]) {
        let text = value.utf8
        let isPlain =
            !text.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D, 0x09, 0x7C].contains($0) } && text.first != 0x20
            && text.last != 0x20
        guard !isPlain else { return bytes.append(contentsOf: text) }
        bytes.append(0x22)
        for byte in text {
            if byte == 0x22 { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}

package import PortolanFeatures
package import PortolanServices
import PortolanWeb

/// The metadata of an MBTiles file (MBTiles 1.3, section "Metadata"), or those of a PMTiles archive.
package struct MBTilesMetadata: Hashable, Sendable {
    /// The name of the tiles.
    package var name: String
    /// The format: `png`, `jpg`, `webp`, or a media type.
    package var format: String
    /// West, south, east and north of the tiles in degrees, or `nil` if missing or invalid.
    package var bounds: [Double]?
    /// The levels.
    package var levels: ClosedRange<Int>?
    /// The attribution, or `nil`.
    package var attribution: String?
    /// The layers of vector tiles; empty if they are not listed.
    package var vectorLayers: [VectorLayerDescription] = []
    /// Further members that are written, such as the program that made the tiles.
    package var others: Properties = [:]

    /// Whether the tiles are vector tiles.
    package var isVector: Bool { ["pbf", "mvt", "mlt", "vector-tile"].contains { format.contains($0) } }
    /// Whether the tiles are MapLibre tiles.
    package var isMLT: Bool { format.contains("mlt") || format.contains("maplibre") }

    /// Creates metadata.
    package init(
        name: String, format: String, bounds: [Double]? = nil, levels: ClosedRange<Int>? = nil,
        attribution: String? = nil, vectorLayers: [VectorLayerDescription] = []
    ) {
        self.vectorLayers = vectorLayers
        self.name = name
        self.format = format
        self.bounds = bounds
        self.levels = levels
        self.attribution = attribution
    }

    /// Parses the rows of the table `metadata`; invalid values count as missing.
    package init(rows: [String: String]) {
        let bounds = rows["bounds"]?.split(separator: ",", omittingEmptySubsequences: false).compactMap {
            Double($0.trimmed)
        }
        if let bounds, bounds.count == 4, bounds.allSatisfy(\.isFinite), bounds[0] < bounds[2], bounds[1] < bounds[3],
            abs(bounds[1]) <= 90, abs(bounds[3]) <= 90, abs(bounds[0]) <= 360, abs(bounds[2]) <= 360
        {
            self.bounds = bounds
        }
        let levels = ["minzoom", "maxzoom"].map { rows[$0].flatMap { Int($0[...].trimmed) } }
        if let first = levels[0], let last = levels[1], 0 <= first, first <= last, last <= 30 {
            self.levels = first...last
        }
        name = rows["name"] ?? ""
        format = (rows["format"] ?? "").lowercased()
        attribution = rows["attribution"].flatMap { $0.isEmpty ? nil : $0 }
        if let json = rows["json"], let value = try? JSONReader.value(bytes: Array(json.utf8)) {
            vectorLayers = VectorLayerDescription.read(value.objectValue?["vector_layers"])
        }
    }

    /// The rows of the table.
    package var rows: [(name: String, value: String)] {
        var rows = [("name", name), ("format", format), ("type", "baselayer"), ("version", "1.3")]
        if isVector {
            let members: Properties = ["vector_layers": .array(vectorLayers.map(\.value))]
            rows.append(("json", String(decoding: GeoJSONWriter.json(.object(members)), as: UTF8.self)))
        }
        if let bounds { rows.append(("bounds", bounds.map { "\($0)" }.joined(separator: ","))) }
        if let levels {
            rows.append(("minzoom", "\(levels.lowerBound)"))
            rows.append(("maxzoom", "\(levels.upperBound)"))
        }
        // The initial view of a viewer: the centre at a middle level, as MBTiles 1.3 requires of writers.
        if let bounds, bounds.count == 4, let levels {
            let middle = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2].map { ($0 * 1e6).rounded() / 1e6 }
            rows.append(("center", "\(middle[0]),\(middle[1]),\((levels.lowerBound + levels.upperBound) / 2)"))
        }
        if let attribution { rows.append(("attribution", attribution)) }
        for member in others {
            rows.append(
                (
                    member.name,
                    member.value.stringValue ?? String(decoding: GeoJSONWriter.json(member.value), as: UTF8.self)
                ))
        }
        return rows.map { (name: $0.0, value: $0.1) }
    }
}

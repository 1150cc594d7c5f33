package import PortolanFeatures
import PortolanGeo
public import PortolanWeb

/// A document that describes tiles by a URL template (TileJSON 1.0 to 3.0).
public struct TileJSONDocument: Hashable, Sendable {
    /// The name of the tiles, or an empty string.
    public let name: String
    /// The description, or `nil`.
    public let description: String?
    /// The attribution, or `nil`.
    public let attribution: String?
    /// The parts of the attribution that lead to pages.
    package let attributionLinks: [AttributionLink]
    /// The URL templates as written; each serves all tiles.
    public let tiles: [String]
    /// Whether rows are counted from the bottom (`"scheme": "tms"`).
    public let countsFromBottom: Bool
    /// The available zoom levels.
    public let levels: ClosedRange<Int>
    /// West, south, east and north of the tiles in degrees, or `nil` if not stated.
    public let bounds: [Double]?
    /// The side length of a tile in pixels, or `nil` if not stated.
    ///
    /// The specification has no member for it.
    public let tileSize: Int?
    /// Whether the tiles are vector tiles.
    public let isVector: Bool
    /// The layers in tiles of vector data, in the order of the document; empty if the document does not list them.
    public let vectorLayers: [VectorLayerDescription]
    /// The encoding of vector data, such as `mlt`, or `nil` if the document does not state it.
    public let encoding: String?
    /// Warnings about the document.
    public let warnings: [MapWarning]

    /// Reads the members of a document, or returns `nil` if it has no tiles.
    package init?(_ members: Properties) {
        var notes = ReaderNotes()
        let tiles = (members["tiles"]?.arrayValue ?? []).prefix(100).compactMap { $0.stringValue?.trimmingSpace() }
        guard !tiles.isEmpty, members["tilejson"] != nil || tiles.contains(where: XYZTemplate.isTemplate) else {
            return nil
        }
        self.tiles = Array(tiles)
        func text(_ name: String) -> String? {
            members[name]?.stringValue.map { ReadableText.line(MarkupText($0).summary, limit: 2000) }
                .flatMap { $0.isEmpty ? nil : $0 }
        }
        name = text("name") ?? ""
        description = text("description")
        attribution = text("attribution")
        attributionLinks = members["attribution"]?.stringValue.map { MarkupText($0).links } ?? []
        countsFromBottom = members["scheme"]?.stringValue?.lowercased() == "tms"
        func level(_ name: String, _ usual: Int) -> Int {
            guard let value = members[name] else { return usual }
            // Some services write numbers as texts, and levels with a fraction.
            let number = value.doubleValue ?? value.stringValue.flatMap(Double.init)
            guard let number, number.isFinite, (0...30).contains(number.rounded(.down)) else {
                notes.add("\(name) is not a level from 0 to 30; using \(usual)")
                return usual
            }
            return Int(number.rounded(.down))
        }
        let first = level("minzoom", 0), last = level("maxzoom", 30)
        if first > last { notes.add("maxzoom is less than minzoom; using levels from \(first)") }
        levels = first...(first > last ? 30 : last)
        let sides = members["bounds"]?.arrayValue?.compactMap(\.doubleValue)
        bounds = sides.flatMap { GeographicBounds($0) == nil ? nil : $0 }
        if members["bounds"] != nil, bounds == nil {
            notes.add("bounds must be west, south, east and north in degrees; requesting tiles everywhere")
        }
        let size = members["tileSize"] ?? members["tilesize"] ?? members["tile_size"]
        tileSize = size?.integerValue.flatMap { (1...4096).contains($0) ? $0 : nil }
        let format = members["format"]?.stringValue?.lowercased() ?? ""
        let ends = tiles.allSatisfy { template in
            let path = template.prefix { $0 != "?" && $0 != "#" }.lowercased()
            return [".pbf", ".mvt", ".mlt"].contains { path.hasSuffix($0) }
        }
        vectorLayers = VectorLayerDescription.read(members["vector_layers"])
        encoding = members["encoding"]?.stringValue?.lowercased() ?? (format.contains("mlt") ? "mlt" : nil)
        // A raster source may list the layers that it was drawn from.
        let isImage = ["png", "jpg", "jpeg", "webp", "gif", "avif"].contains(format)
        isVector =
            ["pbf", "mvt", "mlt"].contains { format.contains($0) } || ends || !vectorLayers.isEmpty && !isImage
        warnings = notes.warnings
    }
}

import Portolan
import PortolanFeatures
import PortolanServices
import PortolanWeb

/// The contents of a JSON tile document (TileJSON, an OGC API tile set or an ArcGIS service), for text and JSON.
struct TileDocumentInfo: InfoDocument, Encodable {
    struct Layer: Encodable {
        var name: String
        var title: String
    }

    struct TileSet: Encodable {
        var name: String
        var crs: String?
        /// `map`, `vector` or `coverage`, or `nil`.
        var dataType: String?
    }

    /// `TileJSON`, `OGC API - Tiles`, `ArcGIS MapServer` or `ArcGIS ImageServer`.
    var type: String
    var version: String?
    var title: String
    var abstract: String?
    var attribution: String?
    /// The URL templates.
    var tiles: [String]?
    /// The first and the last level.
    var levels: [Int]?
    /// West, south, east, north in degrees.
    var bounds: [Double]?
    /// The CRS of tiles or maps.
    var crs: String?
    /// The extent in units of the CRS.
    var extent: [Double]?
    /// Units per pixel of the levels, coarsest first.
    var resolutions: [Double]?
    var tileSize: [Int]?
    var tileSets: [TileSet]?
    var layers: [Layer]?
    var vectorLayers: [ArchiveInfo.VectorLayer]?
    var formats: [String]?
    /// The layer notation that draws it.
    var layer: String?
    var warnings: [String] = []
    /// The table of the layers of vector tiles.
    private var vectorTable = ""

    private enum CodingKeys: String, CodingKey {
        case type, version, title, abstract, attribution, tiles, levels, bounds, crs, extent, resolutions, tileSize
        case tileSets, layers, vectorLayers, formats, layer, warnings
    }

    init(_ tiles: TileJSONDocument, at url: String) {
        type = "TileJSON"
        title = tiles.name
        abstract = tiles.description
        attribution = tiles.attribution
        self.tiles = tiles.tiles
        levels = [tiles.levels.lowerBound, tiles.levels.upperBound]
        bounds = tiles.bounds
        crs = "EPSG:3857"
        tileSize = tiles.tileSize.map { [$0, $0] }
        layer = (tiles.isVector ? "vector:" : "tilejson:") + url
        warnings = tiles.warnings.map(\.description)
        guard tiles.isVector else { return }
        formats = ["vector tiles"]
        vectorLayers = tiles.vectorLayers.map { ArchiveInfo.VectorLayer($0) }
        vectorTable = ArchiveInfo.VectorLayer.table(tiles.vectorLayers)
    }

    init(_ service: ArcGISService, at url: String) {
        type = service.isImageService ? "ArcGIS ImageServer" : "ArcGIS MapServer"
        version = service.version
        title = service.title
        abstract = service.description
        attribution = service.attribution
        crs = service.crs?.name
        extent = service.extent.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
        resolutions = service.grid?.matrices.map(\.resolution.unitsPerPixel)
        tileSize = service.grid?.matrices.first.map { [$0.tileWidth, $0.tileHeight] }
        layers = service.layers.map { Layer(name: String($0.number), title: $0.name) }
        formats = service.formats
        layer = service.grid != nil || service.exports ? "arcgis:\(url.prefix { $0 != "?" })" : nil
        warnings = service.warnings.map(\.description)
    }

    init(_ sets: [OGCAPITileset], at url: String) {
        type = "OGC API - Tiles"
        title = sets.count == 1 ? sets[0].title : ""
        tileSets = sets.map { set in
            let crs = set.crsName.map { name in (try? CRS(name))?.name ?? name }
            return TileSet(name: set.matrixSet ?? set.title, crs: crs, dataType: set.dataType)
        }
        crs = sets.count == 1 ? tileSets?.first?.crs : nil
        layer = "oat:\(url)"
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = title.isEmpty ? "" : "\(PlainText.oneLine(title))\n"
        text += "\(type)\(version.map { " " + PlainText.oneLine($0) } ?? "")\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\n"
        func line(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            text += name + String(repeating: " ", count: 10 - name.count) + PlainText.oneLine(value) + "\n"
        }
        func sides(_ numbers: [Double]?) -> String? { numbers?.map(InfoText.short).joined(separator: " ") }
        line("Tiles", tiles?.joined(separator: ", "))
        line("Levels", levels.map { "\($0[0]) – \($0[1])" })
        line("Bounds", sides(bounds))
        line("CRS", crs)
        line("Extent", sides(extent))
        line("Pixels", tileSize.map { "\($0[0])x\($0[1])" })
        if let resolutions, let first = resolutions.first, let last = resolutions.last {
            line(
                "Units",
                "\(InfoText.significant(first)) – \(InfoText.significant(last)) a pixel, \(resolutions.count) levels")
        }
        line("Formats", formats?.joined(separator: ", "))
        line("Credit", attribution)
        line("Layer", layer.map { "-l '\($0)'" })
        if let tileSets {
            text +=
                "\n"
                + TextTable.text(
                    [["TILE SET", "CRS", "DATA"]] + tileSets.map { [$0.name, $0.crs ?? "", $0.dataType ?? ""] })
        }
        if let layers, !layers.isEmpty {
            text += "\n" + TextTable.text([["LAYER", "TITLE"]] + layers.map { [$0.name, $0.title] })
        }
        text += vectorTable
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }
}

extension TileDocumentInfo {
    /// The contents of the tile document at a URL, or `nil`.
    static func asking(_ url: String, client: ServiceClient) async -> TileDocumentInfo? {
        guard let (document, _) = try? await client.tileDocument(at: url) else { return nil }
        return switch document {
        case .tileJSON(let tiles): TileDocumentInfo(tiles, at: url)
        case .arcGIS(let service): TileDocumentInfo(service, at: url)
        case .tilesets(let sets, _): TileDocumentInfo(sets, at: url)
        case .tileset(let set): TileDocumentInfo([set], at: url)
        }
    }

    /// Whether a URL looks like an ArcGIS service.
    static func isLikely(at url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.contains("/rest/services/") && ["/mapserver", "/imageserver"].contains { path.contains($0) }
    }

    /// The contents of a document, or `nil` if it is not a tile document.
    static func reading(_ bytes: [UInt8], from source: String) -> TileDocumentInfo? {
        guard let kind = AnswerKind(recognizing: bytes), [.tileJSON, .arcGIS].contains(kind),
            let members = try? JSONReader.value(bytes: bytes).objectValue
        else { return nil }
        if let tiles = TileJSONDocument(members) { return TileDocumentInfo(tiles, at: source) }
        return ArcGISService(members, isImageService: source.lowercased().contains("/imageserver")).map {
            TileDocumentInfo($0, at: source)
        }
    }
}

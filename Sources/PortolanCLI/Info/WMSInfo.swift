import Portolan
import PortolanServices

/// What a WMS offers, for people and scripts.
struct WMSInfo: InfoDocument, Encodable {
    struct Layer: Encodable {
        var name: String?
        var title: String
        var depth: Int
        var crs: [String]
        /// West, south, east, north in degrees.
        var geographicBox: [Double]?
        var styles: [String]
        var minScaleDenominator: Double?
        var maxScaleDenominator: Double?
        var queryable: Bool
        var opaque: Bool
        var attribution: String?
    }

    struct TileSet: Encodable {
        var layers: [String]
        var styles: [String]
        var crs: String
        var format: String
        var tileSize: [Int]
        var extent: [Double]?
        var resolutions: [Double]
    }

    var type = "WMS"
    var version: String
    var title: String
    var abstract: String?
    var accessConstraints: String?
    var formats: [String]
    /// The largest image it makes, in pixels.
    var maxWidth: Int?
    var maxHeight: Int?
    var getMapURL: String?
    var layers: [Layer]
    var tileSets: [TileSet]
    var warnings: [String]

    init(_ capabilities: WMSCapabilities, tileSets: [WMSCTileSet]?) {
        version = capabilities.versionText
        title = capabilities.service.title
        abstract = capabilities.service.abstract
        accessConstraints = capabilities.service.accessConstraints
        formats = capabilities.getMap?.formats.map(\.verbatim) ?? []
        maxWidth = capabilities.service.maxWidth
        maxHeight = capabilities.service.maxHeight
        getMapURL = capabilities.getMap?.getURL
        layers = []
        self.tileSets = (tileSets ?? capabilities.tileSets).map(TileSet.init)
        warnings = capabilities.warnings
        for layer in capabilities.layers { add(layer, depth: 0) }
    }

    private mutating func add(_ layer: WMSLayer, depth: Int) {
        layers.append(
            Layer(
                name: layer.name, title: layer.title, depth: depth, crs: layer.crsNames,
                geographicBox: layer.geographicBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] },
                styles: layer.styles.map(\.name), minScaleDenominator: layer.minScaleDenominator,
                maxScaleDenominator: layer.maxScaleDenominator, queryable: layer.isQueryable, opaque: layer.isOpaque,
                attribution: layer.attribution?.title))
        for child in layer.children { add(child, depth: depth + 1) }
    }

    /// The systems that all layers can be had in.
    private var commonSystems: [String] {
        let named = layers.filter { $0.name != nil }
        var seen: Set<String> = []
        return (named.first ?? layers.first)?.crs.filter { system in
            seen.insert(system).inserted && named.allSatisfy { $0.crs.contains(system) }
        } ?? []
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "\(PlainText.oneLine(title))\nWMS \(version)\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\nFormats   \(formats.joined(separator: ", "))\n"
        let common = commonSystems
        if !common.isEmpty { text += "CRS       \(Self.some(common))\n" }
        if let width = maxWidth, let height = maxHeight { text += "Largest   \(width)x\(height) pixels\n" }
        if let getMapURL { text += "Address   \(PlainText.oneLine(getMapURL))\n" }
        if let accessConstraints, accessConstraints.lowercased() != "none" {
            text += "Terms     \(PlainText.oneLine(accessConstraints))\n"
        }
        text += "\n"
        var rows = [["LAYER", "TITLE", "EXTENT (DEGREES)", "STYLES", "SCALES"]]
        for layer in layers {
            let indent = String(repeating: "  ", count: layer.depth)
            rows.append([
                indent + (layer.name ?? "–"), layer.title, layer.geographicBox.map(Self.box) ?? "",
                layer.styles.joined(separator: ", "), Self.scales(layer),
            ])
        }
        text += TextTable.text(rows)
        if !tileSets.isEmpty {
            text += "\n"
            var rows = [["TILE SET", "CRS", "FORMAT", "TILE", "LEVELS", "RESOLUTIONS"]]
            for set in tileSets {
                let ends = set.resolutions.max().flatMap { high in set.resolutions.min().map { (high, $0) } }
                rows.append([
                    set.layers.joined(separator: ","), set.crs, set.format,
                    set.tileSize.map(String.init).joined(separator: "x"), String(set.resolutions.count),
                    ends.map { "\(InfoText.significant($0.0)) – \(InfoText.significant($0.1))" } ?? "",
                ])
            }
            text += TextTable.text(rows)
        }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }

    private static func box(_ sides: [Double]) -> String { sides.map(InfoText.short).joined(separator: " ") }

    private static func scales(_ layer: Layer) -> String {
        switch (layer.minScaleDenominator, layer.maxScaleDenominator) {
        case (nil, nil): ""
        case (let low?, nil): "from 1:\(InfoText.short(low))"
        case (nil, let high?): "to 1:\(InfoText.short(high))"
        case (let low?, let high?): "1:\(InfoText.short(low)) – 1:\(InfoText.short(high))"
        }
    }

    /// As many as fit on a line; the JSON has all.
    private static func some(_ names: [String]) -> String {
        let shown = names.prefix(12).joined(separator: ", ")
        return PlainText.oneLine(names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown)
    }
}

extension WMSInfo.TileSet {
    init(_ set: WMSCTileSet) {
        self.init(
            layers: set.layers, styles: set.styles, crs: set.crsName, format: set.format,
            tileSize: [set.tileWidth, set.tileHeight],
            extent: set.extent.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] },
            resolutions: set.resolutions.map(\.unitsPerPixel))
    }
}

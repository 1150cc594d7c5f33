import Portolan
import PortolanServices

/// The offer of a WMS, for text and JSON.
struct WMSInfo: InfoDocument, Encodable {
    struct Layer: Encodable {
        var name: String?
        var title: String
        var depth: Int
        /// The CRSs that the layer adds to those of its parent.
        var crs: [String]
        /// West, south, east, north in degrees.
        var geographicBox: [Double]?
        var styles: [String]
        var minScaleDenominator: Double?
        var maxScaleDenominator: Double?
        var queryable: Bool
        var opaque: Bool
        var attribution: String?
        /// Including those of its parents.
        var dimensions: [Dimension]
    }

    struct Dimension: Encodable {
        var name: String
        /// The request parameter, for the layer key `params.…`.
        var parameter: String
        var units: String
        var unitSymbol: String?
        var `default`: String?
        /// Single values, and ranges as `first/last/step`.
        var values: [String]
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
    /// The largest image size in pixels.
    var maxWidth: Int?
    var maxHeight: Int?
    var getMapURL: String?
    /// The CRSs common to all named layers.
    var crs: [String]
    var layers: [Layer]
    var tileSets: [TileSet]
    var warnings: [String]
    private var dimensionLength = 0

    private enum CodingKeys: String, CodingKey {
        case type, version, title, abstract, accessConstraints, formats, maxWidth, maxHeight, getMapURL, crs, layers
        case tileSets, warnings
    }

    init(_ capabilities: WMSCapabilities, tileSets: [WMSCTileSet]?) {
        version = capabilities.versionText
        title = capabilities.service.title
        abstract = capabilities.service.abstract
        accessConstraints = capabilities.service.accessConstraints
        formats = capabilities.getMap?.formats.map(\.verbatim) ?? []
        maxWidth = capabilities.service.maxWidth
        maxHeight = capabilities.service.maxHeight
        getMapURL = capabilities.getMap?.getURL
        crs = Self.commonSystems(of: capabilities.layers)
        layers = []
        self.tileSets = (tileSets ?? capabilities.tileSets).map(TileSet.init)
        warnings = capabilities.warnings.map(\.description)
        for layer in capabilities.layers { add(layer, inherited: 0, depth: 0) }
    }

    /// - Parameter inherited: the number of the layer's CRSs that are inherited; they come first.
    private mutating func add(_ layer: WMSCapabilities.Layer, inherited: Int, depth: Int) {
        layers.append(
            Layer(
                name: layer.name, title: layer.title, depth: depth,
                crs: Array(layer.crsNames(besides: inherited)),
                geographicBox: layer.geographicBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] },
                styles: layer.styles.map(\.name), minScaleDenominator: layer.minScaleDenominator,
                maxScaleDenominator: layer.maxScaleDenominator, queryable: layer.isQueryable, opaque: layer.isOpaque,
                attribution: layer.attribution?.title, dimensions: layer.dimensions.map { dimension($0) }))
        for child in layer.children { add(child, inherited: layer.crsNames.count, depth: depth + 1) }
    }

    private mutating func dimension(_ dimension: WMSCapabilities.Dimension) -> Dimension {
        // Thousands of layers may inherit thousands of values.
        dimensionLength += dimension.values.utf8.count
        let isListed = dimensionLength <= Self.dimensionLimit
        if !isListed, !warnings.contains(Self.dimensionNote) { warnings.append(Self.dimensionNote) }
        return Dimension(
            name: dimension.name, parameter: dimension.parameterName, units: dimension.units,
            unitSymbol: dimension.unitSymbol, default: dimension.defaultValue,
            values: isListed
                ? dimension.values.split(separator: ",").map { String($0).trimmingSpace() } : [])
    }

    /// The size limit of listed dimension values in bytes.
    private static let dimensionLimit = 16 << 20
    private static let dimensionNote = "more dimension values than listed"

    /// The CRSs common to all named layers, in the order of the first.
    ///
    /// - Complexity: linear in the document, in which lists of thousands of systems are inherited by thousands of layers.
    private static func commonSystems(of layers: [WMSCapabilities.Layer]) -> [String] {
        guard let common = common(of: layers, inherited: 0), let first = firstNamed(among: layers) ?? layers.first
        else {
            return layers.first?.crsNames ?? []
        }
        return first.crsNames.filter(common.contains)
    }

    /// The CRSs that all named layers in and below some layers share, besides the inherited ones; `nil` if none has a
    /// name.
    private static func common(of layers: [WMSCapabilities.Layer], inherited: Int) -> Set<String>? {
        layers.reduce(nil as Set<String>?) { known, layer in
            let own = layer.crsNames(besides: inherited)
            let under: Set<String>?
            if layer.name != nil {
                under = Set(own)
            } else {
                under = common(of: layer.children, inherited: layer.crsNames.count).map { $0.union(own) }
            }
            guard let under else { return known }
            return known?.intersection(under) ?? under
        }
    }

    private static func firstNamed(among layers: [WMSCapabilities.Layer]) -> WMSCapabilities.Layer? {
        for layer in layers {
            if layer.name != nil { return layer }
            if let found = firstNamed(among: layer.children) { return found }
        }
        return nil
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "\(PlainText.oneLine(title))\nWMS \(version)\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\nFormats   \(formats.joined(separator: ", "))\n"
        if !crs.isEmpty { text += "CRS       \(Self.some(crs))\n" }
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
        text += InfoText.dimensions(
            layers.filter { $0.name != nil }.map { layer in
                (layer.name ?? "", layer.dimensions.map { ($0.name, $0.units, $0.default, $0.values) })
            })
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

import Portolan
import PortolanServices

/// The offer of a WMTS, for text and JSON.
struct WMTSInfo: InfoDocument, Encodable {
    struct Layer: Encodable {
        var name: String
        var title: String
        /// West, south, east, north in degrees.
        var geographicBox: [Double]?
        var styles: [String]
        var formats: [String]
        var infoFormats: [String]
        var matrixSets: [String]
        var dimensions: [Dimension]
    }

    struct Dimension: Encodable {
        var name: String
        var unit: String?
        var `default`: String?
        var values: [String]
    }

    struct MatrixSet: Encodable {
        var name: String
        var crs: String
        /// The tile sizes in pixels, without repetitions.
        var tileSizes: [[Int]]
        var levels: [String]
        /// Units per pixel of the levels, coarsest first; empty if the CRS is unknown.
        var resolutions: [Double]
        var extent: [Double]?
    }

    var type = "WMTS"
    var version: String
    var title: String
    var abstract: String?
    var accessConstraints: String?
    /// The URL for KVP requests.
    var getTileURL: String?
    var layers: [Layer]
    var matrixSets: [MatrixSet]
    var warnings: [String]

    init(_ capabilities: WMTSCapabilities) {
        version = capabilities.versionText
        title = capabilities.service.title
        abstract = capabilities.service.abstract
        accessConstraints = capabilities.service.accessConstraints
        getTileURL = capabilities.operation(named: "GetTile")?.parameterURL
        layers = capabilities.layers.map { layer in
            Layer(
                name: layer.identifier, title: layer.title,
                geographicBox: layer.geographicBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] },
                styles: layer.styles.map(\.identifier), formats: layer.formats, infoFormats: layer.infoFormats,
                matrixSets: layer.links.map(\.matrixSet),
                dimensions: layer.dimensions.map {
                    Dimension(name: $0.identifier, unit: $0.unit, default: $0.defaultValue, values: $0.values)
                })
        }
        warnings = capabilities.warnings.map(\.description)
        matrixSets = []
        for set in capabilities.matrixSets {
            let (grid, notes) = set.grid()
            warnings += notes.map(\.description)
            var sizes: [[Int]] = []
            for size in set.matrices.map({ [$0.tileWidth, $0.tileHeight] }) where !sizes.contains(size) {
                sizes.append(size)
            }
            let extent = grid?.extent(ofLevel: (grid?.matrices.count ?? 1) - 1)
            matrixSets.append(
                MatrixSet(
                    name: set.identifier, crs: set.crsName, tileSizes: sizes,
                    levels: grid?.matrices.map(\.id) ?? set.matrices.map(\.identifier),
                    resolutions: grid?.matrices.map(\.resolution.unitsPerPixel) ?? [],
                    extent: extent.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }))
        }
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "\(PlainText.oneLine(title))\nWMTS \(version)\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\n"
        if let getTileURL { text += "Address   \(PlainText.oneLine(getTileURL))\n" }
        if let accessConstraints, accessConstraints.lowercased() != "none" {
            text += "Terms     \(PlainText.oneLine(accessConstraints))\n"
        }
        if !text.hasSuffix("\n\n") { text += "\n" }
        var rows = [["LAYER", "TITLE", "EXTENT (DEGREES)", "STYLES", "FORMATS", "MATRIX SETS"]]
        for layer in layers {
            rows.append([
                layer.name, layer.title,
                layer.geographicBox.map { $0.map(InfoText.short).joined(separator: " ") } ?? "",
                layer.styles.joined(separator: ", "), layer.formats.joined(separator: ", "),
                layer.matrixSets.joined(separator: ", "),
            ])
        }
        text += TextTable.text(rows)
        text += InfoText.dimensions(
            layers.map { layer in
                (layer.name, layer.dimensions.map { ($0.name, $0.unit ?? "", $0.default, $0.values) })
            })
        text += "\n"
        rows = [["MATRIX SET", "CRS", "TILE", "LEVELS", "RESOLUTIONS"]]
        for set in matrixSets {
            rows.append([
                set.name, set.crs,
                set.tileSizes.map { $0.map(String.init).joined(separator: "x") }.joined(separator: ", "),
                Self.span(set.levels), Self.resolutions(set.resolutions),
            ])
        }
        text += TextTable.text(rows)
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }

    /// The first and last of some levels, and their number.
    private static func span(_ levels: [String]) -> String {
        guard let first = levels.first, let last = levels.last else { return "" }
        return levels.count == 1 ? first : "\(first) – \(last) (\(levels.count))"
    }

    /// The coarsest and finest of some resolutions.
    private static func resolutions(_ numbers: [Double]) -> String {
        guard let high = numbers.max(), let low = numbers.min() else { return "" }
        return "\(InfoText.significant(high)) – \(InfoText.significant(low))"
    }
}

/// The contents of a Tile Map Service document, for text and JSON.
struct TMSInfo: InfoDocument, Encodable {
    struct Reference: Encodable {
        var title: String
        var crs: String?
        var profile: String?
        var url: String
    }

    struct Level: Encodable {
        var order: Int
        var resolution: Double
        var url: String
    }

    var type = "TMS"
    var version: String?
    var title: String?
    var abstract: String?
    /// The services of a service list.
    var services: [Reference]?
    /// The tile maps of a service.
    var maps: [Reference]?
    /// For a tile map: its CRS, its tile format and size, its extent and levels.
    var crs: String?
    var format: String?
    var tileSize: [Int]?
    var profile: String?
    var extent: [Double]?
    var origin: [Double]?
    var attribution: String?
    var levels: [Level]?
    var warnings: [String] = []

    init(_ document: TMSDocument) {
        switch document {
        case .services(let services): self.services = services.map(Reference.init)
        case .service(let service):
            version = service.version
            title = service.title
            abstract = service.abstract
            maps = service.maps.map(Reference.init)
            warnings = service.warnings.map(\.description)
        case .map(let map):
            version = map.version
            title = map.title
            abstract = map.abstract
            crs = map.crsName
            format = map.format
            tileSize = [map.tileWidth, map.tileHeight]
            profile = map.profile
            extent = map.extent.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
            origin = [map.origin.x, map.origin.y]
            attribution = map.attribution
            levels = map.tileSets.map {
                Level(order: $0.order, resolution: $0.resolution.unitsPerPixel, url: $0.href)
            }
            warnings = map.warnings.map(\.description)
        }
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = title.map { "\(PlainText.oneLine($0))\n" } ?? ""
        text += version.map { "TMS \($0)\n" } ?? "TMS\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\n"
        if let format, let tileSize {
            text +=
                "Tiles     \(PlainText.oneLine(format)), \(tileSize.map(String.init).joined(separator: "x")) pixels\n"
        }
        if let crs { text += "CRS       \(PlainText.oneLine(crs))\n" }
        if let extent { text += "Extent    \(extent.map(InfoText.short).joined(separator: " "))\n" }
        if let origin { text += "Origin    \(origin.map(InfoText.short).joined(separator: " "))\n" }
        if let attribution { text += "Credit    \(PlainText.oneLine(attribution))\n" }
        if crs != nil { text += "\n" }
        if let services {
            text += TextTable.text(
                [["SERVICE", "ADDRESS"]] + services.map { [$0.title, $0.url] }, hasWholeEnd: true)
        }
        if let maps {
            text += TextTable.text(
                [["MAP", "CRS", "PROFILE", "ADDRESS"]]
                    + maps.map { [$0.title, $0.crs ?? "", $0.profile ?? "", $0.url] }, hasWholeEnd: true)
        }
        if let levels {
            text += TextTable.text(
                [["LEVEL", "RESOLUTION", "ADDRESS"]]
                    + levels.map { [String($0.order), InfoText.significant($0.resolution), $0.url] },
                hasWholeEnd: true)
        }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }
}

extension TMSInfo.Reference {
    init(_ reference: TMSReference) {
        self.init(
            title: reference.title, crs: reference.crsName.isEmpty ? nil : reference.crsName,
            profile: reference.profile.isEmpty ? nil : reference.profile, url: reference.href)
    }
}

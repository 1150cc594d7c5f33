import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices

// Specifications of layers that typed calls add, so that a saved state can recreate them. Each is parsed and compared
// with the request. It is `nil` if the grammar has no key for a part of the request.
extension LayerSpecification {
    /// Creates the specification of a WMS layer.
    init?(wms url: String, _ options: WMSOptions) {
        var values = ["layers": Self.list(options.layers)]
        if !options.styles.isEmpty { values["styles"] = Self.list(options.styles) }
        values["version"] = options.version?.rawValue
        values["crs"] = options.crsName
        values["format"] = options.format
        if !options.isTransparent { values["transparent"] = "false" }
        if options.background != .white { values["background"] = options.background?.text ?? "none" }
        if options.axisOrder != .auto { values["axis"] = options.axisOrder.rawValue }
        if options.urlPolicy != .advertised { values["url-policy"] = options.urlPolicy.rawValue }
        for parameter in options.extraParameters { values["params.\(parameter.name)"] = parameter.value }
        if let tiling = options.tiling {
            values["tiled"] = "true"
            values["tile-size"] = String(tiling.tileSize)
            values["gutter"] = String(tiling.gutter)
            if !tiling.usesTileSets { values["tile-set"] = "false" }
        }
        var wanted = options
        // The order of parameters is irrelevant.
        wanted.extraParameters.sort { $0.name < $1.name }
        self.init(.wms, url, values) { (made) throws(MapError) in try LayerKind.wmsOptions(made) == wanted }
    }

    /// Creates the specification of an advertised tile set.
    init?(wmsc url: String, _ choice: ServiceClient.TileSetOptions) {
        var values = ["layers": Self.list(choice.layers)]
        values["styles"] = choice.styles.map(Self.list)
        values["format"] = choice.format
        values["crs"] = choice.crsName
        self.init(.wmsc, url, values) { (made) throws(MapError) in
            LayerKind.tileSetChoice(of: made.list("layers") ?? [], made) == choice
        }
    }

    /// Creates the specification of a tile set that the caller describes.
    init?(wmsc url: String, _ set: WMSCTileSet) {
        var values = ["layers": Self.list(set.layers), "crs": set.crsName, "format": set.format]
        values["extent"] = set.extent.map { Self.list([$0.minX, $0.minY, $0.maxX, $0.maxY].map { "\($0)" }) }
        values["resolutions"] = Self.list(set.resolutions.map { "\($0.unitsPerPixel)" })
        values["tile-size"] =
            set.tileWidth == set.tileHeight ? String(set.tileWidth) : "\(set.tileWidth)x\(set.tileHeight)"
        if !set.styles.isEmpty { values["styles"] = Self.list(set.styles) }
        if set.originCorner != .bottomLeft { values["origin"] = set.originCorner.rawValue }
        self.init(.wmsc, url, values) { (made) throws(MapError) in
            try LayerKind.tileSet(of: made.list("layers") ?? [], made, mapCRS: .webMercator) == set
        }
    }

    /// Creates the specification of a WMTS layer.
    init?(wmts url: String, _ choice: WMTSOptions) {
        var values: [String: String] = [:]
        values["layer"] = choice.layer
        values["matrix-set"] = choice.matrixSet
        values["style"] = choice.style
        values["format"] = choice.format
        values["encoding"] = choice.encoding?.rawValue
        values["crs"] = choice.crsName
        if choice.urlPolicy != .advertised { values["url-policy"] = choice.urlPolicy.rawValue }
        for (name, value) in choice.dimensions { values["dim.\(name)"] = value }
        self.init(.wmts, url, values) { (made) throws(MapError) in try LayerKind.wmtsChoice(made) == choice }
    }

    /// Creates the specification of a Tile Map Service map.
    init?(tms url: String, map: String?) {
        // Such a URL would be a template.
        guard !url.contains("{") else { return nil }
        self.init(.tms, url, map.map { ["layer": $0] } ?? [:])
    }

    /// Creates the specification of a tile template.
    ///
    /// - Parameter layer: the layer created from the same values.
    init?(
        xyz template: String, levels: ClosedRange<Int>, tileSize: Int, subdomains: [String], of layer: MapLayer
    ) {
        var values = [
            "min-zoom": String(levels.lowerBound), "max-zoom": String(levels.upperBound),
            "tile-size": String(tileSize),
        ]
        values["attribution"] = layer.attribution
        if template.contains("{s}") { values["subdomains"] = Self.list(subdomains) }
        self.init(.xyz, template, values) { (made) throws(MapError) in
            let again = try LayerKind.templateLayer(made, named: layer.name)
            return again.attribution == layer.attribution && again.tiles?.address == layer.tiles?.address
        }
    }

    /// Creates the specification of features at a path or URL.
    init?(features address: String, style: StyleDeclaration, selectedStyle: StyleDeclaration?) {
        // `-` is standard input.
        guard address != "-" else { return nil }
        var values: [String: String] = [:]
        if style != StyleDeclaration() { values[FeatureLook.key] = FeatureLook.text(style) }
        values[FeatureLook.selectedKey] = selectedStyle.map(FeatureLook.text)
        self.init(.features, address, values) { (made) throws(MapError) in
            let look = try FeatureLook.read(FeatureLook.key, of: made) ?? StyleDeclaration()
            let selectedLook = try FeatureLook.read(FeatureLook.selectedKey, of: made)
            return look == style && selectedLook == selectedStyle
        }
    }

    /// Creates the specification of a route at a path or URL.
    package init?(route address: String) {
        guard address != "-" else { return nil }
        self.init(.route, address, [:])
    }

    /// Creates a specification, or returns `nil` if it is invalid or not equivalent to the request.
    private init?(
        _ kind: LayerKind, _ source: String, _ values: [String: String],
        saysSame: (LayerSpecification) throws(MapError) -> Bool = { (_) throws(MapError) in true }
    ) {
        do throws(MapError) {
            try self.init(kind: kind, source: source, values: values)
            guard try saysSame(self) else { return nil }
        } catch { return nil }
    }

    private static func list(_ parts: [String]) -> String { parts.joined(separator: ",") }
}

extension MapLayer {
    /// Returns the layer with the specification that recreates it.
    ///
    /// A saved state warns about layers without one.
    func made(of specification: LayerSpecification?) -> MapLayer {
        var layer = self
        layer.madeOf = specification
        return layer
    }
}

extension GetMapRequest.Color {
    fileprivate var text: String { MapColor(red: red, green: green, blue: blue).cssText }
}

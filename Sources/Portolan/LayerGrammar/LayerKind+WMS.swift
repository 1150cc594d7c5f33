import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

extension LayerKind {
    /// A WMS: one image per view, or tiles.
    public static let wms = LayerKind(
        "wms", source: .service,
        keys: [
            "layers", "styles", "version", "format", "transparent", "background", "crs", "tiled", "tile-size", "gutter",
            "tile-set", "params.NAME", "dim.NAME", "axis", "url-policy",
        ],
        help: """
            wms:URL  Map images of a WMS, one per view, or tiles.
            """,
        check: { (specification) throws(MapError) in
            guard try specification.flag("tiled") != true else { return }
            for key in ["tile-size", "gutter", "tile-set"] where specification[key] != nil {
                throw specification.invalid(key, "needs tiled=true")
            }
        },
        make: { (specification, name, builder) async throws(MapError) in
            let options = try wmsOptions(specification)
            return try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectWMS(
                    named: name, url: specification.source, options: options, mapCRS: builder.mapCRS)
            }
        })

    static func wmsOptions(_ specification: LayerSpecification) throws(MapError) -> WMSOptions {
        guard let layers = specification.list("layers"), !layers.contains("") else {
            throw specification.error(.missingKey("layers", of: .layers))
        }
        var options = WMSOptions(layers: layers, styles: specification.list("styles") ?? [])
        options.version = try specification.choice("version", of: WMSCapabilities.Version.allCases)
        options.crsName = specification["crs"]
        options.format = specification["format"]
        options.isTransparent = try specification.flag("transparent") ?? true
        if let text = specification["background"] { options.background = try background(text, specification) }
        options.extraParameters = specification.wmsParameters
        options.axisOrder = try specification.axisOrder()
        options.urlPolicy = try specification.urlPolicy() ?? options.urlPolicy
        if try specification.flag("tiled") == true {
            options.tiling = WMSOptions.Tiling(
                tileSize: try specification.integer("tile-size", in: 16...4096) ?? 512,
                gutter: try specification.integer("gutter", in: 0...1024) ?? 64,
                usesTileSets: try specification.flag("tile-set") ?? true)
        }
        return options
    }

    private static func background(
        _ text: String, _ specification: LayerSpecification
    ) throws(MapError) -> GetMapRequest.Color? {
        if text == "none" { return nil }
        guard let color = MapColor(css: text), color.alpha == 255 else {
            throw specification.invalid("background", "must be an opaque colour, as #ffffff or white, or none")
        }
        return GetMapRequest.Color(red: color.red, green: color.green, blue: color.blue)
    }

    /// WMS-C tiles: tile sets of the service, or a grid in the keys without a capabilities request.
    public static let wmsc = LayerKind(
        "wmsc", source: .service,
        keys: ["layers", "styles", "format", "crs", "extent", "resolutions", "tile-size", "origin"],
        help: """
            wmsc:URL  Tiles of a WMS-C tile set: one of the capabilities, or by extent, resolutions and tile-size.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            guard let layers = specification.list("layers") else {
                throw specification.error(.missingKey("layers", of: .tileSets))
            }
            guard specification["resolutions"] != nil || specification["extent"] != nil else {
                let choice = tileSetChoice(of: layers, specification)
                return try await specification.asking { () throws(ServiceError) in
                    try await builder.client(for: specification).connectTileSet(
                        named: name, url: specification.source, options: choice, mapCRS: builder.mapCRS)
                }
            }
            let set = try tileSet(of: layers, specification, mapCRS: builder.mapCRS)
            do {
                let request = try WMSCTileSet.TileRequest(
                    tileSet: set, baseURL: NamedURL(specification.source, namedBy: specification.origin))
                return (MapLayer(name: name, source: TileSource(request)), [])
            } catch { throw specification.invalid("layer '\(specification.source)': \(error)") }
        })

    /// Returns the tile set options of the keys.
    static func tileSetChoice(
        of layers: [String], _ specification: LayerSpecification
    ) -> ServiceClient.TileSetOptions {
        ServiceClient.TileSetOptions(
            layers: layers, styles: specification.list("styles"), format: specification["format"],
            crsName: specification["crs"])
    }

    /// Returns the tile set that the keys describe.
    static func tileSet(
        of layers: [String], _ specification: LayerSpecification, mapCRS: CRS
    ) throws(MapError) -> WMSCTileSet {
        let resolutions = try specification.resolutions(), extent = try specification.box("extent")
        let size = try tileSize(of: specification)
        var set = WMSCTileSet(
            crsName: specification["crs"] ?? mapCRS.name, extent: extent, resolutions: resolutions,
            tileWidth: size.width, tileHeight: size.height,
            format: MediaType.text(ofImages: specification["format"] ?? "image/png"),
            layers: layers, styles: specification.list("styles") ?? [])
        set.originCorner =
            try specification.choice("origin", of: [.bottomLeft, .topLeft]) ?? set.originCorner
        return set
    }
}

extension LayerSpecification {
    /// The additional map request parameters: dimension values, and others by name.
    var wmsParameters: [GetMapRequest.Parameter] {
        values(after: "params.").map { .init($0.name, $0.value) }
            + values(after: "dim.").map { .init(WMSCapabilities.Dimension.parameterName(of: $0.name), $0.value) }
    }
}

import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

extension LayerKind {
    /// One image a view from a WMS, or its tiles.
    public static let wms = LayerKind(
        "wms", source: .service,
        keys: [
            "layers", "styles", "version", "format", "transparent", "crs", "tiled", "tile-size", "gutter", "tile-set",
            "params.NAME", "dim.NAME", "axis", "url-policy",
        ],
        help: """
            wms:URL   layers, styles, version, format, transparent, crs, dim.NAME (the value of a dimension, as dim.time), \
            params.NAME (any other parameter), axis (auto, xy, yx), \
            url-policy (advertised, base, advertisedIfSameHost); tiled=true takes the service's own tile set where one \
            fits (tile-set=no: never), else tiles of tile-size (512 pixels) with a gutter (64 pixels) that is cut off
            """,
        check: { (specification) throws(LayerError) in
            guard try specification.flag("tiled") != true else { return }
            for key in ["tile-size", "gutter", "tile-set"] where specification[key] != nil {
                throw specification.bad(key, "goes with tiled=true")
            }
        },
        make: { (specification, name, builder) async throws(LayerError) in
            let options = try wmsOptions(specification)
            return try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).wmsLayer(
                    named: name, url: specification.source, options: options, mapCRS: builder.mapCRS)
            }
        })

    private static func wmsOptions(_ specification: LayerSpecification) throws(LayerError) -> WMSOptions {
        guard let layers = specification.list("layers"), !layers.contains("") else {
            throw specification.error(.missingKey("layers", of: .layers))
        }
        var options = WMSOptions(layers: layers, styles: specification.list("styles") ?? [])
        options.version = try specification.choice("version", of: WMSVersion.allCases)
        options.crsName = specification["crs"]
        options.format = specification["format"]
        options.isTransparent = try specification.flag("transparent") ?? true
        options.extraParameters = specification.wmsParameters
        options.axisOrder = try specification.axisOrder()
        options.urlPolicy = try specification.urlPolicy() ?? options.urlPolicy
        if try specification.flag("tiled") == true {
            options.tiling = WMSTiling(
                tileSize: try specification.integer("tile-size", in: 16...4096) ?? 512,
                gutter: try specification.integer("gutter", in: 0...1024) ?? 64,
                usesTileSets: try specification.flag("tile-set") ?? true)
        }
        return options
    }

    /// Tiles of WMS-C: from the service's tile sets, or, when a grid is given, without asking.
    public static let wmsc = LayerKind(
        "wmsc", source: .service, keys: ["layers", "styles", "format", "crs", "extent", "resolutions", "tile-size"],
        help: "wmsc:URL  layers, styles, format, crs; by hand also extent, resolutions, tile-size",
        make: { (specification, name, builder) async throws(LayerError) in
            guard let layers = specification.list("layers") else {
                throw specification.error(.missingKey("layers", of: .tileSets))
            }
            guard specification["resolutions"] != nil || specification["extent"] != nil else {
                let choice = ServiceClient.TileSetChoice(
                    layers: layers, styles: specification.list("styles"), format: specification["format"],
                    crsName: specification["crs"])
                return try await specification.asking { () throws(ServiceError) in
                    try await builder.client(for: specification).wmscLayer(
                        named: name, url: specification.source, choice: choice, mapCRS: builder.mapCRS)
                }
            }
            let set = try tileSet(of: layers, specification, mapCRS: builder.mapCRS)
            do {
                let request = try WMSCTileRequest(
                    tileSet: set, baseURL: NamedURL(specification.source, namedBy: specification.origin))
                return (MapLayer(name: name, source: TileSource(request)), [])
            } catch { throw specification.invalid("layer '\(specification.source)': \(error)") }
        })

    /// The tile set that the keys describe.
    private static func tileSet(
        of layers: [String], _ specification: LayerSpecification, mapCRS: CRS
    ) throws(LayerError) -> WMSCTileSet {
        let resolutions = try specification.resolutions(), extent = try specification.box("extent")
        let size = try specification.integer("tile-size", in: 1...4096) ?? 256
        return WMSCTileSet(
            crsName: specification["crs"] ?? mapCRS.name, extent: extent, resolutions: resolutions,
            tileWidth: size, tileHeight: size, format: MediaType.text(ofImages: specification["format"] ?? "image/png"),
            layers: layers, styles: specification.list("styles") ?? [])
    }
}

extension LayerSpecification {
    /// The parameters of map requests that the layer adds: values of dimensions, and others by their own names.
    var wmsParameters: [GetMapRequest.Parameter] {
        values(after: "params.").map { .init($0.name, $0.value) }
            + values(after: "dim.").map { .init(WMSDimension.parameterName(of: $0.name), $0.value) }
    }
}

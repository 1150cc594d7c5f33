import Portolan
import PortolanWeb

extension LayerBuilder {
    /// A layer of one WMS image a view.
    func wmsLayer(
        _ specification: LayerSpecification, named name: String
    ) async throws -> (layer: MapLayer, warnings: [String]) {
        guard let layers = specification.list("layers"), !layers.contains("") else {
            throw CommandFailure(
                .usage,
                "layer '\(specification.source)': wms needs the key 'layers'; portolan info '\(specification.source)' "
                    + "lists them")
        }
        var options = WMSOptions(layers: layers, styles: specification.list("styles") ?? [])
        if let text = specification["version"] {
            guard ["1.0.0", "1.1.0", "1.1.1", "1.3.0"].contains(text), let version = WMSVersion(text) else {
                throw specification.bad("version", "is none of 1.0.0, 1.1.0, 1.1.1 and 1.3.0")
            }
            options.version = version
        }
        options.crsName = specification["crs"]
        options.format = specification["format"]
        options.isTransparent = try specification.flag("transparent") ?? true
        options.extraParameters = specification.values(after: "params.").map { .init($0.name, $0.value) }
        if let text = specification["axis"] {
            guard let order = AxisOrderPolicy(rawValue: text) else {
                throw specification.bad("axis", "is none of auto, xy and yx")
            }
            options.axisOrder = order
        }
        if let text = specification["url-policy"] {
            guard let policy = ServiceURLPolicy(rawValue: text) else {
                throw specification.bad("url-policy", "is none of advertised, base and advertisedIfSameHost")
            }
            options.urlPolicy = policy
        }
        if try specification.flag("tiled") == true {
            options.tiling = WMSTiling(
                tileSize: try specification.integer("tile-size", in: 16...4096) ?? 512,
                gutter: try specification.integer("gutter", in: 0...1024) ?? 64,
                usesTileSets: try specification.flag("tile-set") ?? true)
        }
        return try await client.wmsLayer(
            named: name, url: specification.source, options: options, mapCRS: mapCRS)
    }

    /// A layer of WMS-C tiles: from the service's tile sets, or, when a grid is given, without asking.
    func wmscLayer(
        _ specification: LayerSpecification, named name: String
    ) async throws -> (layer: MapLayer, warnings: [String]) {
        guard let layers = specification.list("layers") else {
            throw CommandFailure(
                .usage,
                "layer '\(specification.source)': wmsc needs the key 'layers'; "
                    + "portolan info '\(specification.source)' lists the tile sets")
        }
        guard specification["resolutions"] != nil || specification["extent"] != nil else {
            let choice = ServiceClient.TileSetChoice(
                layers: layers, styles: specification.list("styles"), format: specification["format"],
                crsName: specification["crs"])
            return try await client.wmscLayer(
                named: name, url: specification.source, choice: choice, mapCRS: mapCRS)
        }
        let resolutions = (specification.list("resolutions") ?? []).map { text in
            Double(text).flatMap { Resolution(unitsPerPixel: $0) }
        }
        guard !resolutions.isEmpty, resolutions.allSatisfy({ $0 != nil }) else {
            throw specification.bad("resolutions", "is not a list of numbers more than zero")
        }
        var extent: Extent?
        if let text = specification["extent"] {
            let sides = text.split(separator: ",").compactMap { Double($0) }
            extent = sides.count == 4 ? Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3]) : nil
            guard extent != nil else { throw specification.bad("extent", "is not of the form MINX,MINY,MAXX,MAXY") }
        }
        let size = try specification.integer("tile-size", in: 1...4096) ?? 256
        let set = WMSCTileSet(
            crsName: specification["crs"] ?? mapCRS.name, extent: extent, resolutions: resolutions.compactMap { $0 },
            tileWidth: size, tileHeight: size, format: MediaType.text(ofImages: specification["format"] ?? "image/png"),
            layers: layers,
            styles: specification.list("styles") ?? [])
        do {
            let request = try WMSCTileRequest(tileSet: set, baseURL: specification.source)
            return (MapLayer(name: name, source: TileSource(request)), [])
        } catch { throw CommandFailure(.usage, "layer '\(specification.source)': \(error)") }
    }
}

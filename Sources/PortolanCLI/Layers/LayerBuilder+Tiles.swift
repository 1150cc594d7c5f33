import Portolan

extension LayerBuilder {
    /// A layer of a WMTS.
    func wmtsLayer(
        _ specification: LayerSpecification, named name: String
    ) async throws -> (layer: MapLayer, warnings: [String]) {
        var choice = WMTSChoice(
            layer: specification["layer"], matrixSet: specification["matrix-set"], style: specification["style"],
            format: specification["format"])
        for dimension in specification.values(after: "dim.") { choice.dimensions[dimension.name] = dimension.value }
        return try await client.wmtsLayer(named: name, url: specification.source, choice: choice, mapCRS: mapCRS)
    }

    /// A layer of a Tile Map Service: of a template, or of what its documents tell.
    func tmsLayer(
        _ specification: LayerSpecification, named name: String
    ) async throws -> (layer: MapLayer, warnings: [String]) {
        if specification.source.contains("{") {
            guard specification["layer"] == nil else {
                throw specification.bad("layer", "goes with the address of a document, not with a template")
            }
            return (try tileLayer(specification, named: name), [])
        }
        for key in ["tile-size", "subdomains"] where specification[key] != nil {
            throw specification.bad(key, "goes with a template; the document tells it")
        }
        let first = try specification.integer("min-zoom", in: 0...99) ?? 0
        let last = try specification.integer("max-zoom", in: 0...99) ?? 99
        guard first <= last else { throw specification.bad("max-zoom", "is less than min-zoom") }
        var (layer, warnings) = try await client.tmsLayer(
            named: name, url: specification.source, map: specification["layer"], levels: first...last, mapCRS: mapCRS)
        if let attribution = specification["attribution"] { layer.attribution = attribution }
        return (layer, warnings)
    }

    /// A layer of XYZ or TMS tiles by a template.
    func tileLayer(_ specification: LayerSpecification, named name: String) throws(CommandFailure) -> MapLayer {
        let first = try specification.integer("min-zoom", in: 0...30) ?? 0
        let last = try specification.integer("max-zoom", in: 0...30) ?? max(first, 19)
        let size = try specification.integer("tile-size", in: 1...4096) ?? 256
        guard first <= last, let grid = TileGrid.webMercator(levels: first...last, tileSize: size) else {
            throw specification.bad("max-zoom", "is less than min-zoom")
        }
        // TMS counts rows from the bottom.
        let pattern =
            specification.kind == .tms ? specification.source.replacing("{y}", with: "{-y}") : specification.source
        do {
            let template = try XYZTemplate(pattern, subdomains: specification.list("subdomains") ?? ["a", "b", "c"])
            return MapLayer(
                name: name, source: TileSource(grid: grid, address: .xyz(template)),
                attribution: specification["attribution"])
        } catch {
            let isTemplate = specification.source.contains("{")
            let advice =
                isTemplate ? "" : "; if this is a service, portolan info '\(specification.source)' tells of which kind"
            throw CommandFailure(.usage, "layer '\(specification.source)': \(error)\(advice)")
        }
    }
}

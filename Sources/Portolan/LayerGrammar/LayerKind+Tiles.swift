import PortolanGeo
import PortolanPlan
import PortolanServices

extension LayerKind {
    /// Tiles of a WMTS.
    public static let wmts = LayerKind(
        "wmts", source: .service,
        keys: ["layer", "matrix-set", "style", "format", "dim.NAME", "encoding", "crs", "url-policy"],
        help: """
            wmts:URL  of the service or its capabilities  layer, matrix-set, style, format, dim.NAME, encoding (parameters or \
            path: ask for tiles in this way alone), crs (the system of a matrix set whose own is not known), \
            url-policy (advertised, base, advertisedIfSameHost)
            """,
        make: { (specification, name, builder) async throws(LayerError) in
            let chosen = try wmtsChoice(specification)
            return try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).wmtsLayer(
                    named: name, url: specification.source, choice: chosen, mapCRS: builder.mapCRS)
            }
        })

    /// What the keys want of a tile service.
    static func wmtsChoice(_ specification: LayerSpecification) throws(LayerError) -> WMTSChoice {
        var choice = WMTSChoice(
            layer: specification["layer"], matrixSet: specification["matrix-set"], style: specification["style"],
            format: specification["format"])
        choice.encoding = try specification.encoding()
        choice.crsName = specification["crs"]
        choice.urlPolicy = try specification.urlPolicy() ?? choice.urlPolicy
        for dimension in specification.values(after: "dim.") {
            choice.dimensions[dimension.name] = dimension.value
        }
        return choice
    }

    /// Tiles by a template.
    public static let xyz = LayerKind(
        "xyz", source: .tiles, keys: ["min-zoom", "max-zoom", "tile-size", "subdomains", "attribution"],
        help: """
            xyz:TEMPLATE, tms:TEMPLATE  {z} {x} {y} {-y} {s} {r} {q}; min-zoom, max-zoom, tile-size (pixels), \
            subdomains, attribution. {r} is @2x at pixel ratios of 1.5 and more. Beyond max-zoom its tiles are \
            enlarged; before min-zoom its tiles are reduced, but not more than 256.
            """,
        make: { (specification, name, _) throws(LayerError) in
            (try templateLayer(specification, named: name, specification.source), [])
        })

    /// Tiles of a Tile Map Service: of a template, or of what its documents say.
    public static let tms = LayerKind(
        "tms", source: .tiles, keys: ["layer", "min-zoom", "max-zoom", "tile-size", "subdomains", "attribution"],
        help: """
            tms:URL  of a document  layer (title or end of the address of one of several maps), min-zoom, \
            max-zoom, attribution
            """,
        make: { (specification, name, builder) async throws(LayerError) in
            if specification.source.contains("{") {
                guard specification["layer"] == nil else {
                    throw specification.bad("layer", "goes with the address of a document, not with a template")
                }
                // TMS counts rows from the bottom.
                let pattern = specification.source.replacing("{y}", with: "{-y}")
                return (try templateLayer(specification, named: name, pattern), [])
            }
            for key in ["tile-size", "subdomains"] where specification[key] != nil {
                throw specification.bad(key, "goes with a template; a document has its own")
            }
            let levels = try levels(of: specification, upTo: 99, otherwise: 99)
            var (layer, warnings) = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).tmsLayer(
                    named: name, url: specification.source, map: specification["layer"], levels: levels,
                    mapCRS: builder.mapCRS)
            }
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, warnings)
        })

    static func templateLayer(
        _ specification: LayerSpecification, named name: String, _ pattern: String
    ) throws(LayerError) -> MapLayer {
        let levels = try levels(of: specification, upTo: 30, otherwise: 19)
        let size = try specification.integer("tile-size", in: 1...4096) ?? 256
        guard let grid = TileGrid.webMercator(levels: levels, tileSize: size) else {
            throw specification.bad("max-zoom", "is less than min-zoom")
        }
        do {
            let template = try XYZTemplate(
                pattern, subdomains: specification.list("subdomains") ?? ["a", "b", "c"],
                namedBy: specification.origin)
            return MapLayer(
                name: name, source: TileSource(grid: grid, address: .xyz(template)),
                attribution: specification["attribution"])
        } catch { throw specification.error(.template(error)) }
    }

    /// The zoom levels that the keys name, from 0 to `usual` where they name none.
    private static func levels(
        of specification: LayerSpecification, upTo largest: Int, otherwise usual: Int
    ) throws(LayerError) -> ClosedRange<Int> {
        let first = try specification.integer("min-zoom", in: 0...largest) ?? 0
        let last = try specification.integer("max-zoom", in: 0...largest) ?? max(first, usual)
        guard first <= last else { throw specification.bad("max-zoom", "is less than min-zoom") }
        return first...last
    }
}

extension LayerSpecification {
    /// How a WMTS is asked for tiles; its own names for the encodings are understood too.
    fileprivate func encoding() throws(LayerError) -> WMTSChoice.Encoding? {
        switch self["encoding"]?.lowercased() {
        case nil: nil
        case "parameters", "kvp": .parameters
        case "path", "rest", "restful": .path
        default: throw bad("encoding", "is none of parameters and path")
        }
    }
}

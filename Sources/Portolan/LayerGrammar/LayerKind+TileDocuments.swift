import PortolanGeo
import PortolanPlan
import PortolanServices

extension LayerKind {
    /// The tiles of a TileJSON document.
    public static let tileJSON = LayerKind(
        "tilejson", source: .tiles, keys: ["tile-size", "attribution"],
        help: "tilejson:URL  Tiles of a TileJSON document.",
        make: { (specification, name, builder) async throws(MapError) in
            let size = try specification.integer("tile-size", in: 1...4096)
            var (layer, warnings) = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectTileJSON(
                    named: name, url: specification.source, tileSize: size)
            }
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, warnings)
        })

    /// The map tiles of an OGC API.
    public static let ogcTiles = LayerKind(
        "oat", source: .service, keys: ["layers", "matrix-set", "format", "attribution"],
        help: """
            oat:URL  Map tiles of an OGC API - Tiles: the API, a collection or a tile set.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let choice = try mapChoice(specification)
            var (layer, warnings) = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectOGCTiles(
                    named: name, url: specification.source, options: choice, mapCRS: builder.mapCRS)
            }
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, warnings)
        })

    /// OGC API maps: one image per view.
    public static let ogcMaps = LayerKind(
        "oam", source: .service, keys: ["layers", "crs", "format", "attribution"],
        help: """
            oam:URL  Map images of an OGC API - Maps: the API or a collection.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let choice = try mapChoice(specification)
            var (layer, warnings) = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectOGCMap(
                    named: name, url: specification.source, options: choice, mapCRS: builder.mapCRS)
            }
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, warnings)
        })

    private static func mapChoice(
        _ specification: LayerSpecification
    ) throws(MapError) -> ServiceClient.MapCollectionOptions {
        let layers = specification.list("layers") ?? []
        guard !layers.contains("") else { throw specification.invalid("layers", "has an empty name") }
        return ServiceClient.MapCollectionOptions(
            collections: layers, matrixSet: specification["matrix-set"], format: specification["format"],
            crsName: specification["crs"])
    }

    /// An ArcGIS service: its tiles, or one image per view.
    public static let arcGIS = LayerKind(
        "arcgis", source: .service, keys: ["layers", "tiled", "format", "attribution"],
        help: """
            arcgis:URL  Tiles or images of an ArcGIS MapServer or ImageServer, vector tiles of a VectorTileServer.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let choice = ServiceClient.ArcGISOptions(
                layers: specification.list("layers") ?? [], isTiled: try specification.flag("tiled"),
                format: specification["format"])
            var (layer, warnings) = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectArcGIS(
                    named: name, url: specification.source, options: choice, mapCRS: builder.mapCRS)
            }
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, warnings)
        })
}

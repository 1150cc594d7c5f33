import PortolanGeo
import PortolanServices
import PortolanWeb

/// The Tile Map Service 1.0.0 of OSGeo: `/tms`, `/tms/1.0.0`, `/tms/1.0.0/{layer}[/{grid}]` and
/// `/tms/1.0.0/{layer}[/{grid}]/{z}/{x}/{y}.{format}`.
///
/// Rows are counted from the south. Its layers are the maps, and the layers of each as `{map}:{layer}`.
package struct TMSEndpoint: Endpoint {
    package let root = "tms"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let documents = TMSDocuments(context: context), parts = Array(path)
        func answer(_ document: [UInt8]) -> ServerResponse {
            context.answer(ServerResponse(type: "text/xml", body: document), document: request)
        }
        guard let version = parts.first else { return answer(documents.services) }
        guard version == "1.0.0" else { throw Problem(.notFound, "the path of TMS tiles is /tms/1.0.0/") }
        guard parts.count > 1 else { return answer(documents.service) }
        guard let layer = context.book.namedLayer(parts[1]) else {
            if let refusal = context.book.refusal(of: parts[1]) { throw refusal }
            throw Problem(.notFound, context.book.unknownLayer(parts[1]), key: "layer")
        }
        guard parts.count > 3 else {
            let id = parts.count == 3 ? parts[2] : ServedTileGrid.all[0].id
            guard let grid = ServedTileGrid.all.first(where: { $0.id == id }) else {
                let names = ServedTileGrid.all.map(\.id).joined(separator: ", ")
                throw Problem(.notFound, "unknown grid '\(id)'; available: \(names)", key: "grid")
            }
            return answer(documents.map(layer, grid))
        }
        let address = try TileAddress(path.dropFirst(), isFromBelow: true)
        let picture = try address.picture(
            of: layer.map, labelReach: context.labelReach, key: layer.isWhole ? "tile" : "tile \(layer.name)")
        return try await context.answer(picture, to: request)
    }
}

/// The documents of a Tile Map Service (*Tile Map Service Specification* 1.0.0, OSGeo).
struct TMSDocuments {
    let context: ServingContext
    private var root: String { "\(context.base)/tms" }

    /// The list of services.
    var services: [UInt8] {
        var writer = MarkupWriter()
        writer.element("Services") { services in
            services.element(
                "TileMapService", ["title": context.title, "version": "1.0.0", "href": "\(root)/1.0.0/"])
        }
        return writer.bytes
    }

    /// The maps of the service, each in all grids.
    var service: [UInt8] {
        var writer = MarkupWriter()
        writer.element("TileMapService", ["version": "1.0.0", "services": "\(root)/"]) { service in
            service.element("Title", [:], context.title)
            service.element("Abstract", [:], "Map tiles")
            service.element("TileMaps") { maps in
                for layer in context.book.namedLayers {
                    for grid in ServedTileGrid.all {
                        maps.element(
                            "TileMap",
                            [
                                "title": layer.title, "srs": grid.tmsSRS, "profile": grid.profile,
                                "href": address(layer, grid),
                            ])
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Returns the document of a map in a grid.
    ///
    /// Its box is that of the grid, since clients count tiles from its corner.
    func map(_ layer: NamedLayer, _ served: ServedTileGrid) -> [UInt8] {
        let grid = served.grid, address = address(layer, served)
        var writer = MarkupWriter()
        writer.element("TileMap", ["version": "1.0.0", "tilemapservice": "\(root)/1.0.0/"]) { map in
            map.element("Title", [:], layer.title)
            map.element("Abstract", [:], "")
            map.element("SRS", [:], served.tmsSRS)
            let sides = served.sides.map(NumberText.decimal), side = grid.matrices.first?.tileWidth ?? 256
            map.element("BoundingBox", ["minx": sides[0], "miny": sides[1], "maxx": sides[2], "maxy": sides[3]])
            map.element("Origin", ["x": sides[0], "y": sides[1]])
            map.element(
                "TileFormat",
                ["width": "\(side)", "height": "\(side)", "mime-type": "image/png", "extension": "png"])
            map.element("TileSets", ["profile": served.profile]) { sets in
                for level in layer.map.zooms where grid.matrices.indices.contains(level) {
                    sets.element(
                        "TileSet",
                        [
                            "href": "\(address)/\(level)",
                            "units-per-pixel": NumberText.decimal(grid.matrices[level].resolution.unitsPerPixel),
                            "order": "\(level)",
                        ])
                }
            }
        }
        return writer.bytes
    }

    private func address(_ layer: NamedLayer, _ grid: ServedTileGrid) -> String {
        "\(root)/1.0.0/\(PercentEncoding.pathPart(layer.name))/\(grid.id)"
    }
}

extension ServedTileGrid {
    /// The name of the CRS in documents of a Tile Map Service.
    fileprivate var tmsSRS: String { grid.crs == .webMercator ? "EPSG:3857" : "EPSG:4326" }

    /// The profile of a Tile Map Service.
    ///
    /// As with other servers, Web Mercator begins with a single tile, and not with the four of the specification.
    fileprivate var profile: String { grid.crs == .webMercator ? "global-mercator" : "global-geodetic" }
}

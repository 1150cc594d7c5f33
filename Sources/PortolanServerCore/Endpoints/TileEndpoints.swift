import PortolanFeatures
import PortolanGeo

/// Map tiles with rows counted from the north: `/tiles/{map}[/{grid}]/{z}/{x}/{y}[@{r}x].{format}`.
package struct TileEndpoint: Endpoint {
    package let root = "tiles"

    package init() {}

    package func keptAnswer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) -> ServerResponse? {
        guard let address = try? TileAddress(path), let map = context.book[address.map],
            let picture = try? address.picture(of: map, labelReach: context.labelReach)
        else { return nil }
        return context.keptAnswer(picture, to: request)
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let address = try TileAddress(path)
        let map = try context.book.map(address.map)
        return try await context.answer(try address.picture(of: map, labelReach: context.labelReach), to: request)
    }
}

/// The TileJSON 3.0 document of a map: `/tilejson/{map}.json`.
package struct TileJSONEndpoint: Endpoint {
    package let root = "tilejson"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.count == 1, let file = path.first, file.hasSuffix(".json") else {
            throw Problem(.notFound, "the path of a TileJSON document is /tilejson/{map}.json")
        }
        let map = try context.book.map(String(file.dropLast(5)))
        return context.answer(
            ServerResponse(json: .object(Self.document(of: map, at: context.base))), document: request)
    }

    /// Returns the document of a map (TileJSON 3.0.0, section 3).
    ///
    /// - Parameter tiles: the URL template of the tiles.
    static func document(of map: PublishedMap, at base: String, tiles: String? = nil) -> Properties {
        TileJSON.document(
            name: map.title, tiles: tiles ?? "\(base)/tiles/\(map.name)/{z}/{x}/{y}.png", levels: map.zooms,
            bounds: map.degrees, centerLevel: level(showing: map.degrees, of: map), attribution: map.attribution)
    }

    /// Returns the highest zoom level at which a box fits into two by two tiles.
    private static func level(showing bounds: [Double], of map: PublishedMap) -> Int {
        guard let toMap = try? CoordinateTransform(from: .crs84, to: .webMercator),
            let box = Extent(minX: bounds[0], minY: bounds[1], maxX: bounds[2], maxY: bounds[3]),
            let extent: Extent = toMap(box),
            let resolution = Resolution(unitsPerPixel: max(extent.width, extent.height) / 512)
        else { return map.zooms.lowerBound }
        return min(
            max(Int(resolution.zoom(in: .webMercator).rounded(.down)), map.zooms.lowerBound), map.zooms.upperBound)
    }
}

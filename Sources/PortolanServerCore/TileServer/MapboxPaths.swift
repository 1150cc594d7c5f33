import PortolanFeatures

/// The paths of the Mapbox Styles, Static Images and Static Tiles APIs, where a map is a style of any user.
///
/// - `/styles/v1/{user}/{map}`, `…/sprite[@2x].{json|png}`, `…/wmts`, `…/tiles.json`
/// - `…/static/[{overlays}/]{place}/{w}x{h}[@2x]`
/// - `…/tiles[/256|/512]/{z}/{x}/{y}[@2x]`, by default 512
struct MapboxPaths {
    private let map: String
    /// The path after the name of the map.
    private let rest: ArraySlice<String>

    /// Parses a path after `/styles`, or returns `nil` if it is not one of these.
    init?(_ parts: [String], in book: MapBook) {
        guard parts.count > 2, parts[0] == "v1" else { return nil }
        map = parts[2]
        rest = parts[3...]
        guard let word = rest.first else {
            // A map may have the name v1.
            if book["v1"] != nil, ["sprite", "sources"].contains(parts[1]) { return nil }
            return
        }
        let isSprite = rest.count == 1 && word.hasPrefix("sprite")
        guard isSprite || ["static", "tiles", "tiles.json", "wmts"].contains(word) else { return nil }
    }

    /// Returns whether a path after `/styles` is that of a static map.
    static func isStaticMap(_ parts: [String]) -> Bool { parts.count > 3 && parts[0] == "v1" && parts[3] == "static" }

    /// Answers a request.
    func answer(
        _ request: ServerRequest, _ sprites: PackedSprites, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let map = try context.book.map(map), inner = rest.dropFirst()
        switch (rest.first, inner.count) {
        case (nil, _): return context.style(of: map, to: request)
        case ("static", _):
            let asked = try StaticMap(
                mapbox: map.name, path: inner, query: request.query, limits: context.limits)
            return try await context.answer(asked, of: map, to: request)
        case ("wmts", 0): return context.tileService(of: map, to: request)
        case ("tiles.json", 0):
            let document = TileJSONEndpoint.document(
                of: map, at: context.base, tiles: "\(context.base)/styles/\(map.name)/512/{z}/{x}/{y}.png")
            return context.answer(ServerResponse(json: .object(document)), document: request)
        case ("tiles", 3): return try await tile(inner, side: "512", of: map, request, context)
        case ("tiles", 4):
            guard let side = inner.first, StylesEndpoint.sides.contains(side) else {
                throw Problem(.badRequest, "the size of a tile is 256 or 512", key: "tilesize")
            }
            return try await tile(inner.dropFirst(), side: side, of: map, request, context)
        case (let word?, 0) where word.hasPrefix("sprite"):
            let file = word.dropFirst(6)
            return try await context.sprite(
                of: map, id: nil, file: file.contains(".") ? String(file) : file + ".json", sprites, to: request)
        default:
            throw Problem(
                .notFound,
                "the paths of a style are /styles/v1/{user}/{map}, …/static/{place}/{w}x{h} and …/tiles/512/{z}/{x}/{y}"
            )
        }
    }

    /// Responds with a tile, whose format is PNG unless the path has one.
    private func tile(
        _ path: ArraySlice<String>, side: String, of map: PublishedMap, _ request: ServerRequest,
        _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        var path = Array(path)
        if let last = path.last, !last.contains(".") { path[path.count - 1] = last + ".png" }
        var response = try await context.tile(path, side: side, of: map, to: request)
        let ignored = request.query.unused(except: ["access_token", "fresh"])
        if !ignored.isEmpty { response.warn("no effect: \(ignored.joined(separator: ", "))") }
        return response
    }
}

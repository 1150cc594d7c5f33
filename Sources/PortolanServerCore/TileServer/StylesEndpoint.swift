import PortolanFeatures
import PortolanFetch

/// Styles, tiles and static maps at the paths of tileserver-gl, and static images at those of Mapbox.
///
/// - `/styles/{map}.json`, `/styles/{map}/style.json`, `/styles/{map}/wmts.xml`
/// - `/styles/{map}/sprite[/{id}][@2x].{json|png}`, `/styles/{map}/sources/{name}.geojson`
/// - `/styles/{map}[/256|/512]/{z}/{x}/{y}[@2x].{format}`
/// - `/styles/{map}/static/[raw/]{place}/{w}x{h}[@2x].{format}`
/// - `/styles/v1/{user}/{map}…`; see ``MapboxPaths``
package struct StylesEndpoint: Endpoint {
    package let root = "styles"
    package let methods: [ServerRequest.Method] = [.get, .head, .post]

    private let sprites: PackedSprites

    /// Creates an endpoint.
    ///
    /// - Parameter sprites: the packed sprites, which may be shared with other endpoints.
    package init(_ sprites: PackedSprites = PackedSprites()) { self.sprites = sprites }

    package func needsSignature(_ path: ArraySlice<String>) -> Bool {
        let parts = Array(path)
        return MapboxPaths.isStaticMap(parts) || parts.count > 1 && parts[1] == "static"
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let parts = Array(path)
        if let mapbox = MapboxPaths(parts, in: context.book) {
            guard request.method != .post else { throw Self.notPosted }
            return try await mapbox.answer(request, sprites, in: context)
        }
        let rest = parts.dropFirst()
        if rest.first == "static" {
            return try await context.answer(
                tileServer: rest.dropFirst(), of: try context.book.map(parts[0]), to: request)
        }
        guard request.method != .post else { throw Self.notPosted }
        let isSized = parts.count == 2 && Self.sides.contains(parts[0])
        if let name = Self.name(of: parts.last, "json"), rest.isEmpty || isSized {
            let map = try context.book.map(name)
            let document = Self.tileJSON(of: map, at: context.base, side: rest.isEmpty ? nil : parts[0])
            return context.answer(ServerResponse(json: .object(document)), document: request)
        }
        guard let name = parts.first, let word = rest.first else { throw Self.notFound }
        let map = try context.book.map(name)
        switch (word, rest.count) {
        case ("style.json", 1): return context.style(of: map, to: request)
        case ("wmts.xml", 1): return context.tileService(of: map, to: request)
        case (_, 1) where word.hasPrefix("sprite"):
            return try await context.sprite(of: map, id: nil, file: String(word.dropFirst(6)), sprites, to: request)
        case ("sprite", 2):
            let file = parts[2], end = file.firstIndex { $0 == "@" || $0 == "." } ?? file.endIndex
            return try await context.sprite(
                of: map, id: String(file[..<end]), file: String(file[end...]), sprites, to: request)
        case ("sources", 2):
            guard let source = Self.name(of: parts[2], "geojson") else { throw Self.notFound }
            return try await context.features(of: source, in: map, to: request)
        case (_, 3), (_, 4):
            let isSized = rest.count == 4
            guard !isSized || Self.sides.contains(word) else { throw Self.notFound }
            return try await context.tile(rest.suffix(3), side: isSized ? word : nil, of: map, to: request)
        default: throw Self.notFound
        }
    }

    /// The sizes of tiles in paths.
    static let sides = ["256", "512"]

    private static let notFound = Problem(
        .notFound,
        "the paths of a style are /styles/{map}.json, /styles/{map}/style.json, /styles/{map}/{z}/{x}/{y}.png and "
            + "/styles/{map}/static/{place}/{width}x{height}.png")
    private static let notPosted = Problem(.methodNotAllowed, "POST is for /styles/{map}/static alone")

    private static func name(of file: String?, _ fileExtension: String) -> String? {
        guard let file, file.hasSuffix("." + fileExtension) else { return nil }
        return String(file.dropLast(fileExtension.count + 1))
    }

    /// Returns the TileJSON document of drawn tiles.
    ///
    /// - Parameter side: the size of tiles in the path, or `nil` for none.
    static func tileJSON(of map: PublishedMap, at base: String, side: String?) -> Properties {
        let path = side.map { "/" + $0 } ?? ""
        return TileJSONEndpoint.document(
            of: map, at: base, tiles: "\(base)/styles/\(map.name)\(path)/{z}/{x}/{y}.png")
    }
}

extension ServingContext {
    /// Returns the context with other maps.
    fileprivate func with(_ book: MapBook) -> ServingContext {
        var context = ServingContext(
            book: book, limits: limits, maker: maker, base: base, labelReach: labelReach,
            exceptionsAreSuccesses: exceptionsAreSuccesses, routes: routes, routeKeys: routeKeys, offer: offer,
            client: client)
        (context.path, context.version) = (path, version)
        return context
    }

    /// Responds with the WMTS capabilities of a single map.
    func tileService(of map: PublishedMap, to request: ServerRequest) -> ServerResponse {
        let document = WMTSCapabilitiesDocument(with(MapBook([map], sequence: book.sequence)))
        return answer(ServerResponse(type: "application/xml", body: document.bytes), document: request)
    }

    /// Responds with a drawn tile.
    ///
    /// - Parameters:
    ///   - path: the level, the column, and the row with its pixel ratio and format.
    ///   - side: the size of the tile in the path, or `nil` for 256 pixels.
    func tile(
        _ path: some Collection<String>, side: String?, of map: PublishedMap, to request: ServerRequest
    ) async throws(Problem) -> ServerResponse {
        let grid = side == "512" ? "WebMercatorQuad512" : "WebMercatorQuad"
        let address = try TileAddress([map.name, grid] + path)
        return try await answer(try address.picture(of: map, labelReach: labelReach), to: request)
    }

    /// Responds with the style of a map.
    func style(of map: PublishedMap, to request: ServerRequest) -> ServerResponse {
        var lost: String?, document: Properties?
        if let style = ServedStyle(map) { (document, lost) = style.document(at: base) }
        let shown = document ?? ServedStyle.ofTiles(map, at: base)
        var response = answer(ServerResponse(json: .object(shown)), document: request)
        if let lost { response.warn("the style is that of drawn tiles, since \(lost) cannot be sent") }
        return response
    }

    /// Responds with a part of a sprite in a local file or folder.
    ///
    /// - Parameter file: the pixel ratio and the file extension, such as `@2x.png`.
    func sprite(
        of map: PublishedMap, id: String?, file: String, _ sprites: PackedSprites, to request: ServerRequest
    ) async throws(Problem) -> ServerResponse {
        let form = try SpriteForm(file), style = ServedStyle(map)
        // Packing takes time.
        let bytes = try await maker.inTurn(of: client) { style?.spriteFile(id, form.ending, sprites) }
        guard let bytes else {
            throw Problem(.notFound, "the style has no such sprite in a file of this server", key: "sprite")
        }
        return answer(ServerResponse(type: form.mediaType, body: bytes), document: request)
    }

    /// Responds with the features of a source of a style as GeoJSON, when a slot is free.
    fileprivate func features(
        of name: String, in map: PublishedMap, to request: ServerRequest
    ) async throws(Problem) -> ServerResponse {
        guard let source = ServedStyle(map)?.features(of: name) else {
            throw Problem(.notFound, "the style has no features of the name '\(name)'", key: "source")
        }
        // Of an exact map the revision names the features; it saves writing them.
        let tag = map.isExact ? EntityTag(of: ["features", map.revision, name]) : nil
        var response = ServerResponse(status: 304)
        if !(tag.map(request.knows) ?? false) {
            let body = try await maker.inTurn(of: client) { GeoJSONWriter.write(source) }
            response = ServerResponse(type: "application/geo+json", body: body)
        }
        if let tag { response.set("ETag", "\(tag)") }
        response.set("Cache-Control", "public, max-age=\(map.maximumAge)")
        return response
    }
}

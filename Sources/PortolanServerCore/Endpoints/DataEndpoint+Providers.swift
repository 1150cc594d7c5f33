import PortolanFeatures
import PortolanFetch

extension DataEndpoint {
    /// Answers a request for tiles that a source makes, or returns `nil` for other tiles.
    func served(
        _ parts: [String], _ request: ServerRequest, in context: ServingContext
    ) async throws(Problem) -> ServerResponse? {
        if parts.count == 1, parts[0].hasSuffix(".json") {
            return context.book.provider(String(parts[0].dropLast(5))).map {
                context.answer(ServerResponse(json: .object($0.document(at: context.base))), document: request)
            }
        }
        guard parts.count == 4, let tiles = context.book.provider(parts[0]),
            let dot = parts[3].lastIndex(of: ".")
        else { return nil }
        let level = try RequestText.whole(parts[1], "z"), column = try RequestText.whole(parts[2], "x")
        let row = try RequestText.whole(parts[3][..<dot], "y"), word = parts[3][parts[3].index(after: dot)...]
        guard ["pbf", "mvt"].contains(word.lowercased()) else {
            throw Problem(.badRequest, "unknown format '\(word)'; available: pbf", key: "format")
        }
        let known = tiles.description, levels = known.levels
        guard levels.contains(level) else {
            throw Problem(.notFound, "the tiles have the levels \(levels.lowerBound) to \(levels.upperBound)", key: "z")
        }
        guard (0..<(1 << level)).contains(column), (0..<(1 << level)).contains(row) else {
            throw Problem(.notFound, "tile \(column), \(row) does not exist at level \(level)", key: "x, y")
        }
        let tile = try await tiles.tile(
            level: level, column: column, row: row, query: request.query.items.map { ($0.name, $0.value) },
            client: context.client)
        var response = ServerResponse(status: 204)
        if let bytes = tile.bytes {
            let tag = EntityTag(bytes)
            response =
                request.knows(tag)
                ? ServerResponse(status: 304)
                : ServerResponse(type: "application/vnd.mapbox-vector-tile", body: bytes)
            response.set("ETag", "\(tag)")
        }
        for warning in tile.warnings { response.warn(warning) }
        response.set("Cache-Control", "public, max-age=\(known.maximumAge)")
        return response
    }
}

import PortolanArchives
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanZip

/// The tiles of archives as they are stored, and vector tiles of feature layers: `/data/{id}.json` and
/// `/data/{id}/{z}/{x}/{y}.pbf`.
///
/// `/data/{id}/{z}/{x}/{y}.geojson` has the features of a vector tile of an archive, to look at.
package struct DataEndpoint: Endpoint {
    package let root = "data"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let parts = Array(path)
        if let response = try await served(parts, request, in: context) { return response }
        if parts.count == 1, parts[0].hasSuffix(".json") {
            let id = String(parts[0].dropLast(5))
            let document =
                switch try context.book.tiles(id) {
                case .archive(let archive, let map): archive.document(id, of: map, at: context.base)
                case .features(let features): features.document(at: context.base)
                }
            return context.answer(ServerResponse(json: .object(document)), document: request)
        }
        guard parts.count == 4, let dot = parts[3].lastIndex(of: ".") else {
            throw Problem(.notFound, "the paths of tiles are /data/{id}.json and /data/{id}/{z}/{x}/{y}.pbf")
        }
        let tiles = try context.book.tiles(parts[0])
        let level = try RequestText.whole(parts[1], "z"), column = try RequestText.whole(parts[2], "x")
        let row = try RequestText.whole(parts[3][..<dot], "y")
        let word = parts[3][parts[3].index(after: dot)...]
        switch tiles {
        case .archive(let archive, let map):
            return try await Self.stored(archive, map, level, column, row, String(word), request, context)
        case .features(let features):
            return try await Self.made(features, level, column, row, String(word), request, context)
        }
    }

    /// Responds with a tile of an archive.
    private static func stored(
        _ archive: ServedArchive, _ map: PublishedMap, _ level: Int, _ column: Int, _ row: Int, _ word: String,
        _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard archive.content.isNamed(word) || archive.vectors != nil && word.lowercased() == "geojson" else {
            let names = archive.content.fileExtension + (archive.vectors == nil ? "" : " and geojson")
            throw Problem(.badRequest, "unknown format '\(word)'; available: \(names)", key: "format")
        }
        var response = ServerResponse(status: 204)
        if let stored = try archive.tile(level: level, column: column, row: row) {
            response =
                archive.content.isNamed(word)
                ? try Self.response(stored, of: archive.content, to: request)
                : try await Self.features(in: stored, level, column, row, of: archive, to: request, context)
        }
        response.set("Cache-Control", "public, max-age=\(map.maximumAge)")
        return response
    }

    /// Responds with a tile of feature layers, made when a slot is free.
    private static func made(
        _ features: ServedFeatures, _ level: Int, _ column: Int, _ row: Int, _ word: String,
        _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard ServedArchive.Content.mvt.isNamed(word) else {
            throw Problem(.badRequest, "unknown format '\(word)'; available: pbf", key: "format")
        }
        try ServedArchive.check(features.levels, level: level, column: column, row: row)
        let tag = features.tag(level: level, column: column, row: row)
        // A tile that is known to be current is not made.
        if let tag, request.knows(tag) || request.knows(identity(of: tag)) {
            var response = ServerResponse(status: 304)
            response.set("Vary", "Accept-Encoding")
            response.set("ETag", "\(request.knows(tag) ? tag : identity(of: tag))")
            response.set("Cache-Control", "public, max-age=\(features.map.maximumAge)")
            return response
        }
        let threads = context.maker.threads
        let result = try await context.maker.inTurn(of: context.client) { () -> Result<ServedFeatures.Tile, Problem> in
            await withTaskExecutorPreference(threads) {
                do throws(Problem) {
                    return .success(try await features.tile(level: level, column: column, row: row, on: threads))
                } catch { return .failure(error) }
            }
        }
        let tile = try result.get()
        var response =
            tile.bytes.isEmpty
            ? ServerResponse(status: 204) : try Self.response(tile.bytes, of: .mvt, to: request, tag: tag)
        for loss in tile.losses { response.warn(loss) }
        response.set(
            "Cache-Control", tile.isIncomplete ? "no-store" : "public, max-age=\(features.map.maximumAge)")
        return response
    }

    /// The tag of a tile that is sent without its compression, which is another representation (RFC 9110, section 8.8.3).
    private static func identity(of tag: EntityTag) -> EntityTag { EntityTag(of: [tag.text, "identity"]) }

    /// Responds with the features of a stored tile, when a slot is free.
    private static func features(
        in stored: [UInt8], _ level: Int, _ column: Int, _ row: Int, of archive: ServedArchive,
        to request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let tag = EntityTag(of: [EntityTag(stored).text, "geojson", "\(level)/\(column)/\(row)"])
        var response = ServerResponse(status: 304)
        if !request.knows(tag) {
            let body = try await context.maker.inTurn(of: context.client) {
                archive.geoJSON(stored, level: level, column: column, row: row)
            }
            guard let body else { throw Problem(.sourceFailed, "the tile is not a valid vector tile") }
            response = ServerResponse(type: "application/geo+json", body: body)
        }
        response.set("ETag", "\(tag)")
        return response
    }

    /// Responds with a stored tile: compressed as it is, or unpacked for a client that cannot unpack it.
    ///
    /// - Parameter tag: the tag, or `nil` for that of its bytes.
    private static func response(
        _ stored: [UInt8], of content: ServedArchive.Content, to request: ServerRequest, tag: EntityTag? = nil
    ) throws(Problem) -> ServerResponse {
        var response: ServerResponse
        switch content {
        case .images:
            response = ServerResponse(
                type: ImageFormat(recognizing: stored)?.mediaType ?? "application/octet-stream", body: stored)
        case .mvt: response = ServerResponse(type: "application/vnd.mapbox-vector-tile", body: stored)
        case .mlt: response = ServerResponse(type: "application/vnd.maplibre-vector-tile", body: stored)
        }
        let tag = tag ?? EntityTag(stored)
        var shown = tag
        if response[header: "Content-Type"]?.hasPrefix("image/") != true {
            response.set("Vary", "Accept-Encoding")
            var form = CompressedContent(recognizing: stored[...])
            // A MapLibre Tile can begin like zlib content, with a layer of 120 bytes.
            if content == .mlt, form == .zlib, stored[1] <= 2 { form = nil }
            switch form {
            case .gzip? where request.accepts(coding: "gzip"): response.set("Content-Encoding", "gzip")
            case .zstd? where request.accepts(coding: "zstd"): response.set("Content-Encoding", "zstd")
            case let compression?:
                do throws(ZipError) {
                    response.body = try compression.unpack(stored[...], byteLimit: ServedArchive.byteLimit)
                } catch {
                    guard error.code != .unsupported else {
                        throw Problem(
                            .notAcceptable, "the tiles are compressed with Zstandard, which the client does not accept",
                            key: "Accept-Encoding")
                    }
                    throw Problem(.sourceFailed, "the tile cannot be unpacked: \(error.detail)")
                }
                shown = identity(of: tag)
            case nil: break
            }
        }
        if request.knows(shown) {
            response.status = 304
            response.body = []
            response.headers.removeAll { $0.isNamed("Content-Type") || $0.isNamed("Content-Encoding") }
        }
        response.set("ETag", "\(shown)")
        return response
    }
}

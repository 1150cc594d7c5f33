import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices

/// OGC API – Maps (OGC 20-058) and – Tiles (OGC 20-057) of all maps, at `/ogc`.
///
/// Its collections are the maps, and the layers of each as `{map}:{layer}`. The dataset map is the first map.
package struct OGCAPIEndpoint: Endpoint {
    package let root = "ogc"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let documents = OGCAPIDocuments(context: context)
        func answer(
            _ value: PropertyValue, type: String = "application/json"
        ) throws(Problem) -> ServerResponse {
            try Self.document(value, type, for: request, in: context)
        }
        switch Array(path) {
        case []: return try answer(documents.landing)
        case ["conformance"]: return try answer(documents.conformance)
        case ["api"]:
            return try answer(documents.definition(operations), type: "application/vnd.oai.openapi+json;version=3.0")
        case ["collections"]: return try answer(documents.collections)
        case ["tileMatrixSets"]: return try answer(documents.grids)
        default: break
        }
        var rest = path
        if rest.first == "tileMatrixSets", rest.count == 2, let id = rest.last {
            return try answer(documents.grid(try grid(id)))
        }
        var layer: NamedLayer?, address = ""
        if rest.first == "collections" {
            let name = rest.dropFirst().first ?? ""
            guard let named = context.book.namedLayer(name) else {
                if let refusal = context.book.refusal(of: name) { throw refusal }
                throw Problem(.notFound, context.book.unknownLayer(name), key: "collection")
            }
            guard rest.count > 2 else { return try answer(documents.collection(named)) }
            (layer, address, rest) = (named, "/collections/\(name)", rest.dropFirst(2))
        }
        if rest.first == "styles" {
            guard rest.dropFirst().first == "default" else {
                throw Problem(.notFound, "unknown style; the only style is 'default'")
            }
            rest = rest.dropFirst(2)
        }
        guard rest.first == "map" else {
            throw Problem(.notFound, "not found: '/ogc/\(path.joined(separator: "/"))'")
        }
        rest = rest.dropFirst()
        guard let shown = layer ?? context.book.maps.first?.namedLayers.first else {
            throw Problem(.notFound, "no map available", key: "collection")
        }
        if rest.isEmpty { return try await map(of: shown, isChosen: layer != nil, request, context) }
        guard rest.first == "tiles", rest.count <= 5 else {
            throw Problem(.notFound, "the path of tiles is /map/tiles")
        }
        let parts = Array(rest.dropFirst())
        switch parts.count {
        case 0: return try answer(documents.tilesets(of: shown.map, at: address))
        case 1: return try answer(documents.tileset(try grid(parts[0]), of: shown.map, at: address))
        case 4: return try await tile(parts, of: shown, request, context)
        default:
            throw Problem(.notFound, "the path of a tile is /map/tiles/{grid}/{level}/{row}/{column}")
        }
    }

    private func grid(_ id: String) throws(Problem) -> ServedTileGrid {
        guard let grid = ServedTileGrid.named(id) else {
            throw Problem(
                .notFound,
                "unknown tile matrix set '\(id)'; available: "
                    + ServedTileGrid.all.map(\.id).joined(separator: ", "), key: "tileMatrixSet")
        }
        return grid
    }

    /// Returns the picture format: the value of `f`, or the first supported format that the client accepts.
    private static func format(_ request: ServerRequest) throws(Problem) -> ServedFormat {
        if let text = request.query["f"] {
            guard let format = ServedFormat(name: text) ?? ServedFormat(mediaType: text) else {
                throw Problem(.badRequest, "unsupported image format '\(text)'", key: "f")
            }
            return format
        }
        let accepted = (request[header: "Accept"] ?? "").split(separator: ",")
        if let format = accepted.lazy.compactMap({ ServedFormat(mediaType: $0) }).first { return format }
        let takesAny =
            accepted.isEmpty
            || accepted.contains { type in
                let name = type.prefix { $0 != ";" }.filter { $0 != " " }
                return name == "*/*" || name == "image/*"
            }
        guard takesAny else {
            throw Problem(.notAcceptable, "unsupported format; images are PNG, JPEG, WebP and SVG", key: "Accept")
        }
        return .png
    }

    private func map(
        of layer: NamedLayer, isChosen: Bool, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let format = try Self.format(request)
        let asked = try OGCAPIMapRequest(
            request.query, showing: layer.map.degrees, in: layer.map.crs, hasTransparency: format != .jpg,
            limits: context.limits)
        var layers = [layer]
        if !asked.collections.isEmpty {
            guard !isChosen else {
                throw Problem(
                    .badRequest, "'collections' is not allowed here: the path names a collection", key: "collections")
            }
            layers = []
            for name in asked.collections {
                guard let named = context.book.namedLayer(name) else {
                    if let refusal = context.book.refusal(of: name) { throw refusal }
                    throw Problem(.badRequest, context.book.unknownLayer(name), key: "collections")
                }
                layers.append(named)
            }
        }
        guard let map = PublishedMap(layers) else { throw Problem(.notFound, "no map available") }
        var picture = PictureRequest(
            of: map, in: asked.viewport, as: format, key: "wms " + layers.map(\.name).joined(separator: ","))
        picture.background = asked.background
        var response = try await context.answer(picture, to: request)
        response.set("Content-Crs", "<\(asked.crs.uri)>")
        response.set(
            "Content-Bbox",
            BoundingBoxWriter.string(for: asked.extent, crs: asked.crs, version: .v1_3_0, axisOrder: .auto))
        if request.query["f"] == nil { response.set("Vary", "Accept") }
        return response
    }

    private func tile(
        _ parts: [String], of layer: NamedLayer, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let format = try Self.format(request)
        guard format.hasPixels else {
            throw Problem(.badRequest, "unknown format; tiles are png, jpg and webp", key: "f")
        }
        let address = TileAddress(
            grid: try grid(parts[0]).id, level: try RequestText.whole(parts[1], "tileMatrix"),
            column: try RequestText.whole(parts[3], "tileCol"), row: try RequestText.whole(parts[2], "tileRow"),
            format: format)
        let picture = try address.picture(
            of: layer.map, labelReach: context.labelReach, key: layer.isWhole ? "tile" : "tile \(layer.name)")
        var response = try await context.answer(picture, to: request)
        if request.query["f"] == nil { response.set("Vary", "Accept") }
        return response
    }

    /// Returns a document as JSON, or as an HTML page if the client asks for one.
    private static func document(
        _ value: PropertyValue, _ type: String, for request: ServerRequest, in context: ServingContext
    ) throws(Problem) -> ServerResponse {
        var response: ServerResponse
        switch request.query["f"] {
        case "json"?: response = ServerResponse(json: value, type: type)
        case "html"?: response = OGCAPIPage.response(value)
        case let other?: throw Problem(.badRequest, "unsupported document format '\(other)'", key: "f")
        case nil:
            // JSON is the default for `*/*`; browsers list `text/html` first.
            let accepted = (request[header: "Accept"] ?? "*/*").split(separator: ",").map {
                $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
            }
            let isJSON = accepted.firstIndex {
                $0 == "*/*" || $0 == "application/*" || $0.hasSuffix("json")
            }
            let isPage = accepted.firstIndex(of: "text/html")
            guard isJSON != nil || isPage != nil else {
                throw Problem(.notAcceptable, "unsupported format; documents are JSON and HTML", key: "Accept")
            }
            response =
                (isPage ?? .max) < (isJSON ?? .max)
                ? OGCAPIPage.response(value) : ServerResponse(json: value, type: type)
            response.set("Vary", "Accept")
        }
        return context.answer(response, document: request)
    }
}

/// The HTML representation of a document: members as lists, with links.
enum OGCAPIPage {
    static func response(_ value: PropertyValue) -> ServerResponse {
        var page = MarkupWriter("<!DOCTYPE html>\n")
        let title = value.objectValue?["title"]?.stringValue ?? "Maps"
        page.element("html", ["lang": "en"]) { html in
            html.element("head") { head in
                head.element("meta", ["charset": "utf-8"])
                head.element("title", [:], title)
            }
            html.element("body") { body in
                body.element("h1", [:], title)
                write(value, to: &body)
            }
        }
        return ServerResponse(type: "text/html; charset=utf-8", body: page.bytes)
    }

    private static func write(_ value: PropertyValue, to page: inout MarkupWriter) {
        if let items = value.arrayValue {
            page.element("ul") { list in
                for item in items { list.element("li") { write(item, to: &$0) } }
            }
        } else if let members = value.objectValue {
            if let address = members["href"]?.stringValue, members["templated"] == nil {
                page.element("a", ["href": address], members["title"]?.stringValue ?? address)
                return
            }
            page.element("dl") { list in
                for member in members {
                    list.element("dt", [:], member.name)
                    list.element("dd") { write(member.value, to: &$0) }
                }
            }
        } else if let text = value.displayText, !text.isEmpty {
            page.element("span", [:], text)
        }
    }
}

import Portolan
import PortolanFeatures

/// The route book of a server, to be read: `/routes[?q=]`, `/routes/{id}`, `/routes/{id}.geojson` and
/// `/routes/{id}/snapshot.{format}`.
package struct RouteEndpoint: Endpoint {
    package let root = "routes"

    package init() {}

    /// How many routes a list has at the most.
    private static let most = 1000

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard let book = context.routes else { throw Problem(.notFound, "this server has no route book") }
        let parts = Array(path)
        switch parts.count {
        case 0: return context.answer(try list(book, request.query, context), document: request)
        case 1:
            let isGeoJSON = parts[0].hasSuffix(".geojson")
            let route = try Self.route(isGeoJSON ? String(parts[0].dropLast(8)) : parts[0], in: book)
            let document =
                isGeoJSON
                ? ServerResponse(type: "application/geo+json", body: GeoJSONWriter.write(route.collection))
                : ServerResponse(json: Self.document(of: route.summary, at: context.base))
            return context.answer(document, document: request)
        case 2: return try await snapshot(parts, of: book, request, context)
        default: throw Problem(.notFound, "a route is at /routes/{id}")
        }
    }

    private func list(
        _ book: RouteBook, _ query: Query, _ context: ServingContext
    ) throws(Problem) -> ServerResponse {
        let limit = try query["limit"].map { (text) throws(Problem) in try RequestText.whole(text, "limit") }
        let found: [RouteSummary]
        do throws(RouteBookError) {
            if let text = query["q"] { found = try book.search(text) } else { found = try book.routes().routes }
        } catch { throw Problem(error) }
        let shown = found.prefix(min(limit ?? Self.most, Self.most))
        return ServerResponse(json: [
            "count": .integer(found.count),
            "routes": .array(shown.map { Self.document(of: $0, at: context.base) }),
        ])
    }

    private static func route(_ id: String, in book: RouteBook) throws(Problem) -> BookedRoute {
        do throws(RouteBookError) { return try book.route(id) } catch { throw Problem(error) }
    }

    /// What is told of a route; where it came from is the server's own affair.
    private static func document(of route: RouteSummary, at base: String) -> PropertyValue {
        let address = "\(base)/routes/\(route.id)"
        var members: Properties = [
            "id": .string(route.id), "name": .string(route.name), "date": .string(route.date),
            "places": .array(route.placeNames.map(PropertyValue.string)),
            "bounds": .array(route.bounds.map(PropertyValue.number)), "geojson": .string("\(address).geojson"),
            "snapshot": .string("\(address)/snapshot.png"),
        ]
        if let description = route.description { members["description"] = .string(description) }
        if let kilometers = route.kilometers { members["kilometers"] = .number(kilometers) }
        if let minutes = route.minutes { members["minutes"] = .number(minutes) }
        return .object(members)
    }

    /// A picture of all of a route on a map: `map`, the first unless named, `width` and `height`.
    private func snapshot(
        _ parts: [String], of book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let file = try RequestText.file(parts[1])
        guard file.name == "snapshot" else { throw Problem(.notFound, "a picture is at /routes/{id}/snapshot.png") }
        guard let name = request.query["map"] ?? context.book.maps.first?.name else {
            throw Problem(.notFound, "there is no map", key: "map")
        }
        let map = try context.book.map(name), route = try Self.route(parts[0], in: book)
        var asked = StaticMap(
            map: map.name, place: .overlays, width: try RequestText.whole(request.query["width"] ?? "600", "width"),
            height: try RequestText.whole(request.query["height"] ?? "400", "height"), ratio: file.ratio,
            format: file.format)
        asked.maximumZoom = 17
        asked.overlays = route.collection.features.map { Overlay($0) }
        var limits = context.limits
        // What the server keeps itself may be longer than what clients send.
        (limits.overlays, limits.vertices) = (10_000, 1_000_000)
        let key = "\(route.summary.id) \(route.summary.digest)"
        return try await context.answer(try asked.picture(of: map, limits: limits, key: key), to: request)
    }
}

extension Problem {
    fileprivate init(_ error: RouteBookError) {
        switch error.code {
        case .notFound: self.init(.notFound, "there is no such route", key: "id")
        case .busy: self.init(.overloaded, "the route book is being changed", retryAfter: 5)
        // Its place is a file of the server's.
        case .unreadable, .noRoute, .limitExceeded, .duplicate, .file:
            self.init(.failed, "the route cannot be read", key: "id")
        }
    }
}

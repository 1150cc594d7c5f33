import Portolan
import PortolanFeatures
import PortolanRouteBook
import PortolanWeb

/// The route book of a server: lists, searches, routes and their pictures for all clients, and changes for clients with
/// a key.
///
/// | address | |
/// | --- | --- |
/// | `/routes[?q=&sort=&limit=]` | GET; POST of a document publishes it |
/// | `/routes/{id}[.geojson\|.gpx]` | GET; DELETE by its publisher |
/// | `/routes/{id}/snapshot.{format}` | GET |
/// | `/routes/{id}/rating` | GET; PUT and DELETE of the caller's own stars |
/// | `/routes/{id}/comments[/{number}]` | GET; POST; DELETE of the caller's own comment |
package struct RouteEndpoint: Endpoint {
    package let root = "routes"

    /// Applies the changes to the book.
    let desk = RouteDesk()

    package init() {}

    package var methods: [ServerRequest.Method] { [.get, .head, .post, .put, .delete] }

    package func drain() { desk.close() }

    /// The maximum number of routes in a list.
    private static let most = 1000

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard let book = context.routes else { throw Problem(.notFound, "this server has no route book") }
        let parts = Array(path), isReading = request.method == .get || request.method == .head
        switch (parts.count, parts.dropFirst().first) {
        case (0, _):
            return isReading
                ? try list(book, request, context) : try await publish(request, in: book, context)
        case (1, _):
            return isReading
                ? try route(parts[0], of: book, request, context)
                : try await remove(parts[0], from: book, request, context)
        case (2, "rating"):
            return isReading
                ? RouteDocument.answer(RouteDocument.rating(try Self.opinions(of: parts[0], in: book)), to: request)
                : try await rate(parts[0], of: book, request, context)
        case (2...3, "comments"):
            guard isReading else { return try await comment(parts, of: book, request, context) }
            guard parts.count == 2 else { throw Problem(.notFound, "the path of comments is /routes/{id}/comments") }
            return RouteDocument.answer(RouteDocument.comments(try Self.opinions(of: parts[0], in: book)), to: request)
        case (2, _):
            guard isReading else { throw Self.notAllowed }
            return try await snapshot(parts, of: book, request, context)
        default: throw Problem(.notFound, "the path of a route is /routes/{id}")
        }
    }

    static let notAllowed = Problem(.methodNotAllowed, "method not allowed here")

    /// The sort order of lists.
    private enum Order: String, CaseIterable {
        case date, rating, popularity
    }

    private func list(
        _ book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) throws(Problem) -> ServerResponse {
        let query = request.query
        let limit = try query["limit"].map { (text) throws(Problem) in
            try RequestText.whole(text, "limit", most: 1_000_000_000)
        }
        guard let order = Order(rawValue: query["sort"] ?? Order.date.rawValue) else {
            throw Problem(
                .badRequest,
                "unknown order; routes can be sorted by \(Order.allCases.map(\.rawValue).joined(separator: ", "))",
                key: "sort")
        }
        var found: [RouteBook.Summary], warnings: [MapWarning] = []
        do throws(MapError) {
            let all = try book.routes()
            found = query["q"].map { book.search($0, among: all.routes) } ?? all.routes
            // File paths of the server must not be revealed.
            if !all.warnings.isEmpty {
                warnings.append(
                    MapWarning(
                        .data, effect: .omitted, message: "\(all.warnings.count) damaged routes not listed"))
            }
        } catch { throw Problem(error) }
        let pending = desk.pending
        var opinions: [String: RouteOpinions] = [:]
        func opinion(_ id: String) -> RouteOpinions {
            if let known = opinions[id] { return known }
            var read = RouteOpinions()
            do throws(MapError) { read = try book.opinions(of: id) } catch  where error.code != .notFound {
                warnings.append(
                    MapWarning(
                        .data, MapWarning.Subject(feature: id), effect: .omitted,
                        message: "damaged stars, comments and views left out"))
            } catch {
                // Another process may just have removed the route.
            }
            opinions[id] = read
            return read
        }
        switch order {
        case .date: break
        case .rating: found = Self.sorted(found) { opinion($0.id).rating ?? 0 }
        case .popularity: found = Self.sorted(found) { Double(opinion($0.id).openings + (pending[$0.id] ?? 0)) }
        }
        let shown = found.prefix(min(limit ?? Self.most, Self.most))
        let documents = shown.map {
            RouteDocument.summary($0, opinion($0.id), openings: pending[$0.id] ?? 0, at: context.base)
        }
        var members: Properties = ["count": .integer(found.count), "routes": .array(documents)]
        if !warnings.isEmpty { members["warnings"] = .array(warnings.map(RouteDocument.warning)) }
        return RouteDocument.answer(.object(members), to: request)
    }

    /// Sorts routes by a value in descending order.
    ///
    /// The sort is stable.
    private static func sorted(
        _ routes: [RouteBook.Summary], by value: (RouteBook.Summary) -> Double
    ) -> [RouteBook.Summary] {
        routes.enumerated().map { (value($0.element), $0.offset, $0.element) }
            .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.2)
    }

    private func route(
        _ name: String, of book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) throws(Problem) -> ServerResponse {
        let (id, file) = RouteDocument.file(of: name)
        let response: ServerResponse
        if let file {
            response = RouteDocument.answer(file, of: try Self.route(id, in: book), to: request)
        } else {
            do throws(MapError) {
                let openings = desk.pending[id] ?? 0
                response = RouteDocument.answer(
                    RouteDocument.summary(
                        try book.summary(of: id), try book.opinions(of: id), openings: openings, at: context.base),
                    to: request)
            } catch { throw Problem(error) }
        }
        if request.method == .get, response.status == 200 { desk.opened(id, of: book) }
        return response
    }

    private static func route(_ id: String, in book: RouteBook) throws(Problem) -> BookedRoute {
        do throws(MapError) { return try book.route(id) } catch { throw Problem(error) }
    }

    private static func opinions(of id: String, in book: RouteBook) throws(Problem) -> RouteOpinions {
        do throws(MapError) { return try book.opinions(of: id) } catch { throw Problem(error) }
    }

    /// Returns a picture of a whole route on a map.
    ///
    /// The query has `map` (by default the first one), `width` and `height`.
    private func snapshot(
        _ parts: [String], of book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let file = try RequestText.file(parts[1])
        guard file.name == "snapshot" else {
            throw Problem(.notFound, "the path of a picture is /routes/{id}/snapshot.png")
        }
        guard let name = request.query["map"] ?? context.book.maps.first?.name else {
            throw Problem(.notFound, "no map available", key: "map")
        }
        let map = try context.book.map(name), route = try Self.route(parts[0], in: book)
        var asked = StaticMap(
            map: map.name, place: .overlays, width: try RequestText.whole(request.query["width"] ?? "600", "width"),
            height: try RequestText.whole(request.query["height"] ?? "400", "height"), ratio: file.ratio,
            format: file.format)
        asked.maximumZoom = 17
        asked.overlays = route.collection.features.map { Overlay($0) }
        var limits = context.limits
        // Routes stored on the server may exceed the limits for clients.
        (limits.overlays, limits.vertices) = (10_000, 1_000_000)
        let key = "\(route.summary.id) \(route.summary.digest)"
        return try await context.answer(try asked.picture(of: map, limits: limits, key: key), to: request)
    }
}

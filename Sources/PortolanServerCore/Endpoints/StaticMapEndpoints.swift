import PortolanFeatures
import PortolanPlan

/// Static maps in the tileserver-gl syntax: `/maps/{map}/static/{place}/{w}x{h}[@{r}x].{format}`, and in that of Google
/// at its own path, `/maps/api/staticmap`.
///
/// Long paths and GeoJSON are sent by POST.
package struct StaticMapEndpoint: Endpoint {
    package let root = "maps"
    package let methods: [ServerRequest.Method] = [.get, .head, .post]

    package init() {}

    package func needsSignature(_ path: ArraySlice<String>) -> Bool { true }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let parts = Array(path)
        if parts == ["api", "staticmap"] {
            guard request.method != .post else {
                throw Problem(.methodNotAllowed, "POST is for /maps/{map}/static alone")
            }
            return try await context.answer(google: request)
        }
        guard parts.count == 4, parts[1] == "static" else {
            throw Problem(.notFound, "the path of a static map is /maps/{map}/static/{place}/{width}x{height}.png")
        }
        return try await context.answer(tileServer: parts[2...], of: try context.book.map(parts[0]), to: request)
    }
}

/// Static maps in the Google syntax: `/staticmap?center=…&zoom=…&size=…`.
package struct GoogleStaticEndpoint: Endpoint {
    package let root = "staticmap"

    package init() {}

    package func needsSignature(_ path: ArraySlice<String>) -> Bool { true }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.isEmpty else { throw Problem(.notFound, "the path of a static map is /staticmap?") }
        return try await context.answer(google: request)
    }
}

extension ServingContext {
    /// Responds with a static map in the Google syntax, by default of the first map.
    fileprivate func answer(google request: ServerRequest) async throws(Problem) -> ServerResponse {
        if let refusal = (request.query["map"] ?? request.query["maptype"]).flatMap(book.refusal) { throw refusal }
        let asked = try StaticMap(google: request.query, maps: book.maps.map(\.name), limits: limits)
        return try await answer(asked, of: try book.map(asked.map), to: request)
    }

    /// Responds with a static map in the tileserver-gl syntax.
    ///
    /// - Parameter path: the location and the size, after `raw` for coordinates in Web Mercator.
    func answer(
        tileServer path: ArraySlice<String>, of map: PublishedMap, to request: ServerRequest
    ) async throws(Problem) -> ServerResponse {
        let form = try StaticMapForm(request, limits: limits)
        var asked = try StaticMap(tileServer: map.name, path: path, query: form.query, limits: limits)
        asked.overlays += form.features
        return try await answer(asked, of: map, to: request)
    }

    /// Responds with a static map, and names the parameters that have no effect.
    func answer(
        _ asked: StaticMap, of map: PublishedMap, to request: ServerRequest
    ) async throws(Problem) -> ServerResponse {
        try asked.check(limits)
        let images = try await asked.iconImages(of: icons)
        let key = EntityTag(
            of: [request.target, EntityTag(request.body).text, request[header: "Content-Type"] ?? ""]
                + images.values.map { EntityTag($0).text }.sorted()
        ).text
        let picture: PictureRequest
        if images.isEmpty, asked.changes == StyleChanges() {
            picture = try asked.picture(of: map, limits: limits, key: key)
        } else {
            // Images are decoded and styles are read when a slot is free.
            let limits = limits
            picture = try await maker.inTurn(of: client) { () -> Result<PictureRequest, Problem> in
                do throws(Problem) {
                    return .success(try asked.with(images).picture(of: map, limits: limits, key: key))
                } catch {
                    return .failure(error)
                }
            }.get()
        }
        var response = try await answer(picture, to: request)
        var ignored = asked.ignored
        if asked.changes.language != nil, !map.layers.contains(where: { $0.style != nil }) {
            ignored.append("language")
        }
        if !ignored.isEmpty { response.warn("no effect: \(ignored.joined(separator: ", "))") }
        return response
    }
}

/// The parameters of a static map request: the query, and the body of a POST with further parameters or GeoJSON.
struct StaticMapForm {
    /// The parameters of the query and the body.
    let query: Query
    /// The features of the body.
    let features: [Overlay]

    init(_ request: ServerRequest, limits: ServingLimits) throws(Problem) {
        guard request.method == .post, !request.body.isEmpty else {
            (query, features) = (request.query, [])
            return
        }
        let type = (request[header: "Content-Type"] ?? "application/json").prefix { $0 != ";" }.lowercased()
        switch type {
        case "application/geo+json", "application/vnd.geo+json":
            query = request.query
            features = try Overlay.features(request.body, key: "body", limits: limits)
        case "application/json":
            guard let members = try Self.members(request.body) else {
                query = request.query
                features = try Overlay.features(request.body, key: "body", limits: limits)
                return
            }
            query = try Self.joined(request.query, members)
            features = []
        case "application/x-www-form-urlencoded":
            guard let text = String(validating: request.body, as: UTF8.self) else {
                throw Problem(.badRequest, "the form must be UTF-8", key: "body")
            }
            query = Query(try (request.query.items + Query(text).items).map { ($0.name, $0.value) })
            features = []
        default:
            throw Problem(
                .unsupportedMedia,
                "the body must be application/geo+json, application/json or application/x-www-form-urlencoded")
        }
    }

    /// Returns the members of a JSON object with parameters, or `nil` if the document is GeoJSON.
    private static func members(_ body: [UInt8]) throws(Problem) -> Properties? {
        let value: PropertyValue
        do { value = try JSONReader.value(bytes: body) } catch { throw Problem(.badRequest, "\(error)", key: "body") }
        guard let members = value.objectValue else { throw Problem(.badRequest, "expected a JSON object", key: "body") }
        return members["type"] == nil ? members : nil
    }

    private static func joined(_ query: Query, _ members: Properties) throws(Problem) -> Query {
        var items = query.items.map { (name: $0.name, value: $0.value) }
        for member in members {
            for value in member.value.arrayValue ?? [member.value] {
                guard let text = value.stringValue ?? value.displayText else {
                    throw Problem(.badRequest, "expected a string, a number or a list of them", key: member.name)
                }
                items.append((member.name, text))
            }
        }
        return Query(items)
    }
}

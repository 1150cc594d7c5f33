import Portolan
import PortolanFeatures
import PortolanRouteBook

/// Operations that require a key. Only the author of an entry may remove it.
extension RouteEndpoint {
    private static func holder(of request: ServerRequest, in context: ServingContext) throws(Problem) -> String {
        guard let keys = context.routeKeys else {
            throw Problem(.forbidden, "the route book of this server is read-only")
        }
        return try keys.holder(of: request)
    }

    /// Adds a document of a client to the book.
    func publish(
        _ request: ServerRequest, in book: RouteBook, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard request.method == .post else { throw Self.notAllowed }
        let person = try Self.holder(of: request, in: context), document = request.body
        let name = try request.query["name"].map { (text) throws(Problem) in try Self.words(text, limit: 1000, "name") }
        guard !document.isEmpty else { throw Problem(.unreadableBody, "the body must be a route in GPX or GeoJSON") }
        let route = try await desk.change { () throws(MapError) in
            try book.add(document, named: name, from: RouteBook.Source(publisher: person))
        }
        var response = ServerResponse(
            status: 201, json: RouteDocument.summary(route, RouteOpinions(), openings: 0, at: context.base))
        response.set("Location", "\(context.base)/routes/\(route.id)")
        response.set("Cache-Control", "no-store")
        return response
    }

    /// Removes a route for its publisher.
    func remove(
        _ id: String, from book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard request.method == .delete else { throw Self.notAllowed }
        let person = try Self.holder(of: request, in: context), isOwn: Bool
        do throws(MapError) { isOwn = try book.summary(of: id).source.publisher == person } catch {
            throw Problem(error)
        }
        guard isOwn else { throw Problem(.forbidden, "only the publisher of a route can delete it", key: "id") }
        try await desk.change { () throws(MapError) in try book.remove(id) }
        return Self.nothing
    }

    /// Sets the caller's rating, `{"stars": 4}`, or removes it.
    func rate(
        _ id: String, of book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard request.method == .put || request.method == .delete else { throw Self.notAllowed }
        let person = try Self.holder(of: request, in: context)
        var stars: Int?
        if request.method == .put {
            guard case .integer(let count)? = try Self.members(of: request)["stars"], (1...5).contains(count) else {
                throw Problem(.unreadableBody, #"the body must be {"stars": 1} to {"stars": 5}"#, key: "stars")
            }
            stars = count
        }
        let opinions = try await desk.change { [stars] () throws(MapError) in
            try book.changeOpinions(of: id) { opinions in
                opinions.rate(stars, by: person)
                return opinions
            }
        }
        return Self.changed(ServerResponse(json: RouteDocument.rating(opinions)))
    }

    /// Adds a comment, `{"text": "…"}`, or removes one of the caller's own.
    func comment(
        _ parts: [String], of book: RouteBook, _ request: ServerRequest, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let id = parts[0], person: String
        if parts.count == 3 {
            guard request.method == .delete else { throw Self.notAllowed }
            person = try Self.holder(of: request, in: context)
            return try await removeComment(try RequestText.whole(parts[2], "number"), by: person, id, book)
        }
        guard request.method == .post else { throw Self.notAllowed }
        person = try Self.holder(of: request, in: context)
        guard let sent = try Self.members(of: request)["text"]?.stringValue else {
            throw Problem(.unreadableBody, #"the body must be {"text": "…"}"#, key: "text")
        }
        let text = try Self.words(sent, limit: RouteOpinions.maximumTextCount, "text")
        let comment = try await desk.change { () throws(MapError) in
            try book.changeOpinions(of: id) { $0.comment(text, by: person) }
        }
        guard let comment else {
            throw Problem(.full, "a route can have at most \(RouteOpinions.maximumCommentCount) comments")
        }
        return Self.changed(ServerResponse(status: 201, json: RouteDocument.comment(comment)))
    }

    private func removeComment(
        _ number: Int, by person: String, _ id: String, _ book: RouteBook
    ) async throws(Problem) -> ServerResponse {
        let author = try await desk.change { () throws(MapError) in
            try book.changeOpinions(of: id) { opinions in
                let author = opinions.comments.first { $0.id == number }?.author
                if author == person { opinions.removeComment(number) }
                return author
            }
        }
        guard let author else { throw Problem(.notFound, "unknown comment", key: "number") }
        guard author == person else {
            throw Problem(.forbidden, "only the author of a comment can delete it", key: "number")
        }
        return Self.nothing
    }

    private static var nothing: ServerResponse { changed(ServerResponse(status: 204)) }

    private static func changed(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.set("Cache-Control", "no-store")
        return response
    }

    /// Returns the members of a JSON object in the body.
    private static func members(of request: ServerRequest) throws(Problem) -> Properties {
        guard let members = try? JSONReader.value(bytes: request.body).objectValue else {
            throw Problem(.unreadableBody, "the body must be a JSON object")
        }
        return members
    }

    /// Returns a text without control characters other than line breaks.
    private static func words(_ text: String, limit: Int, _ key: String) throws(Problem) -> String {
        let kept = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control }))
        guard kept.contains(where: { !$0.isWhitespace }), kept.count <= limit, kept.utf8.count <= 8 * limit else {
            throw Problem(.unreadableBody, "must have 1 to \(limit) characters", key: key)
        }
        return kept
    }
}

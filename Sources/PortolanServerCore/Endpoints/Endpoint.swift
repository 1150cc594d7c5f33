import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
package import PortolanRouteBook

/// A family of URLs that a map server answers: the extension point for further protocols.
///
/// An endpoint is a value. It handles the requests whose path begins with ``root``, and responds with a document or
/// with an image that the picture maker renders. It throws a ``Problem`` for a request that it cannot answer; a
/// protocol with its own error format converts the problem itself.
package protocol Endpoint: Sendable {
    /// The first path component of its URLs; empty for the path `/`.
    var root: String { get }

    /// The supported methods besides OPTIONS. HEAD is answered like GET.
    var methods: [ServerRequest.Method] { get }

    /// Returns whether a URL must be signed if the server has signing keys. The default is `false`.
    ///
    /// - Parameter path: the path components after ``root``.
    func needsSignature(_ path: ArraySlice<String>) -> Bool

    /// Returns whether the rate limit of the server applies to a request. The default is `true`.
    func isRated(_ request: ServerRequest) -> Bool

    /// Metrics for monitoring, empty by default.
    var gauges: [EndpointGauge] { get }

    /// The paths that it answers, for the API description of the server.
    var operations: [APIOperation] { get }

    /// Ends pending requests because the server is shutting down.
    func drain()

    /// Returns the answer to a request if it is kept, so that it needs neither rendering nor a wait; otherwise `nil`, by
    /// default.
    ///
    /// - Parameter path: the path components after ``root``.
    func keptAnswer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) -> ServerResponse?

    /// Answers a request.
    ///
    /// - Parameter path: the path components after ``root``.
    func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse
}

extension Endpoint {
    /// GET and HEAD.
    package var methods: [ServerRequest.Method] { [.get, .head] }
    /// URLs need no signature.
    package func needsSignature(_ path: ArraySlice<String>) -> Bool { false }
    /// No metrics.
    package var gauges: [EndpointGauge] { [] }
    /// The rate limit applies.
    package func isRated(_ request: ServerRequest) -> Bool { true }
    /// Does nothing.
    package func drain() {}
    /// No answer is kept.
    package func keptAnswer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) -> ServerResponse? { nil }
}

/// A metric of an endpoint, for Prometheus.
package struct EndpointGauge: Sendable {
    /// The metric name.
    package let name: String
    /// The help text, one sentence.
    package let meaning: String
    /// The current value.
    package let value: Int
}

/// The context of a request: the maps at the time of the request, the limits and the renderer.
package struct ServingContext: Sendable {
    /// The maps.
    package let book: MapBook
    /// The limits of a request.
    package let limits: ServingLimits
    /// The renderer of pictures.
    package let maker: PictureMaker
    /// The public base URL of the server, without a trailing slash.
    package let base: String
    /// The distance that a label may extend beyond its label cell, in view pixels; 0 clips labels at the tile border.
    package let labelReach: Int
    /// Whether WMS exceptions are sent with status 200.
    package let exceptionsAreSuccesses: Bool

    /// The images that clients may name for markers, or `nil` for none.
    package var icons: IconShelf?

    /// The published routes, or `nil` if the server has no route book.
    package let routes: RouteBook?
    /// The keys that permit changes to routes, or `nil` if they are read-only.
    package let routeKeys: AccessKeys?
    /// The functions that viewers offer, including routes.
    package let offer: ViewerOffer

    /// The client that sent the request, for fair scheduling.
    package let client: String
    /// The path of ``base`` without a trailing slash, or `nil` if it is unknown.
    package var path: String?
    /// The version of the program.
    package var version = ""

    /// Creates a context.
    package init(
        book: MapBook, limits: ServingLimits, maker: PictureMaker, base: String, labelReach: Int = 128,
        exceptionsAreSuccesses: Bool = false, routes: RouteBook? = nil, routeKeys: AccessKeys? = nil,
        offer: ViewerOffer = ViewerOffer(), client: String = ""
    ) {
        self.client = client
        self.book = book
        self.limits = limits
        self.maker = maker
        self.base = base
        self.labelReach = labelReach
        self.exceptionsAreSuccesses = exceptionsAreSuccesses
        self.routes = routes
        self.routeKeys = routeKeys
        var offer = offer
        offer.routes = routes
        self.offer = offer
    }

    /// Returns an address for a page: a path of this server, relative to the request if the path of the server is
    /// unknown.
    func reference(_ path: String, from request: ServerRequest) -> String {
        self.path.map { "\($0)/\(path)" } ?? request.rootReference + path
    }

    /// The title of a service with all maps.
    var title: String { book.maps.count == 1 ? book.maps[0].title : "Maps" }

    /// Responds with a picture, or with 304 without rendering if the client has the current one.
    ///
    /// - Throws: ``Problem``.
    package func answer(_ picture: PictureRequest, to request: ServerRequest) async throws(Problem) -> ServerResponse {
        try check(picture)
        let identity = picture.identity
        if let kept = keptAnswer(picture, identity, to: request) { return kept }
        let drawn = try await maker.picture(picture, known: identity, for: client)
        if !drawn.hasHoles, request.knows(drawn.tag) { return notModified(drawn.tag, picture.map) }
        return response(drawn, of: picture.map)
    }

    /// Responds with a kept picture, or with 304 if the client has the current one; `nil` if it has to be drawn.
    func keptAnswer(_ picture: PictureRequest, to request: ServerRequest) -> ServerResponse? {
        guard (try? check(picture)) != nil else { return nil }
        return keptAnswer(picture, picture.identity, to: request)
    }

    private func keptAnswer(
        _ picture: PictureRequest, _ identity: EntityTag, to request: ServerRequest
    ) -> ServerResponse? {
        if request.isConditional, let tag = maker.currentTags(of: picture, identity).first(where: request.knows) {
            return notModified(tag, picture.map)
        }
        return maker.keptPicture(identity).map { response($0, of: picture.map) }
    }

    private func check(_ picture: PictureRequest) throws(Problem) {
        let size = picture.viewport.size
        try limits.check(width: size.width, height: size.height, ratio: picture.viewport.pixelRatio, key: "size")
        guard picture.layers.count <= limits.layers + picture.map.layers.count else {
            throw Problem(.badRequest, "a map can have at most \(limits.layers) layers", key: "layers")
        }
    }

    private func response(_ drawn: ServedPicture, of map: PublishedMap) -> ServerResponse {
        // The next picture may be complete, so an incomplete one must not be cached.
        let caching =
            drawn.hasHoles
            ? [HTTPHeader(name: "Cache-Control", value: "no-store")]
            : [
                HTTPHeader(name: "Cache-Control", value: "public, max-age=\(map.maximumAge)"),
                HTTPHeader(name: "ETag", value: "\(drawn.tag)"),
            ]
        return ServerResponse(type: drawn.format.mediaType, headers: caching, body: drawn.bytes)
    }

    /// Responds with a picture, and converts a problem to a service fault without a code.
    func faulting(_ picture: PictureRequest, to request: ServerRequest) async throws(ServiceFault) -> ServerResponse {
        do throws(Problem) { return try await answer(picture, to: request) } catch { throw ServiceFault(error) }
    }

    /// Responds with the features of layers at a pixel.
    ///
    /// - Throws: ``Problem``.
    package func answer(_ question: PlaceQuestion, of layers: [NamedLayer]) async throws(Problem) -> ServerResponse {
        var response = question.document(try await maker.findings(question, of: layers, for: client))
        response.set("Cache-Control", "no-cache")
        return response
    }

    private func notModified(_ tag: EntityTag, _ map: PublishedMap) -> ServerResponse {
        ServerResponse(
            status: 304,
            headers: [
                HTTPHeader(name: "ETag", value: "\(tag)"),
                HTTPHeader(name: "Cache-Control", value: "public, max-age=\(map.maximumAge)"),
            ])
    }

    /// Responds with a document that may be cached for a minute, or with 304 if the client has the current one.
    package func answer(
        _ document: ServerResponse, document request: ServerRequest
    ) -> ServerResponse {
        let tag = EntityTag(document.body)
        var response = document
        if request.knows(tag) { response = ServerResponse(status: 304) }
        response.set("ETag", "\(tag)")
        response.set("Cache-Control", "public, max-age=60")
        return response
    }
}

import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
package import PortolanRouteBook

/// One family of addresses that a map server answers: the seam for further protocols.
///
/// An endpoint is a value. It reads a request, of whose path its first part is its own, and answers with a document or with a
/// picture that the maker draws. What it cannot answer it throws as a ``Problem``; a protocol with a form of its own for
/// errors makes its own answer of them.
package protocol Endpoint: Sendable {
    /// The first part of the paths that it answers.
    var root: String { get }

    /// The methods that it answers, beside OPTIONS; HEAD is answered as GET.
    var methods: [ServerRequest.Method] { get }

    /// Whether addresses have to be signed where the server has keys for that; no, unless told.
    var needsSignature: Bool { get }

    /// Whether a client may ask only as often as the server allows; yes, unless told.
    var isRated: Bool { get }

    /// Figures for monitoring; none, unless given.
    var gauges: [EndpointGauge] { get }

    /// Ends what waits, since the server is to end.
    func drain()

    /// Answers a request.
    ///
    /// - Parameter path: the parts of the path after ``root``.
    func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse
}

extension Endpoint {
    /// GET and HEAD.
    package var methods: [ServerRequest.Method] { [.get, .head] }
    /// Addresses need no signature.
    package var needsSignature: Bool { false }
    /// No figures.
    package var gauges: [EndpointGauge] { [] }
    /// All requests are counted.
    package var isRated: Bool { true }
    /// Nothing waits.
    package func drain() {}
}

/// A figure of an endpoint, as Prometheus reads it.
package struct EndpointGauge: Sendable {
    /// The name of the metric.
    package let name: String
    /// The meaning, in one sentence.
    package let meaning: String
    /// The value now.
    package let value: Int
}

/// What endpoints answer from: the maps as they are at the moment of the request, and what draws them.
package struct ServingContext: Sendable {
    /// The maps.
    package let book: MapBook
    /// What a request may ask for.
    package let limits: ServingLimits
    /// Draws.
    package let maker: PictureMaker
    /// The address of the server as clients know it, without a slash at its end.
    package let base: String
    /// How far a label may lie beyond the cell of tiles that it belongs to, in view pixels; 0 has labels end at the border of a tile.
    package let labelReach: Int
    /// Whether exceptions of a WMS come with the status of success.
    package let exceptionsAreSuccesses: Bool

    /// The routes that are published, or `nil` where none are.
    package let routes: RouteBook?
    /// Who may change them, or `nil` where nobody may.
    package let routeKeys: AccessKeys?
    /// What people may do in viewers, the routes among it.
    package let offer: ViewerOffer

    /// The client that asks; clients take turns.
    package let client: String

    /// Makes a context.
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

    /// What a service of all maps is called.
    var title: String { book.maps.count == 1 ? book.maps[0].title : "Maps" }

    /// Answers with a picture, or that the client has it already, which costs no drawing.
    ///
    /// - Throws: ``Problem``.
    package func answer(_ picture: PictureRequest, to request: ServerRequest) async throws(Problem) -> ServerResponse {
        let size = picture.viewport.size
        try limits.check(
            width: size.width, height: size.height, ratio: picture.viewport.pixelRatio, key: "size")
        guard picture.layers.count <= limits.layers + picture.map.layers.count else {
            throw Problem(.badRequest, "a picture has at most \(limits.layers) layers", key: "layers")
        }
        let identity = picture.identity
        if let tag = maker.currentTags(of: picture, identity).first(where: request.knows) {
            return notModified(tag, picture.map)
        }
        let drawn = try await maker.picture(picture, known: identity, for: client)
        if !drawn.hasHoles, request.knows(drawn.tag) { return notModified(drawn.tag, picture.map) }
        var response = ServerResponse(type: drawn.format.mediaType, body: drawn.bytes)
        if drawn.hasHoles {
            // The next one may be whole, and nobody is to keep this one.
            response.set("Cache-Control", "no-store")
        } else {
            response.set("Cache-Control", "public, max-age=\(picture.map.maximumAge)")
            response.set("ETag", "\(drawn.tag)")
        }
        return response
    }

    /// Answers with a picture, its problem as a fault of a service that has no code for it.
    func faulting(_ picture: PictureRequest, to request: ServerRequest) async throws(ServiceFault) -> ServerResponse {
        do throws(Problem) { return try await answer(picture, to: request) } catch { throw ServiceFault(error) }
    }

    /// Answers what some layers have at a place.
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

    /// Answers with a document that a client may use again for a minute, or that it has it already.
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

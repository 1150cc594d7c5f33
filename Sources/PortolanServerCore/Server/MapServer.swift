import Portolan
import PortolanFeatures
package import PortolanFetch
package import PortolanRouteBook
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map server without its HTTP library: answers requests with documents and pictures of maps.
///
/// It outlives its maps: ``replace(_:offer:)`` puts others in their place between two requests.
package final class MapServer: Sendable {
    /// How it serves.
    package struct Settings: Sendable {
        /// What a request may ask for.
        package var limits = ServingLimits()
        /// How pictures are drawn.
        package var pictures: PictureMaker.Settings
        /// Where the workers of a server keep the pictures that they share, or `nil` where it is alone.
        package var store: (any ResponseStore)?
        /// How often a client may ask, or `nil` for as often as it likes.
        package var rate: TokenBuckets.Rate?
        /// What signs the addresses of static maps, or `nil` where they need no signature.
        package var signature: URLSignature?
        /// The address that documents name, without a slash at its end; that of the request where `nil`.
        package var base: String?
        /// The addresses of proxies that are believed when they say whom they ask for (`X-Forwarded-For`).
        package var trustedProxies: Set<String> = []
        /// How far a label may lie beyond the cell of tiles that it belongs to, in view pixels; 0 has labels end at the border of a tile.
        package var labelReach = 128
        /// Whether exceptions of a WMS come with the status 200, as old clients want them.
        package var exceptionsAreSuccesses = false
        /// The routes that are published, or `nil` for none.
        package var routes: RouteBook?
        /// Who may change them, or `nil` where nobody may.
        package var routeKeys: AccessKeys?
        /// What viewers may take.
        package var viewers: ViewerBudget
        /// What people may do in viewers, at the beginning.
        package var offer = ViewerOffer()

        /// Makes the settings for a number of processors.
        package init(processors: Int) {
            pictures = PictureMaker.Settings(processors: processors)
            viewers = ViewerBudget(processors: processors)
        }
    }

    private struct State {
        var book: MapBook
        var offer: ViewerOffer
        var buckets: TokenBuckets?
        var isDraining = false
    }

    private let state: Mutex<State>
    /// How it serves.
    package let settings: Settings
    private let maker: PictureMaker
    private let endpoints: [String: any Endpoint]
    private let figures = ServingFigures()
    private let start = ContinuousClock.now

    /// Makes a server; it starts the threads that draw.
    ///
    /// - Parameter endpoints: what it answers; one for each protocol unless given.
    package init(_ book: MapBook, settings: Settings, endpoints: [any Endpoint]? = nil) {
        state = Mutex(State(book: book, offer: settings.offer, buckets: settings.rate.map { TokenBuckets($0) }))
        var settings = settings
        // What is replaced must be able to go.
        settings.offer = ViewerOffer()
        self.settings = settings
        maker = PictureMaker(settings.pictures, store: settings.store)
        maker.use(book)
        let all = endpoints ?? Self.standardEndpoints(ViewerSessions(settings.viewers))
        self.endpoints = Dictionary(all.map { ($0.root, $0) }) { first, _ in first }
    }

    /// What a server answers: one line for each protocol.
    private static func standardEndpoints(_ viewers: ViewerSessions) -> [any Endpoint] {
        [
            TileEndpoint(), TMSEndpoint(), TileJSONEndpoint(), StaticMapEndpoint(), MapboxStaticEndpoint(),
            GoogleStaticEndpoint(), WMSEndpoint(), WMTSEndpoint(), OGCAPIEndpoint(), RouteEndpoint(),
            ViewerEndpoint(viewers), ViewerSessionEndpoint(viewers),
        ]
    }

    /// The maps.
    package var book: MapBook { state.withLock(\.book) }

    /// How the gate stands.
    package var gateFigures: RenderGate.Figures { maker.gateFigures }

    /// What the caches hold, by what they keep, in bytes.
    package var cacheByteCounts: [String: Int] { maker.cacheByteCounts }

    /// What came of the pictures.
    package var pictureFigures: PictureMaker.Counts { maker.figures }

    /// Puts other maps in the place of those that there are; requests under way end with the old ones.
    ///
    /// - Parameter offer: what people may do in viewers from now on, or `nil` for the same as before. Viewers that are open go on
    ///   with what they have.
    package func replace(_ book: MapBook, offer: ViewerOffer? = nil) {
        maker.use(book)
        state.withLock { state in
            state.book = book
            if let offer { state.offer = offer }
        }
    }

    /// Says from now on that it is not ready, so that a balancer sends no more, while it answers what comes all the same.
    package func drain() {
        state.withLock { $0.isDraining = true }
        for endpoint in endpoints.values { endpoint.drain() }
    }

    /// What came of a request, for the log.
    package struct Outcome: Sendable {
        /// The answer.
        package let response: ServerResponse
        /// The part of the path that something answers, or `none`.
        package let route: String
        /// How long it took.
        package let duration: Duration
    }

    /// What a port leads to.
    package enum Part: Sendable {
        /// The maps, and health and figures.
        case all
        /// The maps alone.
        case maps
        /// Health and figures alone.
        case health
    }

    /// Answers a request; it always does.
    ///
    /// - Parameters:
    ///   - target: the path and the query.
    ///   - client: the address of who asks, without its port.
    package func answer(
        _ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8] = [], client: String = "",
        of part: Part = .all
    ) async -> Outcome {
        let begin = ContinuousClock.now
        var route = "none", response: ServerResponse
        do throws(Problem) {
            try settings.limits.check(targetBytes: target.utf8.count, bodyBytes: body.count)
            let request = try ServerRequest(method, target, headers: headers, body: body, client: client)
            (route, response) = await answer(request, of: part)
        } catch { response = error.response }
        response.set("Access-Control-Allow-Origin", "*")
        if response[header: "Access-Control-Expose-Headers"] == nil {
            response.set("Access-Control-Expose-Headers", "ETag, Content-Crs, Content-Bbox, Location, Retry-After")
        }
        // What a browser takes for something else than it is said to be could run there.
        response.set("X-Content-Type-Options", "nosniff")
        let duration = ContinuousClock.now - begin
        figures.note(
            route: route, status: response.status, bytes: response.body.count, seconds: duration.inSeconds)
        return Outcome(response: response, route: route, duration: duration)
    }

    private func answer(
        _ request: ServerRequest, of part: Part
    ) async -> (route: String, response: ServerResponse) {
        if part != .maps, let own = health(request) { return ("health", own) }
        guard let root = request.path.first else {
            return part == .health
                ? ("none", Problem(.notFound, "health is at /health/live").response) : ("index", index(request))
        }
        guard part != .health, let endpoint = endpoints[root] else {
            return ("none", Problem(.notFound, "nothing is at '/\(root)'").response)
        }
        if request.method == .options { return (root, preflight(endpoint)) }
        do throws(Problem) {
            guard let method = request.method, endpoint.methods.contains(method) else {
                var response = Problem(.methodNotAllowed, "the method has no meaning at '/\(root)'").response
                response.set("Allow", Self.allowed(endpoint))
                return (root, response)
            }
            if endpoint.isRated { try admit(request) }
            if endpoint.needsSignature, let signature = settings.signature {
                try signature.check(request.target, now: Int(Date().timeIntervalSince1970))
            }
            let (book, offer) = state.withLock { ($0.book, $0.offer) }
            let context = ServingContext(
                book: book, limits: settings.limits, maker: maker, base: base(of: request),
                labelReach: settings.labelReach, exceptionsAreSuccesses: settings.exceptionsAreSuccesses,
                routes: settings.routes, routeKeys: settings.routeKeys, offer: offer, client: client(of: request))
            return (root, try await endpoint.answer(request, path: request.path.dropFirst(), in: context))
        } catch { return (root, error.response) }
    }

    /// Counts the request of a client.
    private func admit(_ request: ServerRequest) throws(Problem) {
        let time = (ContinuousClock.now - start).inSeconds, client = client(of: request)
        let wait = state.withLock { $0.buckets?.take(client, at: time) }
        if let wait { throw Problem(.tooManyRequests, "this client asks too often", retryAfter: wait) }
    }

    /// Who asks: of the addresses that proxies have written one behind the other, the last that is no trusted proxy itself;
    /// what stands before it anybody may have written.
    private func client(of request: ServerRequest) -> String {
        guard settings.trustedProxies.contains(request.client) else { return request.client }
        let named = request.headers.filter { $0.isNamed("X-Forwarded-For") }
            .flatMap { $0.value.split(separator: ",").map { String($0.filter { $0 != " " }) } }
        return named.last { !settings.trustedProxies.contains($0) } ?? request.client
    }

    private static func allowed(_ endpoint: any Endpoint) -> String {
        (endpoint.methods + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    private func preflight(_ endpoint: any Endpoint) -> ServerResponse {
        ServerResponse(
            status: 204,
            headers: [
                HTTPHeader(name: "Allow", value: Self.allowed(endpoint)),
                HTTPHeader(name: "Access-Control-Allow-Methods", value: Self.allowed(endpoint)),
                HTTPHeader(name: "Access-Control-Allow-Headers", value: "Authorization, Content-Type, If-None-Match"),
                HTTPHeader(name: "Access-Control-Max-Age", value: "86400"),
            ])
    }

    /// The address of the server as the client knows it.
    private func base(of request: ServerRequest) -> String {
        if let base = settings.base { return base }
        let host = request[header: "Host"] ?? "localhost"
        let isPlain = host.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]")]
                    .contains($0)
        }
        return "http://" + (isPlain && host.utf8.count < 256 ? host : "localhost")
    }

    /// Whether it lives, whether it is ready, and its figures.
    private func health(_ request: ServerRequest) -> ServerResponse? {
        func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> ServerResponse {
            var response = ServerResponse(status: status, type: type, body: Array(text.utf8))
            response.set("Cache-Control", "no-store")
            return response
        }
        switch request.path {
        case ["health", "live"]: return text("live\n")
        case ["health", "ready"]:
            return state.withLock(\.isDraining) ? text("draining\n", status: 503) : text("ready\n")
        case ["metrics"]:
            return text(
                figures.page(maker, endpoints.values.flatMap(\.gauges)),
                type: "text/plain; version=0.0.4; charset=utf-8")
        default: return nil
        }
    }

    /// The maps that there are, with the addresses of their tiles; people are led to the viewer of the first.
    private func index(_ request: ServerRequest) -> ServerResponse {
        if let accepted = request[header: "Accept"]?.lowercased(), accepted.split(separator: ",").first == "text/html",
            let first = book.maps.first
        {
            return ServerResponse(
                status: 302,
                headers: [
                    HTTPHeader(name: "Location", value: "viewer/\(first.name)"),
                    HTTPHeader(name: "Cache-Control", value: "no-store"),
                ])
        }
        let base = base(of: request)
        var response = ServerResponse(
            json: [
                "maps": .array(
                    book.maps.map { map in
                        [
                            "name": .string(map.name), "title": .string(map.title),
                            "tilejson": .string("\(base)/tilejson/\(map.name).json"),
                        ]
                    })
            ])
        response.set("Cache-Control", "no-cache")
        return response
    }
}

import Portolan
import PortolanFeatures
package import PortolanFetch
package import PortolanRouteBook
import PortolanWeb
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map server without its HTTP driver: answers requests with documents and pictures of maps.
///
/// Its maps can be replaced between two requests by ``replace(_:offer:)``.
package final class MapServer: Sendable {
    /// The settings of a server.
    package struct Settings: Sendable {
        /// The limits of a request.
        package var limits = ServingLimits()
        /// The settings of the picture maker.
        package var pictures: PictureMaker.Settings
        /// The store for pictures that the workers of a server share, or `nil` for a single worker.
        package var store: (any ResponseStore)?
        /// The rate limit per client, or `nil` for no limit.
        package var rate: TokenBuckets.Rate?
        /// The signature of static map URLs, or `nil` if they need no signature.
        package var signature: URLSignature?
        /// The base URL in documents, with the prefix and without a trailing slash; `nil` uses the URL of the request.
        package var base: String?
        /// The path under which the server is, such as `/maps`, or an empty text.
        package var prefix = ""
        /// The addresses of trusted proxies, whose `X-Forwarded-For`, `-Proto` and `-Prefix` headers are used.
        package var trustedProxies: Set<String> = []
        /// The distance that a label may extend beyond its label cell, in view pixels; 0 clips labels at the tile
        /// border.
        package var labelReach = 128
        /// Whether WMS exceptions have status 200, which old clients require.
        package var exceptionsAreSuccesses = false
        /// The images that clients may name for markers, or `nil` for none.
        package var icons: IconShelf?
        /// The published routes, or `nil` for none.
        package var routes: RouteBook?
        /// The keys that permit changes to routes, or `nil` if they are read-only.
        package var routeKeys: AccessKeys?
        /// The resources for viewers.
        package var viewers: ViewerBudget
        /// The web pages of other origins that may read responses.
        package var crossOrigins = CrossOrigins.any
        /// The version of the program, for metrics and the API description.
        package var version = ""
        /// The functions that viewers offer initially.
        package var offer = ViewerOffer()

        /// Creates settings for a number of processors.
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
    /// The settings.
    package let settings: Settings
    private let maker: PictureMaker
    private let endpoints: [String: any Endpoint]
    private let figures = ServingFigures()
    private let start = ContinuousClock.now

    /// Creates a server and starts its rendering threads.
    ///
    /// - Parameter endpoints: the endpoints; by default one for each protocol.
    package init(_ book: MapBook, settings: Settings, endpoints: [any Endpoint]? = nil) {
        state = Mutex(State(book: book, offer: settings.offer, buckets: settings.rate.map { TokenBuckets($0) }))
        var settings = settings
        // Replaceable objects must not be retained here.
        settings.offer = ViewerOffer()
        self.settings = settings
        maker = PictureMaker(settings.pictures, store: settings.store)
        maker.use(book)
        let own = endpoints ?? Self.standardEndpoints(ViewerSessions(settings.viewers))
        let all = own + [OpenAPIEndpoint(describing: own.flatMap(\.operations) + Self.healthOperations)]
        self.endpoints = Dictionary(all.map { ($0.root, $0) }) { first, _ in first }
    }

    /// Returns the default endpoints, one for each protocol.
    package static func standardEndpoints(_ viewers: ViewerSessions) -> [any Endpoint] {
        let sprites = PackedSprites()
        return [
            IndexEndpoint(), OverviewEndpoint(), TileEndpoint(), TMSEndpoint(), TileJSONEndpoint(), DataEndpoint(),
            StaticMapEndpoint(), StylesEndpoint(sprites), SpritesEndpoint(root: "sprites", sprites),
            SpritesEndpoint(root: "sprite", sprites), FontsEndpoint(), GoogleStaticEndpoint(), WMSEndpoint(),
            WMTSEndpoint(), OGCAPIEndpoint(),
            RouteEndpoint(),
            ViewerEndpoint(viewers), ViewerSessionEndpoint(viewers),
        ] + CatalogEndpoint.all
    }

    /// The paths for monitoring, which are no endpoint.
    package static let healthOperations = [
        APIOperation("/health/live", "Liveness.", group: "Monitoring", [.ok("text/plain")]),
        APIOperation(
            "/health/ready", "Readiness; 503 during a shutdown.", group: "Monitoring",
            [.ok("text/plain"), APIAnswer(503, "text/plain")]),
        APIOperation(
            "/health", "Readiness; 503 during a shutdown.", group: "Monitoring",
            [.ok("text/plain"), APIAnswer(503, "text/plain")]),
        APIOperation("/metrics", "Metrics for Prometheus.", group: "Monitoring", [.ok("text/plain")]),
    ]

    /// The maps.
    package var book: MapBook { state.withLock(\.book) }

    /// The figures of the render gate.
    package var gateFigures: RenderGate.Figures { maker.gateFigures }

    /// The sizes of the caches in bytes, by content.
    package var cacheByteCounts: [String: Int] { maker.cacheByteCounts }

    /// The number of pictures by outcome.
    package var pictureFigures: PictureMaker.Counts { maker.figures }

    /// Replaces the maps.
    ///
    /// Requests in progress finish with the old ones.
    ///
    /// - Parameter offer: the functions of viewers, or `nil` to keep the current ones. Open viewers keep theirs.
    package func replace(_ book: MapBook, offer: ViewerOffer? = nil) {
        maker.use(book)
        state.withLock { state in
            state.book = book
            if let offer { state.offer = offer }
        }
    }

    /// Reports the server as not ready, so that a load balancer sends no more requests.
    ///
    /// Incoming requests are still answered.
    package func drain() {
        state.withLock { $0.isDraining = true }
        for endpoint in endpoints.values { endpoint.drain() }
    }

    /// The outcome of a request, for the log.
    package struct Outcome: Sendable {
        /// The response.
        package let response: ServerResponse
        /// The first path component if an endpoint answers it, or `none`.
        package let route: String
        /// The holder of the map key that the client sent, or `nil`.
        package let holder: String?
        /// The IP address of the client: behind a trusted proxy, the one that it names.
        package let client: String
        /// The duration.
        package let duration: Duration

        /// Creates an outcome.
        package init(
            response: ServerResponse, route: String, holder: String? = nil, client: String = "", duration: Duration
        ) {
            (self.response, self.route, self.holder) = (response, route, holder)
            (self.client, self.duration) = (client, duration)
        }
    }

    /// The set of resources that a port serves.
    package enum Part: Sendable {
        /// The maps, health and metrics.
        case all
        /// The maps only.
        case maps
        /// Health and metrics only.
        case health
    }

    /// Answers a request.
    ///
    /// It never fails.
    ///
    /// - Parameters:
    ///   - target: the path and the query.
    ///   - client: the IP address of the client, without a port.
    package func answer(
        _ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8] = [], client: String = "",
        of part: Part = .all
    ) async -> Outcome {
        switch begin(method, target, headers: headers, body: body, client: client, of: part) {
        case .answered(let outcome): outcome
        case .unfinished(let rest): await rest()
        }
    }

    /// The answer to a request, or the rest of the work for it.
    package enum Beginning: Sendable {
        /// The answer.
        case answered(Outcome)
        /// Work that may render, compute and wait.
        case unfinished(@Sendable () async -> Outcome)
    }

    /// Begins to answer a request: with an answer if it is kept or an error, so that a driver can send it without
    /// changing the thread.
    package func begin(
        _ method: String, _ target: String, headers: [HTTPHeader] = [], body: [UInt8] = [], client: String = "",
        of part: Part = .all
    ) -> Beginning {
        var arrival = Arrival(client: client)
        let step: Step
        do throws(Problem) {
            try settings.limits.check(target: target, bodyBytes: body.count)
            let request = try ServerRequest(method, target, headers: headers, body: body, client: client)
                .removing(prefix: settings.prefix)
            arrival.request = request
            arrival.client = self.client(of: request)
            step = self.step(request, of: part, &arrival)
        } catch { return .answered(outcome("none", error.response, arrival)) }
        switch step {
        case .answer(let route, let response): return .answered(outcome(route, response, arrival))
        case .endpoint(let endpoint, let request, let context):
            let path = request.path.dropFirst(), route = request.path.first ?? "index"
            if let response = endpoint.keptAnswer(request, path: path, in: context) {
                return .answered(outcome(route, response, arrival))
            }
            return .unfinished { [arrival] in
                let response: ServerResponse
                do throws(Problem) {
                    response = try await endpoint.answer(request, path: path, in: context)
                } catch { response = Self.response(error, of: endpoint, to: request) }
                return self.outcome(route, response, arrival)
            }
        }
    }

    /// A request, and what is known of its client.
    private struct Arrival {
        let time = ContinuousClock.now
        var request: ServerRequest?
        /// The IP address of the client.
        var client: String
        /// Whether the server has keys for maps.
        var isKeyed = false
        /// The holder of the key that the client sent.
        var holder: String?
    }

    /// The next step of a request.
    private enum Step {
        case answer(route: String, ServerResponse)
        case endpoint(any Endpoint, ServerRequest, ServingContext)
    }

    /// Completes a response and counts it.
    private func outcome(_ route: String, _ response: ServerResponse, _ arrival: Arrival) -> Outcome {
        var response = response
        if arrival.isKeyed {
            response.vary(by: "Authorization")
            if arrival.holder != nil, let control = response[header: "Cache-Control"] {
                // Caches that several clients share do not know who has a key.
                response.set("Cache-Control", control.replacing("public", with: "private"))
            }
        }
        if let request = arrival.request { response.compress(for: request) }
        settings.crossOrigins.permit(arrival.request, &response)
        // Browsers must not guess another media type, which could be executable.
        response.set("X-Content-Type-Options", "nosniff")
        let duration = ContinuousClock.now - arrival.time
        figures.note(
            route: route, status: response.status, bytes: response.body.count, seconds: duration.inSeconds)
        return Outcome(
            response: response, route: route, holder: arrival.holder, client: arrival.client, duration: duration)
    }

    /// Finds the next step of a request for the maps that its key opens.
    private func step(_ request: ServerRequest, of part: Part, _ arrival: inout Arrival) -> Step {
        let (whole, offer) = state.withLock { ($0.book, $0.offer) }
        guard whole.hasKeys, request.isUnderPrefix else {
            return step(request, of: part, whole, offer, key: nil, client: arrival.client)
        }
        let (inner, sent) = request.removingKey { whole.holder(of: MapKey($0)) != nil }
        let key = sent.map { MapKey($0.text) }
        arrival.holder = key.flatMap(whole.holder)
        if let sent, arrival.holder != nil, sent.isInQuery, inner.wantsPage,
            ["viewer", nil].contains(inner.path.first)
        {
            // The addresses of a page are relative to its own, which therefore must have the key in its path.
            return .answer(route: "viewer", redirect(inner, key: sent.text))
        }
        arrival.isKeyed = true
        // A key in the address is in all addresses of documents, since clients send no header to those.
        let isShown = arrival.holder != nil && request.bearerToken == nil
        return step(
            inner, of: part, whole.opened(by: key), offer, key: isShown ? sent?.text : nil, client: arrival.client)
    }

    /// Leads a browser to the address with the key in the path.
    private func redirect(_ request: ServerRequest, key: String) -> ServerResponse {
        let rest = (["key", key] + request.path).map { PercentEncoding.pathPart($0) }.joined(separator: "/")
        let root = PublicAddress(of: request, settings).path.map { $0 + "/" } ?? request.rootReference
        return ServerResponse(
            status: 302,
            headers: [
                HTTPHeader(name: "Location", value: root + rest + (request.path.isEmpty ? "/" : "")),
                HTTPHeader(name: "Cache-Control", value: "no-store"),
            ])
    }

    private func step(
        _ request: ServerRequest, of part: Part, _ book: MapBook, _ offer: ViewerOffer, key: String?, client: String
    ) -> Step {
        if part != .maps, let own = health(request) { return .answer(route: "health", own) }
        func refused(_ text: String) -> Step { .answer(route: "none", Problem(.notFound, text).response) }
        guard request.isUnderPrefix else {
            return refused("the addresses of this server begin with \(settings.prefix)")
        }
        guard part != .health else { return refused("the path of health checks is /health/live") }
        let first = request.path.first ?? "", route = first.isEmpty ? "index" : first
        guard let endpoint = endpoints[first], !(first.isEmpty && request.path.count > 0) else {
            return refused("not found: '/\(first)'")
        }
        if request.method == .options { return .answer(route: route, preflight(endpoint, request)) }
        do throws(Problem) {
            guard let method = request.method, endpoint.methods.contains(method) else {
                throw Problem(.methodNotAllowed, "method not allowed at '/\(first)'")
            }
            if endpoint.isRated(request) { try admit(client) }
            if endpoint.needsSignature(request.path.dropFirst()), let signature = settings.signature {
                try signature.check(request.target, now: Int(Date().timeIntervalSince1970))
            }
            let address = PublicAddress(of: request, settings, key: key)
            var context = ServingContext(
                book: book, limits: settings.limits, maker: maker, base: address.base,
                labelReach: settings.labelReach, exceptionsAreSuccesses: settings.exceptionsAreSuccesses,
                routes: settings.routes, routeKeys: settings.routeKeys, offer: offer, client: client)
            context.path = address.path
            context.version = settings.version
            context.icons = settings.icons
            return .endpoint(endpoint, request, context)
        } catch { return .answer(route: route, Self.response(error, of: endpoint, to: request)) }
    }

    /// Returns the response for a problem of an endpoint.
    private static func response(
        _ problem: Problem, of endpoint: any Endpoint, to request: ServerRequest
    ) -> ServerResponse {
        var response = problem.response
        // RFC 9110, section 15.5.6.
        if problem.kind == .methodNotAllowed { response.set("Allow", allowed(endpoint, request)) }
        return response
    }

    /// Applies the rate limit to a request of a client.
    private func admit(_ client: String) throws(Problem) {
        let time = (ContinuousClock.now - start).inSeconds
        let wait = state.withLock { $0.buckets?.take(client, at: time) }
        if let wait { throw Problem(.tooManyRequests, "rate limit of this client exceeded", retryAfter: wait) }
    }

    /// Returns the client address: the last address in `X-Forwarded-For` that is not a trusted proxy.
    ///
    /// Addresses before it could be forged.
    private func client(of request: ServerRequest) -> String {
        guard settings.trustedProxies.contains(request.client) else { return request.client }
        let named = request.headers.filter { $0.isNamed("X-Forwarded-For") }
            .flatMap { $0.value.split(separator: ",").map { String($0.filter { $0 != " " }) } }
        return named.last { !settings.trustedProxies.contains($0) } ?? request.client
    }

    /// Returns the methods that an endpoint allows at the path of a request.
    private static func allowed(_ endpoint: any Endpoint, _ request: ServerRequest) -> String {
        let here = Set(endpoint.operations.filter { $0.matches(request.path) }.map(\.method))
        let methods = endpoint.methods.filter { here.isEmpty || here.contains($0 == .head ? .get : $0) }
        return (methods + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    private func preflight(_ endpoint: any Endpoint, _ request: ServerRequest) -> ServerResponse {
        let methods = Self.allowed(endpoint, request)
        return ServerResponse(
            status: 204,
            headers: [
                HTTPHeader(name: "Allow", value: methods),
                HTTPHeader(name: "Access-Control-Allow-Methods", value: methods),
                HTTPHeader(name: "Access-Control-Allow-Headers", value: "Authorization, Content-Type, If-None-Match"),
                HTTPHeader(name: "Access-Control-Max-Age", value: "86400"),
            ])
    }

    /// Answers the requests for liveness, readiness and metrics.
    private func health(_ request: ServerRequest) -> ServerResponse? {
        func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> ServerResponse {
            var response = ServerResponse(status: status, type: type, body: Array(text.utf8))
            response.set("Cache-Control", "no-store")
            return response
        }
        guard let first = request.path.first, first == "health" || first == "metrics" else { return nil }
        if Self.healthOperations.contains(where: { $0.matches(request.path) }), request.method != .get,
            request.method != .head
        {
            var response = Problem(.methodNotAllowed, "health and metrics are read by GET").response
            response.set("Allow", "GET, HEAD")
            return response
        }
        switch request.path {
        case ["health", "live"]: return text("live\n")
        case ["health", "ready"], ["health"]:
            return state.withLock(\.isDraining) ? text("draining\n", status: 503) : text("ready\n")
        case ["metrics"]:
            return text(
                figures.page(maker, endpoints.values.flatMap(\.gauges), version: settings.version),
                type: "text/plain; version=0.0.4; charset=utf-8")
        default: return nil
        }
    }
}

import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo

/// The page that shows a map, and its assets: `/viewer/{map}`.
///
/// A POST opens a viewer session for the page.
package struct ViewerEndpoint: Endpoint {
    package let root = "viewer"
    package var methods: [ServerRequest.Method] { [.get, .head, .post] }
    private let sessions: ViewerSessions

    /// Creates the endpoint of viewer sessions.
    package init(_ sessions: ViewerSessions) { self.sessions = sessions }

    package var gauges: [EndpointGauge] {
        [EndpointGauge(name: "portolan_viewers", meaning: "Open viewers.", value: sessions.count)]
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        if path.count == 2, path.last == "ground", let name = path.first, request.method != .post {
            return try await ground(request, context.book.map(name), context)
        }
        guard let name = path.first, path.count == 1 else {
            let isList = path.isEmpty
            guard !isList || request.method != .post else {
                throw Problem(.methodNotAllowed, "a viewer is opened at /viewer/{map}")
            }
            guard isList || request.wantsPage else {
                throw Problem(.notFound, "the path of a viewer is /viewer/{map}")
            }
            let problem = isList ? nil : Problem(.notFound, "the address of a map is /viewer/{map}")
            return OverviewPage(context).response(to: request, problem)
        }
        if request.method == .post { return try await open(request, context.book.map(name), context) }
        if let part = ViewerPage.parts[name] { return context.answer(part, document: request) }
        do throws(Problem) { _ = try context.book.map(name) } catch {
            guard request.wantsPage else { throw error }
            return OverviewPage(context).response(to: request, error)
        }
        var page = ViewerPage.page
        // Pages of other sites may show a map that is meant for it, which has no controls besides those of the view.
        if request.query["embed"] != nil { page.set("Content-Security-Policy", ViewerPage.policy(ancestors: "*")) }
        return context.answer(page, document: request)
    }

    /// The header field with the name of the page's session.
    private static let sessionField = "Portolan-Session"

    /// The blocks of open viewers are not rated, as their other pictures.
    package func isRated(_ request: ServerRequest) -> Bool {
        guard request.path.count == 3, let name = request[header: Self.sessionField] else { return true }
        return !sessions.isOpen(name)
    }

    /// Responds with a block of the map, which a page draws under its other content.
    private func ground(
        _ request: ServerRequest, _ map: PublishedMap, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        if let revision = request.query["revision"], revision != map.revision {
            throw Problem(.conflict, "the map has changed", key: "revision")
        }
        let block = try GroundBlock(request.query)
        let picture = try block.picture(of: map, labelReach: context.labelReach)
        return try await context.answer(picture, to: request)
    }

    private func open(
        _ request: ServerRequest, _ map: PublishedMap, _ context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let reader = try ViewerReader(request.body)
        var opening = ViewerSession.Opening(
            size: try ViewerCommand.size(reader), pixelRatio: try reader.number("ratio", in: 0.1...8))
        opening.client = context.client
        opening.reducesMotion = try reader.truth("reducedMotion") ?? false
        opening.drawn = try ViewerContent.all(reader)
        if reader.members["lon"] != nil {
            opening.view = (
                try ViewerCommand.place(reader), try reader.number("zoom", in: 0...30),
                reader.members["bearing"] == nil ? 0 : try reader.number("bearing", in: -360...360)
            )
        }
        let (name, session) = try await sessions.open(
            map, opening, maker: context.maker, limits: context.limits, offer: context.offer)
        var members = await session.state
        members["session"] = .string(name)
        members["uploadLimit"] = .integer(max(context.limits.uploadBytes, context.limits.bodyBytes))
        members["maps"] = .array(context.book.maps.map { .array([.string($0.name), .string($0.title)]) })
        return ServerResponse(
            status: 201, json: .object(members), headers: [HTTPHeader(name: "Cache-Control", value: "no-store")])
    }
}

/// The viewer page and its assets, which are embedded in the program.
///
/// The page loads nothing from other hosts.
private enum ViewerPage {
    /// The HTML page.
    static let page = part(PackageResources.viewer_html, "text/html")

    /// The assets of the page by file name.
    static let parts = [
        "viewer.css": part(PackageResources.viewer_css, "text/css"),
        "viewer.js": part(PackageResources.viewer_js, "text/javascript"),
        "gestures.js": part(PackageResources.gestures_js, "text/javascript"),
        "ground.js": part(PackageResources.ground_js, "text/javascript"),
        "marks.js": part(PackageResources.marks_js, "text/javascript"),
        "panels.js": part(PackageResources.panels_js, "text/javascript"),
        "tools.js": part(PackageResources.tools_js, "text/javascript"),
        "journeys.js": part(PackageResources.journeys_js, "text/javascript"),
        "elements.js": part(PackageResources.elements_js, "text/javascript"),
    ]

    /// Returns the policy that blocks scripts and images from other origins (Content Security Policy Level 3).
    ///
    /// - Parameters:
    ///   - forms: the origins to which forms may send.
    ///   - ancestors: the origins whose pages may contain the page.
    static func policy(forms: String = "'none'", ancestors: String = "'self'") -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
            + "connect-src 'self'; base-uri 'none'; form-action \(forms); frame-ancestors \(ancestors)"
    }

    private static func part(_ bytes: [UInt8], _ type: String) -> ServerResponse {
        ServerResponse(page: bytes, type: type)
    }
}

extension ServerResponse {
    /// Creates a response with a part of a page, which loads nothing from other hosts.
    ///
    /// - Parameter forms: whether forms of the page may send to this server.
    init(status: Int = 200, page bytes: [UInt8], type: String, forms: Bool = false) {
        self.init(
            status: status, type: type + "; charset=utf-8",
            headers: [
                HTTPHeader(
                    name: "Content-Security-Policy", value: ViewerPage.policy(forms: forms ? "'self'" : "'none'")),
                HTTPHeader(name: "Referrer-Policy", value: "no-referrer"),
            ], body: bytes)
    }
}

/// The requests of a viewer page.
///
/// They are `/session/{session}/frame?after=N&picture=M[&quality=Q]`, `…/moving?after=N`,
/// `…/badge?kind=KIND&direction=DEGREES&stale=1`, `…/picture?format=FORMAT`, `…/legend`, `…/route`, `…/found?q=TEXT`,
/// `…/search?q=TEXT`, `…/state`, and by POST `…/input`, `…/command`, `…/service` and `…/features?name=FILE[&fit=no]`.
/// DELETE closes the session.
package struct ViewerSessionEndpoint: Endpoint {
    package let root = "session"
    package var methods: [ServerRequest.Method] { [.get, .post, .delete] }
    /// A page polls continuously, so the number of viewers is limited instead.
    package func isRated(_ request: ServerRequest) -> Bool { false }
    private let sessions: ViewerSessions
    /// The longest wait for a new picture, shorter than the usual timeout of proxies.
    private let wait: Duration

    /// Creates the endpoint of viewer sessions.
    ///
    /// - Parameter wait: the longest time that a request of a page waits for a change.
    package init(_ sessions: ViewerSessions, wait: Duration = .seconds(10)) {
        self.sessions = sessions
        self.wait = wait
    }

    package func drain() { sessions.closeAll() }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard let name = path.first, path.count <= 2 else { throw Problem(.notFound, "missing viewer name") }
        let session = try sessions.session(name), part = path.dropFirst().first
        var response: ServerResponse
        if request.method == .delete, part == nil {
            await sessions.close(name)
            response = ServerResponse(status: 204)
        } else {
            response = try await session.attending { session throws(Problem) in
                try await answer(request, part, of: session)
            }
        }
        response.set("Cache-Control", "no-store")
        return response
    }

    private func answer(
        _ request: ServerRequest, _ part: String?, of session: ViewerSession
    ) async throws(Problem) -> ServerResponse {
        switch (request.method, part) {
        case (.get, "frame"):
            return await session.frame(try ViewerFrameRequest(request), within: wait)
        case (.get, "moving"):
            return await session.moving(after: try number("after", request), within: wait)
        case (.get, "badge"): return try await session.badge(request.query)
        case (.get, "picture"): return try await session.pictureToKeep(as: request.query["format"])
        case (.get, "search"):
            return ServerResponse(json: .array(await session.places(named: request.query["q"] ?? "")))
        case (.get, "legend"): return try await session.legend()
        case (.get, "route"): return try await session.plannedFile()
        case (.get, "found"): return ServerResponse(json: try await session.found(request.query["q"] ?? ""))
        case (.get, "state"): return ServerResponse(json: .object(await session.state))
        case (.post, "service"):
            let answer = try await session.add(try ViewerService(request.body))
            return answer.map { ServerResponse(json: ["layers": $0]) } ?? ServerResponse(status: 204)
        case (.post, "input"):
            let actions = await session.take(try ViewerInput(request.body))
            return ServerResponse(json: ["boxes": .array(actions.compactMap(Self.told))])
        case (.post, "command"):
            try await session.perform(try ViewerCommand(request.body))
            return ServerResponse(status: 204)
        case (.post, "features"):
            try await session.add(
                request.body, named: request.query["name"] ?? "", isShown: request.query["fit"] != "no")
            return ServerResponse(status: 204)
        default: throw Problem(.notFound, "unknown part of a viewer")
        }
    }

    private func number(_ key: String, _ request: ServerRequest) throws(Problem) -> Int {
        try RequestText.whole(request.query[key] ?? "0", key)
    }

    /// Returns the selection box that the page must draw.
    private static func told(_ action: GestureMachine.Action) -> PropertyValue? {
        guard case .box(let one, let other, let phase) = action else { return nil }
        return [
            "x0": .number(one.x), "y0": .number(one.y), "x1": .number(other.x), "y1": .number(other.y),
            "shown": .bool(phase == .changed),
        ]
    }
}

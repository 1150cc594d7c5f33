import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanTesting
import PortolanWeb
import Synchronization

extension FuzzKind {
    /// Documents of a server, and a map that follows the addresses in them: none may lead to a file, an archive, or a
    /// host in a private network, and the user's settings for the server are not sent elsewhere.
    static let remoteWMS = remote("remote-wms", .xml) { client, url, kind in
        let names = try await client.capabilities(of: url).layerNames.prefix(2)
        let layers = names.isEmpty ? ["a"] : Array(names)
        if kind { return try await client.wmscLayer(named: "x", url: url, options: .init(layers: layers)).layer }
        return try await client.wmsLayer(named: "x", url: url, options: WMSOptions(layers: layers)).layer
    }

    static let remoteWMTS = remote("remote-wmts", .xml) { client, url, _ in
        try await client.wmtsLayer(named: "x", url: url, options: WMTSOptions()).layer
    }

    static let remoteTMS = remote("remote-tms", .xml) { client, url, _ in
        try await client.tmsLayer(named: "x", url: url).layer
    }

    static let remoteFeatures = remote("remote-features", .json) { client, url, selects in
        let (bytes, base) = try await client.content(at: url)
        return features(of: bytes, namedBy: base, selects: selects)
    }

    /// The target of a server's redirect.
    static let redirect = FuzzKind(
        name: "redirect", grammar: .words, corpus: ["Tests/Fuzz/Corpus/redirect/*"], isLines: true, misleads: true,
        time: Bound(any: 30_000_000, each: 8_000),
        read: readRedirect)

    static func features(of bytes: [UInt8], namedBy base: BaseURL?, selects: Bool) -> MapLayer {
        var source = FeatureSource(
            (try? GeoJSONReader.read(bytes)) ?? FeatureCollection(features: []), baseURL: base)
        if selects { source.selection = source.features.first?.id }
        return MapLayer(name: "x", source: source)
    }

    typealias Connecting = @Sendable (ServiceClient, _ url: String, _ isOther: Bool) async throws -> MapLayer

    private static let host = "maps.example"

    static func remote(
        _ name: String, _ grammar: Grammar, corpus: String? = nil, connect: @escaping Connecting
    ) -> FuzzKind {
        FuzzKind(
            name: name, grammar: grammar, corpus: ["Tests/Fuzz/Corpus/\(corpus ?? name)/*"], misleads: true,
            largest: 1 << 13
        ) { bytes in try waiting { try await follow(bytes, connect) } }
    }

    /// The result of asynchronous work.
    static func waiting(_ body: @escaping @Sendable () async throws -> Outcome) throws -> Outcome {
        let result = Mutex<Result<Outcome, any Error>?>(nil), done = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<Outcome, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("a task that ended has a result") }
        return try result.get()
    }

    /// Draws a map of a document as a command does, over a transport that sends nothing.
    private static func follow(_ document: [UInt8], _ connect: Connecting) async throws -> Outcome {
        let watched = try WatchedFiles()
        let transport = StubTransport { request throws(FetchError) in
            // What transports do before they send.
            _ = try request.prepared(userAgent: "fuzz")
            return HTTPResponse(status: 200, body: document, url: request.url, network: .global)
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        configuration.headers = [.init(header: HTTPHeader(name: "X-Key", value: "k"))]
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        guard let size = ImageSize(width: 64, height: 64), let resolution = Resolution(zoom: 0, in: .webMercator) else {
            preconditionFailure("a small picture of the world")
        }
        let view = try Viewport(center: Coordinate(x: 0, y: 0), resolution: resolution, size: size)
        var words = ""
        do {
            let layer = try await connect(
                renderer.services, "http://\(host)/document", !document.count.isMultiple(of: 2))
            let plan = MapPlanner(viewport: view).plan([layer])
            for resource in plan.layers.flatMap(\.plan.resources) { try check(resource.location) }
            var options = RenderOptions()
            options.attribution = .none
            options.showsLegend = true
            do {
                _ = try await renderer.render([layer], in: view, options: options)
                words = "drawn"
            } catch { words = try refused("\(error)").signature }
            _ = await renderer.identify([layer], in: view, pixel: Point(x: 32, y: 32))
        } catch let violation as Violation { throw violation } catch { words = try refused("\(error)").signature }
        if watched.wereOpened() { throw Violation("a document from afar leads to a file") }
        for request in transport.requests { try checkNetwork(of: request) }
        for request in transport.requests { try checkOrigin(of: request) }
        return .value("\(magnitude(transport.requests.count)) \(words)")
    }

    private static func check(_ location: Resource.Location) throws {
        guard case .archive(let entry) = location else { return }
        throw Violation("a document from afar leads to an archive: \(entry)")
    }

    /// Whatever is sent goes to a host that anyone reaches.
    private static func checkNetwork(of request: HTTPRequest) throws {
        guard let sent = try? request.prepared(userAgent: "fuzz"), let fault = ConnectionJudge.fault(of: sent.url)
        else {
            return
        }
        throw Violation("a document from afar leads to \(fault): \(sent.url.debugDescription.prefix(300))")
    }

    /// Addresses in a document are attributed to it, and get none of the user's settings for its server.
    private static func checkOrigin(of request: HTTPRequest) throws {
        guard let sent = try? request.prepared(userAgent: "fuzz"),
            let target = ConnectionJudge.parts(of: sent.url)?.host, target != host
        else { return }
        if request.origin == .user { throw Violation("the user is said to have named '\(target)'") }
        if sent.header("X-Key") != nil { throw Violation("what was given for \(host) goes to '\(target)'") }
    }

    private static func readRedirect(_ bytes: [UInt8]) throws -> Outcome {
        let first = HTTPRequest(
            to: NamedURL("http://\(host)/document", namedBy: .user), headers: [HTTPHeader(name: "X-Key", value: "k")])
        let reference = String(decoding: bytes, as: UTF8.self)
        // As URLSession's driver reads it, and as libcurl does.
        _ = try follow(Redirect.target(reference, from: first.url), after: first)
        guard let location = ConnectionJudge.resolved(reference, against: first.url) else { return .value("none") }
        return try follow(location, after: first)
    }

    private static func follow(_ location: String, after first: HTTPRequest) throws -> Outcome {
        let next: HTTPRequest
        do { next = try Redirect.next(after: first, to: location, from: .global, count: 0, asked: first.url) } catch {
            return try refused(error.description)
        }
        try checkNetwork(of: next)
        try checkOrigin(of: next)
        return .value("followed")
    }
}

import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Portolan
import PortolanFetch
import PortolanObservability
import PortolanRaster
import PortolanTesting
import Synchronization
import Testing
import Tracing

@Suite struct TelemetryTests {
    /// Requests as they reached the transport.
    final class Sent: Sendable {
        private let kept = Mutex<[HTTPRequest]>([])
        var all: [HTTPRequest] { kept.withLock { $0 } }
        func add(_ request: HTTPRequest) { kept.withLock { $0.append(request) } }
    }

    let handler = InMemoryLogHandler()
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let sent = Sent()

    func telemetry(propagates: @escaping @Sendable (String) -> Bool = { _ in true }) -> Telemetry {
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.logLevel = .trace
        return Telemetry(logger: logger, metrics: metrics, tracer: tracer, propagates: propagates)
    }

    func renderer(
        _ telemetry: Telemetry, status: @escaping @Sendable (String) -> Int = { _ in 200 }
    ) throws -> MapRenderer {
        var configuration = RendererConfiguration()
        configuration.observer = telemetry
        configuration.retries = .none
        let size = try #require(ImageSize(width: 256, height: 256))
        let body = try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(.black)))
        let transport = StubTransport { [sent] request throws(FetchError) in
            sent.add(request)
            let code = status(request.url)
            guard code > 0 else { throw FetchError(.cannotConnect, url: request.url, detail: "refused") }
            return HTTPResponse(status: code, body: code == 200 ? body : [], url: request.url)
        }
        return MapRenderer(configuration: configuration, transport: transport)
    }

    func layer(_ template: String) throws -> MapLayer {
        let source = TileSource(grid: try #require(.webMercator()), address: .xyz(try XYZTemplate(template)))
        return MapLayer(name: "tiles", source: source)
    }

    /// Four tiles of level 4.
    func view() throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
            size: #require(ImageSize(width: 128, height: 128)))
    }

    func options() -> RenderOptions {
        var options = RenderOptions()
        options.attribution = .none
        return options
    }

    @Test func `request spans are children of the render span and are sent to servers`() async throws {
        let renderer = try renderer(telemetry()) { $0.contains("4/8/8") ? 503 : 200 }
        _ = try await renderer.render(
            [layer("http://t.example:81/{z}/{x}/{y}?token=hidden")], in: view(), options: options())
        let spans = tracer.finishedSpans
        let drawing = try #require(spans.first { $0.operationName == "portolan.render" })
        let fetches = spans.filter { $0.operationName == "portolan.fetch" }
        #expect(fetches.count == 4 && spans.count == 5 && tracer.activeSpans.isEmpty)
        #expect(fetches.allSatisfy { $0.parentSpanID == drawing.spanID && $0.traceID == drawing.traceID })
        #expect(fetches.allSatisfy { $0.kind == .client && drawing.kind == .internal })
        #expect(drawing.attributes.get("portolan.images") == .int64(4))
        #expect(drawing.attributes.get("portolan.missing") == .int64(1))
        for fetch in fetches {
            let attributes = fetch.attributes
            let isBad = attributes.get("http.response.status_code") == .int64(503)
            #expect(isBad || attributes.get("http.response.status_code") == .int64(200))
            #expect(attributes.get("error.type") == (isBad ? .string("503") : nil))
            #expect((fetch.status?.code == .error) == isBad)
            #expect(attributes.get("http.request.method") == .string("GET"))
            #expect(attributes.get("server.address") == .string("t.example"))
            #expect(attributes.get("server.port") == .int64(81))
            #expect("\(attributes)".contains("hidden") == false)
        }
        let told = sent.all.map { $0.header(InMemoryTracer.spanIDKey) }
        #expect(Set(told) == Set(fetches.map(\.spanID)))
        #expect(sent.all.allSatisfy { $0.header(InMemoryTracer.traceIDKey) == drawing.traceID })
    }

    @Test func `trace headers are not sent to excluded hosts`() async throws {
        let renderer = try renderer(telemetry { $0 == "ours.example" })
        _ = try await renderer.render(
            [layer("http://t.example/{z}/{x}/{y}"), layer("http://ours.example/{z}/{x}/{y}")], in: view(),
            options: options())
        #expect(sent.all.count == 8)
        for request in sent.all {
            #expect((request.header(InMemoryTracer.traceIDKey) != nil) == request.url.contains("ours"))
        }
    }

    @Test func `requests, cache hits and renders are counted and timed`() async throws {
        let renderer = try renderer(telemetry()) { $0.contains("4/8/8") ? 404 : 200 }
        for _ in 0..<2 {
            _ = try await renderer.render([layer("http://t.example/{z}/{x}/{y}")], in: view(), options: options())
        }
        func total(_ name: String, _ dimensions: [(String, String)]) -> Int64 {
            metrics.counterTotal(label: name, dimensions: dimensions)
        }
        let host = ("host", "t.example")
        #expect(total("portolan_requests_total", [host, ("outcome", "2xx")]) == 3)
        #expect(total("portolan_requests_total", [host, ("outcome", "4xx")]) == 2)
        #expect(total("portolan_cache_answers_total", [host, ("origin", "memory")]) == 3)
        #expect(total("portolan_renders_total", [("outcome", "incomplete")]) == 2)
        #expect(total("portolan_missing_images_total", []) == 2)
        let timer = try metrics.expectTimer("portolan_request_duration_seconds", [host, ("outcome", "2xx")])
        #expect(timer.values.count == 3)
        #expect(try metrics.expectRecorder("portolan_response_bytes", [host]).values.count == 5)
        for stage in ["plan", "fetch", "decode", "paint"] {
            let timer = try metrics.expectTimer("portolan_render_stage_duration_seconds", [("stage", stage)])
            #expect(timer.values.count == 2)
        }
    }

    @Test func `hosts beyond the first hundred share a label`() {
        let telemetry = telemetry()
        for number in 0..<130 { telemetry.note(.hostRestored(host: "h\(number).example")) }
        let counters = metrics.counters(label: "portolan_hosts_restored_total")
        #expect(counters.count == 101)
        #expect(metrics.counterTotal(label: "portolan_hosts_restored_total", dimensions: [("host", "other")]) == 30)
    }

    @Test func `log entries contain no secrets`() async throws {
        let renderer = try renderer(telemetry()) { $0.contains("4/8/8") ? 0 : 200 }
        _ = try await renderer.render(
            [layer("http://me:hidden@t.example/{z}/{x}/{y}?apikey=hidden&size=1")], in: view(), options: options())
        let entries = handler.entries
        #expect(entries.contains { $0.level == .warning && "\($0.message)" == "request failed" })
        #expect(entries.contains { $0.level == .warning && "\($0.message)" == "map drawn" })
        #expect(entries.count { $0.level == .debug } == 3)
        for entry in entries { #expect(!"\(entry)".contains("hidden")) }
        #expect(entries.contains { $0.metadata["url"] == "http://***@t.example/4/8/7?apikey=***&size=1" })
    }

    @Test func `logs and traces that are not enabled are not produced`() async throws {
        let renderer = try renderer(Telemetry(metrics: metrics))
        _ = try await renderer.render([layer("http://t.example/{z}/{x}/{y}")], in: view(), options: options())
        #expect(handler.entries.isEmpty && tracer.finishedSpans.isEmpty && !metrics.counters.isEmpty)
        #expect(sent.all.allSatisfy { $0.header(InMemoryTracer.traceIDKey) == nil })
    }
}

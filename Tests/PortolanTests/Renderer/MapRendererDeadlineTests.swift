import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

/// A server determines the content, but not the duration of a rendering.
///
/// The time stands still until a test moves it.
@Suite struct MapRendererDeadlineTests {
    private let clock = TestClock()

    /// Answers with black tiles, but for those whose address holds a word: of those nothing ever comes.
    private func transport(silentAt word: String) throws -> StubTransport {
        let body = try World.png(.black)
        return StubTransport { request async throws(FetchError) in
            if request.url.contains(word) {
                try? await Task.sleep(for: .seconds(86_400))
                throw FetchError(.cancelled, url: request.url, detail: "the request was cancelled")
            }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    private func renderer(_ transport: StubTransport) -> MapRenderer {
        MapRenderer(configuration: World.configuration(clock: clock), transport: transport)
    }

    private func options(_ seconds: Double) -> RenderOptions {
        var options = World.plain()
        options.deadline = .seconds(seconds)
        return options
    }

    /// Draws, and advances the time when all possible responses have arrived.
    private func draw(
        _ layers: [MapLayer], with renderer: MapRenderer, _ options: RenderOptions, came count: Int
    ) async throws -> RenderResult {
        let done = Mutex(0), view = try World.view()
        async let drawing = renderer.render(layers, in: view, options: options) { progress in
            done.withLock { $0 = max($0, progress.done) }
        }
        #expect(await eventually { done.withLock { $0 } == count && clock.sleeperCount == 1 })
        clock.advance(by: options.deadline ?? .zero)
        return try await drawing
    }

    @Test func `data received by the deadline is drawn, and the rest is reported missing`() async throws {
        let renderer = renderer(try transport(silentAt: "/8/7"))
        let result = try await draw([World.tiles()], with: renderer, options(5), came: 3)
        let failure = try #require(result.report.layers[0].failed.first)
        #expect(result.report.failedCount == 1 && failure.code == .deadline && !result.report.complete)
        #expect(result.image[10, 10] == Pixel(.black) && result.image[120, 10] == Pixel(.white))
    }

    @Test func `coarser tiles in memory replace late ones`() async throws {
        let renderer = renderer(try transport(silentAt: "/4/8/7"))
        // The tile above is seen first.
        let above = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 3, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
        _ = try await renderer.render([World.tiles()], in: above, options: options(5))
        let result = try await draw([World.tiles()], with: renderer, options(5), came: 3)
        #expect(result.report.failedCount == 1 && result.image[120, 10] == Pixel(.black))
    }

    @Test func `a zero deadline draws from memory without requests`() async throws {
        let transport = try transport(silentAt: "nothing"), renderer = renderer(transport)
        _ = try await renderer.render([World.tiles()], in: World.view(), options: options(5))
        let asked = transport.requests.count
        let again = try await renderer.render([World.tiles()], in: World.view(), options: options(0))
        #expect(again.report.complete && transport.requests.count == asked)
        let other = try World.tiles("other", host: "o.example")
        let error = await #expect(throws: MapError.self) {
            try await renderer.render([other], in: World.view(), options: options(0))
        }
        #expect(error?.code == .timedOut && transport.requests.count == asked)
        #expect(error?.report?.layers[0].failed.allSatisfy { $0.code == .deadline } == true)
    }

    @Test func `without a deadline the render waits without a limit`() async throws {
        var options = World.plain()
        options.deadline = nil
        let result = try await renderer(transport(silentAt: "nothing")).render(
            [World.tiles()], in: World.view(), options: options)
        #expect(result.report.complete && clock.asked.isEmpty)
    }

    @Test func `waits requested by a server count towards the deadline`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 503, headers: [HTTPHeader(name: "Retry-After", value: "20")], body: [], url: request.url)
        }
        var configuration = World.configuration(clock: clock)
        configuration.retries = RetryPolicy()
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let view = try World.view()
        async let drawing = renderer.render([World.tiles()], in: view, options: options(5))
        // Four tiles wait to be tried again, and the picture for its time.
        #expect(await eventually { clock.sleeperCount == 5 })
        clock.advance(by: .seconds(5))
        do {
            _ = try await drawing
            Issue.record("something was drawn")
        } catch let error as MapError {
            #expect(error.code == .timedOut)
            #expect(error.report?.layers[0].failed.allSatisfy { $0.code == .deadline } == true)
        }
        #expect(clock.now == .seconds(5))
    }

    @Test func `a cancelled render is reported as cancelled, not as timed out`() async throws {
        let renderer = renderer(try transport(silentAt: "/4/")), view = try World.view(), options = options(5)
        let layers = [try World.tiles()]
        let task = Task { try await renderer.render(layers, in: view, options: options) }
        #expect(await eventually { clock.sleeperCount == 1 })
        task.cancel()
        let result = await task.result
        #expect(throws: MapError.self) { try result.get() }
        if case .failure(let error as MapError) = result { #expect(error.code == .cancelled) }
    }
}

#if os(Linux)
import Portolan
import PortolanRaster
import TestHelpers
import Testing

/// A real server whose answers break: the picture has a hole, the report a line, and all is well when the server is.
@Suite(.onMapServers, .timeLimit(.minutes(20))) struct DyingServerTests {
    struct Death: CustomTestStringConvertible {
        var testDescription: String
        var fault: FaultyProxy.Fault
        /// The expected content of the line.
        var words: String
    }

    static let exception =
        "<?xml version='1.0'?><ServiceExceptionReport version='1.3.0'><ServiceException code='Overload'>"
        + "too many guests</ServiceException></ServiceExceptionReport>"

    static let deaths: [Death] = [
        Death(testDescription: "no answer", fault: .silence, words: "the connection was lost: "),
        Death(testDescription: "an end before the body", fault: .closing(after: 0), words: "the connection was lost: "),
        Death(
            testDescription: "an end in the middle", fault: .closing(after: 1500), words: "the connection was lost: "),
        Death(testDescription: "half an image", fault: .truncating(to: 1500), words: "png truncated at byte "),
        Death(
            testDescription: "the beginning of an image", fault: .truncating(to: 20), words: "png truncated at byte "),
        Death(
            testDescription: "an empty body", fault: .truncating(to: 0), words: "empty response body"
        ),
        Death(
            testDescription: "XML with status 200 and an image's type", fault: .replacing(exception),
            words: "error from the server: Overload: too many guests"),
        Death(
            testDescription: "a page with status 200 and an image's type",
            fault: .replacing("<html><head><title>502 Bad Gateway</title></head><body></body></html>"),
            words: "error from the server: 502 Bad Gateway"),
        Death(testDescription: "a standstill", fault: .stalling(after: 1500), words: "the server timed out: "),
    ]

    /// A renderer that waits as long as it must for real answers, and a shorter time where they stand still.
    private func renderer(for fault: FaultyProxy.Fault) -> MapRenderer {
        var configuration = RendererConfiguration()
        if case .stalling = fault { configuration.timeouts.stall = .milliseconds(500) }
        return MapRenderer(configuration: configuration, transport: MapServers.transport)
    }

    private func layer(_ name: String, at url: String, layers: [String]) async throws -> MapLayer {
        try await ServiceClient.shared.wmsLayer(
            named: name, url: url,
            options: WMSOptions(layers: layers, format: "image/png", urlPolicy: .base)
        ).layer
    }

    private var options: RenderOptions {
        var options = RenderOptions()
        options.attribution = .none
        return options
    }

    @Test(arguments: deaths) func `a failing layer leaves a gap and a report entry, and recovers`(
        death: Death
    ) async throws {
        let servers = try MapServers.running()
        let proxy = try FaultyProxy(of: servers.mapServer)
        defer { proxy.stop() }
        let viewport = try Place.spain3857.viewport()
        let ground = try await layer("ground", at: servers.mapServer, layers: ["relief"])
        let broken = try await layer("broken", at: proxy.url(servers.mapServer), layers: ["countries"])
        let renderer = renderer(for: death.fault)
        // In memory, so that the shorter time is for the broken answer alone.
        let bare = try await MapRenderer.fresh().picture(of: ground, in: viewport)
        let groundOnly: [MapLayer] = if case .stalling = death.fault { [] } else { [ground] }
        proxy.setFault(death.fault)
        let marker = MapLayer(
            name: "marker",
            source: FeatureSource(features: [Feature(geometry: .point(Coordinate(x: -3, y: 40)))]))
        let result = try await renderer.render(groundOnly + [broken, marker], in: viewport, options: options)
        #expect(!result.report.complete)
        let line = try #require(result.report.layers.first { $0.name == "broken" }?.failed.first)
        #expect(line.error.contains(death.words))
        #expect(line.resource.contains("LAYERS=countries"))
        // The hole: as if the layer were not there.
        let without = try await MapRenderer.fresh().whole(groundOnly + [marker], in: viewport).image
        expectSame(result.image, without)
        if !groundOnly.isEmpty { #expect(without != bare && !bare.isBlank) }

        proxy.setFault(.none)
        let again = try await MapRenderer(transport: MapServers.transport).whole([ground, broken], in: viewport)
        let restored = try await renderer.whole([broken], in: viewport)
        #expect(restored.report.layers.map(\.fetched) == [1], "what was broken must not be remembered")
        let direct = try await layer("broken", at: servers.mapServer, layers: ["countries"])
        expectSame(restored.image, try await MapRenderer.fresh().picture(of: direct, in: viewport))
        expectSame(again.image, try await MapRenderer.fresh().whole([ground, direct], in: viewport).image)
    }

    @Test func `one broken tile leaves one gap`() async throws {
        let servers = try MapServers.running()
        let proxy = try FaultyProxy(of: servers.mapProxy)
        defer { proxy.stop() }
        proxy.setFault { $0.hasSuffix("/5/16/11.jpeg") ? .truncating(to: 900) : .none }
        let template = try XYZTemplate(proxy.url(servers.mapProxy) + "tiles/relief/webmercator/{z}/{x}/{y}.jpeg")
        let grid = try #require(TileGrid.webMercator(levels: 0...18))
        let layer = MapLayer(name: "tiles", source: TileSource(grid: grid, address: .xyz(template)))
        let viewport = try TileLayers.viewport(level: 5, x: 15 * 256 + 56, y: 11 * 256 - 100, width: 400, height: 300)
        let result = try await MapRenderer.fresh().render([layer], in: viewport, options: options)
        let report = try #require(result.report.layers.first)
        #expect(report.requested == 4)
        #expect(report.fetched == 3)
        #expect(report.failed.map { $0.resource.prefix { $0 != " " } } == ["5/16/11"])
        #expect(report.failed.first?.error.contains("jpeg truncated") == true)
        var expected = try await MapRenderer.fresh().picture(
            of: TileLayers.xyz("relief", type: "jpeg"), in: viewport)
        let hole = PixelBuffer(size: try #require(ImageSize(width: 200, height: 200)), filledWith: Pixel(.white))
        expected.put(hole, x: 200, y: 100)
        expectSame(result.image, expected)
    }

    @Test func `an unreachable server results in a network error`() async throws {
        let servers = try MapServers.running()
        let (descriptor, port) = try LoopbackSocket.bound()
        defer { LoopbackSocket.end(descriptor) }
        let error = await #expect(throws: MapError.self) {
            try await ServiceClient.shared.capabilities(of: "http://127.0.0.1:\(port)/wms?")
        }
        #expect(error?.code == .network)
        #expect(error?.message.hasPrefix("cannot connect: ") == true)
        let template = try XYZTemplate("http://127.0.0.1:\(port)/{z}/{x}/{y}.png")
        let grid = try #require(TileGrid.webMercator(levels: 0...18))
        let dead = MapLayer(name: "dead", source: TileSource(grid: grid, address: .xyz(template)))
        let ground = try await layer("ground", at: servers.mapServer, layers: ["relief"])
        let viewport = try Place.spain3857.viewport()
        let result = try await MapRenderer.fresh().render([ground, dead], in: viewport, options: options)
        let failed = try #require(result.report.layers.last?.failed)
        #expect(!failed.isEmpty)
        #expect(failed.allSatisfy { $0.error.hasPrefix("cannot connect: ") })
        expectSame(result.image, try await MapRenderer.fresh().picture(of: ground, in: viewport))
    }

    @Test func `truncated capabilities result in an error with the position`() async throws {
        let servers = try MapServers.running()
        let proxy = try FaultyProxy(of: servers.mapServer)
        defer { proxy.stop() }
        func failure() async -> MapError? {
            await #expect(throws: MapError.self) {
                try await ServiceClient.shared.capabilities(of: proxy.url(servers.mapServer))
            }
        }
        proxy.setFault(.closing(after: 3000))
        var error = await failure()
        #expect(error?.code == .network)
        #expect(error?.message.hasPrefix("the connection was lost: ") == true)
        proxy.setFault(.truncating(to: 3000))
        error = await failure()
        #expect(error?.code == .malformedDocument)
        #expect(error?.message.hasPrefix("cannot read the capabilities: line ") == true)
        proxy.setFault(.replacing(Self.exception))
        error = await failure()
        #expect(error?.message == "error from the server: Overload: too many guests")
        proxy.setFault(.none)
        let offered = try await ServiceClient.shared.capabilities(of: proxy.url(servers.mapServer))
        #expect(offered.layer(named: "relief") != nil)
    }

    @Test func `rendering from a stalled server can be cancelled`() async throws {
        let servers = try MapServers.running()
        let proxy = try FaultyProxy(of: servers.mapServer)
        defer { proxy.stop() }
        let broken = try await layer("broken", at: proxy.url(servers.mapServer), layers: ["countries"])
        let viewport = try Place.spain3857.viewport(), known = proxy.targets.count
        proxy.setFault(.stalling(after: 1500))
        let task = Task { try await MapRenderer.fresh().render([broken], in: viewport) }
        #expect(await eventually { proxy.targets.count > known })
        task.cancel()
        let error = await #expect(throws: MapError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
#endif

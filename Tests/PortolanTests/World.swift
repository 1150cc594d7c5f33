import Foundation
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

/// Stub servers and small maps for the tests of the renderer and the facade.
enum World {
    static func png(_ color: MapColor, _ width: Int = 256, _ height: Int = 256) throws -> [UInt8] {
        let size = try #require(ImageSize(width: width, height: height))
        return try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(color)))
    }

    static func tiles(_ name: String = "tiles", host: String = "t.example", opacity: Double = 1) throws -> MapLayer {
        let source = try TileSource(
            grid: #require(.webMercator()), address: .xyz(XYZTemplate("http://\(host)/{z}/{x}/{y}.png")))
        return MapLayer(name: name, source: source, opacity: opacity, attribution: "© \(name)")
    }

    /// Four tiles of level 4 about the origin, whole: 4/7/7, 4/8/7, 4/7/8, 4/8/8.
    static func view(width: Int = 128, height: Int = 128) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
            size: #require(ImageSize(width: width, height: height)))
    }

    static func configuration(fonts: Bool = true, clock: TestClock = TestClock()) -> RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.usesSystemFonts = false
        // There are no delays: retries have separate tests.
        configuration.retries = .none
        configuration.circuitBreaker = .none
        configuration.clock = .test(clock)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/fonts")
        configuration.fontFiles = fonts ? [folder.appending(path: "DejaVuSans.ttf").path] : []
        return configuration
    }

    static func renderer(_ transport: StubTransport) -> MapRenderer {
        MapRenderer(configuration: configuration(), transport: transport)
    }

    static func plain() -> RenderOptions {
        var options = RenderOptions()
        options.attribution = .none
        return options
    }

    /// A transport that has one picture for everything, but for the URLs that hold one of some words.
    static func transport(_ color: MapColor = .black, except: [String: HTTPResponse] = [:]) throws -> StubTransport {
        let body = try png(color)
        return StubTransport { request throws(FetchError) in
            for (part, response) in except where request.url.contains(part) { return response }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    static func answer(_ status: Int, _ text: String, type: String = "text/plain") -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [HTTPHeader(name: "Content-Type", value: type)], body: Array(text.utf8), url: "")
    }

    static let exception = """
        <?xml version="1.0"?><ServiceExceptionReport version="1.3.0">\
        <ServiceException code="LayerNotDefined">no such layer: bäse</ServiceException></ServiceExceptionReport>
        """

    /// The events received by a listener so far.
    static func heard(_ stream: AsyncStream<MapFacade.Event>, _ count: Int) async -> [MapFacade.Event] {
        var events: [MapFacade.Event] = []
        var iterator = stream.makeAsyncIterator()
        while events.count < count, let event = await iterator.next() { events.append(event) }
        return events
    }
}

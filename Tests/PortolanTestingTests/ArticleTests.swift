import Foundation
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanTesting
import TestHelpers
import Testing

/// The article about testing an app, as it is printed there.
@Suite(.timeLimit(.minutes(5))) struct TestingArticleTests {
    @Test func `Testing your app`() async throws {
        let folder = try TemporaryFolder(), recordings = folder.path
        let tile = try PNGEncoder.encode(
            PixelBuffer(size: #require(ImageSize(width: 256, height: 256)), filledWith: Pixel(.white)))
        let stub = StubTransport { request in HTTPResponse(status: 200, body: tile, url: request.url) }

        func makeMap(_ transport: any HTTPTransport) throws -> MapFacade {
            var configuration = RendererConfiguration()
            configuration.usesSystemFonts = false  // the same picture on every machine
            configuration.retries = .none
            let map = try MapFacade(
                width: 256, height: 256, renderer: MapRenderer(configuration: configuration, transport: transport))
            map.options.attribution = RenderOptions.Attribution.none
            try map.addXYZ("https://tiles.test/{z}/{x}/{y}.png", named: "tiles")
            return map
        }

        let map = try makeMap(stub)
        try map.center(on: Coordinate(longitude: 0, latitude: 0), zoom: 0)
        let picture = try await map.refresh()
        assert(picture.report.complete)
        assert(stub.requests.map(\.url) == ["https://tiles.test/0/0/0.png"])

        let faulty = FaultTransport(over: stub, first: [.status(503), .exception("too many guests")])
        let broken = try makeMap(faulty)
        do {
            _ = try await broken.refresh()
        } catch {
            assert(error.code == .nothingDrawn)
            print(error.report?.layers.first?.failed.first?.error ?? "")
        }

        let recording = RecordingTransport(over: stub, folder: recordings)
        _ = try await makeMap(recording).refresh()
        let replayed = try await makeMap(ReplayTransport(folder: recordings)).refresh()

        if let difference = PictureDifference(picture.image, replayed.image) {
            assert(difference.isNone, "\(difference)")
        }

        #expect(stub.requests.map(\.url).first == "https://tiles.test/0/0/0.png")
        #expect(replayed.report.complete && replayed.image == picture.image)
        let before = map.viewport

        map.handle(InputEvent(.pointer(.down, InputEvent.Pointer(place: Point(x: 100, y: 100))), at: .seconds(1)))
        map.handle(
            InputEvent(.pointer(.move, InputEvent.Pointer(place: Point(x: 60, y: 100))), at: .milliseconds(1050)))
        map.handle(InputEvent(.pointer(.up, InputEvent.Pointer(place: Point(x: 60, y: 100))), at: .milliseconds(1100)))
        while map.advance(to: .seconds(2)) { break }

        #expect(map.viewport.center.x > before.center.x)
    }
}

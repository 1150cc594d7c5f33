import Foundation
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

/// A tile of which the source says that nothing is there is not one that cannot be had.
@Suite(.timeLimit(.minutes(20))) struct EmptyTileTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let keys: String
        let isEmpty: Bool

        init(_ status: Int, _ body: String = "", keys: String = "", isEmpty: Bool = true) {
            (self.status, self.body, self.keys, self.isEmpty) = (status, body, keys, isEmpty)
        }

        var testDescription: String { "\(status) \(body.prefix(20)) \(keys)" }
    }

    private static let outOfRange =
        "<ExceptionReport xmlns='http://www.opengis.net/ows/1.1'><Exception exceptionCode='TileOutOfRange' locator='TileCol'/>"
        + "</ExceptionReport>"

    static let answers = [
        Answer(204), Answer(200), Answer(400, outOfRange), Answer(200, outOfRange),
        Answer(404, keys: ";empty-status=404"), Answer(404, "<html>gone</html>", keys: ";empty-status=403,404"),
        Answer(403, "<Error><Code>AccessDenied</Code></Error>", keys: ";empty-status=403,404"),
        Answer(204, keys: ";empty-status=none"),
        Answer(404, isEmpty: false), Answer(404, keys: ";empty-status=403", isEmpty: false),
        Answer(403, isEmpty: false), Answer(410, isEmpty: false), Answer(500, isEmpty: false),
        Answer(202, isEmpty: false), Answer(200, "no image", isEmpty: false),
    ]

    private static let style =
        "data:application/json,"
        + #"{"version":8,"sources":{"r":{"type":"raster","tiles":["http://t.example/{z}/{x}/{y}.png"],"tileSize":256}},"#
        + #""layers":[{"id":"r","type":"raster","source":"r"}]}"#

    /// Layers of all kinds of tiles, and a substring of the empty tile's address.
    static let layers = [
        ("xyz:http://t.example/{z}/{x}/{y}.png", "/4/8/7."), ("tms:http://t.example/{z}/{x}/{y}.png", "/4/8/8."),
        ("xyz:http://t.example/{q}.png", "/1222."),
        (
            "wmsc:http://t.example/w?;layers=a;crs=EPSG:3857;extent=-20037508.342789,-20037508.342789,20037508.342789,20037508.342789;resolutions=9783.93962049996",
            "GetMap"
        ),
        ("wmts:http://t.example/wmts?;layer=political", "TILEMATRIX=04&TILEROW=7&TILECOL=8"),
        ("style:" + style, "/4/8/7."),
    ]

    private static func transport(_ part: String, _ answer: Answer?) throws -> StubTransport {
        let body = try World.png(.black), document = try ServiceClientTests.fixture("mapproxy/wmts-kvp-caps.xml")
        let text = String(decoding: document, as: UTF8.self).replacing("127.0.0.1:18081", with: "t.example")
        return StubTransport { request throws(FetchError) in
            if request.url.contains("GetCapabilities") {
                return HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
            }
            // The box of the tile north-east of the origin begins there, but for the rounding of what is added up.
            let isOdd =
                part == "GetMap"
                ? request.url.firstRange(of: "BBOX=").map {
                    request.url[$0.upperBound...].prefix { $0 != "&" }.split(separator: ",")
                        .allSatisfy { (Double($0) ?? -1) > -1e-3 }
                } ?? false : request.url.contains(part)
            if let answer, isOdd {
                return HTTPResponse(status: answer.status, body: Array(answer.body.utf8), url: request.url)
            }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    private static func layer(_ words: String, _ transport: StubTransport) async throws -> MapLayer {
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let built = try await LayerBuilder(client: client).build([LayerSpecification(words)])
        return try #require(built[0].layer, "\(built[0].failure?.description ?? "")")
    }

    @Test(arguments: layers, answers)
    func `the response decides whether a tile is empty or missing`(
        layer: (words: String, part: String), answer: Answer
    ) async throws {
        let transport = try Self.transport(layer.part, answer)
        let map = try await Self.layer(layer.words + answer.keys, transport)
        let result = try await World.renderer(transport).render([map], in: World.view(), options: World.plain())
        #expect(result.report.complete == answer.isEmpty, "\(result.report.layers)")
        let report = result.report.layers[0]
        #expect(report.requested == 4 && report.fetched == (answer.isEmpty ? 4 : 3))
        #expect(report.failed.count == (answer.isEmpty ? 0 : 1) && report.empty == (answer.isEmpty ? 1 : 0))
        #expect(result.report.warnings.isEmpty)
        for (x, y) in [(5, 5), (5, 120), (120, 120)] { #expect(result.image[x, y] == Pixel(.black)) }
        for (x, y) in [(66, 2), (120, 60)] { #expect(result.image[x, y] == Pixel(.white)) }
    }

    #if Storage
    /// The coarser tile is in the cache, and would show content where the service reports none.
    @Test(arguments: answers)
    func `a coarser tile replaces a missing tile but not an empty one`(answer: Answer) async throws {
        let folder = MapRendererCacheTests.Folder()
        let transport = try Self.transport("/4/8/7.", answer)
        let map = try await Self.layer("xyz:http://t.example/{z}/{x}/{y}.png" + answer.keys, transport)
        let renderer = MapRendererCacheTests.renderer(transport, folder.path)
        let coarse = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 3, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
        _ = try await renderer.render([map], in: coarse, options: World.plain())
        let result = try await renderer.render([map], in: World.view(), options: World.plain())
        #expect(result.report.complete == answer.isEmpty)
        #expect(result.image[100, 30] == Pixel(answer.isEmpty ? .white : .black))
    }
    #endif

    @Test(arguments: [("", false), (";empty-status=404", true)])
    func `a missing file is an empty tile if status 404 is`(keys: String, isEmpty: Bool) async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        for tile in ["7/7", "7/8", "8/8"] {
            let path = URL(filePath: folder.path).appending(path: "4/\(tile).png")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(body).write(to: path)
        }
        let map = try await Self.layer("xyz:file://\(folder.path)/{z}/{x}/{y}.png" + keys, World.transport())
        let renderer = MapRenderer(configuration: World.configuration())
        let report = try await renderer.render([map], in: World.view(), options: World.plain()).report
        #expect(report.complete == isEmpty && report.layers[0].empty == (isEmpty ? 1 : 0))
    }

    #if Storage
    /// A source's word that nothing is there holds as long as its pictures do.
    @Test(arguments: [204, 404, 403, 200]) func `an empty tile is cached like any other`(status: Int) async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            let isEmpty = request.url.contains("/4/8/7.")
            return HTTPResponse(
                status: isEmpty ? status : 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=86400")],
                body: isEmpty ? [] : body, url: request.url)
        }
        let clock = TestClock()
        func render(_ keys: String, isOffline: Bool = false) async throws -> RenderReport {
            let map = try await Self.layer("xyz:http://t.example/{z}/{x}/{y}.png" + keys, transport)
            var configuration = World.configuration(clock: clock)
            configuration.cacheFolder = folder.path
            configuration.isOffline = isOffline
            let renderer = MapRenderer(configuration: configuration, transport: transport)
            let report = try await renderer.render([map], in: World.view(), options: World.plain()).report
            await renderer.flush()
            return report
        }
        let keys = ";empty-status=404,403"
        #expect(try await render(keys).layers[0].empty == 1)
        let count = transport.requests.count
        // Far longer than it is remembered that there is nothing at an address.
        clock.advance(by: .seconds(3600))
        let second = try await render(keys)
        #expect(second.complete && second.layers[0].empty == 1 && second.layers[0].cached == 4)
        #expect(transport.requests.count == count)
        let offline = try await render(keys, isOffline: true)
        #expect(offline.complete && offline.layers[0].empty == 1)
        // To a layer that knows nothing of it 404 and 403 are failures, whatever another layer has kept.
        let other = try await render("", isOffline: true)
        #expect(other.complete == (status < 300) && other.layers[0].empty == (status < 300 ? 1 : 0))
    }
    #endif

    @Test(arguments: ["empty-status=soon", "empty-status=200", "empty-status=404,", "empty-status="])
    func `invalid statuses are refused`(keys: String) {
        let error = #expect(throws: MapError.self) {
            try LayerSpecification("xyz:http://t.example/{z}/{x}/{y}.png;" + keys)
        }
        #expect(error?.description.contains("must be a list of HTTP statuses") == true)
    }

    @Test func `a report has the number of empty tiles only if there are any`() async throws {
        let transport = try Self.transport("/4/8/7.", Answer(204))
        let map = try await Self.layer("xyz:http://t.example/{z}/{x}/{y}.png", transport)
        let report = try await World.renderer(transport).render([map], in: World.view()).report
        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(text.contains(#""empty":1"#))
        #expect(try JSONDecoder().decode(RenderReport.self, from: Data(text.utf8)).layers[0].empty == 1)
        let whole = try Self.transport("", nil)
        let full = try await World.renderer(whole).render([map], in: World.view()).report
        #expect(!String(decoding: try JSONEncoder().encode(full), as: UTF8.self).contains("empty"))
    }
}

import Portolan
import PortolanFetch
import PortolanRaster
import PortolanServices
import PortolanTesting
import PortolanWeb
import Testing

/// Pictures of services that state no limit in size and have one.
@Suite struct MapRendererSizeTrialsTests {
    static let tooLarge =
        "<ServiceExceptionReport><ServiceException>image size too large</ServiceException></ServiceExceptionReport>"

    private static func number(_ name: String, _ url: String) -> Int {
        url.split(separator: "&").first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }

    /// A service that draws black pictures up to a side, and refuses others in its own way.
    private static func service(limit: Int, refusing: @escaping @Sendable (String) -> HTTPResponse) -> StubTransport {
        StubTransport { request throws(FetchError) in
            let url = request.url
            let width = number("WIDTH", url), height = number("HEIGHT", url)
            guard max(width, height) <= limit, let body = try? World.png(.black, width, height) else {
                return refusing(url)
            }
            return HTTPResponse(status: 200, body: body, url: url)
        }
    }

    private static func exception(_ status: Int) -> @Sendable (String) -> HTTPResponse {
        { HTTPResponse(status: status, body: Array(tooLarge.utf8), url: $0) }
    }

    private static func layer(_ name: String = "x", service: NamedURL = "http://h/wms") throws -> MapLayer {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let request = GetMapRequest(
            version: .v1_1_1, baseURL: service, layers: [name], crs: .epsg4326, extent: extent, width: 1, height: 1)
        return MapLayer(name: name, source: WMSSource(request: request))
    }

    private static func view(x: Double = -3, width: Int = 1800) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: 40), resolution: #require(Resolution(unitsPerPixel: 0.001)),
            size: #require(ImageSize(width: width, height: 50)), crs: .epsg4326)
    }

    /// The widths of the pictures asked for since there were `count`.
    private static func widths(_ transport: StubTransport, after count: Int = 0) -> [Int] {
        transport.requests.dropFirst(count).map { number("WIDTH", $0.url) }
    }

    @Test(arguments: [
        (1500, 200, [1800, 664, 728, 664]), (1000, 400, [1800, 664, 728, 664]),
        (600, 400, [1800, 664, 424, 488, 488, 488, 424]), (1500, 413, [1800, 664, 728, 664]),
        (1500, 500, [1800, 664, 728, 664]),
    ])
    func `a size limit is learnt from a refusal and applied to the next picture`(
        limit: Int, status: Int, widths: [Int]
    ) async throws {
        let transport = Self.service(limit: limit, refusing: Self.exception(status))
        let renderer = World.renderer(transport)
        let first = try await renderer.render([Self.layer()], in: Self.view(), options: World.plain())
        #expect(Self.widths(transport).sorted() == widths.sorted())
        #expect(
            first.report.complete
                && first.report.warnings.filter { $0.message.contains("image size too large") }.count == 1)
        for x in [0, 599, 600, 1799] { #expect(first.image[x, 25] == Pixel(.black)) }
        let count = transport.requests.count
        // Another layer of the service, at another place.
        let second = try await renderer.render([Self.layer("y")], in: Self.view(x: 5), options: World.plain())
        #expect(second.report.complete && second.report.warnings.isEmpty)
        #expect(Self.widths(transport, after: count).allSatisfy { $0 <= limit })
        #expect(transport.requests.count - count == second.report.layers[0].requested)
        // What fits is asked for in one.
        let small = try await renderer.render([Self.layer()], in: Self.view(width: 500), options: World.plain())
        #expect(small.report.layers[0].requested == 1)
    }

    @Test func `if smaller pictures are refused too, the first error is kept and no limit is learnt`()
        async throws
    {
        let transport = Self.service(limit: 0) {
            HTTPResponse(
                status: 200,
                body: Array(
                    """
                    <ServiceExceptionReport><ServiceException>no database at \(Self.number("WIDTH", $0))\
                    </ServiceException></ServiceExceptionReport>
                    """.utf8), url: $0)
        }
        let renderer = World.renderer(transport)
        for turn in 1...2 {
            let error = await #expect(throws: MapError.self) {
                try await renderer.render([Self.layer()], in: Self.view(), options: World.plain())
            }
            #expect(error?.description.contains("no database at 1800") == true)
            #expect(error?.report?.layers.map(\.requested) == [1])
            // One picture, one piece of at most 1024, one of 512.
            #expect(transport.requests.count == 3 * turn)
        }
    }

    @Test func `a learnt size limit does not affect other services`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            let url = request.url, width = Self.number("WIDTH", url)
            guard !url.contains("//small/") || width <= 1024, let body = try? World.png(.black, width, 50) else {
                return HTTPResponse(status: 200, body: Array(Self.tooLarge.utf8), url: url)
            }
            return HTTPResponse(status: 200, body: body, url: url)
        }
        let layers = try [Self.layer("a", service: "http://small/wms"), Self.layer("b", service: "http://large/wms")]
        let result = try await World.renderer(transport).render(layers, in: Self.view(), options: World.plain())
        #expect(result.report.complete && result.report.layers.map(\.requested) == [3, 1])
        #expect(Set(transport.requests.map(\.url)).count == transport.requests.count)
    }

    @Test func `feature info refused for a large picture is requested again for a small one`() async throws {
        let json = #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a.1","properties":{"n":"1"}}]}"#
        let transport = StubTransport { request throws(FetchError) in
            let isLarge = Self.number("WIDTH", request.url) > 1000
            return HTTPResponse(status: 200, body: Array((isLarge ? Self.tooLarge : json).utf8), url: request.url)
        }
        var layer = try Self.layer()
        guard let source = layer.source as? WMSSource else { return }
        layer.featureInfo = .wms(
            WMSFeatureInfoTemplate(
                map: source.request, queryLayers: ["x"], formats: [WMSCapabilities.Format("application/json")]))
        let renderer = World.renderer(transport)
        for (width, asked) in [(1800, [1800, 101]), (600, [600])] {
            let count = transport.requests.count
            let found = await renderer.identify([layer], in: try Self.view(width: width), pixel: Point(x: 9, y: 9))
            #expect(found.first?.features.first?.feature.properties["n"] == "1")
            #expect(Self.widths(transport, after: count) == asked)
        }
    }
}

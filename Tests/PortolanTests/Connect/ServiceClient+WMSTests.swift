import Portolan
import PortolanFetch
import PortolanServices
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

@Suite struct ServiceClientWMSTests {
    static func response(_ request: HTTPRequest, _ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
    }

    @Test(arguments: [("VERSION=1.3.0", 2), ("VERSION=1.1.1", 3), ("VERSION=1.0.0", 4)])
    func `older versions are tried if the service refuses the newest`(spoken: String, count: Int) async throws {
        let old = try ServiceClientTests.ok("mapserver/caps-1.1.1.xml")
        let transport = StubTransport { request throws(FetchError) in
            request.url.contains(spoken) || request.url.contains(spoken.replacing("VERSION", with: "WMTVER"))
                ? old : Self.response(request, World.exception)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let offered = try await client.capabilities(of: "http://h/wms")
        #expect(offered.version == .v1_1_1 && transport.requests.count == count)
        // A version that the user pins is asked for alone.
        await #expect(throws: MapError.self) {
            try await client.capabilities(of: "http://h/wms", version: spoken == "VERSION=1.1.1" ? .v1_3_0 : .v1_1_1)
        }
        #expect(transport.requests.count == count + 1)
    }

    @Test(arguments: [true, false]) func `doubtful axis order is resolved by version 1_1_1 if supported`(
        speaksOld: Bool
    ) async throws {
        let transport = StubTransport { request throws(FetchError) in
            Self.response(
                request,
                WMSCapabilitiesText.text(
                    version: speaksOld && request.url.contains("VERSION=1.1.1") ? "1.1.1" : "1.3.0"))
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, warnings) = try await client.wmsLayer(
            named: "x", url: "http://h/wms", options: WMSOptions(layers: ["a"]), mapCRS: .epsg4326)
        guard let source = layer.source as? WMSSource else {
            Issue.record("no WMS")
            return
        }
        #expect(source.request.version == (speaksOld ? .v1_1_1 : .v1_3_0))
        #expect(source.request.axisOrder == (speaksOld ? .auto : .xy))
        #expect(warnings.contains { $0.description.contains(speaksOld ? "contradict" : "x first") })
    }

    /// The first version that is asked for after the service's newest is refused, or in doubt of its axes.
    @Test(arguments: [
        ("VERSION=1.3.0", World.exception), ("VERSION=1.1.1", WMSCapabilitiesText.text(version: "1.3.0")),
    ])
    func `cancelling the request for an older version cancels the operation`(
        older: String, first: String
    ) async throws {
        let transport = StubTransport { request throws(FetchError) in
            if request.url.contains(older) { throw FetchError(.cancelled, url: request.url, detail: "stopped") }
            return Self.response(request, first)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) {
            try await client.wmsLayer(
                named: "x", url: "http://h/wms", options: WMSOptions(layers: ["a"]), mapCRS: .epsg4326)
        }
        #expect(error?.code == .cancelled && transport.requests.count == 2)
    }

    @Test func `cancelling the request for tile sets cancels the operation`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            if request.url.contains("TILED=true") { throw FetchError(.cancelled, url: request.url, detail: "stopped") }
            return Self.response(request, WMSCapabilitiesText.text(version: "1.1.1"))
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) {
            try await client.wmsLayer(
                named: "x", url: "http://h/wms", options: WMSOptions(layers: ["a"], tiling: WMSOptions.Tiling()),
                mapCRS: .epsg4326)
        }
        #expect(error?.code == .cancelled)
    }

    @Test func `a request refused for another reason is not repeated`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            Self.response(
                request, request.url.contains("GetMap") ? World.exception : WMSCapabilitiesText.text(version: "1.1.1"))
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let layer = try await client.wmsLayer(
            named: "x", url: "http://h/wms", options: WMSOptions(layers: ["a"]), mapCRS: .epsg4326
        ).layer
        let view = try Viewport(
            center: Coordinate(x: -3, y: 40), resolution: #require(Resolution(unitsPerPixel: 0.001)),
            size: #require(ImageSize(width: 1800, height: 50)), crs: .epsg4326)
        await #expect(throws: MapError.self) { try await World.renderer(transport).render([layer], in: view) }
        #expect(transport.requests.filter { $0.url.contains("GetMap") }.count == 1)
    }

    /// How a service answers tiles of a grid 1000 units high with tiles of 300: counted from above, or not at all.
    @Test(arguments: ["top", "bottom", "none"]) func `a probe tile determines the row order of a tile set`(
        way: String
    ) async throws {
        let document = """
            <WMT_MS_Capabilities version="1.1.1"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
            <VendorSpecificCapabilities><TileSet><SRS>EPSG:25830</SRS><BoundingBox SRS="EPSG:25830" minx="0" miny="0"
            maxx="1000" maxy="1000"/><Resolutions>3 2 1</Resolutions><Width>300</Width><Height>300</Height>
            <Format>image/png</Format><Layers>a</Layers><Styles></Styles></TileSet></VendorSpecificCapabilities>
            <Layer><Name>a</Name><SRS>EPSG:25830</SRS></Layer></Capability></WMT_MS_Capabilities>
            """
        let png = try World.png(.black, 300, 300)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("GetMap") else { return Self.response(request, document) }
            let box = request.url.split(separator: "&").first { $0.hasPrefix("BBOX=") }?.dropFirst(5).split(
                separator: ",")
            let sides = (box ?? []).compactMap { Double($0) }
            let side = sides.count == 4 ? sides[3] - sides[1] : 1
            func isWhole(_ tiles: Double) -> Bool { abs(tiles - tiles.rounded()) < 1e-4 }
            let isFromAbove = sides.count == 4 && isWhole((1000 - sides[3]) / side)
            let isFromBelow = sides.count == 4 && isWhole(sides[1] / side)
            if (way == "top" && isFromAbove) || (way == "bottom" && isFromBelow) {
                return HTTPResponse(status: 200, body: png, url: request.url)
            }
            return HTTPResponse(
                status: 500,
                body: Array(
                    "<ServiceExceptionReport><ServiceException>invalid BBOX</ServiceException></ServiceExceptionReport>"
                        .utf8),
                url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, warnings) = try await client.wmscLayer(
            named: "t", url: "http://h/service", options: .init(layers: ["a"]), mapCRS: CRS("EPSG:25830"))
        #expect(layer.source.kind == (way == "none" ? "wms" : "wmsc"))
        if let source = layer.tiles {
            #expect(source.grid.originCorner == (way == "top" ? .topLeft : .bottomLeft))
        }
        #expect(warnings.contains { $0.description.contains("from the top left") } == (way == "top"))
        #expect(
            warnings.contains { $0.description.contains("plain WMS") && $0.description.contains("invalid BBOX") }
                == (way == "none"))
    }

    /// As TileCache: it lists its tile sets to all, and draws nothing else.
    @Test(arguments: [(["political"], true), (["spain"], false)])
    func `a plain WMS layer with tile sets gives a hint to use wmsc`(
        layers: [String], isTold: Bool
    ) async throws {
        let all = String(decoding: try ServiceClientTests.ok("mapproxy/wmsc-caps-1.1.1.xml").body, as: UTF8.self)
        let text = all.replacing("<Layers>spain</Layers>", with: "<Layers>other</Layers>")
        let transport = StubTransport { request throws(FetchError) in Self.response(request, text) }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, warnings) = try await client.wmsLayer(
            named: "x", url: "http://h/service", options: WMSOptions(layers: layers), mapCRS: .epsg4326)
        #expect(layer.source.kind == "wms")
        #expect(warnings.contains { $0.description.contains("wmsc: instead of wms:") } == isTold, "\(warnings)")
    }

    @Test(arguments: [(nil, "wmsc"), ("2026", "wms")] as [(String?, String)])
    func `cached tiles are used only without extra parameters`(
        time: String?, kind: String
    ) async throws {
        let capabilities = try ServiceClientTests.ok("mapproxy/wmsc-caps-1.1.1.xml"), png = try World.png(.black)
        let offered = try WMSCapabilitiesReader.read(ServiceClientTests.fixture("mapproxy/wmsc-caps-1.1.1.xml"))
        let set = try #require(offered.tileSets.first { $0.crsName == "EPSG:3857" || $0.crsName == "EPSG:900913" })
        let transport = StubTransport { request throws(FetchError) in
            request.url.contains("GetMap") ? HTTPResponse(status: 200, body: png, url: request.url) : capabilities
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        var options = WMSOptions(layers: set.layers, format: set.format, tiling: WMSOptions.Tiling())
        options.extraParameters = time.map { [.init("TIME", $0)] } ?? []
        let layer = try await client.wmsLayer(named: "t", url: "http://h/service", options: options).layer
        #expect(layer.source.kind == kind)
    }

    @Test(arguments: [true, false]) func `an empty map within the layer's box is reported`(isBlank: Bool) async throws {
        let png = try World.png(isBlank ? .clear : .black, 64, 64)
        let transport = StubTransport { request throws(FetchError) in
            request.url.contains("GetMap")
                ? HTTPResponse(status: 200, body: png, url: request.url)
                : Self.response(request, WMSCapabilitiesText.text(version: "1.1.1"))
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let layer = try await client.wmsLayer(named: "x", url: "http://h/wms", options: WMSOptions(layers: ["a"])).layer
        // About the middle of the layer's box, and far from it.
        for (x, isInside) in [(-280_000.0, true), (2e6, false)] {
            let view = try Viewport(
                center: Coordinate(x: x, y: 4_865_942), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
                size: #require(ImageSize(width: 64, height: 64)))
            let result = try await World.renderer(transport).render([layer], in: view, options: World.plain())
            #expect(result.report.complete)
            #expect(result.report.warnings.contains { $0.code == .blank } == (isBlank && isInside))
            #expect(result.report.warnings.contains { $0.code == .outsideView } != isInside)
        }
    }
}

import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanRouteBook
import PortolanServices
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Layers that an app adds by typed calls are part of a saved state.
@Suite struct MapStateOfTypedLayersTests {
    /// A call that adds a layer under the name `it`, to a map whose folder has a route.
    struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind: LayerKind?
        var add: @Sendable (MapFacade, _ folder: String) async throws -> Void

        init(
            _ name: String, _ kind: LayerKind?,
            _ add: @escaping @Sendable (MapFacade, String) async throws -> Void
        ) { (testDescription, self.kind, self.add) = (name, kind, add) }
    }

    private static let route = """
        {"type":"FeatureCollection","features":[
         {"type":"Feature","properties":{"name":"Way"},"geometry":{"type":"LineString","coordinates":[[24,60],[25,61]]}},
         {"type":"Feature","id":"p","properties":{"name":"Well"},"geometry":{"type":"Point","coordinates":[24.5,60.5]}}]}
        """

    private static let tileSets = """
        <WMT_MS_Capabilities version="1.1.1"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
        <VendorSpecificCapabilities><TileSet><SRS>EPSG:4326</SRS><BoundingBox SRS="EPSG:4326" minx="-180" miny="-90"
        maxx="180" maxy="90"/><Resolutions>0.703125 0.3515625</Resolutions><Width>256</Width><Height>256</Height>
        <Format>image/png</Format><Layers>a</Layers><Styles></Styles></TileSet></VendorSpecificCapabilities>
        <Layer><Name>a</Name><SRS>EPSG:4326</SRS></Layer></Capability></WMT_MS_Capabilities>
        """

    private static func transport() throws -> StubTransport {
        let bodies = [
            "http://h/WMTSCapabilities.xml": try ServiceClientTests.fixture("mapproxy/wmts-rest-caps.xml"),
            "http://h/tms": try ServiceClientTests.fixture("mapproxy/tms-map.xml"),
            "http://h/way.geojson": Array(route.utf8),
        ]
        return StubTransport { request throws(FetchError) in
            if request.url.contains("/wms?") {
                let version = request.url.contains("1.1.1") ? "1.1.1" : "1.3.0"
                return World.answer(200, WMSCapabilitiesText.text(version: version), type: "text/xml")
            }
            if request.url.contains("/sets?") { return World.answer(200, tileSets, type: "text/xml") }
            guard let body = bodies[request.url] else { return World.answer(404, "") }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    private static func map() throws -> MapFacade {
        let map = try MapFacade(width: 400, height: 300, renderer: World.renderer(try transport()))
        try map.center(on: Coordinate(longitude: 24.5, latitude: 60.5), zoom: 5)
        return map
    }

    static let options = {
        var options = WMSOptions(
            layers: ["a"], styles: [""], version: .v1_1_1, crsName: "EPSG:4326", format: "image/png")
        options.isTransparent = false
        options.background = GetMapRequest.Color(red: 1, green: 2, blue: 254)
        options.axisOrder = .xy
        options.urlPolicy = .base
        options.extraParameters = [.init("TIME", "2026-01-01/2026-02-01,x"), .init("map", "a;b=c")]
        options.tiling = WMSOptions.Tiling(tileSize: 300, gutter: 10, usesTileSets: false)
        return options
    }()

    static let look = {
        var look = StyleDeclaration()
        look.strokeColor = MapColor(red: 255, green: 0, blue: 0, alpha: 128)
        look.strokeWidth = 2.5
        look.dashStyle = .pixels([4, 2.5])
        look.strokeCap = .square
        look.isFilled = false
        look.marker = .icon(.file("icons/a.png"))
        look.iconWidth = 12
        look.label = "${name}, ${ele} m"
        look.labelOffsetY = -3
        look.labelHorizontalAlignment = .right
        look.fontWeight = 700
        look.isGeodesic = true
        return look
    }()

    static let set = {
        let resolutions = (0..<7).compactMap { Resolution(unitsPerPixel: 3.4332275390625e-4 / Double(1 << $0)) }
        var set = WMSCTileSet(
            crsName: "EPSG:4326", extent: Extent(minX: -180, minY: -90, maxX: 180, maxY: 90), resolutions: resolutions,
            tileWidth: 512, tileHeight: 256, format: "image/jpeg", layers: ["base"], styles: ["day"])
        set.originCorner = .topLeft
        return set
    }()

    static let calls = [
        Call("a WMS", .wms) { map, _ in try await map.addWMS("http://h/wms", layers: ["a"], named: "it") },
        Call("a WMS with all options", .wms) { map, _ in
            try await map.addWMS("http://h/wms", options: options, named: "it")
        },
        Call("tiles by a template", .xyz) { map, _ in
            try map.addXYZ(
                "http://{s}.h/{z}/{x}/{y}.png?a=1;b=2", named: "it", levels: 3...14, tileSize: 512,
                subdomains: ["q", "r"])
        },
        Call("tiles with an attribution", .xyz) { map, _ in
            try map.addXYZ("http://h/{z}/{x}/{-y}.png", named: "it", attribution: "© A; B, C")
        },
        Call("a tile set of a service", .wmsc) { map, _ in
            try await map.addWMSC("http://h/sets", layers: ["a"], named: "it")
        },
        Call("a tile set by hand", .wmsc) { map, _ in try map.addWMSC("http://h/wms", set: set, named: "it") },
        Call("a WMTS", .wmts) { map, _ in
            try await map.addWMTS(
                "http://h/WMTSCapabilities.xml",
                options: WMTSOptions(layer: "relief", matrixSet: "geodetic_nw", encoding: .path), named: "it")
        },
        Call("a TMS", .tms) { map, _ in try await map.addTMS("http://h/tms", named: "it") },
        Call("features of a server", .features) { map, _ in
            try await map.addFeatureLayer(from: "http://h/way.geojson", named: "it")
        },
        Call("features with looks", .features) { map, folder in
            var selected = StyleDeclaration()
            selected.pointRadius = 9
            selected.marker = .shape(.star)
            try await map.addFeatureLayer(
                from: folder + "/way.geojson", named: "it", style: look, selectedStyle: selected)
        },
        Call("a route of a file", .route) { map, folder in
            try await map.addRoute(from: folder + "/way.geojson", named: "it")
        },
        Call("a route of a book", .route) { map, folder in
            let book = RouteBook(folder: folder + "/book")
            let it = try book.add(Array(route.utf8), named: "it", from: RouteBook.Source(file: "way"))
            try map.addRoute(book.route(it.id))
        },
        Call("a style", .style) { map, _ in
            try await map.addStyle(
                from:
                    #"{"version": 8, "sources": {}, "layers": [{"id": "g", "type": "background", "paint": {"background-color": "red"}}]}"#,
                named: "it")
        },
        Call("a layer with a casing, which has no key", nil) { map, folder in
            var style = StyleDeclaration()
            style.casing = .init(color: .white, width: 8)
            let read = try await map.addFeatureLayer(from: folder + "/way.geojson", named: "it", style: style)
            #expect(read.warnings.map(\.code) == [.notWritten])
        },
        Call("a parameter that is there twice", nil) { map, _ in
            let options = WMSOptions(layers: ["a"], extraParameters: [.init("k", "1"), .init("k", "2")])
            let warnings = try await map.addWMS("http://h/wms", options: options, named: "it").warnings
            #expect(warnings.contains { $0.code == .notWritten && $0.layer == "it" })
        },
        Call("features that an app has in memory", nil) { map, _ in
            try map.addFeatureLayer(Array(route.utf8), named: "it")
        },
        Call("a layer by hand", nil) { map, _ in try map.add(World.tiles("it")) },
    ]

    @Test(arguments: calls)
    func `a layer added by a call is restored, or saving reports that it is not`(call: Call) async throws {
        let folder = try TemporaryFolder(), file = folder.path + "/state.json"
        try folder.write(Array(Self.route.utf8), to: "way.geojson")
        let before = try Self.map()
        try await call.add(before, folder.path)
        try before.updateLayer(named: "it") { $0.opacity = 0.5 }
        let told = try before.saveState(to: file)
        #expect(before.layer(named: "it")?.specification?.kind == call.kind)
        let map = try Self.map(), problems = try await map.restoreState(from: file)
        guard call.kind != nil else {
            #expect(told.map(\.code) == [.notWritten] && told.map(\.layer) == ["it"])
            #expect(problems.map(\.code) == [.notRestored] && map.layers.isEmpty)
            return
        }
        #expect(told.isEmpty, "\(told)")
        #expect(problems.filter(\.isLoss).isEmpty && !problems.map(\.code).contains(.notRestored), "\(problems)")
        #expect(map.layers.map(\.name) == ["it"] && map.layers == before.layers)
        // And once more.
        #expect(map.state.layers == before.state.layers)
    }

    @Test func `paths of layers, styles and sources are saved as absolute, and inline styles as text`()
        throws
    {
        let folder = FileAddress.path(of: ".")
        let style = #"{"version": 8, "sources": {}, "layers": []}"#
        let specifications = [
            try LayerSpecification("a.geojson;style=b.json"),
            try LayerSpecification("style:c.json;sources.s=points:d.csv"),
            try LayerSpecification(kind: .style, source: style), try LayerSpecification("https://h/e.geojson"),
        ]
        var state = try Self.map().state
        state.layers = specifications.map { MapState.Layer(name: $0.name, specification: $0) }
        let read = try MapState(bytes: state.encoded().bytes).layers.compactMap(\.specification)
        #expect(
            read.map(\.description) == [
                "\(folder)/a.geojson;style=\(folder)/b.json", "style:\(folder)/c.json;sources.s=points:\(folder)/d.csv",
                "style:\(style)", "https://h/e.geojson",
            ])
    }

    @Test func `a layer whose source was replaced is not saved with its old specification`() async throws {
        let map = try Self.map()
        try map.addXYZ("http://h/{z}/{x}/{y}.png", named: "it")
        try map.updateLayer(named: "it") { $0.source = FeatureSource(features: []) }
        #expect(map.layer(named: "it")?.specification == nil)
        #expect(map.state.encoded().warnings.map(\.code) == [.notWritten])
    }

    @Test func `a manual tile set sends no request before drawing and can be replaced`() async throws {
        let transport = try World.transport()
        let map = try MapFacade(width: 256, height: 256, crs: .crs84, renderer: World.renderer(transport))
        try map.addWMSC("http://h/wms", set: Self.set, named: "base")
        #expect(transport.requests.isEmpty && map.layer(named: "base")?.tiles?.grid.matrices.count == 7)
        var other = Self.set
        other.resolutions.removeLast(3)
        try map.addWMSC("http://h/wms", set: other, named: "base", replacing: true)
        #expect(map.layer(named: "base")?.tiles?.grid.matrices.count == 4)
        other.resolutions = []
        #expect(throws: MapError.self) { try map.addWMSC("http://h/wms", set: other, named: "none") }
    }
}

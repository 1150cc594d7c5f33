import Foundation
import Portolan
import PortolanFetch
import PortolanGeo
import PortolanRaster
import PortolanServices
import PortolanTesting
import TestHelpers
import Testing

/// The examples of the documentation articles, as printed there.
@Suite(.timeLimit(.minutes(5))) struct ArticleTests {
    /// The services that the articles name, and which URLs were asked of them.
    private static func services() throws -> StubTransport {
        let tile = try World.png(.white)
        let capabilities = WMSCapabilitiesText.text(version: "1.3.0")
            .replacing("<Name>a</Name>", with: "<Name>relief</Name>").replacing("EPSG:4326", with: "CRS:84")
        let topography = capabilities.replacing("<Name>relief</Name>", with: "<Name>TOPO-WMS</Name>")
        return StubTransport { request throws(FetchError) in
            request.url.contains("GetCapabilities")
                ? World.answer(200, request.url.contains("terrestris") ? topography : capabilities, type: "text/xml")
                : HTTPResponse(status: 200, body: tile, url: request.url)
        }
    }

    /// The package's folder.
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test func `the first page`() async throws {
        let folder = try TemporaryFolder()
        let map = try MapFacade(width: 1024, height: 768)
        try await map.addStyle(from: Self.root + "/Fixtures/helsinki/city-style.json")
        try await map.addFeatures(from: Self.root + "/Fixtures/routes/helsinki-walk.geojson", fitting: true)
        map.options.title = "A walk through Helsinki"
        let picture = try await map.refresh()
        try picture.writePNG(to: folder.path + "/walk.png")

        #expect(picture.report.complete && picture.report.view.zoom > 14)
        #expect(try ImageDecoders.standard.decode(folder.bytes("walk.png")) == picture.image)
    }

    @Test func `PortolanGeo`() throws {
        let utm = try CRS("EPSG:25830")
        let toUTM = try CoordinateTransform(from: .crs84, to: utm)
        let place = toUTM(Coordinate(longitude: -0.88, latitude: 41.65))

        // By PROJ.
        let found = try #require(place)
        #expect(abs(found.x - 676_536.952) < 0.001 && abs(found.y - 4_613_088.369) < 0.001)
    }

    @Test func `Getting started`() async throws {
        let folder = try TemporaryFolder(), file = folder.path + "/map.png", services = try Self.services()
        let map = try MapFacadeTests.facade(1024, 768, transport: services)

        try await map.addWMS("https://ows.terrestris.de/osm/service", layers: ["TOPO-WMS"])
        try map.addXYZ(
            "https://tile.opentopomap.org/{z}/{x}/{y}.png", named: "contours", attribution: "© OpenTopoMap (CC-BY-SA)")
        try map.updateLayer(named: "contours") { $0.opacity = 0.6 }

        let start = Coordinate(longitude: 24.9414, latitude: 60.1718)
        map.addPOI(id: "station", coordinate: start, name: "Station")
        map.addLine(id: "way", through: [start, Coordinate(longitude: 24.9522, latitude: 60.1699)])
        try map.fitFeatures(padding: 60)

        let fitted = map.viewport

        try map.show(west: 24.93, south: 60.16, east: 24.96, north: 60.18)

        #expect(map.viewport.resolution.unitsPerPixel > fitted.resolution.unitsPerPixel)

        map.options.title = "To the station"
        map.options.deadline = .seconds(20)
        let picture = try await map.refresh()
        for layer in picture.report.layers {
            for failure in layer.failed { print("\(layer.name): \(failure.error)") }
        }

        try picture.writePNG(to: file)
        let bytes = try picture.png()

        #expect(picture.report.complete && map.layers.map(\.name) == ["TOPO-WMS", "contours", "vectors"])
        #expect(try ImageDecoders.standard.decode(folder.bytes("map.png")) == picture.image)
        #expect(try ImageDecoders.standard.decode(bytes) == picture.image)
        let station = map.viewport.pixel(of: try #require(try CoordinateTransform.toWebMercator(24.9414, 60.1718)))
        #expect(map.touch(station)?.id == "station")

        do {
            try await map.addWMS("https://ows.terrestris.de/osm/service", layers: ["no-such-layer"])
        } catch {
            switch error.code {
            case .timedOut, .unavailable, .network: print("try again later: \(error)")
            case .notOffered: print("choose another layer: \(error)")
            default: print(error)
            }
        }

        let error = await #expect(throws: MapError.self) {
            try await map.addWMS("https://ows.terrestris.de/osm/service", layers: ["no-such-layer"])
        }
        #expect(error?.code == .notOffered)

        if let feature = map.touch(Point(x: 512, y: 384)) { print(feature.properties) }
        for layer in await map.identify(Point(x: 512, y: 384)) { print(layer.layer) }
    }

    @Test func `Units, axes and coordinates`() throws {
        let map = try MapFacadeTests.facade(800, 600, crs: try CRS("EPSG:25830"))
        let zaragoza = Coordinate(longitude: -0.8773, latitude: 41.6561)
        try map.center(on: zaragoza, zoom: 13)

        if let extent = Extent(minX: 675_000, minY: 4_612_000, maxX: 679_000, maxY: 4_615_000) {
            try map.setExtent(extent, in: CRS("EPSG:25830"))
        }
        try map.show(west: -0.90, south: 41.64, east: -0.85, north: 41.67)

        let shown = map.viewport.extent
        #expect(shown.minX < 675_000 && shown.maxX > 679_000)

        let middle = map.viewport.coordinate(at: Point(x: 400, y: 300))
        let pixel = map.viewport.pixel(of: middle)

        #expect(abs(middle.x - map.viewport.center.x) < 1e-6 && abs(pixel.x - 400) < 1e-6 && abs(pixel.y - 300) < 1e-6)

        let resolution = Resolution(zoom: 12, in: .webMercator)
        let metersPerPixel = resolution?.unitsPerPixel  // 38.2185
        let scale = resolution?.scaleDenominator(in: .webMercator)  // 136,494.69

        #expect(try abs(#require(metersPerPixel) - 38.2185) < 1e-4 && abs(#require(scale) - 136_494.69) < 0.01)

        let station = Coordinate(longitude: -0.9115, latitude: 41.6590)
        let line = Geodesic.line(from: zaragoza, to: station)
        print(line)

        #expect(abs(line.meters - 2867) < 1)
    }

    @Test func `Limits and budgets`() throws {
        let temporary = try TemporaryFolder(), folder = temporary.path
        var configuration = RendererConfiguration()

        configuration.memory = MemoryBudget(byteLimit: 256 << 20)
        configuration.imageCacheByteBudget = 32 << 20

        configuration.cacheFolder = folder
        configuration.cacheByteBudget = 128 << 20

        configuration.addressPolicy.allowedHosts = ["maps.internal"]
        let map = try MapFacade(width: 512, height: 512, renderer: MapRenderer(configuration: configuration))

        #expect(map.viewport.size.width == 512 && configuration.memory.byteLimit == 256 << 20)
    }

    @Test func `Migrating from 0_1`() async throws {
        let path = Self.root + "/Fixtures/routes/helsinki-walk.geojson"
        let map = try MapFacadeTests.facade()

        let added = try await map.addFeatures(from: path, fitting: true)
        print(added.name, added.warnings, added.features?.features.count ?? 0)

        #expect(added.features?.features.count == 9 && added.warnings.isEmpty)
    }

    @Test func `Axis order`() async throws {
        let services = try Self.services(), map = try MapFacadeTests.facade(transport: services)

        let station = Coordinate(longitude: 24.9414, latitude: 60.1718)
        let toGrid = try CoordinateTransform(from: .crs84, to: CRS("EPSG:3067"))
        let place = toGrid(station)  // east 385,784 m, north 6,672,325 m

        // By PROJ.
        let found = try #require(place)
        #expect(abs(found.x - 385_784.333) < 0.001 && abs(found.y - 6_672_324.722) < 0.001)

        let authority = try CRS("urn:ogc:def:crs:EPSG::4326").axisOrder  // northEast
        let public84 = try CRS("CRS:84").axisOrder  // eastNorth

        #expect(authority == .northEast && public84 == .eastNorth)

        let options = WMSOptions(layers: ["relief"], version: .v1_3_0, axisOrder: .xy)
        try await map.addWMS("https://maps.example.org/wms", options: options)

        #expect((map.layers.first?.source as? WMSSource) != nil)
    }

    @Test func `Tile grids: a manual tile set`() async throws {
        let map = try MapFacadeTests.facade()

        let resolutions = (0..<7).compactMap { Resolution(unitsPerPixel: 3.4332275390625e-4 / Double(1 << $0)) }
        let set = WMSCTileSet(
            crsName: "EPSG:4326", extent: Extent(minX: -180, minY: -90, maxX: 180, maxY: 90), resolutions: resolutions,
            tileWidth: 256, tileHeight: 256, format: "image/jpeg", layers: ["base"])
        try map.addWMSC("https://maps.example.org/wms-c", set: set, named: "city")

        #expect(map.layer(named: "city")?.tiles?.grid.matrices.count == 7)

        var coarse = set
        coarse.resolutions.removeLast(3)
        try map.addWMSC("https://maps.example.org/wms-c", set: coarse, named: "city", replacing: true)

        #expect(map.layer(named: "city")?.tiles?.grid.matrices.count == 4)
    }

    @Test func `Tile grids`() async throws {
        let resolution = Resolution(zoom: 12, in: .webMercator)
        let metersPerPixel = resolution?.unitsPerPixel  // 38.2185
        let scale = resolution?.scaleDenominator(in: .webMercator)  // 136,494.69, on the OGC's pixels of 0.28 mm

        #expect(try abs(#require(metersPerPixel) - 38.218514143) < 1e-8)
        #expect(try abs(#require(scale) - 136_494.6933664) < 1e-6)

        func topography() throws -> MapLayer? {
            let resolutions = (0...15).compactMap { Resolution(unitsPerPixel: 8192 / Double(1 << $0)) }
            guard let extent = Extent(minX: -548_576, minY: 6_291_456, maxX: 1_548_576, maxY: 8_388_608),
                let grid = TileGrid(
                    crs: try CRS("EPSG:3067"), extent: extent, resolutions: resolutions, originCorner: .topLeft)
            else { return nil }
            let template = try XYZTemplate("https://tiles.example.fi/{z}/{x}/{y}.png")
            return MapLayer(name: "topography", source: TileSource(grid: grid, address: .xyz(template)))
        }

        let services = try Self.services()
        let map = try MapFacadeTests.facade(crs: try CRS("EPSG:3067"), transport: services)
        try map.center(on: Coordinate(longitude: 24.9414, latitude: 60.1718), zoom: 9)

        if let layer = try topography() { try map.add(layer) }
        try map.snapToTiles(ofLayer: "topography")

        #expect(try await map.refresh().report.complete)
        // Level 5 has 256 m a pixel: column (385784 + 548576) / 65536, row (8388608 - 6672325) / 65536.
        #expect(map.viewport.resolution.unitsPerPixel == 256)
        #expect(services.requests.contains { $0.url == "https://tiles.example.fi/5/14/26.png" })
    }

    #if Storage
    @Test func `Caching`() async throws {
        let temporary = try TemporaryFolder(), folder = temporary.path, services = try Self.services()

        var configuration = RendererConfiguration()
        configuration.cacheFolder = folder
        configuration.cacheByteBudget = 256 << 20
        let renderer = MapRenderer(configuration: configuration, transport: services)

        var weather = CacheRule()
        weather.defaultLifetime = 300
        weather.maximumLifetime = 600
        configuration.layerCacheRules["radar"] = weather
        var base = CacheRule()
        base.ignoresServer = true
        base.defaultLifetime = 30 * 86_400
        configuration.hostCacheRules["tiles.example.org"] = base

        func draw(by renderer: MapRenderer) async throws -> RenderReport {
            let map = try MapFacade(width: 256, height: 256, renderer: renderer)
            map.options.attribution = .none
            try map.addXYZ("https://tiles.example.org/{z}/{x}/{y}.png", named: "tiles")
            return try await map.refresh().report
        }
        #expect(try await draw(by: renderer).complete && services.requests.count == 1)
        await renderer.flush()

        configuration.isOffline = true

        let dead = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
        #expect(try await draw(by: MapRenderer(configuration: configuration, transport: dead)).complete)
        #expect(dead.requests.isEmpty)
    }
    #endif

    @Test func `Styling`() async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/trails.geojson"
        let trail =
            #"{"type":"Feature","id":"t","properties":{"name":"Ridge"},"geometry":{"type":"LineString","#
            + #""coordinates":[[24.94,60.17],[24.96,60.17]]}}"#
        try folder.write(Array(trail.utf8), to: "trails.geojson")
        let map = try MapFacadeTests.facade()

        let document = [UInt8](try Data(contentsOf: URL(filePath: path)))

        var trails = StyleDeclaration()
        trails.strokeColor = MapColor(red: 200, green: 60, blue: 30)
        trails.strokeWidth = 3
        trails.casing = LineSymbol.Casing(color: .white, width: 5)
        trails.label = "${name}"
        trails.labelOutlineColor = .white
        trails.labelOutlineWidth = 2
        try map.addFeatureLayer(document, named: "trails", style: trails)

        let stop = Style(
            marker: .shape(
                ShapeMarker(
                    shape: .circle, radius: 6, fill: FillSymbol(color: .white),
                    stroke: LineSymbol(color: MapColor(red: 0, green: 90, blue: 160), width: 3))),
            label: LabelSymbol(
                template: "${name}", horizontalAlignment: .left, offsetX: 10,
                outline: LabelSymbol.Outline(color: .white, width: 2)))
        map.addPOI(
            id: "stop", coordinate: Coordinate(longitude: 24.95, latitude: 60.17), name: "Kaivokatu", style: stop)

        try map.fitFeatures(padding: 60)
        let image = try await map.refresh().image
        // The line left of the mark, and the ring and the middle of the mark.
        let middle = map.viewport.pixel(of: try #require(try CoordinateTransform.toWebMercator(24.95, 60.17)))
        let line = map.viewport.pixel(of: try #require(try CoordinateTransform.toWebMercator(24.941, 60.17)))
        #expect(image[Int(line.x), Int(line.y)] == Pixel(MapColor(red: 200, green: 60, blue: 30)))
        #expect(image[Int(middle.x) - 6, Int(middle.y)] == Pixel(MapColor(red: 0, green: 90, blue: 160)))
        #expect(image[Int(middle.x), Int(middle.y)] == Pixel(.white))
    }
}

extension CoordinateTransform {
    /// A longitude and latitude in web mercator.
    fileprivate static func toWebMercator(_ longitude: Double, _ latitude: Double) throws -> Coordinate? {
        try CoordinateTransform(from: .crs84, to: .webMercator)(Coordinate(longitude: longitude, latitude: latitude))
    }
}

import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Testing

/// The keys of templates of tiles.
@Suite struct TileLayerTests {
    private static func layer(_ words: String, in crs: CRS = .webMercator) async throws -> MapLayer {
        let client = ServiceClient(configuration: World.configuration(), transport: MapRendererCacheTests.dead())
        let built = try await LayerBuilder(client: client, mapCRS: crs).build([LayerSpecification(words)])
        return try #require(built[0].layer)
    }

    private static func urls(_ layer: MapLayer, _ view: Viewport) -> [String] {
        MapPlanner(viewport: view).plan([layer]).resources.map(\.location.description).sorted()
    }

    private static func view(_ x: Double, _ y: Double, _ units: Double, _ crs: CRS) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(unitsPerPixel: units)),
            size: #require(ImageSize(width: 16, height: 16)), crs: crs)
    }

    @Test(
        arguments: [
            (
                "crs=EPSG:2056;resolutions=500,250,100;origin=2420000,1350000", "EPSG:2056", 2_600_000.0, 1_200_000.0,
                100.0, "2/7/5"
            ),
            (
                "crs=EPSG:2056;resolutions=100,500,250;extent=2420000,900000,2900000,1350000", "EPSG:2056", 2_600_000,
                1_200_000, 500, "0/1/1"
            ),
            ("crs=EPSG:4326", "EPSG:4326", 100, 10, 0.3515625, "1/3/0"),
            (
                "crs=EPSG:3067;resolutions=8192,4096;origin=-548576,8388608;tile-size=512", "EPSG:3067", 400_000,
                6_700_000, 4096, "1/0/0"
            ),
            (
                "crs=EPSG:3067;resolutions=1000;origin=0,8000000;tile-size=256x512", "EPSG:3067", 400_000, 6_700_000,
                1000, "0/1/2"
            ),
            ("resolutions=1000;origin=-20037508.34,20037508.34", "EPSG:3857", 0, 0, 1000, "0/78/78"),
        ] as [(String, String, Double, Double, Double, String)])
    func `a template can have a custom grid`(
        keys: String, crs: String, x: Double, y: Double, units: Double, tile: String
    ) async throws {
        let crs = try CRS(crs), layer = try await Self.layer("xyz:http://t/{z}/{x}/{y};" + keys, in: crs)
        #expect(Self.urls(layer, try Self.view(x, y, units, crs)) == ["http://t/" + tile])
    }

    @Test func `rows counted from the bottom start at the lower left corner`() async throws {
        let crs = try CRS("EPSG:25830"), keys = ";crs=EPSG:25830;resolutions=100;origin=500000,4000000"
        let view = try Self.view(590_000, 4_100_000, 100, crs)
        for words in ["xyz:http://t/{z}/{x}/{-y}", "tms:http://t/{z}/{x}/{y}"] {
            #expect(Self.urls(try await Self.layer(words + keys, in: crs), view) == ["http://t/0/3/3"])
        }
    }

    @Test func `a box placeholder determines the grid`() async throws {
        let crs = try CRS("EPSG:4326"), layer = try await Self.layer("xyz:http://t?{bbox-epsg-4326}", in: crs)
        #expect(Self.urls(layer, try Self.view(100, 10, 0.3515625, crs)) == ["http://t?90,0,180,90"])
        let square = try await Self.layer("xyz:http://t?{bbox-epsg-3857}")
        #expect(square.tiles?.grid.crs == .webMercator)
    }

    @Test func `bounds limit the requests, and beyond the last level tiles are enlarged`() async throws {
        let layer = try await Self.layer("xyz:http://t/{z}/{x}/{y};bounds=0,0,90,60;min-zoom=2;max-zoom=4")
        #expect(Self.urls(layer, try World.view()) == ["http://t/4/8/7"])
        let fine = try Viewport(
            center: Coordinate(x: 1000, y: 1000), resolution: #require(Resolution(zoom: 9, in: .webMercator)),
            size: #require(ImageSize(width: 16, height: 16)))
        #expect(Self.urls(layer, fine) == ["http://t/4/8/7"])
        let beside = MapPlanner(
            viewport: try Viewport(
                center: Coordinate(x: -1e7, y: 1e6), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
                size: #require(ImageSize(width: 16, height: 16)))
        ).plan([layer])
        #expect(beside.resources.isEmpty)
    }

    @Test func `keys give values for placeholders`() async throws {
        let layer = try await Self.layer(
            "xyz:http://t/{style}/{z}/{x}/{y}?k={apikey};params.style=dark;params.apikey=1")
        #expect(Self.urls(layer, try World.view()).first == "http://t/dark/4/7/7?k=1")
    }

    @Test(arguments: [
        ("xyz:http://t/{z}/{x}/{what}", "unknown placeholder '{what}'"),
        ("xyz:http://t/{z}/{x}/{what}", "params.what=VALUE"),
        ("xyz:http://t/{z}/{x}/{y};params.what=1", "which is not in the template"),
        ("xyz:http://t/{z}/{x}/{y};bounds=0,0,90", "bounds"), ("xyz:http://t/{z}/{x}/{y};bounds=0,60,90,0", "bounds"),
        ("xyz:http://t/{z}/{x}/{y};crs=EPSG:1", "crs"),
        ("xyz:http://t/{z}/{x}/{y};origin=0,0", "needs resolutions"),
        ("xyz:http://t/{z}/{x}/{y};crs=EPSG:25830;resolutions=10", "needs the key 'origin' or 'extent'"),
        ("xyz:http://t/{z}/{x}/{y};crs=EPSG:25830;resolutions=10;origin=1", "origin"),
        ("xyz:http://t/{z}/{x}/{y};resolutions=0", "resolutions"),
        ("xyz:http://t/{z}/{x}/{y};tile-size=0", "tile-size"),
        ("xyz:http://t/{z}/{x}/{y};tile-size=256x128", "needs resolutions"),
        ("xyz:http://t/tiles.json;bounds=0,0,1,1", "needs a template"),
        ("tms:http://t/tms;crs=EPSG:3857", "needs a template"),
        ("wms:http://t/wms;layers=a;empty-status=404", "empty-status"),
    ])
    func `invalid keys are refused`(words: String, part: String) async throws {
        let body = try ServiceClientTests.fixture("mapserver/caps-1.3.0.xml")
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: body, url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) {
            let built = try await LayerBuilder(client: client).build([LayerSpecification(words)])
            if let failure = built.first?.failure { throw failure }
        }
        #expect(error?.description.contains(part) == true || words.hasPrefix("wms:"), "\(error?.description ?? "")")
    }
}

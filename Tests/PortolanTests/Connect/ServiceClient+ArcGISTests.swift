import Portolan
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Testing

@Suite struct ServiceClientArcGISTests {
    private static let service = "/arcgis/rest/services/city/MapServer"
    private static let tiled = """
        {"currentVersion": 10.91, "mapName": "City", "copyrightText": "the city", "singleFusedMapCache": true,
         "layers": [{"id": 0, "name": "Roads"}, {"id": 3, "name": "Parcels"}], "spatialReference": {"wkid": 102100,
         "latestWkid": 3857}, "tileInfo": {"rows": 256, "cols": 256, "dpi": 96, "format": "MIXED", "origin":
         {"x": -20037508.342787, "y": 20037508.342787}, "spatialReference": {"wkid": 102100, "latestWkid": 3857}, "lods": [
         {"level": 3, "resolution": 19567.8792409999, "scale": 73957190.948944},
         {"level": 4, "resolution": 9783.93962049996, "scale": 36978595.474472}]}, "fullExtent": {"xmin": -1e6, "ymin": -1e6,
         "xmax": 2e7, "ymax": 2e7, "spatialReference": {"wkid": 102100}}, "supportedImageFormatTypes":
         "PNG32,PNG24,PNG,JPG", "capabilities": "Map,Query,Data", "maxImageHeight": 1000, "maxImageWidth": 2000}
        """
    private static let swiss = """
        {"currentVersion": 11, "mapName": "Layers", "singleFusedMapCache": true, "spatialReference": {"wkid": 2056},
         "tileInfo": {"rows": 512, "cols": 512, "origin": {"x": 2420000, "y": 1350000}, "spatialReference": {"wkid": 2056},
         "lods": [{"level": 0, "resolution": 500}, {"level": 1, "resolution": 100}]}, "fullExtent": {"xmin": 2480000,
         "ymin": 1070000, "xmax": 2840000, "ymax": 1300000}, "capabilities": "Map,TilesOnly,Tilemap"}
        """

    @Test func `cached tiles are requested in their own grid within the extent`() async throws {
        let (client, transport) = try ServiceClientOGCTilesTests.client([Self.service: Self.tiled])
        let (layer, warnings) = try await client.arcGISLayer(named: "t", url: "http://h\(Self.service)?token=s")
        #expect(warnings == [] && layer.attribution == "the city" && layer.tiles?.emptyStatuses == [404])
        #expect(try ServiceClientOGCTilesTests.urls(layer).contains("http://h\(Self.service)/tile/4/7/8?token=s"))
        #expect(transport.requests.map(\.url) == ["http://h\(Self.service)?token=s&f=json"])
    }

    @Test func `a tile grid in another CRS has its own origin and resolutions`() async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client([Self.service: Self.swiss])
        let crs = try CRS("EPSG:2056")
        let (layer, _) = try await client.arcGISLayer(named: "t", url: "http://h\(Self.service)", mapCRS: crs)
        let view = try Viewport(
            center: Coordinate(x: 2_600_000, y: 1_200_000), resolution: #require(Resolution(unitsPerPixel: 100)),
            size: #require(ImageSize(width: 64, height: 64)), crs: crs)
        #expect(try ServiceClientOGCTilesTests.urls(layer, view) == ["http://h\(Self.service)/tile/1/2/3"])
        // There are no pictures of other systems: the tiles are drawn in those, too.
        let (other, _) = try await client.arcGISLayer(named: "t", url: "http://h\(Self.service)")
        #expect(other.tiles != nil)
    }

    @Test(arguments: [
        ("", ["Parcels", "0"], "layers=show:3,0"), ("/3", [], "layers=show:3"),
        (
            "", [],
            "/export?f=image&bbox=-626172.135712164,-626172.135712164,626172.135712164,626172.135712164&bboxSR=3857&imageSR=3857&size=128,128&format=png32&transparent=true"
        ),
    ])
    func `uncached layers are exported as an image of the view`(
        path: String, layers: [String], part: String
    ) async throws {
        let (client, transport) = try ServiceClientOGCTilesTests.client([Self.service: Self.tiled])
        let (layer, _) = try await client.arcGISLayer(
            named: "t", url: "http://h\(Self.service)\(path)", options: .init(layers: layers, isTiled: false))
        let urls = try ServiceClientOGCTilesTests.urls(layer, World.view())
        #expect(urls.count == 1 && urls[0].contains(part), "\(urls)")
        let result = try await World.renderer(transport).render([layer], in: World.view(), options: World.plain())
        #expect(result.report.complete && result.report.layers[0].kind == "arcgis")
    }

    @Test func `an ImageServer uses exportImage requests`() async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client([
            "/rest/services/dem/ImageServer": """
            {"currentVersion": 11, "name": "dem", "bandCount": 1, "pixelSizeX": 10, "extent": {"xmin": 0, "ymin": 0, "xmax": 1e6,
             "ymax": 1e6, "spatialReference": {"wkid": 25830}}, "capabilities": "Image,Metadata"}
            """
        ])
        let (layer, _) = try await client.arcGISLayer(named: "t", url: "http://h/rest/services/dem/ImageServer")
        let url = try #require(ServiceClientOGCTilesTests.urls(layer, World.view()).first)
        #expect(url.contains("/ImageServer/exportImage?f=image&bbox=") && !url.contains("layers"))
    }

    @Test(arguments: [
        (#"{"error": {"code": 499, "message": "Token Required"}}"#, "499: Token Required"),
        (#"{"currentVersion": 11, "services": []}"#, "/MapServer or /ImageServer"),
        (
            #"{"mapName": "x", "singleFusedMapCache": false, "capabilities": "Query", "layers": []}"#,
            "neither cached tiles"
        ),
    ])
    func `a service that cannot be drawn is an error with its cause`(document: String, words: String) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client([Self.service: document])
        let error = await #expect(throws: MapError.self) {
            try await client.arcGISLayer(named: "t", url: "http://h\(Self.service)")
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}

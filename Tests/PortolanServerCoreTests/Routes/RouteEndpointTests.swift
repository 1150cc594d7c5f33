import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanRouteBook
import PortolanServerCore
import TestHelpers
import Testing

@Suite struct RouteEndpointTests {
    private static let document = """
        {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "Harbour walk", "stroke": "#0000ff", "stroke-width": 9},
         "geometry": {"type": "LineString", "coordinates": [[20, 20], [30, 20]]}}]}
        """

    @Test func `routes of a book are listed, found, shown and drawn`() async throws {
        let folder = try TemporaryFolder()
        let book = RouteBook(folder: folder.path + "/routes")
        let added = try book.add(Array(Self.document.utf8), from: RouteBook.Source(file: "/secret/harbour.geojson"))
        let sample = try await SampleServer { $0.routes = book }
        let listed = await sample.get("/routes")
        #expect(!String(decoding: listed.body, as: UTF8.self).contains("secret"))
        let routes = try JSONReader.value(bytes: listed.body).objectValue?["routes"]?.arrayValue ?? []
        #expect(routes.map { $0.objectValue?["id"]?.stringValue } == [added.id])
        for (query, count) in [("HARBOUR", 1), ("nowhere", 0)] {
            let found = try JSONReader.value(bytes: await sample.get("/routes?q=\(query)").body).objectValue
            #expect(found?["count"] == .integer(count))
        }
        let geoJSON = try GeoJSONReader.read(await sample.get("/routes/\(added.id).geojson").body)
        #expect(geoJSON.features.first?.geometry?.coordinateCount == 2)
        let pixels = try await sample.pixels("/routes/\(added.id)/snapshot.png?width=200&height=100")
        #expect(pixels.width == 200 && pixels[100, 50] == Pixel(MapColor(red: 0, green: 0, blue: 255)))
    }

    @Test(arguments: ["/routes/nothing", "/routes/..%2Fetc", "/routes/a/b/c", "/routes/nothing/snapshot.png"])
    func `a missing route is not found`(target: String) async throws {
        let folder = try TemporaryFolder()
        let sample = try await SampleServer { $0.routes = RouteBook(folder: folder.path) }
        #expect(await sample.get(target).status == 404)
    }

    @Test func `a server without a book has no routes`() async throws {
        #expect(await (try SampleServer()).get("/routes").status == 404)
    }
}

import PortolanGeo
import PortolanRaster
import PortolanServerCore
import PortolanServices
import Testing

/// The documents and tiles of the Tile Map Service, read by the client of this library.
@Suite struct TMSEndpointTests {
    private func document(_ target: String) async throws -> TMSDocument {
        let response = await (try SampleServer()).get(target, [("Host", "h")])
        #expect(response.status == 200, "\(target)")
        #expect(response[header: "Content-Type"] == "text/xml")
        return try TMSReader.read(response.body)
    }

    @Test(arguments: ["/tms", "/tms/"])
    func `the root names the service`(target: String) async throws {
        guard case .services(let services) = try await document(target) else {
            Issue.record("no list of services")
            return
        }
        #expect(services.map(\.href) == ["http://h/tms/1.0.0/"])
    }

    @Test func `the service lists each layer in both grids`() async throws {
        guard case .service(let service) = try await document("/tms/1.0.0/") else {
            Issue.record("no service")
            return
        }
        #expect(service.version == "1.0.0")
        #expect(service.maps.count == 12)
        let first = try #require(service.maps.first), last = try #require(service.maps.last)
        #expect(first.href == "http://h/tms/1.0.0/square/WebMercatorQuad")
        #expect(first.title == "A square" && first.crsName == "EPSG:3857" && first.profile == "global-mercator")
        #expect(last.href == "http://h/tms/1.0.0/far/WorldCRS84Quad" && last.profile == "global-geodetic")
        #expect(service.maps.contains { $0.href == "http://h/tms/1.0.0/both:high/WebMercatorQuad" })
    }

    @Test(arguments: [
        ("square", "EPSG:3857", -20_037_508.34, 156_543.034, 19),
        ("square/WebMercatorQuad", "EPSG:3857", -20_037_508.34, 156_543.034, 19),
        // The specification states 0.703125 degrees for the first level of global-geodetic.
        ("square/WorldCRS84Quad", "EPSG:4326", -180, 0.703125, 19),
        ("both:high", "EPSG:3857", -20_037_508.34, 156_543.034, 23),
    ])
    func `a map states its origin and its levels`(
        path: String, srs: String, west: Double, resolution: Double, count: Int
    ) async throws {
        guard case .map(let map) = try await document("/tms/1.0.0/\(path)") else {
            Issue.record("no map")
            return
        }
        #expect(map.crsName == srs && map.format == "image/png" && map.fileExtension == "png" && map.tileWidth == 256)
        #expect(abs(map.origin.x - west) < 0.01)
        #expect(map.tileSets.map(\.order) == Array(0..<count))
        #expect(abs(map.tileSets[0].resolution.unitsPerPixel - resolution) < 0.001)
        #expect(map.tileSets[2].href.hasSuffix("/2"))
        #expect(map.warnings.isEmpty)
    }

    @Test func `rows of tiles are counted from below, in both grids and of single layers`() async throws {
        let sample = try await SampleServer()
        let red = Pixel(MapColor(red: 255, green: 0, blue: 0)), blue = Pixel(MapColor(red: 0, green: 0, blue: 255))
        // The tile north-east of 0, 0.
        #expect(try await sample.pixels("/tms/1.0.0/square/1/1/1.png")[1, 254] == red)
        #expect(try await sample.pixels("/tms/1.0.0/square/WebMercatorQuad/1/1/1.png")[1, 254] == red)
        #expect(try await sample.pixels("/tms/1.0.0/square/WorldCRS84Quad/1/2/1.png")[1, 254] == red)
        #expect(try await sample.pixels("/tms/1.0.0/both:high/1/1/1.png")[1, 254] == blue)
        #expect(try await sample.pixels("/tms/1.0.0/both:low/1/1/1.png")[1, 254] == red)
    }

    @Test(arguments: [
        "/tms/1.1.0", "/tms/1.0.0/none", "/tms/1.0.0/square/NoGrid", "/tms/1.0.0/square/1/1/9.png",
        "/tms/1.0.0/square/30/1/1.png", "/tms/1.0.0/square/1/1",
    ])
    func `an unknown document or tile is not found`(target: String) async throws {
        #expect(await (try SampleServer()).get(target).status == 404)
    }
}

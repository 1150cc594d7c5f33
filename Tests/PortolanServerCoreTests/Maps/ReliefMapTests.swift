import Foundation
import Portolan
import PortolanCodecs
import PortolanGeo
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

/// A server of maps of a GeoTIFF: its picture, and relief of its values.
@Suite(.timeLimit(.minutes(20))) struct ReliefMapTests {
    private static func server() async throws -> (book: MapBook, server: MapServer) {
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["\(SampleServer.fixtures)/fonts/DejaVuSans.ttf"]
        configuration.usesSystemFonts = false
        let dem = "\(SampleServer.fixtures)/relief/jacksboro.tif"
        let relief = MapSource(
            name: "relief", layers: ["color-relief:\(dem)", "hillshade:\(dem);shadow=#000;highlight=#fff"])
        let lines = MapSource(name: "lines", layers: ["contours:\(dem);interval=100"])
        let heights = MapSource(name: "heights", layers: ["geotiff:\(dem);ramp=viridis;range=250..1080"])
        // Without a kind, the first bytes decide.
        let plain = MapSource(name: "plain", layers: [dem])
        let book = try await MapBook.open([relief, lines, heights, plain], configuration: configuration)
        return (book, MapServer(book, settings: MapServer.Settings(processors: 2)))
    }

    private static func pixels(_ server: MapServer, _ target: String) async throws -> PixelBuffer {
        let response = await server.answer("GET", target, headers: [], body: [], client: "192.0.2.1").response
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try ImageDecoders.standard.decode(response.body)
    }

    @Test(arguments: ["relief", "lines", "heights", "plain"])
    func `tiles and maps of a GeoTIFF agree`(name: String) async throws {
        let (_, server) = try await Self.server()
        // A tile within the ground of the file.
        let tile = try await Self.pixels(server, "/tiles/\(name)/12/1089/1604.png")
        let half = 20_037_508.342789244, side = 2 * half / 4096
        let west = -half + 1089 * side, north = half - 1604 * side
        let map = try await Self.pixels(
            server,
            "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=\(name)&STYLES=&CRS=EPSG:3857&BBOX=\(west),\(north - side),"
                + "\(west + side),\(north)&WIDTH=256&HEIGHT=256&FORMAT=image/png&TRANSPARENT=TRUE")
        #expect(Set(tile.pixels).count > 20)
        let difference = zip(tile.pixels, map.pixels).count { $0 != $1 }
        #expect(difference < 256 * 256 / 100, "\(difference) pixels differ")
    }

    @Test func `GetFeatureInfo of relief gives the elevation`() async throws {
        let (_, server) = try await Self.server()
        let response = await server.answer(
            "GET",
            "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&LAYERS=relief&QUERY_LAYERS=relief&STYLES=&CRS=CRS:84"
                + "&BBOX=-84.25,36.20,-84.15,36.28&WIDTH=250&HEIGHT=200&I=125&J=100&FORMAT=image/png"
                + "&INFO_FORMAT=application/json", headers: [], body: [], client: "192.0.2.1"
        ).response
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).firstRange(of: "elevation") != nil)
    }
}

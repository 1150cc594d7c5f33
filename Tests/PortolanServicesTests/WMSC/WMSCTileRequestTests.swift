import PortolanGeo
import PortolanServices
import Testing

@Suite struct WMSCTileRequestTests {
    private func requests(layer: String, crs: String, isTiled: Bool = true) throws -> WMSCTileRequest {
        let sets = try WMSCapabilitiesReader.read(Fixture.bytes("mapproxy/wmsc-caps-1.1.1.xml")).tileSets
        let set = try WMSCTileSet.select(from: sets, layers: [layer], crs: CRS(crs), crsName: crs)
        return try WMSCTileRequest(tileSet: set, baseURL: "http://127.0.0.1:18081/service?", isTiled: isTiled)
    }

    @Test func `a tile is asked for as the server answered it`() throws {
        // The request of the captured answer wmsc-tile-es-lowerleft.png, and a background that lets others shine through.
        let requests = try requests(layer: "political", crs: "EPSG:25830")
        let tile = try #require(requests.grid.tile(level: 0, column: 0, row: 0))
        #expect(
            requests.url(for: tile)
                == "http://127.0.0.1:18081/service?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=political&STYLES="
                + "&SRS=EPSG:25830&BBOX=-100000,3900000,360800,4360800&WIDTH=256&HEIGHT=256&FORMAT=image/png&TRANSPARENT=TRUE&TILED=true"
        )
    }

    @Test func `the flag is sent only where wanted`() throws {
        let requests = try requests(layer: "political", crs: "EPSG:900913", isTiled: false)
        let tile = try #require(requests.grid.tile(level: 0, column: 0, row: 1))
        let url = try #require(requests.url(for: tile))
        #expect(!url.contains("TILED"))
        #expect(url.contains("&SRS=EPSG:900913&BBOX=-20037508.342789244,"))
    }

    @Test func `neighbours share the text of their common side`() throws {
        let requests = try requests(layer: "political", crs: "EPSG:4326")
        let left = try #require(requests.grid.tile(level: 7, column: 50, row: 31))
        let right = try #require(requests.grid.tile(level: 7, column: 51, row: 31))
        func sides(_ tile: TileIndex) throws -> [Substring] {
            let url = try #require(requests.url(for: tile))
            let box = try #require(url.split(separator: "&").first { $0.hasPrefix("BBOX=") })
            return box.dropFirst(5).split(separator: ",")
        }
        #expect(try sides(left)[2] == sides(right)[0])
        #expect(try sides(left)[1] == sides(right)[1])
    }
}

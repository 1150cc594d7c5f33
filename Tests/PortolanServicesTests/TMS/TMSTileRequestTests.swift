import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct TMSTileRequestTests {
    private static let document: BaseURL = "http://127.0.0.1:18081/tms/1.0.0/relief/webmercator"

    @Test func `tile rows count from the bottom left and URLs use the levels of the document`() throws {
        let request = try TMSTileRequest(map: TMSReaderTests.map("tms-map.xml"), document: Self.document)
        #expect(request.grid.originCorner == .bottomLeft)
        #expect(request.grid.crs == .webMercator)
        // The global-mercator profile begins with two tiles each way.
        #expect(request.grid.matrices[0].columnCount == 2)
        #expect(request.grid.matrices[0].rowCount == 2)
        let tile = try #require(request.grid.tile(level: 4, column: 15, row: 19))
        #expect(request.url(for: tile) == "http://127.0.0.1:18081/tms/1.0.0/relief/webmercator/4/15/19.jpeg")
        // It is row 12 from the top of the 32 of XYZ's level 5.
        let xyz = try #require(TileGrid.webMercator())
        let same = try #require(xyz.tile(level: 5, column: 15, row: 12))
        let extent = try #require(request.grid.extent(of: tile)), other = try #require(xyz.extent(of: same))
        #expect(zip(extent.corners, other.corners).allSatisfy { abs($0.x - $1.x) < 1e-6 && abs($0.y - $1.y) < 1e-6 })
    }

    @Test func `all levels span the world exactly`() throws {
        let request = try TMSTileRequest(map: TMSReaderTests.map("tms-map.xml"), document: Self.document)
        let xyz = try #require(TileGrid.webMercator(levels: 1...18))
        #expect(request.grid.matrices.map(\.resolution) == xyz.matrices.map(\.resolution))
        let geodetic = try TMSTileRequest(map: TMSReaderTests.map("tms-map_geodetic.xml"), document: Self.document)
        #expect(geodetic.grid.matrices[0].columnCount == 2)
        #expect(geodetic.grid.matrices[0].rowCount == 1)
    }

    @Test func `a partial tile at the edge is counted as a whole one`() throws {
        let request = try TMSTileRequest(map: TMSReaderTests.map("tms-map_es.xml"), document: "http://h/")
        // 1300 km by 1000 km in tiles of 460.8 km.
        #expect(request.grid.matrices[0].columnCount == 3)
        #expect(request.grid.matrices[0].rowCount == 3)
        #expect(request.grid.extent(ofLevel: 0)?.maxX == 1_282_400)
    }

    @Test(arguments: ["http://h:inf/0", "http://h:-1/0", "http://[/0", "file:///etc/0", "ftp://h/0"])
    func `levels with a URL that is not a valid HTTP address are omitted`(href: String) throws {
        var map = try TMSReaderTests.map("tms-map.xml")
        map.tileSets[0].href = href
        let request = try TMSTileRequest(map: map, document: Self.document)
        #expect(request.grid.matrices.first?.id == "1")
        map.tileSets.removeSubrange(1...)
        #expect(throws: TMSError.noTiles) { try TMSTileRequest(map: map, document: Self.document) }
    }

    @Test func `levels can be limited to a range`() throws {
        let map = try TMSReaderTests.map("tms-map.xml")
        let request = try TMSTileRequest(map: map, document: Self.document, orders: 3...5)
        #expect(request.grid.matrices.map(\.id) == ["3", "4", "5"])
        let tile = try #require(request.grid.tile(level: 0, column: 1, row: 2))
        #expect(request.url(for: tile)?.hasSuffix("/webmercator/3/1/2.jpeg") == true)
        #expect(throws: TMSError.noTiles) {
            try TMSTileRequest(map: map, document: Self.document, orders: 90...99)
        }
    }

    @Test func `the document's query is sent only to the same host`() throws {
        let map = try TMSReaderTests.map("tms-map.xml")
        let own = try TMSTileRequest(map: map, document: "http://127.0.0.1:18081/x?key=k")
        let other = try TMSTileRequest(map: map, document: "http://localhost/x?key=k")
        let tile = try #require(own.grid.tile(level: 0, column: 0, row: 0))
        #expect(own.url(for: tile)?.hasSuffix("/0/0/0.jpeg?key=k") == true)
        #expect(other.url(for: tile)?.hasSuffix("/0/0/0.jpeg") == true)
    }

    @Test func `internal level addresses are replaced by the host of the document`() throws {
        var map = try TMSReaderTests.map("tms-map.xml")
        for index in map.tileSets.indices { map.tileSets[index].href = "http://localhost:8080/tms/\(index)/" }
        let request = try TMSTileRequest(map: map, document: "https://u:p@maps.example/tms/1.0.0/a?key=k")
        let tile = try #require(request.grid.tile(level: 0, column: 0, row: 0))
        #expect(request.url(for: tile) == "https://u:p@maps.example/tms/0/0/0.jpeg?key=k")
    }

    @Test(arguments: [
        ("http://h/tms/1.0.0/", "relief/web", "http://h/tms/1.0.0/relief/web"),
        ("http://h/tms/1.0.0/?k=1", "http://h/tms/1.0.0/a", "http://h/tms/1.0.0/a?k=1"),
        ("http://h/tms/", "/tms/1.0.0/", "http://h/tms/1.0.0/"),
        ("https://h/tms/", "http://h/tms/1.0.0/", "https://h/tms/1.0.0/"),
        ("http://h/tms/?k=1", "http://other/1.0.0", "http://other/1.0.0"),
        ("http://maps.example/tms/?k=1", "http://127.0.0.1:81/tms/1.0.0/", "http://maps.example/tms/1.0.0/?k=1"),
        ("http://u:p@h/tms/", "http://h/tms/1.0.0", "http://u:p@h/tms/1.0.0"),
    ])
    func `references between TMS documents are resolved`(document: String, href: String, address: String) {
        let found = TMSTileRequest.address(of: TMSReference(title: "", href: href), from: BaseURL(document))
        #expect(found?.text == address)
    }
}

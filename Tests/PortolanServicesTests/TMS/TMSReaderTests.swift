import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct TMSReaderTests {
    private func read(_ file: String) throws -> TMSDocument { try TMSReader.read(Fixture.bytes("mapproxy/\(file)")) }

    static func map(_ file: String) throws -> TMSTileMap {
        guard case .map(let map) = try TMSReader.read(Fixture.bytes("mapproxy/\(file)")) else { throw NoMap() }
        return map
    }

    struct NoMap: Error {}

    @Test func `service lists, services and maps are distinguished`() throws {
        guard case .services(let services) = try read("tms-root.xml") else { throw NoMap() }
        #expect(services.map(\.href) == ["http://127.0.0.1:18081/tms/1.0.0/"])
        guard case .service(let service) = try read("tms-service.xml") else { throw NoMap() }
        #expect(service.title == "Portolan test cache (MapProxy) ñ")
        #expect(service.version == "1.0.0")
        #expect(service.maps.first?.crsName == "OSGEO:41001")
        #expect(service.maps.first?.profile == "global-mercator")
        #expect(service.maps.count > 5)
        #expect(service.warnings == [])
    }

    @Test func `CRS, origin, tile format and levels of a map are read`() throws {
        let map = try Self.map("tms-map_es.xml")
        #expect(map.title == "Countries and borders (cached, transparent PNG)")
        #expect(map.profile == "local")
        #expect(map.crs?.name == "EPSG:25830")
        #expect(map.origin == Coordinate(x: -100_000, y: 3_900_000))
        #expect(map.extent == Extent(minX: -100_000, minY: 3_900_000, maxX: 1_200_000, maxY: 4_900_000))
        #expect(map.format == "image/png")
        #expect(map.fileExtension == "png")
        #expect(map.tileWidth == 256)
        #expect(map.tileSets.map(\.order) == Array(0...10))
        #expect(
            map.tileSets.map(\.resolution.unitsPerPixel) == [1800, 900, 450, 225, 120, 50, 25, 10, 5, 2, 1])
        #expect(map.tileSets[3].href == "http://127.0.0.1:18081/tms/1.0.0/political/es_utm30/3")
        #expect(try Self.map("tms-map.xml").crs == .webMercator)
    }

    private func request(_ file: String) throws -> TMSTileRequest {
        guard case .map(let map) = try TMSReader.read(Fixture.bytes("documents/tms-\(file).xml")) else { throw NoMap() }
        return try TMSTileRequest(map: map, document: "https://h.example/tms/1.0.0/ground/")
    }

    @Test func `box and origin of a Mercator map in degrees are converted to metres`() throws {
        let request = try request("degrees")
        #expect(request.map.warnings.contains { $0.description.contains("are in degrees") })
        #expect(abs(request.map.origin.x + 20_037_508.342789) < 1e-3)
        let extent = try #require(request.map.extent)
        // x = 6378137 × 10° in radians; y = a ln tan(45° + 35°/2). The numbers may be meant the other way round, too.
        #expect(abs(extent.minX + 1_113_194.908) < 0.01)
        #expect(extent.minY < 0)
        #expect(extent.maxY > 4_163_881.144)
        let tile = try #require(request.grid.tile(level: 1, column: 0, row: 1))
        #expect(request.url(for: tile) == "https://h.example/tms/1.0.0/ground/1/0/1.png")
    }

    @Test func `an origin at the top left counts rows from the top`() throws {
        let request = try request("above")
        #expect(request.grid.originCorner == .topLeft)
        #expect(request.grid.matrices.map(\.rowCount) == [1, 2])
        let tile = try #require(request.grid.tile(level: 1, column: 0, row: 0))
        #expect(request.grid.extent(of: tile)?.maxY ?? 0 > 20_000_000)
    }

    /// The output of older gdal2tiles versions: the box in degrees, latitude first, and addresses beside the document.
    @Test func `a box in units other than those of the CRS is ignored with a warning`() throws {
        let text = """
            <TileMap version="1.0.0" tilemapservice="http://tms.osgeo.org/1.0.0"><Title>a.tif</Title>
            <SRS>EPSG:900913</SRS><BoundingBox minx="41.5" miny="-1.2" maxx="41.8" maxy="-0.7"/>
            <Origin x="-20037508.34" y="-20037508.34"/>
            <TileFormat width="256" height="256" mime-type="image/png" extension="png"/>
            <TileSets profile="mercator"><TileSet href="10" units-per-pixel="152.87405657" order="10"/></TileSets></TileMap>
            """
        guard case .map(let map) = try TMSReader.read(Array(text.utf8)) else { throw NoMap() }
        #expect(map.extent == nil)
        #expect(map.warnings.contains { $0.description.contains("not in units of EPSG:900913") })
        let request = try TMSTileRequest(map: map, document: "file:///t/tilemapresource.xml")
        #expect(request.grid.matrices[0].columnCount == 1024)
        let tile = try #require(request.grid.tile(level: 0, column: 507, row: 640))
        #expect(request.url(for: tile) == "file:///t/10/507/640.png")
    }

    @Test func `server errors keep the server's message`() throws {
        #expect {
            try TMSReader.read(Fixture.bytes("mapproxy/tms-err_map.xml"))
        } throws: { "\($0)".contains("unknown layer: nope") }
        #expect {
            try TMSReader.read(Fixture.bytes("mapproxy/tms-err_tile.xml"))
        } throws: { "\($0)".contains("outside the bounding box") }
        #expect(throws: CapabilitiesError.self) { try TMSReader.read(Fixture.bytes("mapproxy/caps-1.3.0.xml")) }
    }

    @Test(arguments: [
        "<TileMap/>", "<TileMap><SRS>EPSG:3857</SRS></TileMap>",
        "<TileMap><SRS>EPSG:3857</SRS><Origin x='0' y='0'/><TileSets><TileSet href='a' units-per-pixel='-1'/></TileSets></TileMap>",
        "<TileMap><SRS>EPSG:3857</SRS><Origin x='nan' y='0'/><TileSets><TileSet href='a' units-per-pixel='1'/></TileSets></TileMap>",
        "<TileMapService>" + String(repeating: "<TileMaps>", count: 1_000_000),
        "<TileMap a='" + String(repeating: "x", count: 10 << 20) + "'/>",
        "<!DOCTYPE a [<!ENTITY a 'x'>]><TileMap><Title>&a;</Title></TileMap>",
    ])
    func `an invalid map is refused with a short message`(text: String) {
        #expect {
            try TMSReader.read(Array(text.utf8))
        } throws: { "\($0)".utf8.count < 500 && $0 is CapabilitiesError }
    }

    @Test(arguments: ["tms-service.xml", "tms-map.xml"])
    func `a document truncated anywhere is an error`(file: String) throws {
        let bytes = try Fixture.bytes("mapproxy/\(file)")
        let end = try #require(bytes.lastIndex(of: 0x3E))
        for length in Array(stride(from: 0, to: end, by: 97)) + [end] {
            #expect(throws: CapabilitiesError.self) { try TMSReader.read(Array(bytes[..<length])) }
        }
    }
}

import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Where the tiles of a map lie, whatever programs wrote about it.
@Suite struct TMSOriginTests {
    private struct NoMap: Error {}

    private static let world = 20_037_508.342789244

    static func map(
        _ crs: String, profile: String, box: [Double], origin: [Double], unit: Double
    ) throws -> TMSTileMap {
        let text = """
            <TileMap version="1.0.0" tilemapservice="http://tms.osgeo.org/1.0.0"><Title>a</Title><SRS>\(crs)</SRS>
            <BoundingBox minx="\(box[0])" miny="\(box[1])" maxx="\(box[2])" maxy="\(box[3])"/>
            <Origin x="\(origin[0])" y="\(origin[1])"/>
            <TileFormat width="256" height="256" mime-type="image/png" extension="png"/>
            <TileSets profile="\(profile)"><TileSet href="0" units-per-pixel="\(unit)" order="0"/></TileSets></TileMap>
            """
        guard case .map(let map) = try TMSReader.read(Array(text.utf8)) else { throw NoMap() }
        return map
    }

    @Test(arguments: [
        ("EPSG:900913", "mercator"), ("EPSG:3857", "global-mercator"), ("OSGEO:41001", "mercator"),
    ])
    func `latitude-first degrees of a Mercator map are swapped and converted`(crs: String, profile: String) throws {
        let map = try Self.map(
            crs, profile: profile, box: [5, 100, 15, 120], origin: [5, 100], unit: 2 * Self.world / 256)
        #expect(abs(map.origin.x + Self.world) < 1e-3)
        #expect(abs(map.origin.y + Self.world) < 1e-3)
        let extent = try #require(map.extent)
        #expect(abs(extent.minX - Self.world / 180 * 100) < 1)
        #expect(abs(extent.maxX - Self.world / 180 * 120) < 1)
        #expect(abs(extent.minY - 557_305) < 1)
        #expect(map.warnings.contains { $0.effect == .repaired })
    }

    @Test func `degrees of ambiguous axis order give an extent of both readings`() throws {
        let map = try Self.map(
            "EPSG:3857", profile: "mercator", box: [41, -1, 42, 0], origin: [41, -1], unit: 2 * Self.world / 256)
        let extent = try #require(map.extent)
        #expect(extent.minX < -100_000)
        #expect(extent.maxX > 4_600_000)
        #expect(extent.minY < -100_000)
        #expect(extent.maxY > 5_100_000)
        #expect(map.warnings.contains { $0.message.contains("the tiles of both") })
    }

    @Test(arguments: [
        ([-90.0, -180, 90, 180], [-90.0, -180], [-180.0, -90, 180, 90]),
        ([5, 100, 15, 120], [5, 100], [100, 5, 120, 15]),
        ([-90, -180, 90, 180], [-180, -90], [-180, -90, 180, 90]),
        ([-180, -90, 180, 90], [-180, -90], [-180, -90, 180, 90]),
        ([100, 5, 120, 15], [100, 5], [100, 5, 120, 15]), ([-10, 30, 30, 45], [-10, 30], [-10, 30, 30, 45]),
    ])
    func `a geodetic map has its origin at the world corner in either axis order`(
        box: [Double], origin: [Double], extent: [Double]
    ) throws {
        for profile in ["geodetic", "global-geodetic"] {
            let map = try Self.map("EPSG:4326", profile: profile, box: box, origin: origin, unit: 0.703125)
            #expect(map.origin == Coordinate(x: -180, y: -90))
            #expect(map.extent == Extent(minX: extent[0], minY: extent[1], maxX: extent[2], maxY: extent[3]))
        }
    }

    @Test func `a global profile in metres has its origin at the world corner`() throws {
        let map = try Self.map(
            "EPSG:3857", profile: "mercator", box: [1e6, 5e6, 2e6, 6e6], origin: [1e6, 5e6], unit: 2 * Self.world / 256)
        #expect(abs(map.origin.x + Self.world) < 1e-3)
        #expect(map.extent?.minX == 1e6)
        #expect(map.warnings.contains { $0.message.contains("corner of the world") })
    }

    @Test(arguments: ["local", "none", ""])
    func `the origin of a custom profile is kept`(profile: String) throws {
        let map = try Self.map(
            "EPSG:3857", profile: profile, box: [1e6, 5e6, 2e6, 6e6], origin: [1e6, 5e6], unit: 1000)
        #expect(map.origin == Coordinate(x: 1e6, y: 5e6))
        #expect(map.warnings.isEmpty)
    }
}

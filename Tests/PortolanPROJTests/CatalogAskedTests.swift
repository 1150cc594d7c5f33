#if PROJ
import Foundation
import PortolanGeo
import PortolanPROJ
import TestHelpers
import Testing

/// The results of the catalogue for names and texts in documents, and the ones it refuses.
@Suite(.serialized) struct CatalogAskedTests {
    init() { CRS.consult(PROJCatalog()) }

    @Test func `names that are not built in are looked up`() throws {
        #expect(try CRS("ESRI:54029").projection != nil)
        #expect(try CRS("urn:ogc:def:crs:ESRI::54029") == CRS("ESRI:54029"))
        #expect(try CRS("http://www.opengis.net/def/crs/IGNF/0/LAMB93").projection != nil)
        // The axes of this one are built in, its projection is not.
        let zealand = try CRS("EPSG:27200")
        #expect(zealand.projection != nil)
        #expect(zealand.axisOrder == .eastNorth)
        #expect(zealand.unit == .meter)
        #expect(throws: CRSError.unknown("EPSG:999999")) { try CRS("EPSG:999999") }
        #expect(throws: CRSError.unknown("NOBODY:1")) { try CRS("NOBODY:1") }
        #expect(throws: CRSError.unsupported("EPSG:2046", reason: "its axes point west and south")) {
            try CRS("EPSG:2046")
        }
    }

    @Test func `systems of the catalogue have definitions in ESRI's text`() throws {
        let text = try #require(try CRS("ESRI:54029").esriWellKnownText)
        #expect(text.hasPrefix("PROJCS[\"World_Van_der_Grinten_I\",GEOGCS[\"GCS_WGS_1984\","))
        #expect(try CRS(wellKnownText: text).projection != nil)
    }

    @Test func `a program registers the catalogue once`() throws {
        CRS.consult(PROJCatalog())
        let vanDerGrinten = try CRS("ESRI:54029")
        #expect(vanDerGrinten.unit == .meter)
    }

    @Test func `built-in CRSs are not replaced`() throws {
        CRS.consult(nil)
        let alone = try CRS("EPSG:27700")
        CRS.consult(PROJCatalog())
        #expect(try CRS("EPSG:27700") == alone)
    }

    @Test func `well-known text with any projection is read`() throws {
        let esri = """
            PROJCS["Mine",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],
            PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Robinson"],
            PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],
            UNIT["Meter",1.0]]
            """
        let crs = try CRS(wellKnownText: esri)
        #expect(crs.name == "Mine")
        #expect(crs.axisOrder == .eastNorth)
        let place = Coordinate(x: -120, y: -33)
        let same = try #require(try CoordinateTransform(from: .crs84, to: CRS("ESRI:54030"))(place))
        let there = try #require(try CoordinateTransform(from: .crs84, to: crs)(place))
        #expect(abs(there.x - same.x) < 1e-6)
        #expect(abs(there.y - same.y) < 1e-6)
        let second = """
            PROJCRS["b",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]]],
            CONVERSION["c",METHOD["Modified Azimuthal Equidistant",ID["EPSG",9832]],PARAMETER["Latitude of natural origin",9],
            PARAMETER["Longitude of natural origin",138],PARAMETER["False easting",0],PARAMETER["False northing",0]],
            CS[Cartesian,2],AXIS["(N)",north],AXIS["(E)",east],LENGTHUNIT["metre",1]]
            """
        let azimuthal = try CRS(wellKnownText: second)
        #expect(azimuthal.axisOrder == .northEast)
        let origin = try #require(try CoordinateTransform(from: .crs84, to: azimuthal)(Coordinate(x: 138, y: 9)))
        #expect(abs(origin.x) < 1e-6)
        #expect(abs(origin.y) < 1e-6)
    }

    /// A system on an unknown datum, with grids for the way to WGS 84.
    private func text(grids: String) -> String {
        """
        PROJCS["g\(grids)",GEOGCS["u",DATUM["u",SPHEROID["Clarke 1880 (IGN)",6378249.2,293.466021293627],
        EXTENSION["PROJ4_GRIDS","\(grids)"]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
        PROJECTION["Cassini_Soldner"],PARAMETER["latitude_of_origin",46],PARAMETER["central_meridian",2],
        PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]
        """
    }

    private func place(_ crs: CRS) throws -> Coordinate? {
        try CoordinateTransform(from: .crs84, to: crs)(Coordinate(x: 2.35, y: 48.85))
    }

    private static let grid = "/usr/share/proj/ntf_r93.gsb"

    @Test(.enabled(if: FileManager.default.isReadableFile(atPath: grid), "needs proj-data"))
    func `well-known text can use grids in PROJ's folders, and no other files`() throws {
        let folder = try TemporaryFolder()
        let elsewhere = folder.path + "/ntf_r93.gsb"
        try FileManager.default.copyItem(atPath: Self.grid, toPath: elsewhere)
        let shifted = try #require(try place(CRS(wellKnownText: text(grids: "ntf_r93.gsb"))))
        // A grid that is there moves Paris by more than twenty metres; one that may not be read leads nowhere.
        let plain = try #require(try place(CRS(wellKnownText: text(grids: "@null"))))
        #expect(abs(shifted.x - plain.x) + abs(shifted.y - plain.y) > 20)
        for name in [
            elsewhere, "@\(elsewhere)", "/usr/share/proj/../proj/ntf_r93.gsb",
            "./../../../../../../../../..\(elsewhere)",
        ] {
            let image = try? place(CRS(wellKnownText: text(grids: name)))
            #expect(image == nil || abs(image!.x - shifted.x) + abs(image!.y - shifted.y) > 20, "\(name)")
        }
    }

    @Test func `a grid at a URL is not fetched`() throws {
        let server = try LoopbackListener()
        server.start { _ in }
        defer { server.stop() }
        let address = "http://127.0.0.1:\(server.port)/grid.tif"
        _ = try? place(CRS(wellKnownText: text(grids: address)))
        let string = "+proj=cass +lat_0=46 +lon_0=2 +ellps=clrk80ign +nadgrids=\(address)"
        _ = try PROJCatalog().crs(projString: string).map(place)
        #expect(server.connectionCount == 0)
    }

    @Test func `PROJ strings of other projections are accepted from programs only, and only for CRSs`() throws {
        #expect(throws: CRSError.self) { try CRS("+proj=vandg") }
        #expect(try PROJCatalog().crs(projString: "+proj=vandg +lon_0=10")?.projection != nil)
        for text in [
            "+init=/etc/passwd:root", "+proj=pipeline +step +proj=unitconvert", "EPSG:4326", "", "+", "+proj=nobody",
        ] {
            #expect(try PROJCatalog().crs(projString: text) == nil, "\(text)")
        }
    }
}
#endif

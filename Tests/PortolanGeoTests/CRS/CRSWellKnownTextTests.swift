import PortolanGeo
import Testing

@Suite struct CRSWellKnownTextTests {
    private static let wgs84 =
        #"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#

    @Test(arguments: [
        (wgs84, CRS.crs84.name),
        (
            #"PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",\#(wgs84),PROJECTION["Mercator_Auxiliary_Sphere"]]"#,
            "EPSG:3857"
        ),
        (#"PROJCS["WGS_1984_UTM_Zone_35N",\#(wgs84),PROJECTION["Transverse_Mercator"]]"#, "EPSG:32635"),
        (#"PROJCS["WGS_1984_UTM_Zone_35S",\#(wgs84),PROJECTION["Transverse_Mercator"]]"#, "EPSG:32735"),
        (#"PROJCS["x",\#(wgs84),AUTHORITY["EPSG","3067"]]"#, "EPSG:3067"),
        (#"PROJCRS["x",ID["EPSG",3067]]"#, "EPSG:3067"),
        (#"COMPD_CS["x",PROJCS["y",\#(wgs84),AUTHORITY["EPSG","3067"]],VERT_CS["z"]]"#, "EPSG:3067"),
    ])
    func `the codes and names of common CRSs are recognised`(_ text: String, _ name: String) throws {
        #expect(try CRS(wellKnownText: text).name == name)
    }

    @Test func `projections are created from their parameters`() throws {
        // EPSG:3067 and EPSG:2154 (RGF93 / Lambert-93) in ESRI's words.
        let grs80 =
            #"GEOGCS["GCS_x",DATUM["D_x",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#
        let finland = try CRS(
            wellKnownText:
                #"PROJCS["TM35",\#(grs80),PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",27.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]"#
        )
        let france = try CRS(
            wellKnownText:
                #"PROJCS["L93",\#(grs80),PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],PARAMETER["Latitude_Of_Origin",46.5],UNIT["Meter",1.0]]"#
        )
        for (crs, code, place) in [
            (finland, 3067, Coordinate(longitude: 24.9, latitude: 60.1)),
            (france, 2154, Coordinate(longitude: 2.3, latitude: 48.8)),
        ] {
            let one = try CoordinateTransform(from: .crs84, to: crs)(place)
            let other = try CoordinateTransform(from: .crs84, to: try CRS("EPSG:\(code)"))(place)
            let a = try #require(one), b = try #require(other)
            #expect(abs(a.x - b.x) < 1e-3)
            #expect(abs(a.y - b.y) < 1e-3)
        }
    }

    @Test(arguments: [
        "", "[", "PROJCS[", "PROJCS[\"x\"", "PROJCS[\"x\",GEOGCS[\"y\"]]", "PROJCS[\"x\",1e", "LOCAL_CS[\"x\"]",
        String(repeating: "A[", count: 100),
    ])
    func `other texts are refused`(_ text: String) {
        #expect(throws: CRSError.self) { try CRS(wellKnownText: text) }
    }
}

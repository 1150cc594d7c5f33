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

    private static let grs80 =
        #"GEOGCS["g",DATUM["d",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]"#

    /// Texts without known names, the codes of the same systems, and a place.
    @Test(arguments: [
        // GDAL states the parallel of true scale as the latitude of the origin.
        (
            #"PROJCS["p",\#(wgs84),PROJECTION["Polar_Stereographic"],PARAMETER["latitude_of_origin",70],PARAMETER["central_meridian",-45],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]"#,
            "EPSG:3413", -40.0, 75.0
        ),
        (
            #"PROJCS["p",\#(wgs84),PROJECTION["Stereographic_South_Pole"],PARAMETER["Central_Meridian",0],PARAMETER["Standard_Parallel_1",-71],UNIT["Meter",1]]"#,
            "EPSG:3031", 30, -80
        ),
        (
            #"PROJCS["p",\#(wgs84),PROJECTION["Stereographic"],PARAMETER["False_Easting",2000000],PARAMETER["False_Northing",2000000],PARAMETER["Central_Meridian",0],PARAMETER["Scale_Factor",0.994],PARAMETER["Latitude_Of_Origin",90],UNIT["Meter",1]]"#,
            "EPSG:32661", 30, 86
        ),
        // Feet, and one standard parallel.
        (
            #"PROJCS["p",\#(grs80),PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["standard_parallel_1",41.03333333333333],PARAMETER["standard_parallel_2",40.66666666666666],PARAMETER["latitude_of_origin",40.16666666666666],PARAMETER["central_meridian",-74],PARAMETER["false_easting",984250.0000000002],PARAMETER["false_northing",0],UNIT["US survey foot",0.3048006096012192]]"#,
            "EPSG:2263", -73.5, 40.75
        ),
        (
            #"PROJCS["p",\#(grs80),PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",-110.1666666666667],PARAMETER["Latitude_Of_Origin",31],PARAMETER["Scale_Factor",0.9999],PARAMETER["False_Easting",700000],PARAMETER["False_Northing",0],UNIT["Foot",0.3048]]"#,
            "EPSG:2222", -110, 33
        ),
        // Grads east of Paris.
        (
            #"PROJCS["p",GEOGCS["g",DATUM["D_NTF",SPHEROID["Clarke_1880_IGN",6378249.2,293.4660212936265]],PRIMEM["Paris",2.33722917],UNIT["Grad",0.01570796326794897]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",600000],PARAMETER["False_Northing",2200000],PARAMETER["Central_Meridian",0],PARAMETER["Standard_Parallel_1",52],PARAMETER["Scale_Factor",0.99987742],PARAMETER["Latitude_Of_Origin",52],UNIT["Meter",1]]"#,
            "EPSG:27572", 2.5, 47.5
        ),
        (
            #"PROJCS["p",GEOGCS["g",DATUM["D_Amersfoort",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Double_Stereographic"],PARAMETER["False_Easting",155000],PARAMETER["False_Northing",463000],PARAMETER["Central_Meridian",5.38763888888889],PARAMETER["Scale_Factor",0.9999079],PARAMETER["Latitude_Of_Origin",52.15616055555555],UNIT["Meter",1]]"#,
            "EPSG:28992", 5, 52
        ),
        (
            #"PROJCS["p",GEOGCS["g",DATUM["D_CH1903+",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Hotine_Oblique_Mercator_Azimuth_Center"],PARAMETER["False_Easting",2600000],PARAMETER["False_Northing",1200000],PARAMETER["Scale_Factor",1],PARAMETER["Azimuth",90],PARAMETER["Longitude_Of_Center",7.439583333333333],PARAMETER["Latitude_Of_Center",46.95240555555556],UNIT["Meter",1]]"#,
            "EPSG:2056", 8, 47
        ),
        // A known name with other parameters.
        (
            #"PROJCS["ETRS_1989_UTM_Zone_32N",\#(grs80),PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000],PARAMETER["Central_Meridian",15],PARAMETER["Scale_Factor",0.9996],UNIT["Meter",1]]"#,
            "EPSG:25833", 14, 52
        ),
    ])
    func `parameters of a text give the projection of a code`(
        text: String, name: String, longitude: Double, latitude: Double
    ) throws {
        let crs = try CRS(wellKnownText: text), other = try CRS(name), place = Coordinate(x: longitude, y: latitude)
        #expect(crs.name == "p" || crs.name == "ETRS_1989_UTM_Zone_32N")
        #expect(abs(crs.metersPerUnit / other.metersPerUnit - 1) < 1e-12)
        let first = try CoordinateTransform(from: .crs84, to: crs),
            second = try CoordinateTransform(from: .crs84, to: other)
        let one = try #require(first(place)), two = try #require(second(place))
        #expect(max(abs(one.x - two.x), abs(one.y - two.y)) < 1e-3)
    }

    @Test(arguments: [
        "", "[", "PROJCS[", "PROJCS[\"x\"", "PROJCS[\"x\",GEOGCS[\"y\"]]", "PROJCS[\"x\",1e", "LOCAL_CS[\"x\"]",
        String(repeating: "A[", count: 100),
    ])
    func `other texts are refused`(_ text: String) {
        #expect(throws: CRSError.self) { try CRS(wellKnownText: text) }
    }
}

import PortolanGeo
import Testing

@Suite struct CRSParsingTests {
    @Test(arguments: [
        ("EPSG:4326", "EPSG:4326"), ("epsg:4326", "EPSG:4326"), (" EPSG:4326 ", "EPSG:4326"),
        ("urn:ogc:def:crs:EPSG::4326", "EPSG:4326"), ("urn:ogc:def:crs:EPSG:6.9:4326", "EPSG:4326"),
        // So OGC 07-057r7 annex E.4 itself writes it.
        ("urn:ogc:def:crs:EPSG:6.18:3:3857", "EPSG:3857"), ("urn:ogc:def:crs:EPSG:6.18.3:3857", "EPSG:3857"),
        ("urn:x-ogc:def:crs:EPSG:4326", "EPSG:4326"), ("urn:ogc:def:crs:EPSG:3857", "EPSG:3857"),
        ("http://www.opengis.net/def/crs/EPSG/0/4326", "EPSG:4326"),
        ("https://www.opengis.net/def/crs/EPSG/9.9.1/25830", "EPSG:25830"),
        ("http://www.opengis.net/gml/srs/epsg.xml#4326", "EPSG:4326"), ("[EPSG:25830]", "EPSG:25830"),
        ("CRS:84", "CRS:84"), ("OGC:CRS84", "CRS:84"), ("urn:ogc:def:crs:OGC:1.3:CRS84", "CRS:84"),
        ("urn:ogc:def:crs:OGC::CRS84", "CRS:84"), ("http://www.opengis.net/def/crs/OGC/1.3/CRS84", "CRS:84"),
        ("CRS:83", "CRS:83"), ("OGC:CRS83", "CRS:83"), ("urn:ogc:def:crs:OGC:2:83", "CRS:83"),
        ("urn:ogc:def:crs:OGC:1.3:CRS27", "CRS:27"), ("CRS:27", "CRS:27"),
        ("EPSG:3857", "EPSG:3857"), ("EPSG:900913", "EPSG:3857"), ("EPSG:102100", "EPSG:3857"),
        ("ESRI:102100", "EPSG:3857"), ("ESRI:102113", "EPSG:3857"), ("EPSG:3785", "EPSG:3857"),
        ("OSGEO:41001", "EPSG:3857"),
    ])
    func `every spelling of a CRS is parsed`(spelling: String, name: String) throws {
        #expect(try CRS(spelling).name == name)
    }

    @Test(arguments: [
        "", "EPSG", "EPSG:", ":4326", "4326", "EPSG:43x6", "EPSG:0", "EPSG:99999999999999999999", "EPSG:-1",
        "AUTO:42001", "urn:ogc:def:crs", "urn:ogc:def:crs:EPSG:", "urn:ogc:def:crs:EPSG:a:b:3857",
        "urn:ogc:def:crs:EPSG:6:18:3:3857", "http://www.opengis.net/def/crs/EPSG/0",
        "http://example.com/4326", "ESRI:4326", "CRS:1", String(repeating: "EPSG:", count: 1000),
    ])
    func `an invalid CRS is rejected`(text: String) {
        #expect(throws: CRSError.self) { try CRS(text) }
    }

    @Test(arguments: [
        ("EPSG:4326", CRS.AxisOrder.northEast), ("CRS:84", .eastNorth), ("EPSG:3857", .eastNorth),
        ("EPSG:25830", .eastNorth), ("EPSG:3035", .northEast), ("EPSG:2180", .northEast), ("EPSG:4258", .northEast),
        ("EPSG:31466", .northEast), ("EPSG:31469", .northEast), ("EPSG:3006", .northEast), ("EPSG:32661", .northEast),
        ("EPSG:3067", .eastNorth), ("EPSG:27700", .eastNorth), ("EPSG:2193", .northEast), ("EPSG:3034", .northEast),
        ("EPSG:32633", .eastNorth), ("EPSG:28992", .eastNorth), ("EPSG:21781", .eastNorth), ("EPSG:5514", .eastNorth),
    ])
    func `the axis order is that of the EPSG dataset`(name: String, order: CRS.AxisOrder) throws {
        #expect(try CRS(name).axisOrder == order)
    }

    @Test(arguments: [("EPSG:2263", 1200.0 / 3937), ("EPSG:3857", 1), ("EPSG:2222", 0.3048)])
    func `the unit is that of the EPSG dataset`(name: String, meters: Double) throws {
        #expect(try CRS(name).metersPerUnit == meters)
    }

    @Test func `a degree has its length at the equator`() {
        #expect(abs(CRS.epsg4326.metersPerUnit - 111_319.49079327358) < 1e-9)
    }

    @Test func `CRS:83 and CRS:27 have their datums, longitude first`() throws {
        let crs83 = try CRS("CRS:83"), crs27 = try CRS("CRS:27"), nad27 = try CRS("EPSG:4267")
        #expect(crs83.axisOrder == .eastNorth)
        #expect(crs27.axisOrder == .eastNorth)
        #expect(crs83.isGeographic)
        let place = Coordinate(longitude: -100, latitude: 40)
        #expect(try CoordinateTransform(from: .crs84, to: crs83)(place) == place)
        let one = try #require(try CoordinateTransform(from: .crs84, to: crs27)(place))
        #expect(try CoordinateTransform(from: .crs84, to: nad27)(place) == one && one != place)
    }
}

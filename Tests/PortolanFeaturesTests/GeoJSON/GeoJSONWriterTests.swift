import Foundation
import PortolanFeatures
import PortolanGeo
import TestHelpers
import Testing

/// Writing, and reading what was written.
struct GeoJSONWriterTests {
    @Test(arguments: GeoJSONReaderTests.appendixA)
    func `each geometry type survives writing and reading`(text: String, geometry: Geometry) throws {
        // RFC 7946's own examples wind as it demands, but for one hole.
        let written = GeoJSONWriter.write(geometry)
        let again = try #require(GeoJSONReader.read(written).features.first?.geometry)
        #expect(again.kind == geometry.kind)
        #expect(
            again.parts.map { $0.sorted { ($0.x, $0.y) < ($1.x, $1.y) } }
                == geometry.parts.map { $0.sorted { ($0.x, $0.y) < ($1.x, $1.y) } })
        #expect(GeoJSONWriter.write(again) == written)
    }

    @Test
    func `a feature is written as the standard requires`() {
        let feature = Feature(
            id: 5, geometry: .point(Coordinate(x: 1, y: -0.25), altitude: 3),
            properties: ["a": "q\"\\\u{1}ü", "b": 1, "c": 1.0, "d": nil, "e": [true, ["f": 1e300]]],
            declaredBounds: FeatureCollection.DeclaredBounds(west: 1, south: 2, east: 3, north: 4),
            foreignMembers: ["x": 1, "type": "no"])
        let text = String(decoding: GeoJSONWriter.write(feature), as: UTF8.self)
        #expect(
            text == #"{"type":"Feature","id":5,"bbox":[1,2,3,4],"geometry":{"type":"Point","coordinates":[1,-0.25,3]},"#
                + #""properties":{"a":"q\"\\\u0001ü","b":1,"c":1.0,"d":null,"e":[true,{"f":1e+300}]},"x":1}"#)
    }

    @Test
    func `rings are written counter-clockwise outside and clockwise in holes`() {
        let clockwise = GeoJSONReaderTests.pairs(0, 0, 0, 9, 9, 9, 9, 0, 0, 0)
        let polygon = Geometry.polygon([clockwise, GeoJSONReaderTests.pairs(1, 1, 2, 1, 2, 2, 1, 1)])
        let text = String(decoding: GeoJSONWriter.write(polygon), as: UTF8.self)
        #expect(text.contains("[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[2,2],[2,1],[1,1]]]"))
    }

    @Test(arguments: [
        (CRS.webMercator, "urn:ogc:def:crs:EPSG::3857" as String?), (CRS.epsg4326, nil), (CRS.crs84, nil),
    ])
    func `a CRS other than WGS 84 is written`(crs: CRS, name: String?) throws {
        let bytes = GeoJSONWriter.write(FeatureCollection(features: [], crs: crs))
        #expect(String(decoding: bytes, as: UTF8.self).contains("crs") == (name != nil))
        #expect(try GeoJSONReader.read(bytes).crs == (name == nil ? nil : crs))
    }

    @Test(arguments: [
        "routes/helsinki-walk.geojson", "routes/zaragoza-centre.geojson", "helsinki/rail.geojson",
        "helsinki/stops.geojson",
    ])
    func `files survive writing and reading, and other parsers accept them`(path: String) throws {
        let collection = try Fixture.collection(path)
        let written = GeoJSONWriter.write(collection)
        let again = try GeoJSONReader.read(written)
        #expect(again.features == collection.features)
        #expect(again.foreignMembers == collection.foreignMembers)
        #expect(try JSONSerialization.jsonObject(with: Data(written)) is [String: Any])
    }

    @Test
    func `non-finite numbers are not written`() throws {
        let line = Geometry.lineString(GeoJSONReaderTests.pairs(1, 2, .nan, 3, 4, 5))
        let feature = Feature(geometry: line, properties: ["a": .number(.infinity)])
        let again = try GeoJSONReader.read(GeoJSONWriter.write(feature)).features[0]
        #expect(again.geometry == .lineString(GeoJSONReaderTests.pairs(1, 2, 4, 5)))
        #expect(again.properties["a"] == .null)
    }
}

/// Longitudes of what is written lie between -180 and 180 degrees.
struct GeoJSONAntimeridianTests {
    private static let line = Geometry.lineString(GeoJSONReaderTests.pairs(170, 45, 190, 45))
    private static let cut = #"{"type":"MultiLineString","coordinates":[[[170,45],[180,45]],[[-180,45],[-170,45]]]}"#

    @Test func `lines and areas in degrees are cut at the antimeridian, others are not`() {
        #expect(String(decoding: GeoJSONWriter.write(Self.line), as: UTF8.self) == Self.cut)
        let whole = #"{"type":"LineString","coordinates":[[170,45],[190,45]]}"#
        #expect(String(decoding: GeoJSONWriter.write(Self.line, in: .webMercator), as: UTF8.self) == whole)
        for (crs, isCut) in [(CRS?.none, true), (.crs84, true), (.epsg4326, true), (.webMercator, false)] {
            let collection = FeatureCollection(features: [Feature(geometry: Self.line)], crs: crs)
            let text = String(decoding: GeoJSONWriter.write(collection), as: UTF8.self)
            #expect(text.contains(Self.cut) == isCut)
            #expect(text.contains(whole) != isCut)
        }
        let area = Geometry.polygon([GeoJSONReaderTests.pairs(170, 40, 190, 40, 190, 50, 170, 50, 170, 40)])
        // Both halves are wound as RFC 7946 wants them.
        #expect(
            String(decoding: GeoJSONWriter.write(Feature(geometry: area)), as: UTF8.self).contains(
                "[[[[180,50],[170,50],[170,40],[180,40],[180,50]]],[[[-180,40],[-170,40],[-170,50],[-180,50],[-180,40]]]]"
            ))
    }

    @Test(arguments: [
        (170.0, 190.0, "170,1,-170,2"), (-190, -170, "170,1,-170,2"), (175, 180, "175,1,180,2"),
        (170, -170, "170,1,-170,2"),
        (180, 190, "-180,1,-170,2"), (-190, -180, "170,1,180,2"), (-185, 185, "-180,1,180,2"), (0, 10, "0,1,10,2"),
    ])
    func `a bounding box over the antimeridian is written as RFC 7946 requires`(
        west: Double, east: Double, written: String
    ) {
        let bounds = FeatureCollection.DeclaredBounds(west: west, south: 1, east: east, north: 2)
        let text = String(decoding: GeoJSONWriter.write(Feature(geometry: nil, declaredBounds: bounds)), as: UTF8.self)
        #expect(text.contains("\"bbox\":[\(written)]"), "\(text)")
    }
}

import PortolanFeatures
import PortolanGeo
import PortolanWeb
import TestHelpers
import Testing

/// Reading documents that are right, or wrong in ways that can be mended.
struct GeoJSONReaderTests {
    /// The examples of RFC 7946 appendix A and their meaning.
    static let appendixA: [(String, Geometry)] = [
        (#"{"type":"Point","coordinates":[100.0,0.0]}"#, .point(Coordinate(x: 100, y: 0))),
        (
            #"{"type":"LineString","coordinates":[[100.0,0.0],[101.0,1.0]]}"#,
            .lineString([Coordinate(x: 100, y: 0), Coordinate(x: 101, y: 1)])
        ),
        (
            """
            {"type":"Polygon","coordinates":[
              [[100.0,0.0],[101.0,0.0],[101.0,1.0],[100.0,1.0],[100.0,0.0]],
              [[100.8,0.8],[100.8,0.2],[100.2,0.2],[100.2,0.8],[100.8,0.8]]]}
            """,
            .polygon([
                pairs(100, 0, 101, 0, 101, 1, 100, 1, 100, 0),
                pairs(100.8, 0.8, 100.8, 0.2, 100.2, 0.2, 100.2, 0.8, 100.8, 0.8),
            ])
        ),
        (#"{"type":"MultiPoint","coordinates":[[100.0,0.0],[101.0,1.0]]}"#, .multiPoint(pairs(100, 0, 101, 1))),
        (
            #"{"type":"MultiLineString","coordinates":[[[100.0,0.0],[101.0,1.0]],[[102.0,2.0],[103.0,3.0]]]}"#,
            .multiLineString([pairs(100, 0, 101, 1), pairs(102, 2, 103, 3)])
        ),
        (
            """
            {"type":"MultiPolygon","coordinates":[
              [[[102.0,2.0],[103.0,2.0],[103.0,3.0],[102.0,3.0],[102.0,2.0]]],
              [[[100.0,0.0],[101.0,0.0],[101.0,1.0],[100.0,1.0],[100.0,0.0]],
               [[100.2,0.2],[100.2,0.8],[100.8,0.8],[100.8,0.2],[100.2,0.2]]]]}
            """,
            .multiPolygon([
                [pairs(102, 2, 103, 2, 103, 3, 102, 3, 102, 2)],
                [
                    pairs(100, 0, 101, 0, 101, 1, 100, 1, 100, 0),
                    pairs(100.2, 0.2, 100.2, 0.8, 100.8, 0.8, 100.8, 0.2, 100.2, 0.2),
                ],
            ])
        ),
        (
            """
            {"type":"GeometryCollection","geometries":[
              {"type":"Point","coordinates":[100.0,0.0]},
              {"type":"LineString","coordinates":[[101.0,0.0],[102.0,1.0]]}]}
            """,
            .collection([.point(Coordinate(x: 100, y: 0)), .lineString(pairs(101, 0, 102, 1))])
        ),
    ]

    static func pairs(_ numbers: Double...) -> [Coordinate] {
        stride(from: 0, to: numbers.count, by: 2).map { Coordinate(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    @Test func `a small geometry does not retain memory for the largest of its file`() throws {
        let line = (0..<5000).map { "[\($0 % 180),1]" }.joined(separator: ",")
        let text = """
            {"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[\(line)]},
            {"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[1,2],[3,4]]}]}
            """
        let geometry = try #require(try GeoJSONReader.read(Array(text.utf8)).features.first?.geometry)
        #expect(geometry.children.map(\.coordinates.count) == [5000, 1, 2])
        for child in geometry.children { #expect(child.coordinates.capacity < child.coordinates.count + 16) }
    }

    @Test(arguments: appendixA)
    func `the examples of RFC 7946 appendix A are read`(text: String, geometry: Geometry) throws {
        let collection = try read(text)
        #expect(collection.features.map(\.geometry) == [geometry])
        #expect(collection.warnings.isEmpty)
        #expect(collection.effectiveCRS == .crs84)
    }

    @Test
    func `the polygons and rings of a multipolygon are in order`() throws {
        let geometry = try #require(read(Self.appendixA[5].0).features.first?.geometry)
        #expect(geometry.polygons.map(\.count) == [1, 2])
        #expect(geometry.parts.map(\.count) == [5, 5, 5])
        #expect(geometry.polygons[1][1].first == Coordinate(x: 100.2, y: 0.2))
    }

    @Test
    func `a feature keeps id, properties in order, bbox and foreign members`() throws {
        let collection = try read(
            """
            {"bbox":[1,2,3,4],"name":"n","features":[
             {"geometry":{"coordinates":[1,2],"type":"Point"},"x":{"y":[1]},"id":"a","bbox":[1,2,-5,3,4,9.5],
              "properties":{"z":1,"a":1.0,"b":-0,"c":"ü\\n\\ud83d\\ude00","d":null,"e":[true,{}]},"type":"Feature"},
             {"type":"Feature","id":7,"geometry":null,"properties":null}],"type":"FeatureCollection"}
            """)
        #expect(collection.declaredBounds == FeatureCollection.DeclaredBounds(west: 1, south: 2, east: 3, north: 4))
        #expect(collection.foreignMembers == ["name": "n"])
        let first = collection.features[0]
        #expect(first.id == "a")
        #expect(first.geometry == .point(Coordinate(x: 1, y: 2)))
        #expect(
            first.declaredBounds
                == FeatureCollection.DeclaredBounds(west: 1, south: 2, east: 3, north: 4, altitudes: -5...9.5))
        #expect(first.foreignMembers == ["x": ["y": [1]]])
        #expect(first.properties.names == ["z", "a", "b", "c", "d", "e"])
        #expect(first.properties["z"] == .integer(1))
        #expect(first.properties["a"] == .number(1))
        #expect(first.properties["b"] == .number(-0.0))
        #expect(first.properties["c"] == "ü\n😀")
        #expect(first.properties["d"] == .null)
        #expect(first.properties["e"] == [true, .object([:])])
        #expect(first.properties["f"] == nil)
        #expect(collection.features[1] == Feature(id: 7, geometry: nil))
        #expect(collection.warnings.isEmpty)
    }

    @Test
    func `altitudes are kept, and missing ones are distinguished`() throws {
        let line = try #require(
            read(#"{"type":"LineString","coordinates":[[1,2],[3,4,5],[6,7]]}"#).features.first?.geometry)
        #expect(line.altitudes == [nil, 5, nil])
        #expect(line.coordinates == Self.pairs(1, 2, 3, 4, 6, 7))
    }

    @Test(arguments: [
        ("Point", "[]"), ("MultiPoint", "[]"), ("LineString", "[]"), ("MultiLineString", "[[]]"), ("Polygon", "[]"),
        ("Polygon", "[[]]"), ("MultiPolygon", "[[]]"), ("MultiPolygon", "[]"),
    ])
    func `empty coordinates make an empty geometry`(type: String, coordinates: String) throws {
        let geometry = try #require(
            read(#"{"type":"\#(type)","coordinates":\#(coordinates)}"#).features.first?.geometry)
        #expect(geometry.isEmpty)
        #expect(geometry.parts.isEmpty)
        #expect(geometry.polygons.isEmpty)
        #expect(geometry.boundingBox == nil)
    }

    @Test
    func `open rings are closed with a warning that names feature and position`() throws {
        let text = """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":
            {"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}}]}
            """
        let collection = try read(text)
        #expect(collection.features[0].geometry == .polygon([Self.pairs(0, 0, 1, 0, 1, 1, 0, 0)]))
        #expect(collection.warnings.map(\.subject.feature) == ["#1"])
        #expect(collection.warnings.map(\.subject.member) == ["coordinates"])
        #expect(collection.warnings.first?.place?.byteOffset == text.utf8.count - "[[0,0],[1,0],[1,1]]]}}]}".utf8.count)
    }

    @Test(arguments: ["geometry", "properties"])
    func `a feature without one of its members is read with a warning`(missing: String) throws {
        let other = missing == "geometry" ? #""properties":{"Band 1":"230"}"# : #""geometry":null"#
        let collection = try read(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"relief",\#(other)}]}"#)
        let feature = try #require(collection.features.first)
        #expect(feature.id == "relief")
        #expect(feature.geometry == nil)
        #expect(feature.properties["Band 1"] == (missing == "geometry" ? "230" : nil))
        #expect(collection.warnings.map(\.subject.member) == [missing])
    }

    @Test
    func `warnings are kept up to a limit, and the rest is counted`() throws {
        let rings = Array(repeating: "[[0,0],[1,0],[1,1]]", count: 9).joined(separator: ",")
        let collection = try read(
            #"{"type":"Polygon","coordinates":[\#(rings)]}"#, limits: FeatureLimits(maximumWarningCount: 4))
        #expect(collection.warnings.count == 5)
        #expect(collection.warnings.last?.message == "and 5 more warnings")
    }

    @Test(arguments: [
        (#"{"type":"EPSG","properties":{"code":"4326"}}"#, CRS.epsg4326),
        (#"{"type":"EPSG","properties":{"code":3857}}"#, CRS.webMercator),
        (#"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#, CRS.crs84),
        (#"{"properties":{"name":"urn:ogc:def:crs:EPSG::3857"},"type":"name"}"#, CRS.webMercator),
        (#"{"type":"OGC","properties":{"urn":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#, CRS.crs84),
        (
            #"{"type":"link","properties":{"href":"http://www.opengis.net/def/crs/EPSG/0/4326","type":"x"}}"#,
            CRS.epsg4326
        ),
    ])
    func `the crs member is applied and never swaps the axes`(crs: String, expected: CRS) throws {
        for text in [
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","#
                + #""coordinates":[24,60]}}],"crs":\#(crs)}"#,
            #"{"crs":\#(crs),"type":"Point","coordinates":[24,60]}"#,
            #"{"crs":\#(crs),"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[24,60]}}"#,
        ] {
            let collection = try read(text)
            #expect(collection.crs == expected)
            #expect(collection.features[0].geometry == .point(Coordinate(x: 24, y: 60)))
        }
    }

    @Test
    func `a byte order mark and white space around the document are ignored`() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(" \r\n\t{\"type\":\"Point\",\"coordinates\":[ 1 ,\n2 ] }\n ".utf8)
        #expect(try GeoJSONReader.read(bytes).features[0].geometry == .point(Coordinate(x: 1, y: 2)))
    }

    @Test
    func `escaped member names are recognised`() throws {
        let text = #"{"t\u0079pe":"Point","c\u006Fordinates":[1,2]}"#
        #expect(try read(text).features[0].geometry == .point(Coordinate(x: 1, y: 2)))
    }

    @Test(arguments: [
        ("areas", 485), ("buildings", 482), ("pois", 693), ("rail", 370), ("stops", 98), ("streets", 2577),
    ])
    func `the Helsinki files match their description`(name: String, count: Int) throws {
        let collection = try Fixture.collection("helsinki/\(name).geojson")
        #expect(collection.features.count == count)
        #expect(collection.foreignMembers["attribution"] == "© OpenStreetMap contributors, ODbL 1.0")
        #expect(collection.warnings.isEmpty)
        #expect(collection.features.allSatisfy { $0.id != nil && $0.geometry?.isEmpty == false })
        let box = try #require(collection.boundingBox)
        #expect(box.minX > 24.7)
        #expect(box.maxX < 25.2)
        #expect(box.minY > 60.1)
        #expect(box.maxY < 60.3)
    }
}

/// The errors of invalid documents.
struct GeoJSONErrorTests {
    /// A document with `§` where the fault lies, and the kind of failure.
    static let faults: [(String, GeoJSONError.Code)] = [
        ("§", .truncated),
        ("  \n§", .truncated),
        ("§[]", .wrongType),
        ("§<html>", .syntax),
        ("§nonsense", .wrongType),
        ("§{}", .missingMember),
        (#"§{"coordinates":[1,2]}"#, .missingMember),
        (#"§{"type":"Topology","objects":{}}"#, .wrongType),
        (#"§{"type":"Circle","coordinates":[1,2]}"#, .wrongType),
        (#"{"type":§7}"#, .wrongType),
        (#"§{"type":"Point"}"#, .missingMember),
        (#"§{"type":"FeatureCollection"}"#, .missingMember),
        (#"{"type":"FeatureCollection","features":§{}}"#, .wrongType),
        (#"{"type":"FeatureCollection","features":[§1]}"#, .wrongType),
        (#"{"type":"FeatureCollection","features":[§{"properties":{}}]}"#, .missingMember),
        (#"{"type":"FeatureCollection","features":[{"type":§"Circle","coordinates":[1,2]}]}"#, .wrongType),
        (#"{"type":"Feature","geometry":§[],"properties":{}}"#, .wrongType),
        (#"{"type":"FeatureCollection","features":[§1,2]}"#, .wrongType),
        (#"{"type":"GeometryCollection","geometries":[§null]}"#, .wrongType),
        (#"{"type":"GeometryCollection","geometries":§{}}"#, .wrongType),
        (#"{"type":"Point","coordinates":§"1,2"}"#, .wrongType),
        (#"{"type":"Point","coordinates":§null}"#, .wrongType),
        (#"{"type":"Point","coordinates":[1§]}"#, .wrongNesting),
        (#"{"type":"Point","coordinates":[§[1,2]]}"#, .wrongNesting),
        (#"{"type":"LineString","coordinates":[§1,2]}"#, .wrongNesting),
        (#"{"type":"LineString","coordinates":[[1,2],[§[1,2]]]}"#, .wrongNesting),
        (#"{"type":"LineString","coordinates":[[1,2],[§]]}"#, .wrongNesting),
        (#"{"type":"Polygon","coordinates":[[§1,2],[3,4]]}"#, .wrongNesting),
        (#"{"type":"MultiPolygon","coordinates":[[[§1,2],[3,4]]]}"#, .wrongNesting),
        (#"{"type":"MultiPolygon","coordinates":[§1]}"#, .wrongNesting),
        (#"{"type":"Point","coordinates":[§Nan,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[§Inf,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[§-x,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§01,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§1.,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§1e,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§.5,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[§+1,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[1 §2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[1,2§}"#, .syntax),
        (#"{"type":"Point","coordinates":[1,2],§}"#, .syntax),
        (#"{"type":"Point",§coordinates:[1,2]}"#, .syntax),
        (#"{"type"§,"coordinates":[1,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[1,2]}§x"#, .trailingContent),
        (#"{"type":"Point","coordinates":[1,2]} §{"type":"Point","coordinates":[1,2]}"#, .trailingContent),
        (#"{"type":"Feature","geometry":null,"properties":{"a":§tru}}"#, .syntax),
        (#"{"type":"Feature","geometry":null,"properties":{"a":"§\x"}}"#, .syntax),
        (#"{"type":"Feature","geometry":null,"properties":{"a":"\u12§g4"}}"#, .syntax),
        ("{\"type\":\"Feature\",\n\n\"geometry\":null,\"properties\":{\"a\":\"b§\n\"}}", .syntax),
        (#"{"type":"Point","coordinates":[1,2],"crs":§{"type":"name","properties":{"name":"x"}}}"#, .unsupportedCRS),
        (#"{"type":"Point","coordinates":[1,2],"crs":§{"type":"proj4"}}"#, .unsupportedCRS),
        (#"{"type":"Point","coordinates":[1,2],"crs":§"EPSG:1"}"#, .unsupportedCRS),
    ]

    @Test(arguments: faults)
    func `an error has its kind, byte and line`(marked: String, code: GeoJSONError.Code) throws {
        let parts = marked.split(separator: "§", omittingEmptySubsequences: false)
        let error = #expect(throws: GeoJSONError.self) { try read(parts.joined()) }
        #expect(error?.code == code)
        #expect(error?.byteOffset == parts[0].utf8.count)
        #expect(error?.line == parts[0].filter { $0 == "\n" }.count + 1)
        #expect(error?.detail.isEmpty == false)
        #expect(error?.description.hasPrefix("GeoJSON, line ") == true)
    }

    @Test(arguments: [
        ([0xC3, 0x28], 0), ([0x61, 0xFF], 1), ([0xED, 0xA0, 0x80], 0), ([0xC0, 0x80], 0),
        ([0xC3, 0xA9, 0xF5, 0x80], 2),
    ])
    func `invalid UTF-8 is repaired, with a warning at the first bad byte`(bad: [Int], at: Int) throws {
        let start = Array(#"{"type":"Feature","geometry":null,"properties":{"a":""#.utf8)
        let bytes = start + bad.map { UInt8($0) } + Array(#""}}"#.utf8)
        let collection = try GeoJSONReader.read(bytes)
        #expect(collection.features.first?.properties["a"]?.stringValue?.contains("\u{FFFD}") == true)
        #expect(
            collection.warnings.map(\.place?.byteOffset) == [start.count + at]
                && collection.warnings.map(\.effect) == [.repaired])
        let error = #expect(throws: GeoJSONError.self) { try JSONReader.value(bytes: bytes) }
        #expect(error?.code == .invalidText)
        #expect(error?.byteOffset == start.count + at)
        #expect(error?.description.hasPrefix("JSON, line 1 ") == true)
    }

    @Test(arguments: [(#"b§\ud800c"#, "b\u{FFFD}c"), (#"b§\udc00\ud83d\ude00"#, "b\u{FFFD}\u{1F600}")])
    func `a lone surrogate is repaired with a warning`(marked: String, text: String) throws {
        let parts = marked.split(separator: "§")
        let start = #"{"type":"Feature","geometry":null,"properties":{"a":""# + parts[0]
        let collection = try read(start + parts[1] + #""}}"#)
        #expect(collection.features.first?.properties["a"] == .string(text))
        #expect(collection.warnings.map(\.place?.byteOffset) == [start.utf8.count])
    }

    @Test
    func `UTF-16 is named in the error`() throws {
        let error = #expect(throws: GeoJSONError.self) { try GeoJSONReader.read([0xFF, 0xFE, 0x7B, 0x00]) }
        #expect(error?.detail.contains("UTF-16") == true)
    }

    @Test(arguments: [
        #"{"type":"Fea\nture\u001b[31m"}"#,
        #"{"type":"Point","coordinates":[1,2],"crs":{"type":"\u0007","properties":{}}}"#,
    ])
    func `an error description contains no control characters of the document`(document: String) {
        let error = #expect(throws: GeoJSONError.self) { try GeoJSONReader.read(Array(document.utf8)) }
        #expect(error?.description.utf8.contains { $0 < 0x20 || $0 == 0x7F } == false)
    }
}

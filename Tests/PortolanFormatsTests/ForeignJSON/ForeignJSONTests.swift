import PortolanFeatures
import PortolanGeo
import PortolanWeb
import Testing

@testable import PortolanFormats

@Suite struct ForeignJSONTests {
    private func read(_ text: String, _ name: String) throws -> FeatureCollection {
        #expect(FeatureFormats.standard.format(recognizing: Array(text.utf8))?.name == name)
        return try FeatureFormats.standard.read(Array(text.utf8))
    }

    private func text(_ geometry: Geometry?) -> String? { geometry.map { WKT.write(EncodedGeometry($0)) } }

    // MARK: ESRI JSON

    private func esri(_ geometry: String, _ more: String = "") throws -> FeatureCollection {
        try read(
            #"{"objectIdFieldName":"OBJECTID","geometryType":"esriGeometryPoint","fields":[]\#(more),"features":[{"attributes":{"OBJECTID":7,"n":"x"},"geometry":\#(geometry)}]}"#,
            "ESRI JSON")
    }

    @Test(arguments: [
        (#"{"x":1,"y":2}"#, "POINT(1 2)"), (#"{"points":[[1,2],[3,4]]}"#, "MULTIPOINT((1 2),(3 4))"),
        (#"{"paths":[[[1,2],[3,4]]]}"#, "LINESTRING(1 2,3 4)"),
        (#"{"paths":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#, "MULTILINESTRING((1 2,3 4),(5 6,7 8))"),
        (
            #"{"rings":[[[0,0],[0,9],[9,9],[9,0],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]]}"#,
            "POLYGON((0 0,0 9,9 9,9 0,0 0),(1 1,2 1,2 2,1 2,1 1))"
        ),
        (
            #"{"rings":[[[0,0],[0,9],[9,9],[9,0],[0,0]],[[20,0],[20,9],[29,9],[20,0]]]}"#,
            "MULTIPOLYGON(((0 0,0 9,9 9,9 0,0 0)),((20 0,20 9,29 9,20 0)))"
        ),
    ])
    func `ESRI geometries are read`(geometry: String, wanted: String) throws {
        let collection = try esri(geometry)
        #expect(text(collection.features[0].geometry) == wanted)
        #expect(collection.warnings.isEmpty)
        #expect(collection.features[0].id == .number(7) || collection.features[0].id?.description == "7")
        #expect(collection.features[0].properties["n"] == "x")
    }

    @Test(arguments: [
        (#"{"wkid":102100,"latestWkid":3857}"#, "EPSG:3857"), (#"{"wkid":25832}"#, "EPSG:25832"),
        (#"{"wkid":999999}"#, "ESRI:999999"),
    ])
    func `the spatial reference becomes the CRS of the document`(reference: String, name: String) throws {
        #expect(try esri(#"{"x":1,"y":2}"#, #","spatialReference":\#(reference)"#).crs?.name == name)
        #expect(try esri(#"{"x":1,"y":2}"#, #","spatialReference":{"wkid":4326}"#).crs == nil)
    }

    @Test func `data left out by a server are reported`() throws {
        #expect(try esri(#"{"x":1,"y":2}"#, #","exceededTransferLimit":true"#).warnings.map(\.effect) == [.omitted])
        let empty = try esri(#"{"x":"NaN","y":"NaN"}"#)
        #expect(
            empty.features.count == 1 && empty.features[0].geometry == nil && empty.warnings.map(\.effect) == [.omitted]
        )
    }

    // MARK: TopoJSON

    private static let arcs = #""arcs":[[[0,0],[9,0]],[[9,0],[9,9],[0,0]],[[20,20],[1,0]]]"#

    @Test(arguments: [
        (#"{"type":"LineString","arcs":[0]}"#, "LINESTRING(0 0,9 0)"),
        (#"{"type":"LineString","arcs":[-1]}"#, "LINESTRING(9 0,0 0)"),
        (#"{"type":"LineString","arcs":[0,1]}"#, "LINESTRING(0 0,9 0,9 9,0 0)"),
        (#"{"type":"MultiLineString","arcs":[[0],[2]]}"#, "MULTILINESTRING((0 0,9 0),(20 20,1 0))"),
        (#"{"type":"Polygon","arcs":[[0,1]]}"#, "POLYGON((0 0,9 0,9 9,0 0))"),
        (#"{"type":"MultiPolygon","arcs":[[[0,1]]]}"#, "MULTIPOLYGON(((0 0,9 0,9 9,0 0)))"),
        (#"{"type":"Point","coordinates":[1,2]}"#, "POINT(1 2)"),
    ])
    func `TopoJSON geometries share their arcs`(geometry: String, wanted: String) throws {
        let collection = try read(#"{"type":"Topology","objects":{"a":\#(geometry)},\#(Self.arcs)}"#, "TopoJSON")
        #expect(collection.features.map { text($0.geometry) } == [wanted])
        #expect(collection.warnings.isEmpty)
    }

    @Test func `a TopoJSON transform is applied to delta-encoded arcs`() throws {
        let collection = try read(
            #"{"type":"Topology","transform":{"scale":[0.5,2],"translate":[10,50]},"objects":{"a":{"type":"GeometryCollection","geometries":[{"type":"LineString","arcs":[0],"id":"l","properties":{"n":1}},{"type":"Point","coordinates":[2,3]},{"type":null}]},"b":{"type":"LineString","arcs":[9]}},"arcs":[[[0,0],[2,1],[2,-1]]]}"#,
            "TopoJSON")
        #expect(
            collection.features.map { text($0.geometry) } == [
                "LINESTRING(10 50,11 52,12 50)", "POINT(11 56)", nil, nil,
            ])
        #expect(collection.features[0].id?.description == "l")
        #expect(collection.features[0].properties["layer"] == "a")
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }

    @Test func `arcs that are used too often are refused`() {
        let places = (0..<1000).map { "[\($0),1]" }.joined(separator: ",")
        let uses = Array(repeating: "0", count: 2000).joined(separator: ",")
        let text = #"{"type":"Topology","objects":{"a":{"type":"LineString","arcs":[\#(uses)]}},"arcs":[[\#(places)]]}"#
        let error = #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(Array(text.utf8)) }
        #expect(error?.code == .limitExceeded)
    }

    // MARK: OpenStreetMap

    private static let square = [(1, 0, 0), (2, 9, 0), (3, 9, 9), (4, 0, 9)]
    private static let json =
        #"{"version":0.6,"generator":"Overpass API","elements":["#
        + square.map { #"{"type":"node","id":\#($0.0),"lon":\#($0.1),"lat":\#($0.2)}"# }.joined(separator: ",")
        + #",{"type":"node","id":9,"lon":5,"lat":5,"tags":{"amenity":"cafe"}}"#
        + #",{"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"building":"yes"}}"#
        + #",{"type":"way","id":2,"nodes":[1,2,3],"tags":{"highway":"path"}}"#
        + #",{"type":"way","id":3,"nodes":[3,4,1]},{"type":"way","id":4,"nodes":[1,2,3,4,1],"tags":{"highway":"service"}}"#
        + #",{"type":"relation","id":5,"members":[{"type":"way","ref":2,"role":"outer"},{"type":"way","ref":3,"role":"outer"}],"tags":{"type":"multipolygon","natural":"water"}}"#
        + "]}"
    private static let xml =
        "<osm version=\"0.6\">" + square.map { "<node id=\"\($0.0)\" lon=\"\($0.1)\" lat=\"\($0.2)\"/>" }.joined()
        + "<node id=\"9\" lon=\"5\" lat=\"5\"><tag k=\"amenity\" v=\"cafe\"/></node>"
        + way(1, [1, 2, 3, 4, 1], "building", "yes") + way(2, [1, 2, 3], "highway", "path") + way(3, [3, 4, 1])
        + way(4, [1, 2, 3, 4, 1], "highway", "service")
        + "<relation id=\"5\"><member type=\"way\" ref=\"2\" role=\"outer\"/><member type=\"way\" ref=\"3\" role=\"outer\"/><tag k=\"type\" v=\"multipolygon\"/><tag k=\"natural\" v=\"water\"/></relation></osm>"

    private static func way(_ id: Int, _ nodes: [Int], _ key: String? = nil, _ value: String = "") -> String {
        "<way id=\"\(id)\">" + nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
            + (key.map { "<tag k=\"\($0)\" v=\"\(value)\"/>" } ?? "") + "</way>"
    }

    @Test(arguments: [(json, "OSM JSON"), (xml, "OSM XML")])
    func `OpenStreetMap nodes, ways and areas become features`(document: String, name: String) throws {
        let collection = try read(document, name)
        #expect(collection.features.map { $0.id?.description } == ["node/9", "way/1", "way/2", "way/4", "relation/5"])
        #expect(
            collection.features.map { $0.geometry?.kind } == [.point, .polygon, .lineString, .lineString, .polygon])
        #expect(collection.features[0].properties["amenity"] == "cafe")
        #expect(collection.warnings.isEmpty)
        #expect(Set(collection.features[4].geometry?.coordinates ?? []).count == 4)
    }

    @Test func `inline coordinates are used, and missing ones are reported`() throws {
        let collection = try read(
            #"{"version":0.6,"elements":[{"type":"way","id":1,"geometry":[{"lon":1,"lat":2},{"lon":3,"lat":4}],"tags":{"highway":"path"}},{"type":"way","id":2,"center":{"lon":5,"lat":6},"tags":{"building":"yes"}},{"type":"way","id":3,"nodes":[7,8],"tags":{"highway":"path"}}]}"#,
            "OSM JSON")
        #expect(collection.features.map { text($0.geometry) } == ["LINESTRING(1 2,3 4)", "POINT(5 6)", nil])
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }
}

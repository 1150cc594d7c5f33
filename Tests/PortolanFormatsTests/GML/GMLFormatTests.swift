import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import Testing

@Suite struct GMLFormatTests {
    private static func read(_ text: String, _ limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        try FeatureFormats.standard.read(Array(text.utf8), limits: limits)
    }

    private static let namespace = "xmlns:gml='http://www.opengis.net/gml'"

    private static func feature(_ geometry: String, before: String = "") throws -> FeatureCollection {
        try read(
            "<wfs:FeatureCollection xmlns:wfs='http://www.opengis.net/wfs' \(namespace)>\(before)<gml:featureMember><a:road "
                + "xmlns:a='urn:a' fid='r1'><a:name>Main</a:name><a:shape>\(geometry)</a:shape></a:road></gml:featureMember>"
                + "</wfs:FeatureCollection>")
    }

    @Test func `properties are independent of the previous feature`() throws {
        func feature(_ inside: String) -> String {
            "<gml:featureMember><a:road><gml:boundedBy><gml:Box/></gml:boundedBy>\(inside)</a:road></gml:featureMember>"
        }
        let features = [
            "<a:p>x</a:p><a:q>y</a:q>", "<a:p>x</a:p>", "<a:q>y</a:q><a:p>x</a:p>",
            "<a:p>x</a:p><a:p>z</a:p><a:q>y</a:q>",
            "<a:p>x</a:p><b:p>z</b:p>", "<a:p>x</a:p><a:r>w</a:r><a:q>y</a:q>", "",
        ]
        let collection = try Self.read(
            "<wfs:FeatureCollection xmlns:wfs='http://www.opengis.net/wfs' xmlns:a='urn:a' xmlns:b='urn:b' "
                + "\(Self.namespace)>" + features.map(feature).joined() + "</wfs:FeatureCollection>")
        let expected: [Properties] = [
            ["p": "x", "q": "y"], ["p": "x"], ["q": "y", "p": "x"], ["p": ["x", "z"], "q": "y"], ["p": ["x", "z"]],
            ["p": "x", "r": "w", "q": "y"], [:],
        ]
        #expect(collection.features.map(\.properties) == expected)
    }

    private static func text(_ collection: FeatureCollection) -> String {
        collection.features.first?.geometry.map { WKT.write(EncodedGeometry($0), decimals: 9) } ?? ""
    }

    @Test(arguments: [
        ("<gml:Point><gml:coordinates>1,2</gml:coordinates></gml:Point>", "POINT(1 2)"),
        ("<gml:Point><gml:coord><gml:X>1</gml:X><gml:Y>2</gml:Y></gml:coord></gml:Point>", "POINT(1 2)"),
        ("<gml:Point><gml:pos>1 2 3</gml:pos></gml:Point>", "POINT Z (1 2 3)"),
        (
            "<gml:LineString><gml:coordinates cs='$' ts='_' decimal='#'>1#5$2_3$4</gml:coordinates></gml:LineString>",
            "LINESTRING(1.5 2,3 4)"
        ),
        (
            "<gml:LineString srsDimension='3'><gml:posList>1 2 3 4 5 6</gml:posList></gml:LineString>",
            "LINESTRING Z (1 2 3,4 5 6)"
        ),
        (
            "<gml:LineString><gml:posList>1 2 3 4 5 6 7 8 9</gml:posList></gml:LineString>",
            "LINESTRING Z (1 2 3,4 5 6,7 8 9)"
        ),
        (
            "<gml:Polygon><gml:interior><gml:LinearRing><gml:posList>1 1 2 1 1 2 1 1</gml:posList></gml:LinearRing>"
                + "</gml:interior><gml:exterior><gml:LinearRing><gml:posList>0 0 9 0 0 9 0 0</gml:posList></gml:LinearRing>"
                + "</gml:exterior></gml:Polygon>", "POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2,1 1))"
        ),
        ("<gml:Box><gml:coordinates>1,2 3,4</gml:coordinates></gml:Box>", "POLYGON((1 2,3 2,3 4,1 4,1 2))"),
        (
            "<gml:MultiPoint><gml:pointMembers><gml:Point><gml:pos>1 2</gml:pos></gml:Point><gml:Point><gml:pos>3 4</gml:pos>"
                + "</gml:Point></gml:pointMembers></gml:MultiPoint>", "MULTIPOINT((1 2),(3 4))"
        ),
        (
            "<gml:MultiCurve><gml:curveMember><gml:Curve><gml:segments><gml:LineStringSegment><gml:posList>0 0 1 0</gml:posList>"
                + "</gml:LineStringSegment><gml:LineStringSegment><gml:posList>1 0 1 1</gml:posList></gml:LineStringSegment>"
                + "</gml:segments></gml:Curve></gml:curveMember></gml:MultiCurve>", "MULTILINESTRING((0 0,1 0,1 1))"
        ),
        (
            "<gml:OrientableCurve orientation='-'><gml:baseCurve><gml:LineString><gml:posList>0 0 1 0</gml:posList>"
                + "</gml:LineString></gml:baseCurve></gml:OrientableCurve>", "LINESTRING(1 0,0 0)"
        ),
        (
            "<gml:MultiSurface><gml:surfaceMember><gml:Surface><gml:patches><gml:PolygonPatch><gml:exterior><gml:LinearRing>"
                + "<gml:posList>0 0 1 0 0 1 0 0</gml:posList></gml:LinearRing></gml:exterior></gml:PolygonPatch></gml:patches>"
                + "</gml:Surface></gml:surfaceMember></gml:MultiSurface>", "MULTIPOLYGON(((0 0,1 0,0 1,0 0)))"
        ),
        (
            "<gml:MultiGeometry><gml:geometryMember><gml:Point><gml:pos>1 2</gml:pos></gml:Point></gml:geometryMember>"
                + "<gml:geometryMember><gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString></gml:geometryMember>"
                + "</gml:MultiGeometry>", "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(1 2,3 4))"
        ),
    ])
    func `geometries of all GML versions are read`(_ geometry: String, _ text: String) throws {
        let collection = try Self.feature(geometry)
        #expect(Self.text(collection) == text)
        #expect(collection.warnings.isEmpty)
        #expect(collection.features.first?.properties == ["name": "Main"])
        #expect(collection.features.first?.id == "r1")
    }

    @Test(
        arguments: [
            ("EPSG:4326", "POINT(1 2)", nil), ("http://www.opengis.net/gml/srs/epsg.xml#4326", "POINT(1 2)", nil),
            ("urn:ogc:def:crs:EPSG::4326", "POINT(2 1)", nil), ("urn:x-ogc:def:crs:EPSG:4326", "POINT(2 1)", nil),
            ("http://www.opengis.net/def/crs/EPSG/0/4326", "POINT(2 1)", nil),
            ("urn:ogc:def:crs:OGC:1.3:CRS84", "POINT(1 2)", nil), ("EPSG:3067", "POINT(1 2)", "EPSG:3067"),
            ("urn:ogc:def:crs:EPSG::3067", "POINT(1 2)", "EPSG:3067"),
            ("urn:ogc:def:crs:EPSG::31467", "POINT(2 1)", "EPSG:31467"),
        ] as [(String, String, String?)])
    func `the name of the CRS determines the axis order`(_ name: String, _ text: String, _ crs: String?) throws {
        let point = "<gml:Point srsName='\(name)'><gml:pos>1 2</gml:pos></gml:Point>"
        let collection = try Self.feature(point)
        #expect(Self.text(collection) == text)
        #expect(collection.crs?.name == crs)
        let bounded =
            "<gml:boundedBy><gml:Envelope srsName='\(name)'><gml:lowerCorner>0 0</gml:lowerCorner></gml:Envelope></gml:boundedBy>"
        let outer = try Self.feature("<gml:Point><gml:pos>1 2</gml:pos></gml:Point>", before: bounded)
        #expect(Self.text(outer) == text)
        #expect(outer.crs?.name == crs)
        for order in [CRS.AxisOrder.eastNorth, .northEast] {
            let forced = try GMLFormat(axisOrder: order).read(
                Array("<gml:Point \(Self.namespace) \(point.dropFirst(11))".utf8), limits: FeatureLimits())
            #expect(Self.text(forced) == (order == .eastNorth ? "POINT(1 2)" : "POINT(2 1)"))
        }
    }

    @Test func `arcs and circles become chords`() throws {
        let arc = try Self.feature(
            "<gml:Curve><gml:segments><gml:Arc><gml:posList>-1 0 0 1 1 0</gml:posList></gml:Arc></gml:segments></gml:Curve>"
        )
        let line = try #require(arc.features.first?.geometry)
        #expect(line.coordinates.count > 40)
        #expect(line.coordinates.last == Coordinate(x: 1, y: 0))
        #expect(line.coordinates.allSatisfy { abs($0.x * $0.x + $0.y * $0.y - 1) < 1e-9 })
        for circle in [
            "<gml:CircleByCenterPoint><gml:pos>0 0</gml:pos><gml:radius>1</gml:radius></gml:CircleByCenterPoint>",
            "<gml:Circle><gml:posList>1 0 0 1 -1 0</gml:posList></gml:Circle>",
        ] {
            let ring = try #require(
                try Self.feature("<gml:Curve><gml:segments>\(circle)</gml:segments></gml:Curve>").features.first?
                    .geometry)
            let box = try #require(ring.boundingBox)
            #expect([box.minX + 1, box.minY + 1, box.maxX - 1, box.maxY - 1].allSatisfy { abs($0) < 1e-2 })
            #expect(ring.coordinates.first == ring.coordinates.last)
        }
        let quarter = try Self.feature(
            "<gml:ArcByCenterPoint><gml:pos>0 0</gml:pos><gml:radius>2</gml:radius><gml:startAngle>0</gml:startAngle>"
                + "<gml:endAngle>90</gml:endAngle></gml:ArcByCenterPoint>")
        let ends = try #require(quarter.features.first?.geometry?.coordinates)
        #expect(abs(ends[0].x - 2) < 1e-9 && abs(ends[ends.count - 1].y - 2) < 1e-9)
    }

    @Test func `properties may be numbers, lists and objects, and counts are kept`() throws {
        let collection = try Self.read(
            """
            <wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"
             numberMatched="12" numberReturned="2" next="https://example.org/next">
             <wfs:member><a gml:id="a1"><code>007</code><lanes>2</lanes><width>1</width><tag>x</tag><tag>y</tag>
              <owner><name>Ada</name></owner><none/><gml:boundedBy><gml:Envelope/></gml:boundedBy></a></wfs:member>
             <wfs:member><b gml:id="b1"><code>008</code><lanes>3</lanes><width>1.5</width>
              <g1><gml:Point><gml:pos>1 2</gml:pos></gml:Point></g1><g2><gml:Point><gml:pos>3 4</gml:pos></gml:Point></g2></b>
             </wfs:member></wfs:FeatureCollection>
            """)
        #expect(
            collection.foreignMembers == ["numberMatched": 12, "numberReturned": 2, "next": "https://example.org/next"])
        #expect(
            collection.features[0].properties == [
                "code": "007", "lanes": 2, "width": .number(1), "tag": ["x", "y"], "owner": ["name": "Ada"], "none": "",
                "typeName": "a",
            ])
        #expect(collection.features[1].properties == ["code": "008", "lanes": 3, "width": 1.5, "typeName": "b"])
        #expect(collection.features.map(\.id) == ["a1", "b1"])
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }

    @Test func `geometries in several CRSs are converted to the first CRS`() throws {
        let member = { (name: String, place: String) in
            "<gml:featureMember><p><g><gml:Point srsName='\(name)'><gml:pos>\(place)</gml:pos></gml:Point></g></p></gml:featureMember>"
        }
        let collection = try Self.read(
            "<FeatureCollection \(Self.namespace)>\(member("EPSG:3857", "2782000 8437000"))\(member("EPSG:4326", "25 60.2"))"
                + "\(member("EPSG:999999", "1 2"))</FeatureCollection>")
        #expect(collection.crs == .webMercator)
        let second = try #require(collection.features[1].geometry?.coordinates.first)
        #expect(abs(second.x - 2_782_987.27) < 0.01)
        #expect(collection.features[2].geometry == nil)
        #expect(collection.warnings.count == 2)
    }

    @Test(arguments: [
        ("<FeatureCollection><featureMember>", FeatureLimits(), FeatureFileError.Code.malformed),
        (
            "<!DOCTYPE FeatureCollection [<!ENTITY b 'x'>]><FeatureCollection>&b;</FeatureCollection>", FeatureLimits(),
            .malformed
        ),
        (
            "<FeatureCollection><featureMembers><a/><a/></featureMembers></FeatureCollection>",
            FeatureLimits(maximumFeatureCount: 1), .limitExceeded
        ),
        ("<FeatureCollection/>", FeatureLimits(maximumByteCount: 10), .limitExceeded),
        (
            "<FeatureCollection><member><a/></member></FeatureCollection>",
            FeatureLimits(memory: MemoryBudget(byteLimit: 70)), .memory
        ),
    ])
    func `a malformed or oversized document is a typed error`(
        _ text: String, _ limits: FeatureLimits, _ code: FeatureFileError.Code
    ) {
        let error = #expect(throws: FeatureFileError.self) { try Self.read(text, limits) }
        #expect(error?.code == code)
        #expect(error?.format == "GML")
    }

    @Test func `an unreadable geometry is left out of its feature, with a warning`() throws {
        let collection = try Self.feature("<gml:Point><gml:pos>a b</gml:pos></gml:Point>")
        #expect(collection.features.map(\.geometry) == [nil])
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }
}

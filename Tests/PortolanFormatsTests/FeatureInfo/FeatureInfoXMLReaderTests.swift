import PortolanFeatures
import PortolanFormats
import PortolanGeo
import Testing

@Suite struct FeatureInfoXMLReaderTests {
    private func read(_ text: String, crs: CRS? = nil) -> [IdentifiedFeature]? {
        FeatureInfoXMLReader.read(Array(text.utf8), crs: crs)
    }

    /// Quirk 14.
    @Test func `MapServer's format has a feature in each NAME_feature`() throws {
        let found = try #require(
            read(
                """
                <msGMLOutput xmlns:gml="http://www.opengis.net/gml"><roads_layer><gml:name>Roads</gml:name>
                <roads_feature><gml:boundedBy><gml:Box srsName="EPSG:4326"><gml:coordinates>1,2 3,4</gml:coordinates>
                </gml:Box></gml:boundedBy><geom><gml:LineString srsName="EPSG:4326"><gml:coordinates>1,2 3,4 \
                </gml:coordinates></gml:LineString></geom><NAME>A 2</NAME><EMPTY></EMPTY></roads_feature></roads_layer>
                <lakes_layer><gml:name>Lakes</gml:name></lakes_layer></msGMLOutput>
                """))
        #expect(found.count == 1 && found[0].layer == "roads")
        #expect(found[0].feature.geometry == .lineString([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)]))
        #expect(found[0].feature.properties == ["NAME": "A 2", "EMPTY": ""])
    }

    @Test func `GML 2 and 3 collections are read, with single or grouped members`() throws {
        let old = """
            <wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:t="u">
            <gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>
            <gml:featureMember><t:town fid="town.7"><t:name>Ä &amp; B</t:name><t:the_geom><gml:Point srsName="http://www.\
            opengis.net/gml/srs/epsg.xml#4326"><gml:coord><gml:X>24.5</gml:X><gml:Y>60</gml:Y></gml:coord></gml:Point>
            </t:the_geom><t:tag>x</t:tag><t:tag>y</t:tag><t:tag>z</t:tag></t:town></gml:featureMember></wfs:FeatureCollection>
            """
        let new = """
            <wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
            <gml:featureMembers><town gml:id="town.7"><name>Ä &amp; B</name><the_geom><gml:Point srsDimension="3" \
            srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>60 24.5 12</gml:pos></gml:Point></the_geom>\
            <tag>x</tag><tag>y</tag><tag>z</tag></town><town><gone xsi:nil="true"/><part><n>1</n></part></town>
            </gml:featureMembers></wfs:FeatureCollection>
            """
        for (text, count) in [(old, 1), (new, 2)] {
            let found = try #require(read(text))
            #expect(found.count == count)
            #expect(found[0].layer == "town")
            #expect(found[0].feature.id == "town.7")
            #expect(found[0].feature.geometry?.coordinates == [Coordinate(x: 24.5, y: 60)])
            #expect(found[0].feature.properties == ["name": "Ä & B", "tag": ["x", "y", "z"]])
        }
        #expect(read(new)?.last?.feature.properties == ["gone": nil, "part": ["n": "1"]])
    }

    /// An answer whose root is known and whose content is not is words, not nothing.
    @Test(arguments: [
        // ncWMS and THREDDS.
        "<FeatureInfoResponse><longitude>-43.2</longitude><FeatureInfo><time>t</time><value>24.75</value></FeatureInfo></FeatureInfoResponse>",
        "<FeatureInfoResponse><Feature><layer>t</layer><FeatureInfo><id>t</id><value>24.75</value></FeatureInfo></Feature></FeatureInfoResponse>",
        "<FeatureInfoResponse>24.75</FeatureInfoResponse>",
        "<FeatureInfoResponse><Item value='24.75'/></FeatureInfoResponse>",
        "<msGMLOutput><value>24.75</value></msGMLOutput>",
        "<msGMLOutput><a_layer><name>a</name><band>24.75</band></a_layer></msGMLOutput>",
        "<GetFeatureInfoResponse><Layer name='a'><Value>24.75</Value></Layer></GetFeatureInfoResponse>",
        "<GetFeatureInfoResponse><Layer name='a'><Pixel value='24.75'/></Layer></GetFeatureInfoResponse>",
        "<FeatureCollection><observation><value>24.75</value></observation></FeatureCollection>",
    ])
    func `an unknown structure in a known format gives nil`(text: String) {
        #expect(read(text) == nil)
    }

    @Test(arguments: [
        "<FeatureInfoResponse/>", "<FeatureInfoResponse> \n </FeatureInfoResponse>",
        "<msGMLOutput><!-- none --></msGMLOutput>",
        "<FeatureInfoResponse><FeatureInfoCollection layername='a'/></FeatureInfoResponse>",
        "<msGMLOutput><a_layer><gml:name xmlns:gml='g'>Roads</gml:name></a_layer></msGMLOutput>",
        "<GetFeatureInfoResponse><BoundingBox SRS='EPSG:4326' minx='1' maxx='2'/><Layer name='a' id='a_1'/></GetFeatureInfoResponse>",
        "<FeatureCollection numberReturned='0' timeStamp='2026'><boundedBy><null>unknown</null></boundedBy></FeatureCollection>",
    ])
    func `a response with headings alone is empty`(text: String) {
        #expect(read(text) == [])
    }

    @Test func `coordinates out of range for degrees are in the CRS of the map`() throws {
        func shape(_ name: String) -> Geometry?? {
            read(
                """
                <c xmlns:gml="http://www.opengis.net/gml"><gml:featureMember><f><g><gml:Point srsName="\(name)">
                <gml:pos>1113194.9 1118889.97</gml:pos></gml:Point></g></f></gml:featureMember></c>
                """, crs: .webMercator)?.first.map(\.feature.geometry)
        }
        for name in ["EPSG:4326", "CRS:84"] {
            let place = try #require(shape(name)??.coordinates.first)
            #expect(abs(place.x - 10) < 1e-4)
            #expect(abs(place.y - 10) < 1e-4)
        }
    }

    @Test func `multipart geometries are read`() throws {
        func geometry(_ text: String) throws -> Geometry? {
            try #require(
                read(
                    "<c xmlns:gml='http://www.opengis.net/gml'><gml:featureMember><f><g>\(text)</g></f></gml:featureMember></c>"
                )
            ).first?.feature.geometry
        }
        let square = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
        let hole = [(1.0, 1.0), (2, 1), (2, 2), (1, 1)].map { Coordinate(x: $0.0, y: $0.1) }
        let new = """
            <gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>0 0 4 0 4 4 0 4 0 0</gml:posList></gml:LinearRing>\
            </gml:exterior><gml:interior><gml:LinearRing><gml:pos>1 1</gml:pos><gml:pos>2 1</gml:pos><gml:pos>2 2</gml:pos>\
            <gml:pos>1 1</gml:pos></gml:LinearRing></gml:interior></gml:Polygon>
            """
        let old = """
            <gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>0,0 4,0 4,4 0,4 0,0</gml:coordinates>\
            </gml:LinearRing></gml:outerBoundaryIs><gml:innerBoundaryIs><gml:LinearRing><gml:coordinates decimal="," cs=";" \
            ts="|">1,0;1,0|2;1|2;2|1;1</gml:coordinates></gml:LinearRing></gml:innerBoundaryIs></gml:Polygon>
            """
        #expect(try geometry(new) == .polygon([square, hole]))
        #expect(try geometry(old) == .polygon([square, hole]))
        #expect(
            try geometry("<gml:MultiSurface><gml:surfaceMember>\(new)</gml:surfaceMember></gml:MultiSurface>")
                == .multiPolygon([[square, hole]]))
        #expect(
            try geometry(
                """
                <gml:MultiCurve><gml:curveMember><gml:Curve><gml:segments><gml:LineStringSegment><gml:posList \
                srsDimension="3">0 0 9 1 1 9</gml:posList></gml:LineStringSegment><gml:LineStringSegment><gml:posList>1 1 \
                2 2</gml:posList></gml:LineStringSegment></gml:segments></gml:Curve></gml:curveMember></gml:MultiCurve>
                """)?.coordinates == [0, 1, 2].map { Coordinate(x: $0, y: $0) })
        #expect(
            try geometry(
                """
                <gml:MultiPoint><gml:pointMember><gml:Point><gml:pos>1 2</gml:pos></gml:Point></gml:pointMember>\
                <gml:pointMember><gml:Point><gml:pos>3 4</gml:pos></gml:Point></gml:pointMember></gml:MultiPoint>
                """) == .multiPoint([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)]))
    }

    @Test func `geometries are converted to degrees, and left out in unknown CRSs`() throws {
        func point(_ name: String?, _ text: String, crs: CRS? = nil) throws -> Geometry? {
            let srs = name.map { " srsName=\"\($0)\"" } ?? ""
            return try #require(
                read(
                    """
                    <c xmlns:gml="http://www.opengis.net/gml"><gml:featureMember><f><g><gml:Point\(srs)><gml:pos>\(text)\
                    </gml:pos></gml:Point></g></f></gml:featureMember></c>
                    """, crs: crs)
            ).first?.feature.geometry
        }
        let east = try #require(try point("EPSG:3857", "111319.49079327358 0")?.coordinates.first)
        #expect(abs(east.x - 1) < 1e-9)
        #expect(abs(east.y) < 1e-9)
        let untold = try #require(try point(nil, "111319.49079327358 0", crs: .webMercator)?.coordinates.first)
        #expect(abs(untold.x - 1) < 1e-9)
        #expect(try point("EPSG:99999", "1 2") == nil)
        #expect(try point("EPSG:27200", "2600000 1200000") == nil)
        #expect(try point("EPSG:4326", "1 NaN") == nil && point("EPSG:4326", "1e400 2") == nil)
    }

    @Test func `ESRI fields may be attributes or elements`() throws {
        let attributes = """
            <FeatureInfoResponse xmlns:esri_wms="http://www.esri.com/wms" xmlns="http://www.esri.com/wms">
            <FIELDS OBJECTID="3" NAME="Ebro"/><FIELDS OBJECTID="4" NAME=""/></FeatureInfoResponse>
            """
        let elements = """
            <FeatureInfoResponse xmlns="http://www.esri.com/wms"><FeatureInfoCollection layername="rivers"><FeatureInfo>
            <Field><FieldName>OBJECTID</FieldName><FieldValue>3</FieldValue></Field>
            <Field><FieldName>NAME</FieldName><FieldValue>Ebro</FieldValue></Field></FeatureInfo></FeatureInfoCollection>
            </FeatureInfoResponse>
            """
        let first = try #require(read(attributes)), second = try #require(read(elements))
        #expect(
            first.map(\.feature.properties) == [["OBJECTID": "3", "NAME": "Ebro"], ["OBJECTID": "4", "NAME": ""]])
        #expect(second.map(\.feature.properties) == [["OBJECTID": "3", "NAME": "Ebro"]])
        #expect(first[0].layer == nil && second[0].layer == "rivers")
    }

    @Test func `QGIS Server attributes become properties, for rasters as well`() throws {
        let found = try #require(
            read(
                """
                <GetFeatureInfoResponse><BoundingBox maxx="1"/><Layer name="towns"><Feature id="9"><Attribute name="n" \
                value="A"/><Attribute name="m" value="1"/></Feature></Layer><Layer name="dem"><Attribute name="Band 1" \
                value="340"/></Layer><Layer name="none"/></GetFeatureInfoResponse>
                """))
        #expect(found.map(\.layer) == ["towns", "dem"])
        #expect(found[0].feature.id == "9")
        #expect(found[0].feature.properties == ["n": "A", "m": "1"])
        #expect(found[1].feature.properties == ["Band 1": "340"])
    }

    @Test func `an empty result has no features, and other documents give nil`() {
        for text in [
            "<msGMLOutput/>", "<a:FeatureCollection/>", "<FeatureInfoResponse/>", "<GetFeatureInfoResponse/>",
            "<FeatureCollection xmlns:gml='http://www.opengis.net/gml'><gml:featureMembers/></FeatureCollection>",
        ] { #expect(read(text) == [], "\(text)") }
        for text in ["<table><tr/></table>", "hello", "", "<a", "<html><body>x</body></html>"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test func `hostile responses are read in bounded time`() {
        let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
        #expect(read(deep) == nil)
        let bomb = #"<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;">]><msGMLOutput>&c;</msGMLOutput>"#
        #expect(read(bomb) == nil)
        let wide = "<c><member><f>" + (0..<50_000).map { "<p\($0)>1</p\($0)>" }.joined() + "</f></member></c>"
        #expect(read(wide)?.first?.feature.properties.count == 2000)
        let nested =
            "<FeatureCollection>" + String(repeating: "<member><FeatureCollection>", count: 40)
            + String(repeating: "</FeatureCollection></member>", count: 40) + "</FeatureCollection>"
        #expect(read(nested).map { $0.count <= 1 } == true)
    }
}

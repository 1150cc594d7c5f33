import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

@Suite struct GeoRSSFormatTests {
    private static func read(_ text: String) throws -> FeatureCollection {
        try FeatureFormats.standard.read(Array(text.utf8))
    }

    private static let spaces = """
        xmlns:georss="http://www.georss.org/georss" xmlns:gml="http://www.opengis.net/gml" \
        xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"
        """

    @Test(arguments: [
        ("<georss:point>60.1 24.9</georss:point>", "POINT(24.9 60.1)"),
        ("<georss:point>60.1,24.9</georss:point>", "POINT(24.9 60.1)"),
        ("<georss:line>1 2 3 4</georss:line>", "LINESTRING(2 1,4 3)"),
        ("<georss:polygon>0 0 0 9 9 0 0 0</georss:polygon>", "POLYGON((0 0,9 0,0 9,0 0))"),
        ("<georss:box>1 2 3 4</georss:box>", "POLYGON((2 1,4 1,4 3,2 3,2 1))"),
        ("<georss:point>1 2</georss:point><georss:elev>7</georss:elev>", "POINT Z (2 1 7)"),
        ("<geo:lat>1</geo:lat><geo:long>2</geo:long>", "POINT(2 1)"),
        ("<geo:Point><geo:lat>1</geo:lat><geo:long>2</geo:long></geo:Point>", "POINT(2 1)"),
        ("<georss:where><gml:Point><gml:pos>1 2</gml:pos></gml:Point></georss:where>", "POINT(2 1)"),
        (
            "<georss:where><gml:Point srsName='urn:ogc:def:crs:OGC:1.3:CRS84'><gml:pos>1 2</gml:pos></gml:Point></georss:where>",
            "POINT(1 2)"
        ),
        ("<gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString>", "LINESTRING(2 1,4 3)"),
    ])
    func `coordinates are read in all forms, latitude first`(_ place: String, _ text: String) throws {
        for frame in [
            "<rss \(Self.spaces)><channel><title>News</title><item><title>Inn</title>$</item></channel></rss>",
            "<feed xmlns='http://www.w3.org/2005/Atom' \(Self.spaces)><title>News</title><entry><title>Inn</title>$</entry></feed>",
            "<rdf:RDF xmlns:rdf='urn:rdf' \(Self.spaces)><channel><title>News</title></channel><item><title>Inn</title>$</item></rdf:RDF>",
        ] {
            let collection = try Self.read(frame.replacing("$", with: place))
            let inn = try #require(collection.features.first)
            #expect(inn.geometry.map { WKT.write(EncodedGeometry($0)) } == text)
            #expect(inn.title == "Inn")
            #expect(collection.foreignMembers["name"] == "News")
            #expect(collection.warnings.isEmpty)
        }
    }

    @Test func `the elements of an item become its properties`() throws {
        let collection = try Self.read(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><link href="https://example.org/1"/>
            <updated>2024-05-01</updated><category term="a"/><category term="b"/><author><name>Ada</name></author>
            <content type="xhtml"><div>Some <b>bold</b> words</div></content></entry><entry/></feed>
            """)
        let first = try #require(collection.features.first)
        #expect(first.id == "urn:1")
        #expect(first.geometry == nil)
        #expect(collection.features.count == 2)
        #expect(
            first.properties == [
                "link": "https://example.org/1", "updated": "2024-05-01", "category": ["a", "b"], "author": "Ada",
                "content": "Some  words bold",
            ])
    }

    @Test func `an unreadable position is left out of its item, with a warning`() throws {
        let collection = try Self.read(
            "<rss \(Self.spaces)><channel><item><georss:point>x</georss:point></item></channel></rss>")
        #expect(collection.features.map(\.geometry) == [nil])
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }

    @Test(arguments: [
        ("<rss>", FeatureFileError.Code.malformed), ("<!DOCTYPE feed [<!ENTITY b 'x'>]><feed>&b;</feed>", .malformed),
    ])
    func `a malformed document is a typed error`(_ text: String, _ code: FeatureFileError.Code) {
        let error = #expect(throws: FeatureFileError.self) { try Self.read(text) }
        #expect(error?.code == code)
        #expect(error?.format == "GeoRSS")
    }
}

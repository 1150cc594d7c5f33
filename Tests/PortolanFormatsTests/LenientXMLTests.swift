import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

/// Files of all formats in XML with the slips that programs make.
@Suite struct LenientXMLTests {
    struct Case: Sendable, CustomStringConvertible {
        let format: any FeatureFormat
        /// A document whose only feature has the name `TITLE`.
        let text: String
        /// The property that has the name.
        let property: String
        var description: String { format.name }
    }

    static let cases: [Case] = [
        Case(
            format: KMLFormat(),
            text:
                "<kml xmlns='http://www.opengis.net/kml/2.2'><Placemark><name>TITLE</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
            property: "name"),
        Case(
            format: GPXFormat(),
            text:
                "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1'><wpt lat='2' lon='1'><name>TITLE</name></wpt></gpx>",
            property: "name"),
        Case(
            format: GMLFormat(),
            text:
                "<FeatureCollection xmlns:gml='http://www.opengis.net/gml'><gml:featureMember><town><name>TITLE</name><p><gml:Point srsName='CRS:84'><gml:pos>1 2</gml:pos></gml:Point></p></town></gml:featureMember></FeatureCollection>",
            property: "name"),
        Case(
            format: GeoRSSFormat(),
            text:
                "<rss xmlns:georss='http://www.georss.org/georss'><channel><item><title>TITLE</title><georss:point>2 1</georss:point></item></channel></rss>",
            property: "title"),
    ]

    static let slips: [(name: String, text: String, make: @Sendable (String) -> [UInt8])] = [
        ("Latin-1", "Gäu", { $0.replacing("TITLE", with: "Gäu").unicodeScalars.map { UInt8($0.value) } }),
        ("a control character", "A B", { Array($0.replacing("TITLE", with: "A\u{0B}B").utf8) }),
        ("a bare ampersand", "R & D", { Array($0.replacing("TITLE", with: "R & D").utf8) }),
        ("entities of HTML", "A\u{A0}é", { Array($0.replacing("TITLE", with: "A&nbsp;&eacute;").utf8) }),
        ("text after", "T", { Array(($0.replacing("TITLE", with: "T") + "\n<br/>Warning\n").utf8) }),
        (
            "text before", "T",
            { Array(("Notice: x<br />\n<?xml version='1.0'?>\n" + $0.replacing("TITLE", with: "T")).utf8) }
        ),
    ]

    @Test(arguments: cases, slips.indices)
    func `a file with a markup error is read, and the error is reported`(one: Case, index: Int) throws {
        let slip = Self.slips[index], bytes = slip.make(one.text)
        #expect(one.format.recognizes(bytes[...]), "\(slip.name)")
        let collection = try one.format.read(bytes, limits: FeatureLimits())
        #expect(collection.features.count == 1)
        #expect(collection.features.first?.properties[one.property] == .string(slip.text))
        #expect(collection.features.first?.geometry?.coordinates.first?.x == 1)
        #expect(collection.warnings.contains { $0.code == .markup && $0.effect == .repaired }, "\(collection.warnings)")
    }

    @Test(arguments: cases)
    func `a file without markup errors has no warnings`(one: Case) throws {
        #expect(try one.format.read(Array(one.text.utf8), limits: FeatureLimits()).warnings.isEmpty)
    }
}

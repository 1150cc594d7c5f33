import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@Suite struct KMLFormatTests {
    static func read(_ text: String, _ limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        try FeatureFormats.standard.read(Array(text.utf8), limits: limits)
    }

    private static func placemark(_ inside: String) throws -> Feature {
        try #require(try read("<kml><Document><Placemark>\(inside)</Placemark></Document></kml>").features.first)
    }

    private static let whole = """
        <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document><name>Walks</name><description>Two</description>
         <Schema id="s"><SimpleField name="length" type="double"/><SimpleField name="open" type="bool"/>
          <SimpleField name="stops" type="int"/></Schema>
         <Folder><name>North</name><Folder><name>Old town</name>
          <Placemark id="p1"><name>Inn &amp; barn</name><visibility>1</visibility><description><![CDATA[<b>good</b>]]></description>
           <TimeStamp><when>2024-05-01</when></TimeStamp>
           <ExtendedData><Data name="beds"><value>12</value></Data><SchemaData schemaUrl="#s">
            <SimpleData name="length">1.5</SimpleData><SimpleData name="open">1</SimpleData>
            <SimpleData name="stops">x</SimpleData></SchemaData></ExtendedData>
           <Point><altitudeMode>absolute</altitudeMode><coordinates>24.9,60.1,12.5</coordinates></Point></Placemark>
         </Folder></Folder>
         <Placemark><TimeSpan><begin>2001</begin><end>2002</end></TimeSpan>
          <LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>
        </Document></kml>
        """

    @Test func `placemarks become features with their own and their folders' properties`() throws {
        let collection = try Self.read(Self.whole)
        #expect(collection.foreignMembers == ["name": "Walks", "description": "Two"])
        #expect(collection.warnings.isEmpty)
        let inn = try #require(collection.features.first)
        #expect(inn.id == "p1")
        #expect(inn.geometry == .point(Coordinate(x: 24.9, y: 60.1), altitude: 12.5))
        #expect(
            inn.properties == [
                "name": "Inn & barn", "description": "<b>good</b>", "time": "2024-05-01", "altitudeMode": "absolute",
                "beds": "12", "length": 1.5, "open": true, "stops": "x", "folder": "North/Old town",
            ])
        #expect(collection.features[1].properties == ["begin": "2001", "end": "2002"])
    }

    @Test(arguments: [
        ("<Point><coordinates> 1 , 2 </coordinates></Point>", "POINT(1 2)"),
        ("<Point><coordinates>1e1,-.5,</coordinates></Point>", "POINT(10 -0.5)"),
        ("<LineString><coordinates>1,2,3,4,5,6</coordinates></LineString>", "LINESTRING Z (1 2 3,4 5 6)"),
        ("<LineString><coordinates>1,2,3\n4,5</coordinates></LineString>", "LINESTRING Z (1 2 3,4 5 0)"),
        ("<LinearRing><coordinates>0,0 1,0 0,1</coordinates></LinearRing>", "LINESTRING(0 0,1 0,0 1,0 0)"),
        (
            "<Polygon><innerBoundaryIs><LinearRing><coordinates>1,1 2,1 1,2 1,1</coordinates></LinearRing><LinearRing>"
                + "<coordinates>3,3 4,3 3,4 3,3</coordinates></LinearRing></innerBoundaryIs><outerBoundaryIs><LinearRing>"
                + "<coordinates>0,0 9,0 0,9</coordinates></LinearRing></outerBoundaryIs></Polygon>",
            "POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2,1 1),(3 3,4 3,3 4,3 3))"
        ),
        (
            "<MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4</coordinates></Point>"
                + "</MultiGeometry>", "MULTIPOINT((1 2),(3 4))"
        ),
        (
            "<Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4</coordinates></Point>",
            "MULTIPOINT((1 2),(3 4))"
        ),
        (
            "<MultiGeometry><Point><coordinates>1,2</coordinates></Point><LineString><coordinates>1,2 3,4</coordinates>"
                + "</LineString></MultiGeometry>", "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(1 2,3 4))"
        ),
    ])
    func `KML geometries are read`(_ inside: String, _ text: String) throws {
        let geometry = try #require(try Self.placemark(inside).geometry)
        #expect(WKT.write(EncodedGeometry(geometry)) == text)
    }

    @Test(arguments: [
        "<Point><coordinates/></Point>", "<Point/>", "<LineString><coordinates>1,2</coordinates></LineString>",
        "<Point><coordinates>a,b</coordinates></Point>", "<Model><Location/></Model>",
        "<Polygon><outerBoundaryIs><LinearRing><coordinates> </coordinates></LinearRing></outerBoundaryIs></Polygon>",
    ])
    func `a placemark with an unreadable geometry is kept, with a warning`(_ inside: String) throws {
        let collection = try Self.read("<kml><Placemark><name>x</name>\(inside)</Placemark></kml>")
        #expect(collection.features.map(\.geometry) == [nil])
        #expect(collection.warnings.map(\.effect) == [.omitted])
        #expect(collection.warnings.first?.subject.feature == "'x'")
    }

    @Test func `tracks become lines with a time for each position`() throws {
        let track =
            "<Track><when>t1</when><when>t2</when><when>t3</when><coord>1 2 3</coord><coord/><coord>4 5</coord></Track>"
        let one = try Self.placemark(track)
        #expect(one.geometry?.coordinates == [Coordinate(x: 1, y: 2), Coordinate(x: 4, y: 5)])
        #expect(one.geometry?.altitudes == [3, nil])
        #expect(one.properties["coordinateProperties"] == ["times": ["t1", "t3"]])
        let two = try Self.placemark("<MultiTrack>\(track)\(track)</MultiTrack>")
        #expect(two.geometry?.kind == .multiLineString)
        #expect(two.properties["coordinateProperties"] == ["times": [["t1", "t3"], ["t1", "t3"]]])
    }

    @Test(arguments: [
        "<kml xmlns='http://earth.google.com/kml/2.0'>$</kml>", "<k:kml xmlns:k='urn:a'>$</k:kml>",
        "<Document>$</Document>",
        "<Folder>$</Folder>", "\u{FEFF}  <!-- <x> --><kml><Document>$</Document></kml>", "$",
    ])
    func `documents of any version and with any root element are read`(_ frame: String) throws {
        let prefix = frame.contains("k:") ? "k:" : ""
        let inside = "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"
            .replacing("</", with: "\u{1}").replacing("<", with: "<\(prefix)").replacing("\u{1}", with: "</\(prefix)")
        let collection = try Self.read(frame.replacing("$", with: inside))
        #expect(collection.features.map { $0.geometry?.coordinates } == [[Coordinate(x: 1, y: 2)]])
    }

    @Test func `elements defined by a schema of old versions are placemarks`() throws {
        let collection = try Self.read(
            """
            <kml><Document><Schema parent="Placemark" name="S_1"><SimpleField type="int" name="Beds"/></Schema>
            <S_1><name>Inn</name><Beds>3</Beds><Point><coordinates>1,2</coordinates></Point></S_1></Document></kml>
            """)
        #expect(collection.features.map(\.properties) == [["name": "Inn", "Beds": 3]])
        #expect(collection.features.first?.geometry?.kind == .point)
    }

    @Test func `network links are listed, overlays are reported, and hidden features stay hidden`() throws {
        let collection = try Self.read(
            """
            <kml><Document><NetworkLink><name>More</name><Link><href>https://example.org/more.kml</href></Link></NetworkLink>
            <ScreenOverlay/><Folder><visibility>0</visibility><Placemark/></Folder><Placemark><visibility>0</visibility></Placemark>
            <Update><Create><Placemark/></Create></Update></Document></kml>
            """)
        #expect(
            collection.foreignMembers["networkLinks"] == [["href": "https://example.org/more.kml", "name": "More"]])
        #expect(collection.features.count == 2)
        #expect(collection.features.allSatisfy { $0.properties["style"] == ["default": ["display": "none"]] })
        #expect(collection.warnings.map(\.effect) == [.note, .omitted, .note])
    }

    @Test func `a ground overlay has an invisible outline`() throws {
        let collection = try Self.read(
            """
            <kml><GroundOverlay><name>Etna</name><Icon><href>etna.jpg</href></Icon><LatLonBox><north>38</north><south>37</south>
            <east>16</east><west>14</west></LatLonBox></GroundOverlay></kml>
            """)
        let etna = try #require(collection.features.first)
        #expect(etna.geometry.map { WKT.write(EncodedGeometry($0)) } == "POLYGON((14 37,16 37,16 38,14 38,14 37))")
        #expect(etna.properties["icon"] == "etna.jpg")
        #expect(collection.warnings.isEmpty)
        #expect(collection.overlays.map(\.address) == ["etna.jpg"])
        #expect(etna.properties["style"] == ["default": ["fill": false, "stroke": false]])
    }

    @Test(arguments: [
        ("<kml><Placemark>", FeatureLimits(), FeatureFileError.Code.malformed),
        ("<!DOCTYPE kml [<!ENTITY b 'x'>]><kml>&b;</kml>", FeatureLimits(), .malformed),
        ("<kml><Placemark/><Placemark/></kml>", FeatureLimits(maximumFeatureCount: 1), .limitExceeded),
        ("<kml><Placemark/></kml>", FeatureLimits(maximumByteCount: 10), .limitExceeded),
        ("<kml><Placemark/></kml>", FeatureLimits(memory: MemoryBudget(byteLimit: 100)), .memory),
        ("<kml><Placemark/></kml>", FeatureLimits(memory: MemoryBudget(byteLimit: 10)), .memory),
        (
            "<kml><Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark></kml>",
            FeatureLimits(maximumCoordinateCount: 1), .limitExceeded
        ),
    ])
    func `a malformed or oversized document is a typed error`(
        _ text: String, _ limits: FeatureLimits, _ code: FeatureFileError.Code
    ) {
        let error = #expect(throws: FeatureFileError.self) { try Self.read(text, limits) }
        #expect(error?.code == code)
        #expect(error?.format == "KML")
    }

    @Test func `nested geometries are read up to the depth limit`() throws {
        let deep = 100
        let text =
            String(repeating: "<MultiGeometry>", count: deep) + String(repeating: "</MultiGeometry>", count: deep)
        let collection = try Self.read("<kml><Placemark>\(text)</Placemark></kml>")
        #expect(collection.features.map(\.geometry) == [nil])
        #expect(!collection.warnings.isEmpty)
        #expect(throws: FeatureFileError.self) {
            try Self.read(String(repeating: "<Folder>", count: 300) + String(repeating: "</Folder>", count: 300))
        }
    }

    @Test func `random features survive writing and reading`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let collection = FeatureCollection.random(using: &random)
            let bytes = try #require(KMLFormat().write(collection))
            let again = try KMLFormat().read(bytes, limits: FeatureLimits())
            #expect(again.warnings.isEmpty)
            #expect(again.features.count == collection.features.count)
            for (read, written) in zip(again.features, collection.features) {
                #expect(read.id == written.id)
                #expect(read.geometry == written.geometry)
                // Elements stand before extended data.
                #expect(Set(read.properties) == Set(written.properties))
            }
            #expect(KMLFormat().write(again) == bytes)
        }
    }

    @Test func `tracks, folders and links survive writing and reading`() throws {
        let first = try Self.read(
            Self.whole.replacing(
                "</Document>",
                with:
                    "<Placemark><MultiTrack><Track><when>t1</when><when/><coord>1 2 3</coord><coord>4 5 6</coord></Track>"
                    + "</MultiTrack></Placemark><NetworkLink><Link><href>a.kml</href></Link></NetworkLink></Document>"))
        let again = try KMLFormat().read(try #require(KMLFormat().write(first)), limits: FeatureLimits())
        #expect(again.features.map(\.geometry) == first.features.map(\.geometry))
        #expect(again.features.map { Set($0.properties) } == first.features.map { Set($0.properties) })
        #expect(again.foreignMembers == first.foreignMembers)
    }
}

import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Testing

@Suite struct GPXFormatTests {
    private func read(_ text: String, _ limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        try FeatureFormats.standard.read(Array(text.utf8), limits: limits)
    }

    private static let track = """
        <?xml version="1.0"?><!-- <gpx> of a walk -->
        <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
         <metadata><name>Walks</name><desc>Two</desc><author><name>Ada</name></author></metadata>
         <wpt lat="60.1" lon="24.9"><ele>12.5</ele><time>2024-05-01T10:00:00Z</time><name>Inn</name><cmt>open</cmt>
          <desc>A house &amp; a garden</desc><link href="inn.jpg"><text>The front</text><type>image/jpeg</type></link>
          <sym>Lodging</sym><type>inn</type></wpt>
         <rte><name>Plan</name><rtept lat="1" lon="2"><name>Ford</name></rtept><rtept lat="3" lon="4"/></rte>
         <trk><name>Way</name><type>hike</type>
          <trkseg><trkpt lat="60" lon="24"><ele>1</ele><time>t1</time></trkpt><trkpt lat="60.5" lon="24.5"/></trkseg>
          <trkseg/>
          <trkseg><trkpt lat="61" lon="25"/><trkpt lat="62" lon="26"><ele>x</ele><time>t4</time></trkpt></trkseg>
          <extensions><trkseg><trkpt lat="0" lon="0"/></trkseg></extensions></trk>
        </gpx>
        """

    @Test func `way points, routes and tracks are features with what is said of them`() throws {
        let collection = try read(Self.track)
        #expect(collection.features.map { $0.id?.description } == ["wpt1", "rte1", "rtept2", "trk2"])
        #expect(collection.foreignMembers["name"] == "Walks" && collection.foreignMembers["author"] == "Ada")
        let inn = try #require(collection.features.first)
        #expect(inn.pointOfInterest?.name == "Inn" && inn.pointOfInterest?.description == "A house & a garden")
        #expect(inn.geometry?.coordinates == [Coordinate(x: 24.9, y: 60.1)] && inn.geometry?.altitudes == [12.5])
        #expect(inn.properties["comment"] == "open" && inn.properties["symbol"] == "Lodging")
        #expect(inn.properties["category"] == "inn" && inn.properties["time"] == "2024-05-01T10:00:00Z")
        #expect(inn.properties["links"] == [["href": "inn.jpg", "text": "The front", "type": "image/jpeg"]])
        #expect(collection.features[1].geometry?.kind == .lineString && collection.features[1].route?.name == "Plan")
        #expect(collection.features[2].pointOfInterest?.name == "Ford")
        #expect(collection.warnings.isEmpty)
    }

    @Test func `segments are parts, with altitudes and times beside their points`() throws {
        let track = try #require(try read(Self.track).features.last), geometry = try #require(track.geometry)
        #expect(geometry.kind == .multiLineString && geometry.parts.map { $0.count } == [2, 2])
        #expect(geometry.altitudes == [1, nil, nil, nil])
        #expect(track.properties["coordinateProperties"] == ["times": [["t1", nil], [nil, "t4"]]])
    }

    @Test func `routes and tracks without a line are kept`() throws {
        let collection = try read(
            "<gpx><rte><name>a</name></rte><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk><trk><trkseg>"
                + "<trkpt lat='1' lon='2'/></trkseg><trkseg><trkpt lat='1' lon='2'/><trkpt lat='3' lon='4'/></trkseg></trk></gpx>"
        )
        #expect(collection.features.map { $0.geometry?.kind } == [nil, nil, .lineString])
        #expect(collection.warnings.map(\.kind) == [.omitted, .omitted])
        let again = try GPXFormat().read(try #require(GPXFormat().write(collection)), limits: FeatureLimits())
        #expect(again.features.count == 3 && again.features.contains { $0.geometry == nil && $0.title == "a" })
    }

    @Test(arguments: [
        ("<gpx><wpt lat='1' lon='2'/></gpx>", 0),
        ("\u{FEFF}<gpx version='1.0'><wpt lat=' 1 ' lon='2'><url>a</url></wpt></gpx>", 0),
        ("<?xml version='1.0'?><x:gpx xmlns:x='urn:a'><x:wpt lat='1' lon='2'/></x:gpx>", 0),
        (
            "<!DOCTYPE gpx><GPX><wpt lat='1' lon='2'/><wpt lon='3'/><wpt lat='x' lon='1'/><wpt lat='91' lon='1'/><wpt lat='1' lon='0x1'/></GPX>",
            4
        ),
    ])
    func `documents of any version are read, and points without a place left out`(_ text: String, _ count: Int) throws {
        let collection = try read(text)
        #expect(collection.features.map { $0.geometry?.coordinates } == [[Coordinate(x: 2, y: 1)]])
        #expect(collection.warnings.count == count && collection.warnings.allSatisfy { $0.kind == .omitted })
    }

    @Test(arguments: [
        ("<gpx><wpt lat='1' lon='2'>", FeatureLimits(), GPXError.Code.malformed),
        ("<gpx>&b;</gpx>", FeatureLimits(), .malformed),
        (
            "<gpx><wpt lat='1' lon='2'/><wpt lat='1' lon='2'/></gpx>", FeatureLimits(maximumFeatureCount: 1),
            .limitExceeded
        ),
        (
            "<gpx><wpt lat='1' lon='2'/><wpt lat='1' lon='2'/></gpx>", FeatureLimits(maximumCoordinateCount: 1),
            .limitExceeded
        ),
        ("<gpx><wpt lat='1' lon='2'/></gpx>", FeatureLimits(maximumByteCount: 20), .limitExceeded),
        ("<gpx><wpt lat='1' lon='2'/></gpx>", FeatureLimits(memory: MemoryBudget(byteLimit: 100)), .memory),
        ("<gpx><wpt lat='1' lon='2'/></gpx>", FeatureLimits(memory: MemoryBudget(byteLimit: 10)), .memory),
    ])
    func `what is broken or too large is a typed failure`(
        _ text: String, _ limits: FeatureLimits, _ code: GPXError.Code
    ) {
        let error = #expect(throws: GPXError.self) { try read(text, limits) }
        #expect(error?.code == code && error?.description.isEmpty == false)
    }

    @Test func `of warnings that are not kept it is told how many they are, and that something is missing`() throws {
        let text = "<gpx><wpt lat='1' lon='2'/>" + String(repeating: "<wpt/>", count: 5) + "</gpx>"
        let warnings = try GPXFormat().read(Array(text.utf8), limits: FeatureLimits(maximumWarningCount: 2)).warnings
        #expect(warnings.map(\.kind) == [.omitted, .omitted, .omitted])
        #expect(warnings.last?.message == "and 3 more warnings")
    }

    @Test func `another document of XML is told by its outermost element`() {
        let error = #expect(throws: GPXError.self) {
            try GPXFormat().read(Array("<kml/>".utf8), limits: FeatureLimits())
        }
        #expect(error?.code == .notGPX && error?.detail.contains("'kml'") == true && error?.line == 1)
    }

    @Test(arguments: [
        ("<gpx/>", true), ("  <?xml?><!-- <kml> --><a:gpx>", true), ("<gpxx>", false), ("<kml><gpx>", false),
        ("<!-- <gpx>", false), ("{", false), ("", false), ("<", false),
    ])
    func `a document is known by its first element`(_ start: String, _ isGPX: Bool) {
        #expect(GPXFormat().recognizes(Array(start.utf8)[...]) == isGPX)
        let wide = start.utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(GPXFormat().recognizes(wide[...]) == isGPX)
    }

    @Test func `what is written is read again`() throws {
        let collection = try read(Self.track)
        let bytes = try #require(GPXFormat().write(collection))
        let again = try GPXFormat().read(bytes, limits: FeatureLimits())
        func kept(_ collection: FeatureCollection) -> Set<Feature> {
            // A route's named point is a way point from then on, and each kind stands together.
            Set(
                collection.features.filter { $0.properties["gpx"] != "rtept" && $0.properties["name"] != "Ford" }.map {
                    var feature = $0
                    feature.id = nil
                    return feature
                })
        }
        #expect(kept(again) == kept(collection) && again.foreignMembers == collection.foreignMembers)
    }

    @Test func `numbers have no exponents, which the schema does not allow`() throws {
        let place = try GeoJSONReader.read(bytes: Array(#"{"type":"Point","coordinates":[0.00001,-2.5e-6,1e-5]}"#.utf8))
        let bytes = try #require(GPXFormat().write(place))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#"lat="-0.0000025" lon="0.00001"><ele>0.00001</ele>"#))
        let again = try GPXFormat().read(bytes, limits: FeatureLimits())
        #expect(again.features.map(\.geometry) == place.features.map(\.geometry))
    }

    @Test func `line ends in addresses and texts stay, and blanks alone are nothing`() throws {
        let links: PropertyValue = [["href": "a\n\t\"b\r"]]
        let place = Feature(
            geometry: .point(Coordinate(x: 1, y: 2)),
            properties: ["type": "poi", "name": "a\r\nb\tc", "comment": "  ", "links": links])
        let bytes = try #require(GPXFormat().write(FeatureCollection(features: [place])))
        let again = try GPXFormat().read(bytes, limits: FeatureLimits()).features.first?.properties
        #expect(again?["name"] == "a\r\nb\tc" && again?["comment"] == nil)
        #expect(again?["links"] == [["href": "a\n\t\"b"]])
    }

    @Test func `text is escaped, areas are left out, and other systems become degrees`() throws {
        let area = Geometry.polygon([
            [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 0, y: 0)]
        ])
        let collection = FeatureCollection(
            features: [
                Feature(geometry: area),
                Feature(
                    geometry: .point(Coordinate(x: 111_319.49079327358, y: 0)), properties: ["name": "a<b>&\"\u{1}"]),
            ], crs: .webMercator)
        let text = String(decoding: try #require(GPXFormat().write(collection)), as: UTF8.self)
        #expect(text.contains("<name>a&lt;b&gt;&amp;&quot;\u{FFFD}</name>") && !text.contains("trk"))
        let again = try read(text)
        let place = try #require(again.features.first?.geometry?.coordinates.first)
        #expect(again.features.count == 1 && abs(place.x - 1) < 1e-9 && abs(place.y) < 1e-9)
    }
}

import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import TestHelpers
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

    @Test func `waypoints, routes and tracks become features with their properties`() throws {
        let collection = try read(Self.track)
        #expect(collection.features.map { $0.id?.description } == ["wpt1", "rte1", "rtept2", "trk2"])
        #expect(collection.foreignMembers["name"] == "Walks")
        #expect(collection.foreignMembers["author"] == "Ada")
        let inn = try #require(collection.features.first)
        #expect(inn.pointOfInterest?.name == "Inn")
        #expect(inn.pointOfInterest?.description == "A house & a garden")
        #expect(inn.geometry?.coordinates == [Coordinate(x: 24.9, y: 60.1)])
        #expect(inn.geometry?.altitudes == [12.5])
        #expect(inn.properties["comment"] == "open")
        #expect(inn.properties["symbol"] == "Lodging")
        #expect(inn.properties["category"] == "inn")
        #expect(inn.properties["time"] == "2024-05-01T10:00:00Z")
        #expect(inn.properties["links"] == [["href": "inn.jpg", "text": "The front", "type": "image/jpeg"]])
        #expect(collection.features[1].geometry?.kind == .lineString)
        #expect(collection.features[1].route?.name == "Plan")
        #expect(collection.features[2].pointOfInterest?.name == "Ford")
        #expect(collection.warnings.isEmpty)
    }

    @Test func `segments become parts, with altitudes and times for each point`() throws {
        let track = try #require(try read(Self.track).features.last), geometry = try #require(track.geometry)
        #expect(geometry.kind == .multiLineString)
        #expect(geometry.parts.map { $0.count } == [2, 2])
        #expect(geometry.altitudes == [1, nil, nil, nil])
        #expect(track.properties["coordinateProperties"] == ["times": [["t1", nil], [nil, "t4"]]])
    }

    @Test func `routes and tracks without a line are kept`() throws {
        let collection = try read(
            "<gpx><rte><name>a</name></rte><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk><trk><trkseg>"
                + "<trkpt lat='1' lon='2'/></trkseg><trkseg><trkpt lat='1' lon='2'/><trkpt lat='3' lon='4'/></trkseg></trk></gpx>"
        )
        #expect(collection.features.map { $0.geometry?.kind } == [nil, nil, .lineString])
        #expect(collection.warnings.map(\.effect) == [.omitted, .omitted])
        let again = try GPXFormat().read(try #require(GPXFormat().write(collection)), limits: FeatureLimits())
        #expect(again.features.count == 3)
        #expect(again.features.contains { $0.geometry == nil && $0.title == "a" })
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
    func `documents of any version are read, and points without coordinates are left out`(
        _ text: String, _ count: Int
    ) throws {
        let collection = try read(text)
        #expect(collection.features.map { $0.geometry?.coordinates } == [[Coordinate(x: 2, y: 1)]])
        #expect(collection.warnings.count == count)
        #expect(collection.warnings.allSatisfy { $0.effect == .omitted })
    }

    @Test(arguments: [
        ("<gpx><wpt lat='1' lon='2'>", FeatureLimits(), FeatureFileError.Code.malformed),
        ("<!DOCTYPE gpx [<!ENTITY b 'x'>]><gpx>&b;</gpx>", FeatureLimits(), .malformed),
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
    func `a malformed or oversized document is a typed error`(
        _ text: String, _ limits: FeatureLimits, _ code: FeatureFileError.Code
    ) {
        let error = #expect(throws: FeatureFileError.self) { try read(text, limits) }
        #expect(error?.code == code)
        #expect(error?.description.isEmpty == false)
    }

    @Test func `warnings over the limit are counted, and still report missing data`() throws {
        let text = "<gpx><wpt lat='1' lon='2'/>" + String(repeating: "<wpt/>", count: 5) + "</gpx>"
        let warnings = try GPXFormat().read(Array(text.utf8), limits: FeatureLimits(maximumWarningCount: 2)).warnings
        #expect(warnings.map(\.effect) == [.omitted, .omitted, .omitted])
        #expect(warnings.last?.message == "and 3 more warnings")
    }

    @Test func `another XML document is named by its root element`() {
        let error = #expect(throws: FeatureFileError.self) {
            try GPXFormat().read(Array("<kml/>".utf8), limits: FeatureLimits())
        }
        #expect(error?.code == .otherFormat)
        #expect(error?.detail.contains("'kml'") == true)
        #expect(error?.place == .line(1))
    }

    @Test(arguments: [
        ("<gpx/>", true), ("  <?xml?><!-- <kml> --><a:gpx>", true), ("<gpxx>", false), ("<kml><gpx>", false),
        ("<!-- <gpx>", false), ("{", false), ("", false), ("<", false),
    ])
    func `a document is recognised by its first element`(_ start: String, _ isGPX: Bool) {
        #expect(GPXFormat().recognizes(Array(start.utf8)[...]) == isGPX)
        let wide = start.utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(GPXFormat().recognizes(wide[...]) == isGPX)
    }

    @Test func `a document survives writing and reading`() throws {
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
        #expect(kept(again) == kept(collection))
        #expect(again.foreignMembers == collection.foreignMembers)
    }

    @Test func `random properties survive writing and reading`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<40 {
            var collection = FeatureCollection.random(using: &random)
            collection.features.removeAll { feature in
                guard let kind = feature.geometry?.kind else { return true }
                return ![.point, .lineString, .multiLineString].contains(kind)
            }
            collection.features.sort { $0.geometry?.kind == .point && $1.geometry?.kind != .point }
            for index in collection.features.indices {
                let isPoint = collection.features[index].geometry?.kind == .point
                collection.features[index].properties["tags"] = ["a": [nil, true, " b "], "c": ["d": 1.5]]
                collection.features[index].properties["type"] = isPoint ? .string("poi") : .integer(7)
                collection.features[index].properties["gpx"] = isPoint ? "wpt" : "trk"
            }
            let bytes = try #require(GPXFormat().write(collection))
            let again = try GPXFormat().read(bytes, limits: FeatureLimits())
            #expect(again.warnings.isEmpty)
            #expect(again.features.count == collection.features.count)
            for (read, written) in zip(again.features, collection.features) {
                // A line of one part is not a multi-part line.
                #expect(read.geometry?.parts.map(Array.init) == written.geometry?.parts.map(Array.init))
                #expect(read.geometry?.altitudes == written.geometry?.altitudes)
                #expect(Set(read.properties) == Set(written.properties))
            }
        }
    }

    private static let extended = """
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="http://www.garmin.com/xmlschemas/GpxExtensions/v3"
         xmlns:t="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" xmlns:ogr="http://osgeo.org/gdal">
         <wpt lat="1" lon="2"><extensions><ogr:CODE>007</ogr:CODE><ogr:n type="json">[1,null]</ogr:n><a:b xmlns:a="urn:a">
          <a:c>1</a:c><a:c> x </a:c><a:d/></a:b></extensions></wpt>
         <trk><extensions><g:TrackExtension><g:DisplayColor>DarkGreen</g:DisplayColor></g:TrackExtension></extensions>
          <trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"><time>t2</time><extensions><t:TrackPointExtension>
           <t:atemp>-2.5</t:atemp><t:hr>120</t:hr></t:TrackPointExtension><power>200</power></extensions></trkpt></trkseg>
          <trkseg><trkpt lat="1" lon="4"><extensions><power>210</power></extensions></trkpt></trkseg>
          <trkseg><trkpt lat="1" lon="5"><extensions><power>220</power></extensions></trkpt><trkpt lat="1" lon="6"/></trkseg></trk>
         <trk><extensions><line xmlns="http://www.topografix.com/GPX/gpx_style/0/2"><color>893380</color><opacity>0.5</opacity>
          <width>0.7920</width></line></extensions><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></trkseg></trk>
        </gpx>
        """

    @Test func `extensions become properties, and colours of receivers become styles`() throws {
        let collection = try read(Self.extended)
        #expect(collection.warnings.map(\.effect) == [.omitted])
        let properties = collection.features.map(\.properties)
        #expect(properties[0]["CODE"] == "007")
        #expect(properties[0]["n"] == [1, nil])
        #expect(properties[0]["extensions"] == ["b/c": ["1", "x"]])
        #expect(properties[1]["extensions"] == ["TrackExtension/DisplayColor": "DarkGreen"])
        #expect(properties[1]["style"] == ["default": ["strokeColor": "#008b00"]])
        #expect(
            properties[1]["coordinateProperties"] == [
                "times": [[nil, "t2"], [nil, nil]], "atemp": [[nil, -2.5], [nil, nil]],
                "hr": [[nil, 120], [nil, nil]],
                "power": [[nil, 200], [220, nil]],
            ])
        #expect(
            properties[2]["style"] == [
                "default": ["strokeColor": "#893380", "strokeOpacity": 0.5, "strokeWidth": 2.99]
            ])
        let written = try #require(GPXFormat().write(collection))
        #expect(String(decoding: written, as: UTF8.self).contains("<gpxtpx:atemp>-2.5</gpxtpx:atemp><gpxtpx:hr>120<"))
        let again = try GPXFormat().read(written, limits: FeatureLimits())
        for (read, written) in zip(again.features, collection.features) {
            func said(_ feature: Feature) -> Set<Properties.Element> {
                var properties = feature.properties
                // The columns have no particular order.
                let columns = properties["coordinateProperties"]?.objectValue
                properties["coordinateProperties"] = nil
                return Set(properties).union(columns ?? [:])
            }
            #expect(read.geometry == written.geometry)
            #expect(said(read) == said(written))
        }
    }

    @Test func `long extensions are truncated`() throws {
        let many = (0..<1000).map { "<e\($0)>1</e\($0)>" }.joined()
        let point = "<trkpt lat='1' lon='2'><extensions>\(many)</extensions></trkpt>"
        let feature = try #require(
            try read("<gpx><trk><extensions>\(many)</extensions><trkseg>\(point)\(point)</trkseg></trk></gpx>").features
                .first)
        #expect(feature.properties["extensions"]?.objectValue?.count == 256)
        #expect(feature.properties["coordinateProperties"]?.objectValue?.count == 32)
    }

    @Test func `numbers are written without exponents`() throws {
        let place = try GeoJSONReader.read(Array(#"{"type":"Point","coordinates":[0.00001,-2.5e-6,1e-5]}"#.utf8))
        let bytes = try #require(GPXFormat().write(place))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#"lat="-0.0000025" lon="0.00001"><ele>0.00001</ele>"#))
        let again = try GPXFormat().read(bytes, limits: FeatureLimits())
        #expect(again.features.map(\.geometry) == place.features.map(\.geometry))
    }

    @Test func `line ends and spaces in links and texts survive`() throws {
        let links: PropertyValue = [["href": "a\n\t\"b\r"]]
        let place = Feature(
            geometry: .point(Coordinate(x: 1, y: 2)),
            properties: ["type": "poi", "name": "a\r\nb\tc", "comment": "  ", "links": links])
        let bytes = try #require(GPXFormat().write(FeatureCollection(features: [place])))
        let again = try GPXFormat().read(bytes, limits: FeatureLimits()).features.first?.properties
        #expect(again?["name"] == "a\r\nb\tc")
        #expect(again?["comment"] == "  ")
        #expect(again?["links"] == links)
    }

    @Test func `text is escaped, areas are left out, and other CRSs are converted to degrees`() throws {
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
        #expect(text.contains("<name>a&lt;b&gt;&amp;&quot;\u{FFFD}</name>"))
        #expect(!text.contains("trk"))
        let again = try read(text)
        let place = try #require(again.features.first?.geometry?.coordinates.first)
        #expect(again.features.count == 1)
        #expect(abs(place.x - 1) < 1e-9)
        #expect(abs(place.y) < 1e-9)
    }

    @Test func `written longitudes are between -180 and 180`() throws {
        let line = Geometry.lineString([Coordinate(x: 170, y: 1), Coordinate(x: 190, y: 2)])
        let bytes = try #require(GPXFormat().write(FeatureCollection(features: [Feature(geometry: line)])))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("lon=\"170\""))
        #expect(text.contains("lon=\"-170\""))
    }
}

/// Metadata of lines from receivers and phones, and documents that end early.
@Suite struct GPXMakersTests {
    private func read(_ inside: String, _ limits: FeatureLimits = FeatureLimits()) throws -> FeatureCollection {
        let document =
            "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:g=\"urn:g\" xmlns:o=\"urn:o\">\(inside)</gpx>"
        return try FeatureFormats.standard.read(Array(document.utf8), limits: limits)
    }

    private static let segment = "<trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/></trkseg>"

    @Test(
        arguments: [
            (
                "<g:TrackExtension><g:DisplayColor>Magenta</g:DisplayColor></g:TrackExtension>",
                ["strokeColor": "#ff00ff"]
            ),
            (
                "<o:color>#80ff0000</o:color><o:width>bold</o:width>",
                ["strokeColor": "#ff0000", "strokeOpacity": 0.502, "strokeWidth": 8.0]
            ),
            ("<o:color>#00aa00</o:color><o:width>6.5</o:width>", ["strokeColor": "#00aa00", "strokeWidth": 6.5]),
            (
                "<o:style><o:lsColorBase>#FF0000FF</o:lsColorBase><o:lsWidth>4.0</o:lsWidth></o:style>",
                ["strokeColor": "#0000ff", "strokeWidth": 4.0]
            ),
            (
                "<line xmlns=\"urn:l\"><color>ff8800</color><opacity>0.5</opacity><width>3.0</width><linecap>butt</linecap></line>",
                ["strokeColor": "#ff8800", "strokeOpacity": 0.5, "strokeWidth": 11.34, "strokeLinecap": "butt"]
            ),
            ("<color>0000ff</color><line xmlns=\"urn:l\"><color>ff8800</color></line>", ["strokeColor": "#ff8800"]),
            ("<o:color>reddish</o:color><o:width>wide</o:width>", nil),
        ] as [(String, Properties?)])
    func `colours and widths of a track become its style`(_ extensions: String, _ style: Properties?) throws {
        let collection = try read("<trk><extensions>\(extensions)</extensions>\(Self.segment)</trk>")
        let found = collection.features[0].properties["style"]?.objectValue?["default"]?.objectValue
        #expect(found == style)
        var warnings: [MapWarning] = []
        let look = StyleResolver().style(for: collection.features[0], warnings: &warnings)
        #expect(warnings.isEmpty)
        #expect((style == nil || look.stroke?.color != StyleDeclaration().style.stroke?.color))
    }

    @Test func `a document style applies to its tracks, and the colour of a point to its pin`() throws {
        let collection = try read(
            "<wpt lat=\"1\" lon=\"2\"><extensions><o:color>#ff0000</o:color></extensions></wpt><trk>\(Self.segment)</trk>"
                + "<trk><extensions><o:color>#00ff00</o:color></extensions>\(Self.segment)</trk>"
                + "<extensions><o:color>#0000ff</o:color></extensions>")
        #expect(collection.features[0].properties["marker-color"] == "#ff0000")
        let colors = collection.features.dropFirst().map {
            $0.properties["style"]?.objectValue?["default"]?.objectValue?["strokeColor"]
        }
        #expect(colors == ["#0000ff", "#00ff00"])
    }

    @Test func `a route follows the intermediate points of Garmin planners`() throws {
        let collection = try read(
            "<rte><rtept lat=\"50\" lon=\"10\"/><rtept lat=\"51\" lon=\"11\"><extensions><g:RoutePointExtension>"
                + "<g:rpt lat=\"51.2\" lon=\"11.5\"/><g:rpt lat=\"99\" lon=\"0\"/><g:rpt lat=\"51.5\" lon=\"11.2\"/></g:RoutePointExtension></extensions></rtept>"
                + "<rtept lat=\"52\" lon=\"12\"/></rte>")
        #expect(collection.features[0].geometry?.coordinates.map(\.x) == [10, 11, 11.5, 11.2, 12])
    }

    @Test(arguments: [
        "<trkpt lat=\"51.4\" lon=\"11.4", "<trkpt lat=\"1\" lon=\"4\"><ele>12",
        "<trkpt lat=\"1\" lon=\"4\"><time>2020-01-0", "<!-- half",
        "<trkpt lat=\"1\" lon=\"4\"></trk", "<",
    ])
    func `a truncated document is read up to its end, with a warning`(rest: String) throws {
        let start = "<gpx><trk><name>Walk</name><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/>"
        let collection = try FeatureFormats.standard.read(Array((start + rest).utf8))
        #expect(collection.features[0].geometry?.coordinates.prefix(2).map(\.x) == [2, 3])
        #expect(collection.features[0].geometry?.altitudes.allSatisfy { $0 == nil } ?? true)
        #expect(collection.warnings.contains { $0.effect == .omitted })
    }

    @Test(arguments: ["<gpx", "<gpx><trk></gpx>", "<gpx><trk></trkx></gpx>"])
    func `otherwise malformed documents are rejected`(text: String) {
        #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(Array(text.utf8)) }
    }
}

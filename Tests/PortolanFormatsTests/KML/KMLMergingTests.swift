import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import PortolanZip
import TestHelpers
import Testing

/// How shared and own styles, links and pictures come together.
@Suite struct KMLMergingTests {
    private func read(_ inside: String) throws -> FeatureCollection {
        try KMLFormatTests.read("<kml xmlns:gx=\"urn:g\" xmlns:kml=\"urn:k\"><Document>\(inside)</Document></kml>")
    }

    private func style(_ feature: Feature) -> Style {
        var warnings: [MapWarning] = []
        return StyleResolver().style(for: feature, warnings: &warnings)
    }

    private static let shared = """
        <Style id="s"><IconStyle><color>ff0000ff</color><scale>2</scale><Icon><href>a.png</href></Icon></IconStyle>
        <LineStyle><color>ff0000ff</color><width>6</width></LineStyle>
        <PolyStyle><color>8000ff00</color><outline>1</outline></PolyStyle></Style>
        """
    private static let point = "<Point><coordinates>1,2</coordinates></Point>"
    private static let area =
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 0,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>"

    @Test(
        arguments: [
            ("<LineStyle><width>1</width></LineStyle>", MapColor(red: 255, green: 0, blue: 0), 1, true),
            ("<LineStyle><color>ffff0000</color></LineStyle>", MapColor(red: 0, green: 0, blue: 255), 6, true),
            ("<PolyStyle><fill>0</fill></PolyStyle>", MapColor(red: 255, green: 0, blue: 0), 6, false),
            ("<PolyStyle><outline>0</outline></PolyStyle>", nil, 6, true),
            ("", MapColor(red: 255, green: 0, blue: 0), 6, true),
        ] as [(String, MapColor?, Double, Bool)])
    func `an inline style overrides single elements of a shared one`(
        _ own: String, _ stroke: MapColor?, _ width: Double, _ isFilled: Bool
    ) throws {
        let look = style(
            try read("\(Self.shared)<Placemark><styleUrl>#s</styleUrl><Style>\(own)</Style>\(Self.area)</Placemark>")
                .features[0])
        #expect(look.stroke?.color == stroke)
        #expect((look.stroke == nil || look.stroke?.width == width))
        #expect((look.fill != nil) == isFilled)
        #expect(look.fill == nil || look.fill?.color == MapColor(red: 0, green: 255, blue: 0, alpha: 128))
    }

    @Test func `an inline heading keeps the icon of the shared style, with size and tint`() throws {
        let own = "<Style><IconStyle><heading>45</heading></IconStyle></Style>"
        let feature = try read("\(Self.shared)<Placemark><styleUrl>#s</styleUrl>\(own)\(Self.point)</Placemark>")
            .features[0]
        guard case .icon(let icon)? = style(feature).marker else { throw Missing() }
        #expect(icon.source == .file("a.png"))
        #expect(icon.rotation == 45)
        #expect(icon.height == 64)
        #expect(icon.tint == MapColor(red: 255, green: 0, blue: 0))
    }

    private struct Missing: Error {}

    @Test(arguments: [
        "<gx:CascadingStyle kml:id=\"s\"><Style>%</Style></gx:CascadingStyle>",
        "<gx:CascadingStyle kml:id=\"s\"><styleUrl>#t</styleUrl><Style><LineStyle><width>3</width></LineStyle></Style></gx:CascadingStyle><Style id=\"t\">%</Style>",
        "<StyleMap id=\"s\"><Pair><key>normal</key><styleUrl>#n</styleUrl></Pair></StyleMap><gx:CascadingStyle kml:id=\"n\"><Style>%</Style></gx:CascadingStyle>",
    ])
    func `styles wrapped by Google Earth are found`(text: String) throws {
        let line = "<LineStyle><color>ff0000ff</color></LineStyle>"
        let collection = try read(
            "<Placemark><styleUrl>#s</styleUrl>\(Self.area)</Placemark>" + text.replacing("%", with: line))
        #expect(collection.warnings.isEmpty)
        #expect(style(collection.features[0]).stroke?.color == MapColor(red: 255, green: 0, blue: 0))
    }

    @Test(
        arguments: [
            ("10,50\n,12,53\n,14,50", [[10, 50], [12, 53], [14, 50]]), (",10,50 ,12,53", [[10, 50], [12, 53]]),
            ("10,50,\n12,53,\n14,50,", [[10, 50], [12, 53], [14, 50]]),
            ("10,50,0, 12,53,0,", [[10, 50, 0], [12, 53, 0]]),
            ("10, 50, 7 12, 53, 8", [[10, 50, 7], [12, 53, 8]]), ("10 ,50 ,7 12 ,53 ,8", [[10, 50, 7], [12, 53, 8]]),
            ("10 , 50 12 , 53", [[10, 50], [12, 53]]), ("10,50,7,12,53,8", [[10, 50, 7], [12, 53, 8]]),
            ("10,50, 7 12,53, 8", [[10, 50, 7], [12, 53, 8]]), ("10,50 12,53", [[10, 50], [12, 53]]),
        ] as [(String, [[Double]])])
    func `coordinates are separated by white space, and stray commas are ignored`(
        _ text: String, _ wanted: [[Double]]
    ) throws {
        let collection = try read("<Placemark><LineString><coordinates>\(text)</coordinates></LineString></Placemark>")
        let shape = try #require(collection.features[0].geometry)
        let found = shape.coordinates.indices.map { index in
            [shape.coordinates[index].x, shape.coordinates[index].y]
                + (shape.altitudes.isEmpty ? [] : shape.altitudes[index].map { [$0] } ?? [])
        }
        #expect(found == wanted)
        #expect(collection.warnings.isEmpty)
    }

    // MARK: Archives

    private func archive(_ files: [(String, String)]) throws -> FeatureCollection {
        var zip = ZipWriter()
        for (name, text) in files {
            let isAdded = zip.add(name, Array(text.utf8))
            #expect(isAdded)
        }
        return try FeatureFormats.standard.read(zip.finished())
    }

    private func link(_ address: String, _ more: String = "") -> String {
        "<NetworkLink>\(more)<Link><href>\(address)</href></Link></NetworkLink>"
    }

    @Test func `links within an archive are followed once each`() throws {
        let place = "<Placemark><name>%</name>\(Self.point)</Placemark>"
        let collection = try archive([
            (
                "doc.kml",
                "<kml><Document>\(link("layers/a.kml"))\(link("layers/a.kml"))\(link("https://example.org/x.kml"))\(link("none.kml"))</Document></kml>"
            ),
            (
                "layers/a.kml",
                "<kml><Document>\(place.replacing("%", with: "a"))\(link("b.kml"))\(link("../doc.kml"))</Document></kml>"
            ),
            ("layers/b.kml", "<kml><Document>\(place.replacing("%", with: "b"))</Document></kml>"),
            ("unused.kml", "<kml>\(place)</kml>"),
        ])
        #expect(collection.features.map { $0.properties["name"] } == ["a", "b"])
        #expect(collection.warnings.map(\.effect) == [.note, .note])
        #expect(collection.foreignMembers["networkLinks"]?.arrayValue?.count == 2)
    }

    @Test func `a hidden link is not followed, and a broken document affects only itself`() throws {
        let collection = try archive([
            (
                "doc.kml",
                "<kml><Document>\(Self.point)\(link("a.kml", "<visibility>0</visibility>"))\(link("b.kml"))<Placemark>\(Self.point)</Placemark></Document></kml>"
            ),
            ("a.kml", "<kml><Placemark>\(Self.point)</Placemark></kml>"), ("b.kml", "<kml><Placemark>"),
            ("c.kml", ""),
        ])
        #expect(collection.features.count >= 1)
        #expect(collection.warnings.contains { $0.effect == .omitted })
    }

    @Test func `styles in another document of the archive are found`() throws {
        let collection = try archive([
            ("doc.kml", "<kml><Placemark><styleUrl>styles/s.kml#m</styleUrl>\(Self.area)</Placemark></kml>"),
            (
                "styles/s.kml",
                "<kml><Document>\(Self.shared)<StyleMap id=\"m\"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap></Document></kml>"
            ),
        ])
        #expect(collection.warnings.isEmpty && style(collection.features[0]).stroke?.width == 6)
    }

    // MARK: Pictures on the ground

    private func overlay(_ inside: String) throws -> FeatureCollection {
        try read("<GroundOverlay><name>o</name><Icon><href>o.png</href></Icon>\(inside)</GroundOverlay>")
    }

    private static let box = "<north>53</north><south>50</south><east>14</east><west>10</west>"

    @Test(
        arguments: [
            ("<LatLonBox>\(box)</LatLonBox>", [10, 50, 14, 50, 14, 53, 10, 53]),
            ("<LatLonBox>\(box)<rotation>90</rotation></LatLonBox>", [13.5, 49.5, 13.5, 53.5, 10.5, 53.5, 10.5, 49.5]),
            (
                "<LatLonBox>\(box.replacing(">14<", with: ">-170<").replacing(">10<", with: ">170<"))</LatLonBox>",
                [170, 50, 190, 50, 190, 53, 170, 53]
            ),
            (
                "<gx:LatLonQuad><coordinates>10,50 14,49 13,53 10,52</coordinates></gx:LatLonQuad>",
                [10, 50, 14, 49, 13, 53, 10, 52]
            ),
            (
                "<gx:LatLonQuad><coordinates>179,50 -179,50 -179,53 179,53</coordinates></gx:LatLonQuad>",
                [179, 50, 181, 50, 181, 53, 179, 53]
            ),
        ] as [(String, [Double])])
    func `a ground overlay has four corners`(_ text: String, _ corners: [Double]) throws {
        let collection = try overlay(text + "<color>80ffffff</color><drawOrder>3</drawOrder>")
        let overlay = try #require(collection.overlays.first)
        #expect(
            overlay.corners.flatMap { [$0.x, $0.y] } == corners && overlay.address == "o.png" && overlay.order == 3)
        #expect(abs(overlay.opacity - 0.5) < 0.01)
        #expect(collection.warnings.isEmpty)
        let look = style(collection.features[0])
        #expect(look.fill == nil)
        #expect(look.stroke == nil)
    }

    @Test(arguments: [
        "", "<LatLonBox><north>53</north></LatLonBox>",
        "<gx:LatLonQuad><coordinates>1,2 3,4</coordinates></gx:LatLonQuad>",
        "<LatLonBox><north>95</north><south>50</south><east>14</east><west>10</west></LatLonBox>",
    ])
    func `a ground overlay without a position is left out with a warning`(text: String) throws {
        let collection = try overlay(text)
        #expect(collection.overlays.isEmpty)
        #expect(collection.warnings.contains { $0.effect == .omitted })
    }

    @Test func `a hidden overlay is skipped, and overlays are sorted by their draw order`() throws {
        #expect(try overlay("<visibility>0</visibility><LatLonBox>\(Self.box)</LatLonBox>").overlays.isEmpty)
        let two = try read(
            [("b", 2), ("a", 1), ("c", 2)].map {
                "<GroundOverlay><Icon><href>\($0.0)</href></Icon><drawOrder>\($0.1)</drawOrder><LatLonBox>\(Self.box)</LatLonBox></GroundOverlay>"
            }.joined())
        #expect(two.overlays.map(\.address) == ["a", "b", "c"])
    }
}

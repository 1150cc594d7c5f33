import PortolanFeatures
import PortolanFormats
import PortolanRaster
import PortolanWeb
import Testing

@Suite struct KMLStyleTests {
    private func features(_ inside: String) throws -> FeatureCollection {
        try KMLFormatTests.read("<kml><Document>\(inside)</Document></kml>")
    }

    private static let point = "<Point><coordinates>1,2</coordinates></Point>"
    private static let line = "<LineString><coordinates>1,2 3,4</coordinates></LineString>"
    private static let area =
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 0,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>"

    private func style(_ feature: Feature, selected: Bool = false) -> Style {
        var warnings: [MapWarning] = []
        defer { #expect(warnings.isEmpty) }
        return StyleResolver().style(for: feature, selected: selected, warnings: &warnings)
    }

    @Test(
        arguments: [
            ("7fff0000", "#0000ff", 0.498, 0), ("#ff0000ff", "#ff0000", 1, 1), ("ff00ff", "#ff00ff", 1, 1),
            ("ff0", "#ffff00", 1, 1),
            ("f0000ff", "#ff0000", 0.059, 1), ("red", nil, 0, 1), ("", nil, 0, 0),
        ] as [(String, String?, Double, Int)])
    func `colours are parsed as real files write them`(
        _ text: String, _ color: String?, _ opacity: Double, _ faults: Int
    ) throws {
        let collection = try features(
            "<Placemark><Style><LineStyle><color>\(text)</color><width>3</width></LineStyle></Style>\(Self.line)</Placemark>"
        )
        let stroke = try #require(style(collection.features[0]).stroke)
        // Without a colour a symbol is white.
        #expect(stroke.color.withAlpha255 == MapColor(css: color ?? "#ffffff"))
        #expect(color == nil || abs(Double(stroke.color.alpha) / 255 - opacity) < 0.01)
        #expect(stroke.width == 3)
        #expect(collection.warnings.count == faults)
    }

    @Test func `shared styles are found even after their use, and inline styles override them`() throws {
        let collection = try features(
            """
            <Placemark><styleUrl>#m</styleUrl>\(Self.area)</Placemark>
            <Placemark><styleUrl>s</styleUrl><Style><LineStyle><width>9</width></LineStyle></Style>\(Self.area)</Placemark>
            <StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair>
             <Pair><key>highlight</key><Style><LineStyle><width>5</width></LineStyle></Style></Pair></StyleMap>
            <Style id="s"><LineStyle><color>ff0000ff</color><width>2</width></LineStyle>
             <PolyStyle><color>8000ff00</color><outline>0</outline></PolyStyle></Style>
            """)
        #expect(collection.warnings.isEmpty)
        let usual = style(collection.features[0]), selected = style(collection.features[0], selected: true)
        #expect(usual.stroke == nil)
        #expect(usual.fill?.color == MapColor(red: 0, green: 255, blue: 0, alpha: 128))
        #expect(selected.stroke == nil || selected.stroke?.width == 5)
        #expect(style(collection.features[1]).fill == usual.fill)
        #expect(
            collection.features[1].properties["style"]?.objectValue?["default"]?.objectValue?["strokeWidth"]?
                .doubleValue == 9)
    }

    @Test func `styles in other files, missing styles and circular ones are reported`() throws {
        let collection = try features(
            """
            <Placemark><styleUrl>other.kml#s</styleUrl></Placemark><Placemark><styleUrl>#none</styleUrl></Placemark>
            <Placemark><styleUrl>#a</styleUrl></Placemark>
            <StyleMap id="a"><Pair><key>normal</key><styleUrl>#b</styleUrl></Pair></StyleMap>
            <StyleMap id="b"><Pair><key>normal</key><styleUrl>#a</styleUrl></Pair></StyleMap>
            """)
        #expect(collection.features.allSatisfy { $0.properties["style"] == nil })
        #expect(collection.warnings.count >= 3)
        #expect(collection.warnings.allSatisfy { $0.effect == .note })
    }

    @Test func `icons have their size and hot spot, and labels their style`() throws {
        let collection = try features(
            """
            <Placemark><name>Inn</name><Style><IconStyle><scale>2</scale><heading>90</heading><color>80ffffff</color>
             <Icon><href>pins/inn.png</href></Icon><hotSpot x="0.25" y="0" xunits="fraction" yunits="fraction"/></IconStyle>
             <LabelStyle><color>ff00ffff</color><scale>2</scale></LabelStyle></Style>\(Self.point)</Placemark>
            <Placemark><name>Pin</name><Style><IconStyle><color>ff0000ff</color><Icon><href>root://icons/palette-3.png</href></Icon>
             </IconStyle><LabelStyle><scale>0</scale></LabelStyle></Style>\(Self.point)</Placemark>
            <Placemark><Style><IconStyle><Icon><href>a.png</href></Icon><hotSpot x="32" y="64" xunits="pixels" yunits="insetPixels"/>
             </IconStyle></Style>\(Self.point)</Placemark>
            <Placemark><Style><IconStyle><scale>0</scale></IconStyle></Style>\(Self.point)</Placemark>
            """)
        let inn = style(collection.features[0])
        guard case .icon(let icon) = inn.marker else {
            Issue.record("no icon")
            return
        }
        #expect(icon.source == .file("pins/inn.png"))
        #expect(icon.height == 64)
        #expect(icon.width == nil)
        #expect(icon.rotation == 90)
        #expect(icon.offsetX == -16)
        #expect(icon.offsetY == -64)
        #expect(abs(icon.opacity - 0.5) < 0.01)
        #expect(inn.label?.template == "${name}")
        #expect(inn.label?.size == 28)
        #expect(inn.label?.color == MapColor(red: 255, green: 255, blue: 0))
        let pin = style(collection.features[1])
        guard case .shape(let shape) = pin.marker else {
            Issue.record("no pin")
            return
        }
        #expect(shape.shape == .pin)
        #expect(shape.fill?.color == MapColor(red: 255, green: 0, blue: 0))
        #expect(pin.label == nil)
        guard case .icon(let third) = style(collection.features[2]).marker else {
            Issue.record("no icon")
            return
        }
        #expect(third.offsetX == nil)
        #expect(third.anchor == .center)
        #expect(third.offsetY == -32)
        #expect(style(collection.features[3]).marker == nil)
    }

    @Test func `styles survive writing and reading`() throws {
        let first = try features(
            """
            <Style id="s"><IconStyle><scale>0.5</scale><Icon><href>a.png</href></Icon><hotSpot x="0" y="1"/></IconStyle>
             <LabelStyle><scale>1</scale></LabelStyle><LineStyle><color>7f0000ff</color><width>2.5</width></LineStyle>
             <PolyStyle><color>8000ff00</color></PolyStyle></Style>
            <Style id="h"><IconStyle><Icon><href>a.png</href></Icon></IconStyle><LineStyle><width>4</width></LineStyle></Style>
            <StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair><Pair><key>highlight</key>
             <styleUrl>#h</styleUrl></Pair></StyleMap>
            <Placemark><name>a</name><styleUrl>#m</styleUrl>\(Self.point)</Placemark>
            <Placemark><styleUrl>#s</styleUrl>\(Self.line)</Placemark>
            <Placemark><styleUrl>#s</styleUrl>\(Self.area)</Placemark>
            <Placemark><visibility>0</visibility>\(Self.area)</Placemark>
            """)
        let bytes = try #require(KMLFormat().write(first))
        let again = try KMLFormat().read(bytes, limits: FeatureLimits())
        for (read, written) in zip(again.features, first.features) {
            let one = style(read), other = style(written)
            #expect(one.isHidden == other.isHidden)
            guard !one.isHidden else { continue }
            #expect(one.label == other.label)
            switch written.geometry?.kind {
            case .point: #expect(one.marker == other.marker)
            case .polygon: #expect(one.stroke == other.stroke && one.fill == other.fill)
            default: #expect(one.stroke == other.stroke)
            }
        }
    }
}

extension MapColor {
    fileprivate var withAlpha255: MapColor { MapColor(red: red, green: green, blue: blue) }
}

import PortolanGeo
import PortolanServices
import PortolanWeb
import PortolanXML
import Testing

@Suite struct WMSCapabilitiesReaderTests {
    private func read(_ file: String) throws -> WMSCapabilities { try WMSCapabilitiesReader.read(Fixture.bytes(file)) }

    private func read(text: String) throws -> WMSCapabilities { try WMSCapabilitiesReader.read(Array(text.utf8)) }

    @Test(arguments: [
        ("mapserver/caps-1.0.0.xml", WMSCapabilities.Version.v1_0_0), ("mapserver/caps-1.0.7.xml", .v1_0_0),
        ("mapserver/caps-1.1.0.xml", .v1_1_0), ("mapserver/caps-1.1.1.xml", .v1_1_1),
        ("mapserver/caps-1.3.0.xml", .v1_3_0), ("mapproxy/caps-1.0.0.xml", .v1_0_0),
        ("mapproxy/caps-1.1.1.xml", .v1_1_1), ("mapproxy/caps-1.3.0.xml", .v1_3_0),
    ])
    func `a service is read alike in each version`(file: String, version: WMSCapabilities.Version) throws {
        let capabilities = try read(file)
        let isMapServer = file.hasPrefix("mapserver")
        #expect(capabilities.version == version)
        #expect(
            capabilities.service.title
                == (isMapServer ? "Portolan test world (MapServer)" : "Portolan test cache (MapProxy) ñ"))
        let address = isMapServer ? "http://127.0.0.1:18080/wms?" : "http://127.0.0.1:18081/service?"
        #expect(capabilities.getMap?.getURL == address)
        #expect(capabilities.getFeatureInfo?.getURL == address)
        #expect(capabilities.getCapabilities?.getURL == address)
        #expect(capabilities.service.onlineResource != address)
        #expect(capabilities.getMap?.formats.map(\.mediaType).contains("image/png") == true)
        #expect(capabilities.exceptionFormats.count == 3)
        #expect(capabilities.warnings == [])
        let relief = try #require(capabilities.layer(named: "relief"))
        #expect(relief.crsNames.contains("EPSG:25830"))
        #expect(relief.geographicBox?.minX == -180)
        let box = try #require(relief.boundingBox(in: .epsg4326))
        #expect(box.minX == -180)
        #expect(box.maxX == 180)
        #expect(abs(box.maxY - (isMapServer ? 90 : 85.0511287798066)) < 1e-9)
    }

    @Test func `formats of version 1_0_0 keep their names and get media types`() throws {
        let formats = try #require(try read("mapserver/caps-1.0.0.xml").getMap?.formats)
        #expect(formats.map(\.verbatim) == ["PNG", "JPEG", "SVG"])
        #expect(formats.map(\.mediaType) == ["image/png", "image/jpeg", "image/svg+xml"])
    }

    @Test func `fees, limits and texts are read`() throws {
        let service = try read("mapserver/caps-1.3.0.xml").service
        #expect(service.layerLimit == 12)
        #expect(service.maxWidth == 2048)
        #expect(service.maxHeight == 2048)
        #expect(service.fees == "none")
        #expect(service.keywords == ["world", "natural earth", "España"])
        #expect(service.organization == "Portolan tests")
        #expect(service.abstract?.hasSuffix("<not> for navigation. Áéíóú ñ Ж 日本") == true)
    }

    @Test func `layers inherit styles, CRSs, attribution and flags`() throws {
        let capabilities = try read("mapserver/caps-1.3.0.xml")
        let countries = try #require(capabilities.layer(named: "countries"))
        #expect(countries.styles.map(\.name).contains("outline"))
        #expect(countries.isQueryable)
        #expect(countries.attribution?.title?.contains("Natural Earth") == true)
        #expect(countries.attribution?.url == "http://example.invalid/natural-earth")
        #expect(countries.crsNames.count == 8)
        #expect(countries.styles.first?.legends.first?.url.contains("GetLegendGraphic") == true)
        #expect(capabilities.layer(named: "borders")?.isQueryable == false)
        #expect(capabilities.layerNames.first == "world")
    }

    @Test func `scale limits are read from denominators and from ScaleHint diagonals`() throws {
        let new = try #require(try read("mapserver/caps-1.3.0.xml").layer(named: "cities_detail"))
        #expect(new.minScaleDenominator == 10_000)
        #expect(new.maxScaleDenominator == 2_000_000)
        let old = try #require(try read("mapserver/caps-1.1.1.xml").layer(named: "cities_detail"))
        #expect(old.scaleHint == 4.98902848429637...997.805696859274)
        // MapServer computes its hints for 72 dots an inch, so they differ from the denominators by 0.28 mm * 72 dpi.
        let ratio = 0.0254 / 72 / 0.00028
        #expect(abs((old.minScaleDenominator ?? 0) / (10_000 * ratio) - 1) < 1e-5)
    }

    @Test func `dimensions are read`() throws {
        let layer = try #require(try read("mapproxy/dims-wms-caps.xml").layer(named: "dated"))
        let time = try #require(layer.dimensions.first)
        #expect(time.name == "time")
        #expect(time.units == "ISO8601")
        #expect(time.defaultValue == "2026-01-01")
        #expect(time.values == "2024-01-01,2025-01-01,2026-01-01")
        #expect(time.parameterName == "TIME")
        #expect(!time.takesNearest)
    }

    @Test func `inheritance follows the tables of the standards`() throws {
        let capabilities = try read(
            text: """
                <WMT_MS_Capabilities version="1.1.1"><Capability><Layer queryable="1" opaque="1" fixedWidth="9">
                <Name>top</Name><SRS>EPSG:4326 EPSG:3857</SRS><SRS>EPSG:25830</SRS>
                <LatLonBoundingBox minx="-10" miny="30" maxx="5" maxy="45"/>
                <BoundingBox SRS="EPSG:4326" minx="-10" miny="30" maxx="5" maxy="45"/>
                <BoundingBox SRS="EPSG:3857" minx="0" miny="0" maxx="9" maxy="9"/>
                <Style><Name>a</Name><Title>top</Title></Style><Style><Name>b</Name></Style>
                <Dimension name="time" units="ISO8601"/><Extent name="time" default="1">1,2</Extent>
                <Attribution><Title>T</Title></Attribution><ScaleHint min="1" max="2"/>
                <Layer queryable="0"><Title>heading</Title><SRS>EPSG:3857 EPSG:3035</SRS>
                <BoundingBox SRS="EPSG:3857" minx="1" miny="1" maxx="2" maxy="2"/>
                <Style><Name>a</Name><Title>own</Title></Style><Dimension name="elevation" units="m"/>
                <Layer><Name>leaf</Name><LatLonBoundingBox minx="0" miny="31" maxx="1" maxy="32"/>
                <Attribution><Title>own</Title></Attribution></Layer>
                </Layer></Layer></Capability></WMT_MS_Capabilities>
                """)
        let leaf = try #require(capabilities.layer(named: "leaf"))
        #expect(leaf.crsNames == ["EPSG:4326", "EPSG:3857", "EPSG:25830", "EPSG:3035"])
        #expect(leaf.styles.map(\.name) == ["a", "b"])
        #expect(leaf.styles.first?.title == "own")
        #expect(leaf.boundingBoxes.map(\.crsName) == ["EPSG:4326", "EPSG:3857"])
        #expect(leaf.boundingBox(in: .webMercator)?.maxX == 2)
        #expect(leaf.geographicBox?.minY == 31)
        #expect(leaf.dimensions.map(\.name) == ["time", "elevation"])
        #expect(leaf.dimensions.first?.values == "1,2")
        #expect(leaf.attribution?.title == "own")
        #expect(!leaf.isQueryable)
        #expect(leaf.isOpaque)
        #expect(leaf.fixedWidth == 9)
        #expect(leaf.scaleHint == 1...2)
        #expect(capabilities.layerNames == ["top", "leaf"])
        #expect(capabilities.warnings.contains { $0.description.contains("GetMap") })
    }

    @Test(arguments: [
        ("minx='35' miny='-10' maxx='45' maxy='5'", false), ("minx='-10' miny='35' maxx='5' maxy='45'", true),
    ])
    func `a box with swapped axes is corrected with a warning`(sides: String, isOdd: Bool) throws {
        let capabilities = try read(
            text: """
                <WMS_Capabilities version="1.3.0"><Capability><Layer><Name>a</Name><CRS>EPSG:4326</CRS>
                <EX_GeographicBoundingBox><westBoundLongitude>-10</westBoundLongitude>
                <eastBoundLongitude>5</eastBoundLongitude><southBoundLatitude>35</southBoundLatitude>
                <northBoundLatitude>45</northBoundLatitude></EX_GeographicBoundingBox>
                <BoundingBox CRS="EPSG:4326" \(sides)/></Layer></Capability></WMS_Capabilities>
                """)
        let box = capabilities.layer(named: "a")?.boundingBox(in: .epsg4326)
        #expect(box == BoundingBox(minX: -10, minY: 35, maxX: 5, maxY: 45))
        #expect(capabilities.warnings.contains { $0.description.contains("swapped") } == isOdd)
    }

    @Test func `unescaped text is an error with its line`() throws {
        let bytes = try Fixture.bytes("mapproxy/quirk-caps-1.0.0-not-wellformed.xml")
        #expect {
            try WMSCapabilitiesReader.read(bytes)
        } throws: { error in
            guard case CapabilitiesError.malformed(let line, _, _)? = error as? CapabilitiesError else { return false }
            return line == 10
        }
    }

    @Test func `an exception or another document is reported as such`() throws {
        let bytes = try Fixture.bytes("mapserver/caps-empty-version.xml")
        #expect {
            try WMSCapabilitiesReader.read(bytes)
        } throws: { error in
            guard case CapabilitiesError.exception(let exception)? = error as? CapabilitiesError else { return false }
            return exception.text.contains("Invalid version ()")
        }
        #expect {
            try WMSCapabilitiesReader.read(Fixture.bytes("mapserver/err-no-map.html"))
        } throws: { "\($0)".contains("CGI variable \"map\" is not set") }
        #expect(throws: CapabilitiesError.otherDocument("an XML document <kml>")) {
            try WMSCapabilitiesReader.read(Array("<kml/>".utf8))
        }
        #expect(throws: CapabilitiesError.otherDocument("an image")) {
            try WMSCapabilitiesReader.read(Fixture.bytes("mapserver/map-1.1.1-4326.png"))
        }
    }

    @Test(arguments: ["mapserver/caps-1.3.0.xml", "mapproxy/wmsc-caps-1.1.1.xml"])
    func `a document truncated anywhere is an error`(file: String) throws {
        let bytes = try Fixture.bytes(file)
        let end = (bytes.lastIndex(of: 0x3E) ?? 0)
        for length in stride(from: 0, to: end, by: 389) + [end] {
            #expect(throws: CapabilitiesError.self) { try WMSCapabilitiesReader.read(Array(bytes[..<length])) }
        }
    }

    @Test func `invalid numbers and names are ignored with warnings`() throws {
        let capabilities = try read(
            text: """
                <WMS_Capabilities version="9e99"><Service><LayerLimit>-1</LayerLimit><MaxWidth>1e400</MaxWidth></Service>
                <Capability><Request><GetMap/></Request><Layer cascaded="99999999999999999999" fixedWidth="-1"><Name>a</Name>
                <CRS>EPSG:99999999999999999999 AUTO:42001,1 :</CRS><MinScaleDenominator>inf</MinScaleDenominator>
                <EX_GeographicBoundingBox><westBoundLongitude>nan</westBoundLongitude></EX_GeographicBoundingBox>
                <BoundingBox CRS="EPSG:4326" minx="inf" miny="-inf" maxx="nan" maxy="1"/><BoundingBox/>
                <Layer><Name>a</Name></Layer></Layer></Capability></WMS_Capabilities>
                """)
        #expect(capabilities.version == .v1_3_0)
        #expect(capabilities.service.layerLimit == nil)
        #expect(capabilities.layers.first?.boundingBoxes.isEmpty == true)
        #expect(capabilities.layers.first?.minScaleDenominator == nil)
        #expect(capabilities.warnings.count == 5)
    }
}

private func + (left: StrideTo<Int>, right: [Int]) -> [Int] { Array(left) + right }

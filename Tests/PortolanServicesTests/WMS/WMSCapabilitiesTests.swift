import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMSCapabilitiesWholeTests {
    private func read(_ text: String) throws -> WMSCapabilities {
        try WMSCapabilitiesReader.read(Array(text.utf8))
    }

    @Test func `contact, fees and update sequence are kept`() throws {
        let capabilities = try read(
            """
            <WMS_Capabilities version="1.3.0" updateSequence="42"><Service><Title>T</Title><Fees>none</Fees>
            <ContactInformation><ContactPersonPrimary><ContactPerson>P</ContactPerson>
            <ContactOrganization>O</ContactOrganization></ContactPersonPrimary><ContactPosition>chief</ContactPosition>
            <ContactAddress><AddressType>postal</AddressType><Address>Street 1</Address><City>Town</City>
            <StateOrProvince/><PostCode>1234</PostCode><Country>Land</Country></ContactAddress>
            <ContactVoiceTelephone>+1</ContactVoiceTelephone><ContactElectronicMailAddress>a@b</ContactElectronicMailAddress>
            </ContactInformation></Service><Capability><Layer><Name>a</Name></Layer></Capability></WMS_Capabilities>
            """)
        #expect(capabilities.updateSequence == "42")
        let contact = try #require(capabilities.service.contact)
        #expect(contact.person == "P")
        #expect(contact.organization == "O")
        #expect(contact.position == "chief")
        #expect(contact.address == ["Street 1", "1234 Town", "Land"])
        #expect(contact.telephone == "+1")
        #expect(contact.fax == nil)
        #expect(contact.email == "a@b")
        #expect(capabilities.service.organization == "O")
        #expect(capabilities.service.fees == "none")
    }

    @Test func `links to data, metadata, lists and style sheets are kept`() throws {
        let capabilities = try read(
            """
            <WMT_MS_Capabilities version="1.1.1"><Capability><Layer><Name>a</Name>
            <Identifier authority="x">n1</Identifier>
            <AuthorityURL name="x"><OnlineResource href="http://x/"/></AuthorityURL>
            <MetadataURL type="TC211"><Format>text/xml</Format><OnlineResource href="http://m/"/></MetadataURL>
            <DataURL><Format>application/zip</Format><OnlineResource href="http://d/"/></DataURL>
            <FeatureListURL><OnlineResource href="http://f/"/></FeatureListURL><MetadataURL type="none"/>
            <Style><Name>s</Name><StyleSheetURL><Format>text/xsl</Format><OnlineResource href="http://s/"/></StyleSheetURL>
            <StyleURL><OnlineResource href="http://p/"/></StyleURL></Style>
            </Layer></Capability></WMT_MS_Capabilities>
            """)
        let layer = try #require(capabilities.layer(named: "a"))
        let references = layer.references
        #expect(references.metadata == [WMSCapabilities.Link(url: "http://m/", format: "text/xml", type: "TC211")])
        #expect(references.data == [WMSCapabilities.Link(url: "http://d/", format: "application/zip")])
        #expect(references.featureLists == [WMSCapabilities.Link(url: "http://f/")])
        #expect(references.identifiers.map(\.value) == ["n1"])
        #expect(references.authorities == ["x": "http://x/"])
        #expect(layer.styles.first?.styleSheet == WMSCapabilities.Link(url: "http://s/", format: "text/xsl"))
        #expect(layer.styles.first?.page?.url == "http://p/")
    }

    @Test func `each kind of unknown element is one warning with its line`() throws {
        let capabilities = try read(
            "<WMS_Capabilities version='1.3.0'><Capability>\n<Extra/><Layer><Name>a</Name>\n<Colour/><Layer><Name>b</Name>"
                + "<Colour/></Layer></Layer></Capability></WMS_Capabilities>")
        #expect(capabilities.warnings.filter { $0.description.contains("<Colour>") }.map { $0.place?.line } == [3])
        #expect(capabilities.warnings.filter { $0.description.contains("<Extra>") }.map { $0.place?.line } == [2])
    }

    @Test func `a layer without a name is a heading, and a duplicate name is a warning`() throws {
        let capabilities = try read(
            """
            <WMS_Capabilities version="1.3.0"><Capability><Layer><Title>heading</Title><Layer><Name>group</Name>
            <Layer><Name>a</Name><Title>first</Title></Layer><Layer><Name>a</Name><Title>second</Title></Layer></Layer></Layer>
            </Capability></WMS_Capabilities>
            """)
        #expect(capabilities.layerNames == ["group", "a"])
        #expect(capabilities.layers.first?.name == nil)
        #expect(capabilities.layers.first?.title == "heading")
        #expect(capabilities.layer(named: "a")?.title == "first")
        #expect(capabilities.warnings.filter { $0.description.contains("duplicate layer name 'a'") }.count == 1)
    }

    @Test(arguments: [
        ("minx='-180' miny='-90' maxx='180' maxy='90'", "-180.0 -90.0 180.0 90.0"),
        ("minx='-200' miny='-95' maxx='1e3' maxy='95'", "none"),
        ("minx='2' miny='41' maxx='2' maxy='41'", "2.0 41.0 2.0 41.0"),
        ("minx='inf' miny='0' maxx='1' maxy='1'", "none"), ("minx='5' miny='0' maxx='1' maxy='1'", "none"),
        ("minx='5' miny='' maxx='1'", "none"),
    ])
    func `invalid geographic boxes are omitted`(sides: String, result: String) throws {
        let capabilities = try read(
            "<WMT_MS_Capabilities version='1.1.1'><Capability><Layer><Name>a</Name><LatLonBoundingBox \(sides)/></Layer>"
                + "</Capability></WMT_MS_Capabilities>")
        let box = capabilities.layer(named: "a")?.geographicBox
        #expect((box.map { "\($0.minX) \($0.minY) \($0.maxX) \($0.maxY)" } ?? "none") == result)
    }

    @Test(arguments: [true, false]) func `a byte order mark and Latin-1 are read`(isLatin: Bool) throws {
        let text =
            "<?xml version='1.0' encoding='\(isLatin ? "ISO-8859-1" : "UTF-8")'?><WMS_Capabilities version='1.3.0'>"
            + "<Service><Title>Cañón</Title></Service><Capability/></WMS_Capabilities>"
        let bytes = isLatin ? text.unicodeScalars.map { UInt8($0.value) } : [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        #expect(try WMSCapabilitiesReader.read(bytes).service.title == "Cañón")
    }

    @Test func `maps are requested from the GetMap address, not the home page`() throws {
        let capabilities = try read(
            """
            <WMS_Capabilities version="1.3.0"><Service><OnlineResource href="http://home.example/"/></Service>
            <Capability><Request><GetCapabilities><DCPType><HTTP><Get><OnlineResource href="http://caps.example/"/></Get>
            </HTTP></DCPType></GetCapabilities><GetMap><Format>image/png</Format><DCPType><HTTP><Post>
            <OnlineResource href="http://post.example/"/></Post><Get><OnlineResource href="http://map.example/?"/></Get></HTTP>
            </DCPType></GetMap></Request><Layer><Name>a</Name><CRS>EPSG:3857</CRS></Layer></Capability></WMS_Capabilities>
            """)
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: capabilities, baseURL: "http://caps.example/x", mapCRS: .webMercator)
        #expect(template.baseURL.text == "http://map.example/")
        #expect(capabilities.getMap?.postURL == "http://post.example/")
    }
}

@Suite struct WMSVersionTests {
    @Test(arguments: [
        ("1.0.0", WMSCapabilities.Version.v1_0_0), ("1.0.7", .v1_0_0), ("1.1.0", .v1_1_0), ("1.1", .v1_1_0),
        ("1.1.1", .v1_1_1),
        ("1.1.3", .v1_1_1),
        ("1.2.0", .v1_1_1),
        ("1.3.0", .v1_3_0),
        (" 1.3 ", .v1_3_0),
        ("1.3.1", .v1_3_0),
        ("2.0.0", .v1_3_0),
    ])
    func `an unknown version is treated as the next lower known one`(text: String, version: WMSCapabilities.Version) {
        #expect(WMSCapabilities.Version(text) == version)
    }

    @Test(arguments: ["", "x", "1.x.0", "1..0", "0.9.0", "1.3.0.0.0", "1.99999999999999999999.0", "-1.0.0"])
    func `an invalid version is nil`(text: String) {
        #expect(WMSCapabilities.Version(text) == nil)
    }

    @Test func `versions are ordered`() {
        #expect(WMSCapabilities.Version.allCases == WMSCapabilities.Version.allCases.sorted())
    }
}

@Suite struct GetCapabilitiesRequestTests {
    @Test(arguments: [
        (nil as WMSCapabilities.Version?, false, "http://h/s?map=x&SERVICE=WMS&REQUEST=GetCapabilities"),
        (.v1_0_0, false, "http://h/s?map=x&SERVICE=WMS&WMTVER=1.0.0&REQUEST=capabilities"),
        (.v1_1_1, true, "http://h/s?map=x&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetCapabilities&TILED=true"),
        (.v1_3_0, false, "http://h/s?map=x&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities"),
    ])
    func `the capabilities request uses the parameter names of the version`(
        version: WMSCapabilities.Version?, isTiled: Bool, url: String
    ) {
        let base: NamedURL = "http://h/s?map=x&request=GetCapabilities&service=WMS&version="
        #expect(GetCapabilitiesRequest(version: version, baseURL: base, isTiled: isTiled).url == url)
    }
}

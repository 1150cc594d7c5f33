import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WFSCapabilitiesReaderTests {
    @Test(
        arguments: [
            ("1.0.0", WFSVersion.v1_0_0, nil, nil, ["GML2"], "EPSG:4326"),
            ("1.1.0", .v1_1_0, 300, nil, ["text/xml; subtype=gml/3.1.1"], "urn:ogc:def:crs:EPSG::4326"),
            (
                "2.0.0", .v2_0_0, 300, true,
                ["application/gml+xml; version=3.2", "text/xml; subtype=gml/3.2.1"], "urn:ogc:def:crs:EPSG::4326"
            ),
        ] as [(String, WFSVersion, Int?, Bool?, [String], String)])
    func `real documents of each version are read alike`(
        file: String, version: WFSVersion, count: Int?, paging: Bool?, formats: [String], crs: String
    ) throws {
        let offered = try WFSCapabilitiesReader.read(Fixture.bytes("features/wfs-caps-\(file).xml"))
        #expect(offered.version == version)
        #expect(offered.title == "Natural Earth")
        #expect(offered.warnings == [])
        #expect(offered.featureTypes.map(\.localName) == ["countries", "cities", "rivers"])
        #expect(offered.defaultCount == count)
        #expect(offered.hasPaging == paging)
        let operation = try #require(offered.operation(named: "GetFeature"))
        #expect(operation.getURL?.hasPrefix("http://maps.example/gml?") == true)
        for format in formats { #expect(operation.outputFormats.contains(format)) }
        let cities = try #require(offered.featureTypes.dropFirst().first)
        #expect(cities.defaultCRSName == crs)
        #expect(cities.title == "Cities")
        let box = try #require(cities.geographicBox)
        #expect(abs(box.minX - -157.85833) < 1e-4)
        #expect(abs(box.maxY - 69.3535) < 1e-4)
    }

    @Test(arguments: [
        ("<Capabilities xmlns='http://www.opengis.net/wmts/1.0'/>", "the response is not a capabilities document"),
        ("<WFS_Capabilities", "cannot read the capabilities: line 1"),
        (
            "<ExceptionReport><Exception exceptionCode='NoApplicableCode'><ExceptionText>closed</ExceptionText></Exception></ExceptionReport>",
            "closed"
        ),
        ("<html><body>Hello</body></html>", "Hello"),
    ])
    func `other documents are refused with a reason`(text: String, words: String) {
        let error = #expect(throws: CapabilitiesError.self) { try WFSCapabilitiesReader.read(Array(text.utf8)) }
        #expect(error?.description.contains(words) == true)
    }

    @Test func `invalid entries are skipped with warnings`() throws {
        let text = """
            <WFS_Capabilities version="9"><FeatureTypeList><FeatureType/>
            <FeatureType><Name>a</Name><WGS84BoundingBox><LowerCorner>0 90</LowerCorner><UpperCorner>1 -90</UpperCorner></WGS84BoundingBox></FeatureType>
            </FeatureTypeList></WFS_Capabilities>
            """
        let offered = try WFSCapabilitiesReader.read(Array(text.utf8))
        #expect(offered.featureTypes.map(\.name) == ["a"] && offered.featureTypes[0].geographicBox == nil)
        #expect(offered.warnings.count == 4)
    }
}

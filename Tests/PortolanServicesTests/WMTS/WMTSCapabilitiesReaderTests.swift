import PortolanGeo
import PortolanServices
import PortolanWeb
import PortolanXML
import Testing

@Suite struct WMTSCapabilitiesReaderTests {
    private func read(_ file: String) throws -> WMTSCapabilities {
        try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/\(file)"))
    }

    @Test(arguments: ["wmts-kvp-caps.xml", "wmts-rest-caps.xml"])
    func `a service is read alike from its KVP and REST documents`(file: String) throws {
        let offered = try read(file)
        #expect(offered.service.title == "Portolan test cache (MapProxy) ñ")
        #expect(offered.service.abstract == "Cached & direct layers over Natural Earth <real data>.")
        #expect(offered.service.keywords == ["cache", "tiles", "España"])
        #expect(offered.service.provider == "Portolan tests")
        #expect(offered.service.fees == "none")
        #expect(offered.versionText == "1.0.0")
        #expect(
            offered.layers.map(\.identifier) == ["relief", "political", "mixed", "cities_tiled", "water", "spain"])
        #expect(
            offered.matrixSets.map(\.identifier)
                == ["webmercator", "geodetic_nw", "es_utm30_nw", "GLOBAL_MERCATOR"])
        let spain = try #require(offered.layer(named: "spain"))
        #expect(spain.geographicBox == BoundingBox(minX: -9.5, minY: 35.9, maxX: 4.4, maxY: 43.9))
        #expect(spain.links.map(\.matrixSet) == ["es_utm30_nw", "webmercator"])
        let political = try #require(offered.layer(named: "political"))
        #expect(political.defaultStyle?.identifier == "default")
        #expect(political.defaultStyle?.legends.first?.url.contains("GetLegendGraphic") == true)
        #expect(political.infoFormats.count == 4)
        #expect(political.formats == ["image/png"])
        #expect(offered.warnings == [])
    }

    @Test func `addresses are read with their KVP or REST encodings`() throws {
        let byParameters = try #require(try read("wmts-kvp-caps.xml").operation(named: "gettile"))
        #expect(byParameters.endpoints == [.init(url: "http://127.0.0.1:18081/service?", encodings: ["KVP"])])
        #expect(byParameters.parameterURL == "http://127.0.0.1:18081/service?")
        let byPath = try read("wmts-rest-caps.xml")
        #expect(byPath.operation(named: "GetTile")?.endpoints.map(\.encodings) == [["RESTful"]])
        #expect(byPath.operation(named: "GetTile")?.parameterURL == nil)
        let kinds = try #require(byPath.layer(named: "political")).resources.map(\.kind)
        #expect(kinds == ["tile", "FeatureInfo", "FeatureInfo", "FeatureInfo", "FeatureInfo"])
    }

    @Test func `all addresses of an operation are read, and the KVP one is found`() throws {
        var text = WMTSText.world()
        text.operations = """
            <ows:Operation name="GetTile"><ows:DCP><ows:HTTP><ows:Get xlink:href="http://h/rest">
            <ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>RESTful</ows:Value></ows:AllowedValues>
            </ows:Constraint></ows:Get></ows:HTTP></ows:DCP><ows:DCP><ows:HTTP><ows:Get xlink:href="http://h/kvp?">
            <ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues>
            </ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>
            """
        let operation = try #require(try text.capabilities().operation(named: "GetTile"))
        #expect(operation.endpoints.map(\.url) == ["http://h/rest", "http://h/kvp?"])
        #expect(operation.parameterURL == "http://h/kvp?")
    }

    @Test func `dimensions have a default and values`() throws {
        let offered = try read("dims-wmts-rest-caps.xml")
        let time = try #require(offered.layer(named: "dated")?.dimension(named: "TIME"))
        #expect(time.identifier == "Time")
        #expect(time.defaultValue == "2026-01-01")
        #expect(!time.hasCurrent)
        #expect(time.values == ["2024-01-01", "2025-01-01", "2026-01-01"])
        #expect(offered.layer(named: "undated")?.dimensions == [])
    }

    @Test func `incomplete entries are skipped with warnings`() throws {
        let offered = try WMTSCapabilitiesReader.read(
            Array(
                """
                <Capabilities xmlns="http://www.opengis.net/wmts/1.0"><Contents><Layer><Title>nameless</Title></Layer>
                <Layer><Identifier>a</Identifier><TileMatrixSetLink><TileMatrixSet>gone</TileMatrixSet>
                <TileMatrixSetLimits><TileMatrixLimits><TileMatrix>0</TileMatrix><MinTileRow>5</MinTileRow>
                <MaxTileRow>1</MaxTileRow><MinTileCol>0</MinTileCol><MaxTileCol>99999999999999999999</MaxTileCol>
                </TileMatrixLimits></TileMatrixSetLimits></TileMatrixSetLink>
                <WGS84BoundingBox><LowerCorner>nan 1</LowerCorner><UpperCorner>2 3</UpperCorner></WGS84BoundingBox></Layer>
                <TileMatrixSet><Identifier>m</Identifier><SupportedCRS>EPSG:3857</SupportedCRS><TileMatrix>
                <Identifier>0</Identifier><ScaleDenominator>-1</ScaleDenominator></TileMatrix></TileMatrixSet>
                </Contents></Capabilities>
                """.utf8))
        #expect(offered.layers.map(\.identifier) == ["a"])
        #expect(offered.matrixSets.isEmpty)
        #expect(
            offered.layers[0].geographicBox == nil && offered.layers[0].links[0].limits.isEmpty
                && offered.layers[0].links[0].unusableLimitCount == 1)
        #expect(offered.warnings.count == 5)
    }

    @Test func `an exception in place of the document is reported as such`() throws {
        #expect {
            try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/wmts-kvp-err-layer.xml"))
        } throws: { error in
            guard case CapabilitiesError.exception(let exception)? = error as? CapabilitiesError else { return false }
            return exception.shape == .owsExceptionReport && exception.text.contains("nope")
        }
        #expect {
            try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/dims-wmts-kvp-caps.txt"))
        } throws: { "\($0)".contains("internal error") }
        #expect(throws: CapabilitiesError.self) {
            try WMTSCapabilitiesReader.read(Fixture.bytes("mapserver/caps-1.3.0.xml"))
        }
        // Other services have documents of that name, too.
        #expect(throws: CapabilitiesError.self) {
            try WMTSCapabilitiesReader.read(Array("<Capabilities xmlns='http://www.opengis.net/wcs'/>".utf8))
        }
    }

    @Test(arguments: ["wmts-kvp-caps.xml", "wmts-rest-caps.xml"])
    func `a document truncated at any thousandth byte is an error`(file: String) throws {
        let bytes = try Fixture.bytes("mapproxy/\(file)")
        let end = try #require(bytes.lastIndex(of: 0x3E))
        for length in Array(stride(from: 0, to: end, by: 1000)) + [end] {
            #expect(throws: CapabilitiesError.self) { try WMTSCapabilitiesReader.read(Array(bytes[..<length])) }
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY a 'xxxxxxxxxx'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><Capabilities><Contents>&b;",
        "<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><Capabilities><Contents>&a;</Contents></Capabilities>",
        "<Capabilities>" + String(repeating: "<Contents>", count: 1_000_000),
        "<Capabilities a='" + String(repeating: "x", count: 10 << 20) + "'><Contents/></Capabilities>",
    ])
    func `hostile documents are refused with a short reason`(text: String) {
        #expect {
            try WMTSCapabilitiesReader.read(Array(text.utf8))
        } throws: { error in
            guard case CapabilitiesError.malformed(_, _, let reason)? = error as? CapabilitiesError else {
                return false
            }
            return !reason.isEmpty && reason.utf8.count < 500
        }
    }

    @Test func `ten thousand layers are read, each with its own names`() throws {
        let one = WMTSText.world().text
        let start = try #require(one.firstRange(of: "<Layer>")), end = try #require(one.firstRange(of: "</Layer>"))
        let layer = String(one[start.lowerBound..<end.upperBound])
        let many = (0..<10_000).map { layer.replacing(">l<", with: ">l\($0)<") }.joined()
        let offered = try WMTSCapabilitiesReader.read(
            Array((one[..<start.lowerBound] + many + one[end.upperBound...]).utf8))
        #expect(offered.layers.count == 10_000)
        #expect(offered.layers.last?.identifier == "l9999")
        #expect(offered.layer(named: "l5000")?.links.count == 1)
    }

    @Test func `invalid limits are reported once, for the layer that is used`() throws {
        // As QGIS Server writes of a layer that it takes to be nowhere.
        func limit(_ level: Int, _ least: String, _ greatest: String) -> String {
            """
            <TileMatrixLimits><TileMatrix>\(level)</TileMatrix><MinTileCol>\(least)</MinTileCol>
            <MaxTileCol>\(greatest)</MaxTileCol><MinTileRow>0</MinTileRow><MaxTileRow>0</MaxTileRow></TileMatrixLimits>
            """
        }
        var text = WMTSText.world(levels: 4)
        text.layer =
            "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet><TileMatrixSetLimits>" + limit(0, "0", "0")
            + limit(1, "1", "0") + limit(2, "2", "1") + limit(3, "x", "7")
            + "</TileMatrixSetLimits></TileMatrixSetLink><Format>image/png</Format>"
        let read = try text.capabilities()
        #expect(read.layers[0].links[0].limits.map(\.matrix) == ["0"])
        #expect(read.layers[0].links[0].unusableLimitCount == 3)
        #expect(read.warnings.isEmpty)
        #expect(
            try text.request().warnings.map(\.description) == [
                "3 limits of matrix set 'm' are invalid; ignored"
            ])
        #expect(try text.request().grid.matrices.map(\.id) == ["0", "1", "2", "3"])
    }
}

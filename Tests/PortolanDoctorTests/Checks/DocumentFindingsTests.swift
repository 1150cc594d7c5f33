import PortolanDoctor
import Testing

/// The findings of the checks about whole documents; `SchemaTests` compares them with the schemas.
@Suite struct DocumentFindingsTests {
    private static func wms(_ text: String) -> [Finding] {
        WMSCheck.findings(
            in: CapabilitiesEvidence(bytes: Array(text.utf8), contentType: "text/xml", address: "https://h.example/wms")
        )
    }

    private static func plain(_ file: String) throws -> String {
        String(decoding: try StubService.fixture("documents/\(file).xml"), as: UTF8.self)
    }

    @Test func `a plain document has no findings except notes`() throws {
        let found = Self.wms(try Self.plain("wms-plain-1.3.0")).filter { $0.severity > .note }
        #expect(found.isEmpty, "\(found)")
        let tiles = WMTSCheck.findings(
            in: CapabilitiesEvidence(
                bytes: try StubService.fixture("documents/wmts-plain.xml"), contentType: "text/xml",
                address: "https://h.example/wmts")
        ).filter { $0.severity > .note }
        #expect(tiles.isEmpty, "\(tiles)")
    }

    @Test(arguments: ["tile", "simpleProfileTile"]) func `the template kinds of the standard are accepted`(
        kind: String
    ) throws {
        let template =
            "</TileMatrixSetLink><ResourceURL resourceType=\"\(kind)\" format=\"image/png\" "
            + "template=\"https://h.example/{TileMatrix}/{TileCol}/{TileRow}\"/></Layer>"
        let text = try Self.plain("wmts-plain").replacing("</TileMatrixSetLink></Layer>", with: template)
        #expect(text.contains(kind))
        let found = WMTSCheck.findings(
            in: CapabilitiesEvidence(
                bytes: Array(text.utf8), contentType: "text/xml", address: "https://h.example/wmts")
        ).filter { $0.severity > .note }
        #expect(found.isEmpty, "\(found)")
    }

    @Test(
        arguments: [
            ("<Name>plain</Name><Title>Plain</Title>", "<Title>Plain</Title><Name>plain</Name>", .elementMisplaced),
            ("<GetMap>", "<DescribeLayer/><GetMap>", .elementMisplaced),
            ("</GetMap>", "</GetMap><GetMap2/>", .elementMisplaced),
            ("<Name>WMS</Name>", "<Name>OGC:WMS</Name>", .valueMalformed),
            ("queryable=\"0\"", "queryable=\"yes\"", .valueMalformed),
            ("<Style>", "<Dimension name=\"time\">2000</Dimension><Style>", .valueMalformed),
            (">1000<", ">1000,5<", .valueMalformed), ("minx=\"35\"", "minx=\"35,5\"", .valueMalformed),
            ("<?xml", "\n<?xml", .markupOdd),
            ("<Name>ground</Name><Title>Ground</Title>", "<Name>ground</Name>", .titleMissing),
            ("<Title>Ground</Title>", "", .titleMissing),
            (
                "<BoundingBox ",
                "<BoundingBox CRS=\"EPSG:4326\" minx=\"-10\" miny=\"35\" maxx=\"5\" maxy=\"44\"/><BoundingBox ",
                .boundingBoxTwice
            ),
            ("<HTTP><Get>", "<HTTP><Post><OnlineResource/></Post><Get>", .postFirst),
            (
                "</GetMap>",
                """
                </GetMap><GetFeatureInfo><DCPType><HTTP><Get><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" \
                xlink:href="https://h.example/wms?"/></Get></HTTP></DCPType></GetFeatureInfo>
                """, .formatMissing
            ),
            (
                "</Style>", "<LegendURL><OnlineResource href=\"https://h.example/l.png\"/></LegendURL></Style>",
                .formatMissing
            ),
            ("</Capability>", "<Layer><Title>Second</Title></Layer></Capability>", .elementMisplaced),
        ] as [(String, String, Finding.Code)])
    func `each schema violation of a WMS is found`(right: String, wrong: String, code: Finding.Code) throws {
        let text = try Self.plain("wms-plain-1.3.0")
        let range = try #require(text.firstRange(of: right))
        let found = Self.wms(text.replacingCharacters(in: range, with: wrong)).filter { $0.severity > .note }
        #expect(found.map(\.code) == [code], "\(found)")
        #expect(found.allSatisfy { !$0.remedy.isEmpty && !$0.subjects.isEmpty })
    }

    @Test(
        arguments: [
            ("<MatrixWidth>1<", "<MatrixWidth>1.0<", .valueMalformed),
            (
                "<ows:Title>Ground</ows:Title>", "<Format>image/png</Format><ows:Title>Ground</ows:Title>",
                .elementMisplaced
            ),
            (
                "</TileMatrixSetLink></Layer>",
                "</TileMatrixSetLink><ResourceURL resourceType=\"tiles\" format=\"image/png\" template=\"https://h.example/{TileMatrix}/{TileCol}/{TileRow}\"/></Layer>",
                .valueMalformed
            ),
        ] as [(String, String, Finding.Code)])
    func `each schema violation of a WMTS is found`(right: String, wrong: String, code: Finding.Code) throws {
        let text = try Self.plain("wmts-plain")
        let range = try #require(text.firstRange(of: right))
        let changed = text.replacingCharacters(in: range, with: wrong)
        let found = WMTSCheck.findings(
            in: CapabilitiesEvidence(
                bytes: Array(changed.utf8), contentType: "text/xml", address: "https://h.example/wmts")
        ).filter { $0.severity > .note }
        #expect(Set(found.map(\.code)) == [code], "\(found)")
    }

    /// As QGIS Server writes of a layer that it takes to be nowhere.
    @Test func `unusable tile limits are one finding`() throws {
        func limit(_ matrix: Int, _ least: String, _ greatest: String) -> String {
            """
            <TileMatrixLimits><TileMatrix>\(matrix)</TileMatrix><MinTileCol>\(least)</MinTileCol>\
            <MaxTileCol>\(greatest)</MaxTileCol><MinTileRow>0</MinTileRow><MaxTileRow>0</MaxTileRow></TileMatrixLimits>
            """
        }
        let limits = "<TileMatrixSetLimits>" + limit(0, "1", "0") + limit(1, "2", "1") + limit(2, "x", "7")
        let text = try Self.plain("wmts-plain")
        let range = try #require(text.firstRange(of: "</TileMatrixSetLink>"))
        let changed = text.replacingCharacters(in: range, with: limits + "</TileMatrixSetLimits></TileMatrixSetLink>")
        let found = WMTSCheck.findings(
            in: CapabilitiesEvidence(bytes: Array(changed.utf8), address: "https://h.example/wmts")
        ).filter { $0.code == .limitsContradict }
        #expect(found.count == 1 && found.first?.detail.hasPrefix("3 of its limits for set 'set'") == true, "\(found)")
    }

    /// As MapCache up to 1.14 counts them.
    @Test(arguments: [("6", "7", 1), ("0", "1", 0)])
    func `tile limits with rows counted from the bottom are a finding`(
        least: String, greatest: String, count: Int
    ) throws {
        let limits = """
            <TileMatrixSetLimits><TileMatrixLimits><TileMatrix>3</TileMatrix><MinTileRow>\(least)</MinTileRow>\
            <MaxTileRow>\(greatest)</MaxTileRow><MinTileCol>0</MinTileCol><MaxTileCol>7</MaxTileCol>\
            </TileMatrixLimits></TileMatrixSetLimits>
            """
        let text = """
            <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" version="1.0.0">
            <Contents><Layer><ows:WGS84BoundingBox><ows:LowerCorner>10 70</ows:LowerCorner>
            <ows:UpperCorner>30 80</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>l</ows:Identifier>
            <Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet>
            \(limits)</TileMatrixSetLink></Layer><TileMatrixSet>
            <ows:Identifier>m</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS><TileMatrix>
            <ows:Identifier>3</ows:Identifier><ScaleDenominator>69885283.00358972</ScaleDenominator>
            <TopLeftCorner>-20037508.3427892 20037508.3427892</TopLeftCorner><TileWidth>256</TileWidth>
            <TileHeight>256</TileHeight><MatrixWidth>8</MatrixWidth><MatrixHeight>8</MatrixHeight></TileMatrix>
            </TileMatrixSet></Contents></Capabilities>
            """
        let found = WMTSCheck.findings(
            in: CapabilitiesEvidence(bytes: Array(text.utf8), address: "https://h.example/w")
        )
        .filter { $0.code == .limitsContradict }
        #expect(found.count == count && found.allSatisfy { $0.severity == .fault }, "\(found)")
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound] + text + self[range.upperBound...])
    }
}

import Foundation
import Portolan
import PortolanDoctor
import PortolanFetch
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

/// Requests, and responses accepted as valid, compared with the OGC's schemas.
///
/// Not covered: requests of WMS and the order of parameters, for which no schema was ever made; answers about features of
/// WMTS, whose schema needs that of GML; what others add to WMS 1.3.0 at its points of extension; TMS and WMS-C, which
/// have none. Schemas say nothing of whether a box or an address is right.
@Suite(.onMapServers) struct SchemaTests {
    private static func file(_ path: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appendingPathComponent("PortolanServicesTests/Fixtures/" + path)
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// The problems of a document, beyond notes.
    private static func complaints(about document: Schemas.Document) -> [String] {
        let evidence = CapabilitiesEvidence(
            bytes: Array(document.text.utf8), contentType: "text/xml", address: "https://h.example/ows")
        let isTiles = document.form == "wmts"
        let found = isTiles ? WMTSCheck.findings(in: evidence) : WMSCheck.findings(in: evidence)
        let warnings =
            isTiles
            ? (try? WMTSCapabilitiesReader.read(evidence.bytes))?.warnings
            : (try? WMSCapabilitiesReader.read(evidence.bytes))?.warnings
        // The targets of links in a local server's document do not affect its validity.
        let ofForm = found.filter { $0.severity > .note && !$0.code.rawValue.hasPrefix("address-") }
        return ofForm.map { "\($0.code.rawValue): \($0.detail)" } + (warnings?.map(\.description) ?? ["unreadable"])
    }

    // MARK: What is accepted

    @Test func `documents without findings are valid against the schema`() async throws {
        let servers = try MapServers.running()
        var documents = try [
            ("1.1.1", "documents/wms-declared-1.1.1"), ("1.1.1", "documents/wms-extent-1.1.1"),
            ("1.0.0", "documents/wms-formats-1.0.0"), ("1.3.0", "documents/wms-numbers-1.3.0"),
            ("1.3.0", "documents/wms-cases-1.3.0"), ("1.3.0", "documents/wms-plain-1.3.0"),
            ("wmts", "documents/wmts-plain"), ("wmts", "documents/wmts-numbers"), ("wmts", "documents/wmts-short"),
            ("wmts", "mapproxy/wmts-kvp-caps"), ("wmts", "mapproxy/wmts-rest-caps"),
        ].map { Schemas.Document(form: $0, text: try Self.file($1 + ".xml")) }
        for version in WMSCapabilities.Version.allCases {
            for url in [servers.mapServer, servers.mapProxyService] {
                let address = GetCapabilitiesRequest(version: version, baseURL: NamedURL(url, namedBy: .user)).url
                let body = try await MapServers.transport.send(HTTPRequest(to: address)).body
                documents.append(.init(form: version.rawValue, text: String(decoding: body, as: UTF8.self)))
            }
        }
        let faults = try Schemas.faults(in: documents)
        var passed = 0, refused = 0
        for (document, fault) in zip(documents, faults) {
            let complaints = Self.complaints(about: document)
            if let fault {
                refused += 1
                #expect(!complaints.isEmpty, "\(document.form): \(fault)")
            }
            if complaints.isEmpty { passed += 1 }
        }
        #expect(passed >= 8 && refused >= 3, "\(passed) documents passed, \(refused) were refused")
    }

    @Test(
        arguments: [
            ("1.3.0", "<Name>plain</Name><Title>Plain</Title>", "<Title>Plain</Title><Name>plain</Name>"),
            ("1.3.0", "<GetMap>", "<DescribeLayer/><GetMap>"),
            ("1.3.0", "<Name>WMS</Name>", "<Name>OGC:WMS</Name>"), ("1.3.0", "<CRS>", "<SRS>EPSG:4326</SRS><CRS>"),
            ("1.3.0", "queryable=\"0\"", "queryable=\"yes\""), ("1.3.0", ">1000<", ">1000,5<"),
            ("1.3.0", "minx=\"35\"", "minx=\"35,5\""), ("1.3.0", "minx=\"35\"", ""), ("1.3.0", "<?xml", "\n<?xml"),
            ("1.3.0", "<Style>", "<Dimension name=\"time\">2000</Dimension><Style>"),
            ("1.3.0", "</Capability>", "<Layer><Title>Second</Title></Layer></Capability>"),
            ("1.3.0", "xmlns=\"http://www.opengis.net/wms\"", "xmlns=\"http://www.opengis.net/wms/1.3.0\""),
            ("1.3.0", "<Title>Ground</Title><BoundingBox", "<BoundingBox"), ("1.3.0", ">180<", ">360<"),
            ("1.1.1", "<Name>ground</Name><Title>", "<Name>ground</Name><CRS>EPSG:4326</CRS><Title>"),
            ("1.1.1", "<Layer>", "<Layer queryable=\"true\">"), ("1.1.1", "<Title>Ground</Title><SRS>", "<SRS>"),
            ("wmts", "<MatrixWidth>1<", "<MatrixWidth>1.0<"), ("wmts", "<Format>image/png</Format>", ""),
            ("wmts", "<ows:Title>Ground</ows:Title>", "<Format>image/png</Format><ows:Title>Ground</ows:Title>"),
            ("wmts", "<ows:SupportedCRS>urn:ogc:def:crs:EPSG:6.18:3:3857</ows:SupportedCRS>", ""),
        ])
    func `the doctor finds the errors that the schema finds`(form: String, right: String, wrong: String) throws {
        let file = ["1.3.0": "wms-plain-1.3.0", "1.1.1": "wms-declared-1.1.1"][form] ?? "wmts-plain"
        let plain = try Self.file("documents/\(file).xml")
        let range = try #require(plain.range(of: right))
        let document = Schemas.Document(form: form, text: plain.replacingCharacters(in: range, with: wrong))
        let faults = try Schemas.faults(in: [.init(form: form, text: plain), document])
        #expect(faults[0] == nil && faults[1] != nil)
        #expect(!Self.complaints(about: document).isEmpty, "\(faults[1] ?? "")")
    }

    // MARK: What is sent

    /// The parameters of a request by OGC 07-057r7 tables 29 and 30, as the elements of the schema's own form.
    private static func element(_ operation: String, _ parameters: inout [String: String], dimension: String) -> String
    {
        func text(_ name: String) -> String {
            let value = parameters.removeValue(forKey: name.uppercased()) ?? "missing"
            return "<\(name)>"
                + value.replacing("&", with: "&amp;").replacing("<", with: "&lt;") + "</\(name)>"
        }
        var dimensions = ""
        if let value = parameters.removeValue(forKey: dimension.uppercased()) {
            dimensions = "<DimensionNameValue name=\"\(dimension)\">\(value)</DimensionNameValue>"
        }
        let head = ["Layer", "Style", "Format"].map(text).joined()
        let tile = head + dimensions + ["TileMatrixSet", "TileMatrix", "TileRow", "TileCol"].map(text).joined()
        let space =
            "xmlns=\"http://www.opengis.net/wmts/1.0\" service=\"\(parameters.removeValue(forKey: "SERVICE") ?? "")\""
            + " version=\"\(parameters.removeValue(forKey: "VERSION") ?? "")\""
        let getTile = "<GetTile \(space)>\(tile)</GetTile>"
        guard operation == "GetFeatureInfo" else { return getTile }
        return "<GetFeatureInfo \(space)>\(getTile)" + ["J", "I", "InfoFormat"].map(text).joined() + "</GetFeatureInfo>"
    }

    @Test func `WMTS requests have exactly the names and values of the schema`() throws {
        let more = """
            <Format>image/png</Format><InfoFormat>text/plain</InfoFormat><Dimension><ows:Identifier>time</ows:Identifier>\
            <Default>2001</Default><Value>2001</Value></Dimension>
            """
        let plain = try Self.file("documents/wmts-plain.xml")
        let operation = try #require(plain.range(of: "<ows:Operation name=\"GetTile\">.*", options: .regularExpression))
        let text = plain.replacing("<Format>image/png</Format>", with: more)
            .replacing(
                "</ows:OperationsMetadata>",
                with: plain[operation].replacing("GetTile", with: "GetFeatureInfo") + "</ows:OperationsMetadata>")
        let capabilities = try WMTSCapabilitiesReader.read(Array(text.utf8))
        let base = "https://h.example/wmts"
        let tiles = try WMTSNegotiation.request(
            for: WMTSOptions(), of: capabilities, baseURL: BaseURL(base), mapCRS: .webMercator)
        let tile = try #require(tiles.grid.tile(level: 2, column: 1, row: 1))
        let info = try #require(WMTSNegotiation.featureInfo(for: tiles, of: capabilities, baseURL: BaseURL(base)))
        let urls = [
            tiles.url(for: tile),
            info.url(for: tile, column: 3, row: 200, infoFormat: WMSCapabilities.Format("text/plain")),
        ]
        var documents = [Schemas.Document(form: "wmts", text: text)]
        for address in urls {
            let url = try #require(address)
            let items = try #require(URLComponents(string: url)?.queryItems)
            var parameters = Dictionary(
                items.map { ($0.name.uppercased(), $0.value ?? "") }, uniquingKeysWith: { $0 + " and " + $1 })
            let name = parameters.removeValue(forKey: "REQUEST")
            let operation = try #require(name)
            documents.append(
                .init(form: "wmts", text: Self.element(operation, &parameters, dimension: "time")))
            #expect(parameters.isEmpty, "\(url)")
        }
        #expect(documents[1].text.contains("<GetTile"))
        #expect(documents[1].text.contains("name=\"time\">2001<"))
        #expect(documents[2].text.hasPrefix("<GetFeatureInfo"))
        // An unknown name and value prove that the schema is applied.
        documents.append(.init(form: "wmts", text: documents[1].text.replacing("TileRow", with: "Row")))
        documents.append(.init(form: "wmts", text: documents[1].text.replacing("<TileRow>", with: "<TileRow>-")))
        let faults = try Schemas.faults(in: documents)
        #expect(faults.map { $0 == nil } == [true, true, true, false, false], "\(faults)")
    }
}

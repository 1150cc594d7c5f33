import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WFSNegotiationTests {
    private static func request(
        _ file: String, _ type: String = "cities", _ change: (inout WFSOptions) -> Void = { _ in }
    ) throws -> WFSFeatureRequest {
        let offered = try WFSCapabilitiesReader.read(Fixture.bytes("features/wfs-caps-\(file).xml"))
        var options = WFSOptions(typeName: type)
        change(&options)
        return try WFSNegotiation.request(for: options, of: offered, document: "http://maps.example/gml?key=1")
    }

    private static let box = Extent(minX: -10, minY: 35.5, maxX: 30, maxY: 60)

    /// Requests that were sent to MapServer manually and answered correctly.
    @Test(arguments: [
        (
            "1.0.0",
            "VERSION=1.0.0&REQUEST=GetFeature&TYPENAME=cities&SRSNAME=EPSG:4326&BBOX=-10,35.5,30,60&OUTPUTFORMAT=GML2&MAXFEATURES=5&STARTINDEX=7"
        ),
        (
            "1.1.0",
            "VERSION=1.1.0&REQUEST=GetFeature&TYPENAME=cities&SRSNAME=urn:ogc:def:crs:EPSG::4326&BBOX=35.5,-10,60,30,urn:ogc:def:crs:EPSG::4326&OUTPUTFORMAT=text/xml%3B%20subtype%3Dgml/3.1.1&MAXFEATURES=5&STARTINDEX=7"
        ),
        (
            "2.0.0",
            "VERSION=2.0.0&REQUEST=GetFeature&TYPENAMES=ms:cities&SRSNAME=urn:ogc:def:crs:EPSG::4326&BBOX=35.5,-10,60,30,urn:ogc:def:crs:EPSG::4326&OUTPUTFORMAT=application/gml%2Bxml%3B%20version%3D3.2&COUNT=5&STARTINDEX=7"
        ),
        (
            "json-2.0.0",
            "VERSION=2.0.0&REQUEST=GetFeature&TYPENAMES=ms:cities&SRSNAME=urn:ogc:def:crs:EPSG::4326&BBOX=35.5,-10,60,30,urn:ogc:def:crs:EPSG::4326&OUTPUTFORMAT=application/json%3B%20subtype%3Dgeojson&COUNT=5&STARTINDEX=7"
        ),
    ])
    func `each WFS version uses its own parameter names in a fixed order`(file: String, query: String) throws {
        let url = try Self.request(file).url(of: Self.box, count: 5, from: 7).text
        #expect(url == "http://maps.example/\(file.hasPrefix("json") ? "ows" : "gml")?key=1&SERVICE=WFS&\(query)")
    }

    @Test func `the caller can override axis order, CRS and format`() throws {
        let turned = try Self.request("2.0.0") { $0.axisOrder = .xy }
        #expect(turned.url(of: Self.box, count: 5).text.contains("BBOX=-10,35.5,30,60,urn"))
        let mercator = try Self.request("2.0.0") { $0.crsName = "EPSG:3857" }
        #expect(mercator.crs == .webMercator)
        #expect(mercator.crsName == "urn:ogc:def:crs:EPSG::3857")
        let old = try Self.request("2.0.0") { $0.outputFormat = "text/xml; subtype=gml/3.1.1" }
        #expect(old.outputFormat == "text/xml; subtype=gml/3.1.1")
        #expect(!old.isGeoJSON)
    }

    @Test func `an unavailable type, format or CRS is an error that lists the available ones`() throws {
        let typo = #expect(throws: WFSError.self) { try Self.request("2.0.0", "citie") }
        #expect(
            typo == .typeNotFound("citie", suggestion: "ms:cities", offers: ["ms:countries", "ms:cities", "ms:rivers"]))
        let format = #expect(throws: WFSError.self) { try Self.request("1.0.0") { $0.outputFormat = "shape-zip" } }
        #expect(format == .formatNotOffered("shape-zip", offers: ["GML2"]))
        let crs = #expect(throws: WFSError.self) { try Self.request("1.0.0") { $0.crsName = "EPSG:3857" } }
        #expect(crs == .crsNotOffered("EPSG:3857", type: "cities", offers: ["EPSG:4326"]))
        #expect(throws: WFSError.self) { try Self.request("2.0.0") { $0.crsName = "EPSG:what" } }
    }

    @Test func `a next link is followed within the address policy and with the caller's key`() throws {
        let request = try Self.request("2.0.0")
        #expect(
            request.address(ofNext: "http://maps.example/gml?STARTINDEX=3")?.text
                == "http://maps.example/gml?STARTINDEX=3&key=1")
        #expect(request.address(ofNext: "https://elsewhere.example/p?a=b")?.text == "https://elsewhere.example/p?a=b")
        // A server behind a proxy writes its own address.
        #expect(request.address(ofNext: "http://localhost:8080/gml?p=2")?.text == "http://maps.example/gml?p=2&key=1")
        #expect(request.address(ofNext: "file:///etc/passwd") == nil)
    }
}

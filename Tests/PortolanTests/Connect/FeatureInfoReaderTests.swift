import Foundation
import Portolan
import Testing

@Suite struct FeatureInfoReaderTests {
    private static func read(
        _ file: String, status: Int = 200, wantsHTML: Bool = false
    ) throws -> ServiceClient.FeatureInfo {
        try FeatureInfoReader.read(
            ServiceClientTests.fixture(file), status: status, wantsHTML: wantsHTML, crs: .epsg4326)
    }

    private static func read(
        text: String, status: Int = 200, wantsHTML: Bool = false
    ) throws -> ServiceClient.FeatureInfo {
        try FeatureInfoReader.read(Array(text.utf8), status: status, wantsHTML: wantsHTML)
    }

    private static func failure(_ body: () throws -> ServiceClient.FeatureInfo) -> ServiceError.Cause? {
        do {
            _ = try body()
            return nil
        } catch { return error as? ServiceError.Cause }
    }

    @Test(arguments: [
        "mapserver/info-1.1.1-application-json.json", "mapserver/info-1.1.1-geojson.json",
        "mapserver/info-1.1.1-application-vnd-ogc-gml.gml", "mapproxy/info-1.1.1-application-json.json",
        "mapproxy/info-1.1.1-application-vnd-ogc-gml.gml",
    ])
    func `JSON and GML responses give the same features`(file: String) throws {
        guard case .features(let found) = try Self.read(file) else {
            Issue.record("no features")
            return
        }
        #expect(found.map(\.layer) == ["cities", "cities"])
        #expect(found.map(\.feature.properties["NAME"]) == ["Zaragoza", "Delicias"])
        #expect(found[0].feature.properties.names == ["GEONAMEID", "NAME", "COUNTRY", "POP", "TZ"])
        // Quirk 14: values of MapServer's JSON are texts, as they are in GML.
        #expect(found[0].feature.properties["POP"] == "686986")
        #expect(found[0].feature.geometry == .point(Coordinate(longitude: -0.87734, latitude: 41.65606)))
    }

    @Test(arguments: [
        "mapserver/info-1.1.1-text-plain.txt", "mapserver/info-1.3.0.txt", "mapserver/info-1.3.0-xy-names.txt",
        "mapproxy/info-1.1.1-text-plain.txt", "mapproxy/info-1.3.0.txt",
    ])
    func `plain text responses are kept verbatim`(file: String) throws {
        let bytes = try ServiceClientTests.fixture(file)
        #expect(try Self.read(file) == .text(String(decoding: bytes, as: UTF8.self)))
    }

    /// Quirk 14.
    @Test(arguments: [
        "mapserver/info-nothing.txt", "mapserver/info-outside-image.txt", "mapproxy/info-nothing.txt",
        "mapproxy/info-outside-image.txt",
    ])
    func `text responses for no hit give no features`(file: String) throws {
        #expect(try Self.read(file) == .features([]))
    }

    @Test func `the various empty responses give no features`() throws {
        for text in [
            "", " \n", "no features were found", "No features were found.\n",
            "{\"type\":\"FeatureCollection\",\"features\":[]}",
            "GetFeatureInfo results\n\nLayer 'a'\nLayer 'b'\n", "<msGMLOutput></msGMLOutput>",
        ] { #expect(try Self.read(text: text) == .features([]), "\(text)") }
        for text in [
            "<html><body></body></html>",
            "<html><head><title>Info</title><style>a{}</style></head><body>\n</body></html>",
        ] { #expect(try Self.read(text: text, wantsHTML: true) == .features([]), "\(text)") }
        #expect(try Self.read(text: "no data; yet") == .text("no data; yet"))
        #expect(try Self.read(text: "Layer 'a': x = 1") == .text("Layer 'a': x = 1"))
    }

    private static func geometry(_ coordinates: String, crs: CRS?, named: String? = nil) throws -> Coordinate? {
        let system = named.map { "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"\($0)\"}}," } ?? ""
        let text = """
            {"type":"FeatureCollection",\(system)"features":[{"type":"Feature","properties":{"n":1},
            "geometry":{"type":"Point","coordinates":[\(coordinates)]}}]}
            """
        guard case .features(let found) = try FeatureInfoReader.read(Array(text.utf8), crs: crs) else { return nil }
        #expect(found.first?.feature.properties["n"] == 1)
        return found.first?.feature.geometry?.coordinates.first
    }

    @Test(
        arguments: [
            ("10, 10", nil, 10, 10), ("1113194.9, 1118889.97", nil, 10, 10),
            ("1113194.9, 1118889.97", "urn:ogc:def:crs:EPSG::3857", 10, 10),
            ("1113194.9, 1118889.97", "EPSG:4326", 10, 10),
            // Latitude first.
            ("10, 120", nil, 120, 10), ("-35, 170", nil, 170, -35),
        ] as [(String, String?, Double, Double)])
    func `JSON coordinates are read in the first CRS that gives valid degrees`(
        text: String, named: String?, x: Double, y: Double
    ) throws {
        // In mercator metres the latter would be about the origin: degrees come first where they are ones.
        let crs: CRS = text.contains(".") ? .webMercator : .epsg4326
        let place = try #require(try Self.geometry(text, crs: crs, named: named))
        #expect(abs(place.x - x) < 1e-4 && abs(place.y - y) < 1e-4)
    }

    @Test func `coordinates without a plausible CRS give no geometry`() throws {
        #expect(try Self.geometry("1113194.9, 1118889.97", crs: nil) == nil)
        #expect(try Self.geometry("1e300, 1e300", crs: .webMercator) == nil)
    }

    /// Quirk 9: status 200, type `text/plain`, and the body is a service exception.
    @Test(arguments: [
        ("mapproxy/info-bad-format.txt", 200, "Unsupported INFO_FORMAT"),
        ("mapproxy/info-1.1.1-text-xml.txt", 200, "Unsupported INFO_FORMAT"),
        ("mapserver/info-bad-format.xml", 200, "Unsupported INFO_FORMAT"),
        ("mapserver/info-not-queryable.xml", 200, "LayerNotDefined"),
        ("mapproxy/info-not-queryable.xml", 500, "relief is not queryable"),
        ("mapproxy/info-1.3.0-xy-names.xml", 500, "missing parameters"),
    ])
    func `an exception is recognised whatever the status and content type`(
        file: String, status: Int, words: String
    ) throws {
        guard case .exception(let exception, status)? = Self.failure({ try Self.read(file, status: status) }) else {
            Issue.record("no exception")
            return
        }
        #expect("\(exception)".contains(words))
    }

    /// MapServer asked for JSON of two layers.
    @Test func `an exception after the start of a response is recognised`() throws {
        let text = """
            {"type":"FeatureCollection","features":[]}
            Content-Type: text/xml; charset=UTF-8

            <?xml version='1.0' encoding="UTF-8" standalone="no" ?>
            <ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
            <ServiceException>OGR_DS_CreateLayer failed</ServiceException></ServiceExceptionReport>
            """
        guard case .exception(let exception, 200)? = Self.failure({ try Self.read(text: text) }) else {
            Issue.record("no exception")
            return
        }
        #expect(exception.text == "OGR_DS_CreateLayer failed")
    }

    @Test func `an HTML page is a response if requested, otherwise an error`() throws {
        let file = "mapserver/info-1.1.1-text-html.html"
        guard case .html(let text, let source) = try Self.read(file, wantsHTML: true) else {
            Issue.record("no page")
            return
        }
        #expect(text == "Zaragoza ES 686986 Delicias ES 110520")
        #expect(source.contains("<td>Zaragoza</td>"))
        #expect(Self.failure { try Self.read(file) } != nil)
        #expect(Self.failure { try Self.read(file, status: 503, wantsHTML: true) } != nil)
    }

    @Test func `scripts are removed from the text of a page`() throws {
        let page = "<html><body><p>A<script>alert('x')</script> &lt;b&gt;</p><!-- c --></body></html>"
        #expect(try Self.read(text: page, wantsHTML: true) == .html(text: "A <b>", source: page))
        #expect(try Self.read(text: "<p>A", wantsHTML: true) == .html(text: "A", source: "<p>A"))
    }

    @Test func `features in other CRSs are converted to degrees`() throws {
        let text = #"""
            {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},
            "features":[{"type":"Feature","id":"roads.17","geometry":{"type":"Point","coordinates":[111319.49079327358,0]},
            "properties":{"n":1}},{"type":"Feature","id":".x","geometry":null,"properties":null}]}
            """#
        guard case .features(let found) = try Self.read(text: text) else {
            Issue.record("no features")
            return
        }
        #expect(found.map(\.layer) == ["roads", nil])
        #expect(found[0].feature.geometry == .point(Coordinate(x: 1, y: 0)))
        #expect(found[0].feature.properties == ["n": 1])
    }

    @Test func `JSON and XML without features are kept as text`() throws {
        for text in [#"{"value": 7}"#, "[1,2]", "{broken", "<data><value>7</value></data>", "<broken"] {
            #expect(try Self.read(text: text) == .text(text))
        }
    }

    @Test func `images, error statuses and oversized responses are errors`() throws {
        let png = try World.png(.black, 1, 1)
        guard case .answer? = Self.failure({ try FeatureInfoReader.read(png) }),
            case .status(502)? = Self.failure({ try Self.read(text: "", status: 502) }),
            case .exception? = Self.failure({ try Self.read(text: "busy", status: 503) }),
            case .answer? = Self.failure({ try FeatureInfoReader.read([1, 0, 2, 0, 3, 0, 0x41]) }),
            case .answer? = Self.failure({
                try FeatureInfoReader.read([UInt8](repeating: 0x41, count: FeatureInfoReader.byteLimit + 1))
            })
        else {
            Issue.record("an answer where there is none")
            return
        }
    }

    @Test func `responses in Latin-1 are read`() throws {
        #expect(try FeatureInfoReader.read([0x4E, 0x3D, 0xC4]) == .text("N=Ä"))
        let old =
            Array(#"<?xml version="1.0" encoding="ISO-8859-1"?><msGMLOutput><a_layer><a_feature><n>"#.utf8) + [0xC4]
            + Array("</n></a_feature></a_layer></msGMLOutput>".utf8)
        guard case .features(let found) = try FeatureInfoReader.read(old) else {
            Issue.record("no features")
            return
        }
        #expect(found.first?.feature.properties == ["n": "Ä"])
    }
}

import PortolanServices
import Testing

@Suite struct ServiceExceptionReaderTests {
    /// As MapCache writes it.
    @Test(arguments: [
        (
            "<!-- tile x=1 not in [2,15[ --><Exception exceptionCode='TileOutOfRange' locator='TileCol'/>",
            "tile x=1 not in [2,15["
        ),
        (
            "<!-- by hand --><Exception exceptionCode='TileOutOfRange' locator='TileCol'><ExceptionText>no</ExceptionText></Exception>",
            "no"
        ),
        ("<Exception exceptionCode='TileOutOfRange' locator='TileCol'/>", ""),
    ]) func `a reason given only in an XML comment is read`(inside: String, text: String) throws {
        let answer =
            "<?xml version='1.0'?><ExceptionReport xmlns='http://www.opengis.net/ows/2.0'>\(inside)</ExceptionReport>"
        let exception = try #require(ServiceExceptionReader.read(Array(answer.utf8)))
        #expect(exception.shape == .owsExceptionReport)
        #expect(exception.code?.rawValue == "TileOutOfRange")
        #expect(exception.entries.map(\.text) == [text])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let shape: ServiceException.Shape
        var code: String?
        var locator: String?
        let text: String
        var testDescription: String { file }
    }

    private static let cases = [
        Case(
            file: "mapserver/err-layer-1.1.1.xml", shape: .serviceExceptionReport, code: "LayerNotDefined",
            text: "msWMSLoadGetMapParams(): WMS server error. Invalid layer(s) given"),
        Case(
            file: "mapserver/err-layer-1.3.0.xml", shape: .serviceExceptionReport, code: "LayerNotDefined",
            text: "msWMSLoadGetMapParams(): WMS server error. Invalid layer(s) given"),
        Case(
            file: "mapserver/err-layer-1.0.7.xml", shape: .serviceExceptionReport, code: "LayerNotDefined",
            text: "msWMSLoadGetMapParams(): WMS server error."),
        Case(
            file: "mapserver/caps-empty-version.xml", shape: .serviceExceptionReport,
            text: "msOWSParseVersionString(): OWS error. Invalid version (). Version must be in the format 'x.y'"),
        Case(
            file: "mapserver/map-format-gif.gif", shape: .serviceExceptionReport,
            text: "msSaveImageGDAL(): General error message. Failed to create output GIF file. GIF driver"),
        Case(
            file: "mapserver/err-layer-1.0.0.html", shape: .html,
            text: "MapServer Message: mapserv(): Web application error. Traditional BROWSE mode"),
        Case(
            file: "mapserver/err-no-map.html", shape: .html,
            text: "MapServer Message: msCGILoadMap(): Web application error. CGI variable \"map\" is not set."),
        Case(file: "mapserver/not-found.html", shape: .html, text: "404 Not Found"),
        Case(
            file: "mapproxy/err-layer-1.3.0.xml", shape: .serviceExceptionReport, code: "LayerNotDefined",
            text: "unknown layer: no_such_layer"),
        Case(file: "mapproxy/err-layer-1.0.0.xml", shape: .wmtException, text: "unknown layer: no_such_layer"),
        Case(
            file: "mapproxy/wmts-kvp-err-layer.xml", shape: .owsExceptionReport, code: "InvalidParameterValue",
            text: "unknown layer: nope"),
        Case(
            file: "mapproxy/err-service-unknown.xml", shape: .owsExceptionReport, code: "InvalidParameterValue",
            locator: "service", text: "The value of the service parameter \"xyz\" is invalid"),
        Case(file: "mapproxy/tms-err_map.xml", shape: .xml, text: "unknown layer: nope"),
        Case(file: "mapproxy/err-bbox-text-1.1.1.txt", shape: .text, text: "internal error"),
        Case(file: "mapproxy/not-found.txt", shape: .text, text: "not found"),
        Case(
            file: "mapproxy/info-bad-format.txt", shape: .serviceExceptionReport,
            text: "msWMSFeatureInfo(): WMS server error. Unsupported INFO_FORMAT value (text/bogus)."),
    ]

    @Test(arguments: cases)
    func `exceptions of real servers are read whatever their content type`(_ test: Case) throws {
        for type in [nil, "image/png", "text/html; charset=utf-8"] {
            let exception = try #require(
                ServiceExceptionReader.read(try Fixture.bytes(test.file), contentType: type))
            #expect(exception.shape == test.shape)
            #expect(exception.code?.rawValue == test.code)
            #expect(exception.entries.first?.locator == test.locator)
            #expect(exception.text.hasPrefix(test.text), "\(exception.text)")
        }
    }

    @Test(arguments: [
        "mapserver/map-1.1.1-4326.png", "mapproxy/map-format-jpeg.jpg", "mapproxy/map-format-webp.webp",
        "mapproxy/map-format-gif.gif",
    ])
    func `an image is not an exception whatever its content type`(file: String) throws {
        #expect(ServiceExceptionReader.read(try Fixture.bytes(file), contentType: "application/vnd.ogc.se_xml") == nil)
    }

    private func read(_ text: String) throws -> ServiceException {
        try #require(ServiceExceptionReader.read(Array(text.utf8)))
    }

    @Test func `all exceptions of a report are kept, including CDATA text`() throws {
        let exception = try read(
            """
            \u{FEFF} <?xml version="1.0"?>
            <ogc:ServiceExceptionReport xmlns:ogc="http://www.opengis.net/ogc">
              <ogc:ServiceException code="InvalidCRS" locator="CRS"><![CDATA[ no <EPSG:1>
                here ]]></ogc:ServiceException>
              <ogc:ServiceException>second</ogc:ServiceException>
              <ogc:ServiceException code=" "/>
            </ogc:ServiceExceptionReport>
            """)
        #expect(exception.entries.count == 3)
        #expect(exception.code == .invalidCRS)
        #expect(exception.entries[0].locator == "CRS")
        #expect(exception.entries[0].text == "no <EPSG:1> here")
        #expect(exception.entries[2] == .init(code: nil, text: ""))
        #expect(exception.description == "InvalidCRS (CRS): no <EPSG:1> here; second")
    }

    @Test func `undeclared prefixes and UTF-16 are read`() throws {
        #expect(
            try read("<ows:ExceptionReport><ows:Exception exceptionCode='TileOutOfRange'/></ows:ExceptionReport>").code
                == .tileOutOfRange)
        let text = "\u{FEFF}<ServiceExceptionReport><ServiceException>ñ</ServiceException></ServiceExceptionReport>"
        let bytes = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(ServiceExceptionReader.read(bytes)?.text == "ñ")
    }

    @Test func `the text of a malformed report is recovered`() throws {
        let exception = try read(
            "<ServiceExceptionReport><ServiceException>no <layer> & &amp; none</ServiceException></ServiceExceptionReport>"
        )
        #expect(exception.text == "no & & none")
    }

    @Test func `scripts, styles and comments are removed from an HTML page`() throws {
        let exception = try read(
            "<!DOCTYPE html><html><head><title>Log in</title><style>p{}</style><script>if (a<b) x()</script></head>"
                + "<body><!-- no --><h1>Log&nbsp;in</h1><p>with your &#101;-mail<br>please</body></html>")
        #expect(exception.shape == .html)
        #expect(exception.text == "Log in with your e-mail please")
    }

    @Test(arguments: [[], Array("  \r\n".utf8), [0xEF, 0xBB, 0xBF]] as [[UInt8]])
    func `an empty response has a message`(body: [UInt8]) {
        #expect(ServiceExceptionReader.read(body)?.text.isEmpty == false)
    }

    @Test func `other documents are described by their kind`() throws {
        #expect(try read("<gml><a>x</a></gml>").text == "the response is an XML document <gml> x")
        #expect(try read("{\"error\": \"no\"}").text == "{\"error\": \"no\"}")
        #expect(ServiceExceptionReader.read(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == nil)
    }

    @Test func `long text is truncated and binary data is described by size and first bytes`() throws {
        let words = try read(String(repeating: "word ", count: 100_000))
        #expect((196...201).contains(words.text.count))
        let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 128) & 0x9F }
        let exception = try #require(ServiceExceptionReader.read([0x1F, 0x8B] + noise, contentType: "image/png"))
        #expect(exception.text.contains("5002 bytes declared as image/png, beginning 1F 8B"))
    }

    @Test(arguments: [
        "<ServiceException/>", "<ServiceException><?pi x?></ServiceException>",
        "<ServiceException code=' '>\u{7F}</ServiceException>",
    ])
    func `an exception without text states that no reason was given`(entry: String) throws {
        let exception = try read("<ServiceExceptionReport version='1.1.1'>\(entry)</ServiceExceptionReport>")
        #expect(exception.description == "no reason given by the service")
    }

    @Test func `control characters are removed from exception codes`() throws {
        let exception = try read(
            "<ServiceExceptionReport><ServiceException code='a&#10;b\u{7F}'/></ServiceExceptionReport>")
        #expect(exception.code?.rawValue == "a b")
    }

    @Test func `hostile responses give a safe message`() {
        for body in [
            String(repeating: "<", count: 3_000_000), String(repeating: "<a>", count: 1_000_000),
            String(repeating: "<!--", count: 500_000), "<html>" + String(repeating: "&", count: 1_000_000),
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><ServiceExceptionReport>&b;</ServiceExceptionReport>",
        ] {
            let exception = ServiceExceptionReader.read(Array(body.utf8))
            #expect(exception?.entries.isEmpty == false)
            #expect(exception?.text.contains("root:") == false)
        }
    }
}

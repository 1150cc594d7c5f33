import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import PortolanXML
import Testing

/// Clauses are those of OGC 06-042 (WMS 1.3.0).
@Suite struct WMSExceptionTests {
    private static func map(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
        var values: [(String, String)] = [
            ("SERVICE", "WMS"), ("VERSION", "1.3.0"), ("REQUEST", "GetMap"), ("LAYERS", "square"), ("STYLES", ""),
            ("CRS", "CRS:84"), ("BBOX", "-10,-10,10,10"), ("WIDTH", "40"), ("HEIGHT", "40"), ("FORMAT", "image/png"),
        ]
        for (name, value) in changes {
            values.removeAll { $0.0 == name }
            if let value { values.append((name, value)) }
        }
        return "/wms?" + values.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private struct Fault: Sendable {
        let clause: String
        let target: String
        let code: String?
        let locator: String?
    }

    private static let faults = [
        Fault(
            clause: "7.3.3.3", target: map(["LAYERS": "nothing"]), code: "LayerNotDefined", locator: "layers"),
        Fault(
            clause: "7.3.3.3", target: map(["LAYERS": "square,nothing"]), code: "LayerNotDefined",
            locator: "layers"),
        Fault(clause: "7.3.3.3", target: map(["LAYERS": nil]), code: nil, locator: "layers"),
        Fault(
            clause: "7.2.4.3", target: map(["LAYERS": [String](repeating: "square", count: 21).joined(separator: ",")]),
            code: nil, locator: "layers"),
        Fault(clause: "7.3.3.4", target: map(["STYLES": "no"]), code: "StyleNotDefined", locator: "styles"),
        Fault(clause: "7.3.3.5", target: map(["CRS": "EPSG:1"]), code: "InvalidCRS", locator: "crs"),
        Fault(clause: "7.3.3.5", target: map(["CRS": "Mars"]), code: "InvalidCRS", locator: "crs"),
        Fault(clause: "7.3.3.6", target: map(["BBOX": "10,-10,-10,10"]), code: nil, locator: "bbox"),
        Fault(clause: "7.3.3.6", target: map(["BBOX": "-10,10,10,10"]), code: nil, locator: "bbox"),
        Fault(clause: "7.3.3.6", target: map(["BBOX": "a,b,c,d"]), code: nil, locator: "bbox"),
        Fault(clause: "7.3.3.6", target: map(["BBOX": "1,2,3"]), code: nil, locator: "bbox"),
        Fault(clause: "7.3.3.7", target: map(["FORMAT": "image/nothing"]), code: "InvalidFormat", locator: "format"),
        Fault(clause: "7.3.3.8", target: map(["WIDTH": "0"]), code: nil, locator: "width, height"),
        Fault(clause: "7.3.3.8", target: map(["HEIGHT": "99999999999"]), code: nil, locator: "width, height"),
        Fault(clause: "7.3.3.10", target: map(["BGCOLOR": "red"]), code: nil, locator: "bgcolor"),
        Fault(
            clause: "6.9.3", target: map(["REQUEST": "GetNothing"]), code: "OperationNotSupported", locator: "request"),
    ]

    @Test func `clauses 7_3_3_11, E_2: errors are reported in XML with their code and locator`() async throws {
        let sample = try await SampleServer()
        for fault in Self.faults {
            let response = await sample.get(fault.target)
            #expect(response.status == 400 && response[header: "Content-Type"] == "text/xml", "\(fault.target)")
            #expect(response[header: "Cache-Control"] == "no-store")
            let exception = try XMLReader().tree(of: response.body).root.child("ServiceException")
            #expect(exception?.attribute("code") == fault.code, "\(fault.clause): \(fault.target)")
            #expect(exception?.attribute("locator") == fault.locator, "\(fault.clause): \(fault.target)")
        }
    }

    @Test func `exceptions of version 1_1_1 have their own media type, and the CRS is an SRS`() async throws {
        let sample = try await SampleServer()
        let response = await sample.get(Self.map(["VERSION": "1.1.1", "CRS": nil, "SRS": "EPSG:1"]))
        #expect(response[header: "Content-Type"] == "application/vnd.ogc.se_xml")
        let root = try XMLReader().tree(of: response.body).root
        #expect(root.attribute("version") == "1.1.1")
        #expect(root.child("ServiceException")?.attribute("code") == "InvalidSRS")
    }

    @Test func `exceptions have status 200 for old clients if the server is configured to`() async throws {
        let sample = try await SampleServer { $0.exceptionsAreSuccesses = true }
        #expect(await sample.get(Self.map(["LAYERS": "nothing"])).status == 200)
    }

    @Test(arguments: ["BLANK", "application/vnd.ogc.se_blank"])
    func `clause 7_3_3_11: BLANK is a picture of the background alone`(form: String) async throws {
        let sample = try await SampleServer()
        let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
        let faulty = Self.map(["LAYERS": "nothing", "EXCEPTIONS": form, "BGCOLOR": "0xFF0000"])
        let opaque = try await sample.pixels(faulty)
        #expect(opaque.width == 40 && opaque.height == 40 && opaque[0, 0] == red && opaque[20, 20] == red)
        let clear = try await sample.pixels(faulty + "&TRANSPARENT=TRUE")
        #expect(clear[0, 0] == .clear && clear[20, 20] == .clear)
    }

    #if Text && Images
    @Test func `clause 7_3_3_11: INIMAGE is a picture in the requested format, with the message on it`() async throws {
        let sample = try await SampleServer()
        let target = Self.map([
            "LAYERS": "nothing", "EXCEPTIONS": "INIMAGE", "FORMAT": "image/webp", "WIDTH": "300", "HEIGHT": "100",
        ])
        #expect(await sample.get(target)[header: "Content-Type"] == "image/webp")
        let pixels = try await sample.pixels(target)
        var inked = 0
        for y in 0..<100 { for x in 0..<300 where pixels[x, y] != Pixel(.white) { inked += 1 } }
        #expect(inked > 200)
    }
    #endif

    private static func question(_ more: String, layers: String = "both") -> String {
        "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&STYLES=&CRS=CRS:84&BBOX=-10,-10,10,10&WIDTH=40"
            + "&HEIGHT=40&LAYERS=\(layers)&\(more)"
    }

    @Test(arguments: [
        ("QUERY_LAYERS=far&I=1&J=1", "far", "LayerNotQueryable"),
        ("QUERY_LAYERS=square&I=1&J=1", "both", "LayerNotDefined"),
        ("QUERY_LAYERS=both&I=1&J=1&INFO_FORMAT=no/thing", "both", "InvalidFormat"),
        ("QUERY_LAYERS=both&I=40&J=1", "both", "InvalidPoint"), ("QUERY_LAYERS=both&I=-1&J=1", "both", "InvalidPoint"),
    ])
    func `clause 7_4_3: a request that cannot be answered is an exception`(
        question: String, layers: String, code: String
    ) async throws {
        let root = try await SampleServer().xml(Self.question(question, layers: layers), status: 400)
        #expect(root.child("ServiceException")?.attribute("code") == code)
    }

    @Test func `clause 7_4: features at a pixel are returned as text, JSON and HTML`() async throws {
        let sample = try await SampleServer()
        func get(_ more: String) async -> ServerResponse {
            await sample.get(Self.question("QUERY_LAYERS=both&FEATURE_COUNT=5&" + more))
        }
        let json = try JSONReader.value(bytes: await get("I=20&J=20&INFO_FORMAT=application/json").body)
        let features = json.objectValue?["features"]?.arrayValue ?? []
        #expect(
            features.map { $0.objectValue?["properties"]?.objectValue?["fill"]?.stringValue } == ["#0000ff", "#ff0000"])
        #expect(features.first?.objectValue?["layer"] == "both")
        let one = String(decoding: await get("I=11&J=20&INFO_FORMAT=text/plain").body, as: UTF8.self)
        #expect(one.contains("fill = #ff0000") && !one.contains("#0000ff"))
        let page = await get("I=20&J=20&INFO_FORMAT=text/html")
        #expect(page[header: "Content-Type"] == "text/html; charset=utf-8")
        #expect(String(decoding: page.body, as: UTF8.self).contains("<td>#0000ff</td>"))
        let none = await get("I=1&J=1&INFO_FORMAT=application/json")
        let value = try JSONReader.value(bytes: none.body).objectValue
        #expect(value?["features"]?.arrayValue?.isEmpty == true)
    }

    #if Text
    @Test func `a legend has its natural size, and explains its layer`() async throws {
        let sample = try await SampleServer()
        let base = "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetLegendGraphic&FORMAT=image/png&LAYER="
        let both = try await sample.pixels(base + "both"), one = try await sample.pixels(base + "both:low")
        #expect(both.height > one.height)
        func has(_ pixels: PixelBuffer, _ color: MapColor) -> Bool {
            (0..<pixels.height).contains { y in (0..<pixels.width).contains { pixels[$0, y] == Pixel(color) } }
        }
        let red = MapColor(red: 255, green: 0, blue: 0), blue = MapColor(red: 0, green: 0, blue: 255)
        #expect(has(both, red) && has(both, blue) && has(one, red) && !has(one, blue))
        #expect(await sample.get(base + "nothing").status == 400)
    }
    #endif
}

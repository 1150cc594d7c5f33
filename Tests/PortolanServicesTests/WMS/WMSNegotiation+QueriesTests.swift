import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMSNegotiationQueriesTests {
    private let base: BaseURL = "http://127.0.0.1:18080/wms"

    private func map(_ layers: [String], _ version: WMSCapabilities.Version = .v1_3_0) throws -> GetMapRequest {
        GetMapRequest(
            version: version, baseURL: base.names(base.url), layers: layers, crs: .webMercator,
            extent: try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1)
    }

    @Test(arguments: ["1.0.0", "1.1.0", "1.1.1", "1.3.0"])
    func `only queryable layers are queried`(version: String) throws {
        let offered = try WMSCapabilitiesReader.read(Fixture.bytes("mapserver/caps-\(version).xml"))
        var map = try map(["relief", "countries", "cities"])
        map.styles = ["", "outline"]
        let template = try #require(WMSNegotiation.featureInfo(for: map, of: offered, baseURL: base))
        // MapServer refuses a question about a picture with a layer that is not to be asked.
        #expect(template.queryLayers == ["countries", "cities"])
        #expect(template.map.layers == ["countries", "cities"])
        #expect(template.map.styles == ["outline", ""])
        #expect(template.map.baseURL.text == "http://127.0.0.1:18080/wms")
        #expect(!template.formats.isEmpty)
        #expect(try WMSNegotiation.featureInfo(for: self.map(["relief"]), of: offered, baseURL: base) == nil)
    }

    @Test func `feature info requests use the GetFeatureInfo address within the URL policy`() throws {
        var offered = try WMSCapabilitiesReader.read(Fixture.bytes("mapserver/caps-1.3.0.xml"))
        let place = try #require(offered.operations.firstIndex { $0.name == "GetFeatureInfo" })
        offered.operations[place].getURL = "http://other.example/info?"
        func address(_ policy: ServiceURLPolicy) throws -> String? {
            try WMSNegotiation.featureInfo(for: map(["cities"]), of: offered, baseURL: base, policy: policy)?.map
                .baseURL.text
        }
        #expect(try address(.advertised) == "http://other.example/info")
        #expect(try address(.base) == base.url)
        #expect(try address(.advertisedIfSameHost) == base.url)
        offered.operations[place].getURL = nil
        #expect(try address(.advertised) == base.url)
        offered.operations.remove(at: place)
        #expect(try address(.advertised) == nil)
    }

    /// Pitfall 7.
    @Test func `an advertised legend is preferred to a GetLegendGraphic request`() throws {
        let offered = try WMSCapabilitiesReader.read(Fixture.bytes("mapproxy/caps-1.3.0.xml"))
        let legends = WMSNegotiation.legends(
            of: ["cities", "relief"], styles: [], version: .v1_3_0, in: offered,
            baseURL: "http://127.0.0.1:18081/service")
        #expect(legends.map(\.layer) == ["cities", "relief"])
        #expect(
            legends[0].url?.text.contains("layer=cities") == true
                && legends[0].url?.text.contains("sld_version=1.1.0") == true)
        #expect(
            legends[1].url?.text
                == "http://127.0.0.1:18081/service?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetLegendGraphic&SLD_VERSION=1.1.0"
                + "&LAYER=relief&FORMAT=image/png&EXCEPTIONS=XML")
        #expect(legends.allSatisfy { !$0.title.isEmpty })
    }

    @Test func `the legend of the drawn style with the best readable format is chosen`() throws {
        func style(_ name: String, _ legends: [(String, String)]) -> String {
            let links = legends.map {
                "<LegendURL>\($0.1.isEmpty ? "" : "<Format>\($0.1)</Format>")<OnlineResource href='\($0.0)'/></LegendURL>"
            }
            return "<Style><Name>\(name)</Name>\(links.joined())</Style>"
        }
        let styles = [
            style(
                "a",
                [("http://h/a.gif", "image/gif"), ("http://h/a.jpg", "image/jpeg"), ("http://h/a.png", "image/png")]),
            style("b", [("http://h/b", "")]),
            style("c", [("mailto:b@h", "image/png"), ("http://h/c.tif", "image/tiff")]),
            style(
                "d",
                [("http://h/d.tif", "image/tiff"), ("http://h/d.gif", "image/gif"), ("http://h/d.webp", "image/webp")]),
        ]
        let text = """
            <WMT_MS_Capabilities version="1.1.1"><Capability><Request><GetLegendGraphic><Format>image/png</Format>\
            </GetLegendGraphic></Request><Layer><Name>one</Name><Title>The one</Title>\(styles.joined())</Layer>\
            </Capability></WMT_MS_Capabilities>
            """
        var offered = try WMSCapabilitiesReader.read(Array(text.utf8))
        func url(_ style: String) -> String? {
            WMSNegotiation.legends(
                of: ["one"], styles: [style], version: .v1_1_1, in: offered, baseURL: "https://h/wms"
            ).first?.url?.text
        }
        let xml = "application/vnd.ogc.se_xml"
        // The map is over https, so the legend of the same host is too.
        #expect(url("a") == "https://h/a.png")
        // The first style need not be the default one.
        #expect(url("")?.hasSuffix("REQUEST=GetLegendGraphic&LAYER=one&FORMAT=image/png&EXCEPTIONS=\(xml)") == true)
        #expect(url("b") == "https://h/b")
        #expect(url("d") == "https://h/d.webp")
        #expect(
            url("c")?.hasPrefix("https://h/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetLegendGraphic&LAYER=one&STYLE=c&")
                == true)
        offered.operations = []
        #expect(url("c") == nil)
        #expect(url("") == "https://h/a.png")
        let named = text.replacing("<Name>b</Name>", with: "<Name>default</Name>")
        offered = try WMSCapabilitiesReader.read(Array(named.utf8))
        #expect(url("") == "https://h/b")
        #expect(url("a") == "https://h/a.png")
    }

    /// A legend has a separate path.
    ///
    /// If its host must not be contacted, the caller's host is used with it.
    @Test(arguments: [
        (ServiceURLPolicy.advertised, "http://maps.example/legend.png", "https://u:p@maps.example/legend.png?key=k"),
        (.advertised, "http://other.example/legend.png", "http://other.example/legend.png"),
        (.advertised, "http://localhost:8080/a/legend.png?x=1", "https://u:p@maps.example/a/legend.png?x=1&key=k"),
        (.advertisedIfSameHost, "http://other.example/l.png", "https://u:p@maps.example/l.png?key=k"),
        (.base, "http://maps.example:81/l.png", "https://u:p@maps.example/l.png?key=k"),
    ])
    func `legend addresses follow the URL policy and keep the caller's key`(
        policy: ServiceURLPolicy, advertised: String, url: String
    ) throws {
        let text = """
            <WMT_MS_Capabilities version="1.1.1"><Capability><Layer><Name>one</Name><Style><Name>default</Name><LegendURL>\
            <Format>image/png</Format><OnlineResource href="\(advertised)"/></LegendURL></Style></Layer></Capability>\
            </WMT_MS_Capabilities>
            """
        let legends = WMSNegotiation.legends(
            of: ["one"], styles: [], version: .v1_1_1, in: try WMSCapabilitiesReader.read(Array(text.utf8)),
            baseURL: "https://u:p@maps.example/wms?service=WMS&key=k", policy: policy)
        #expect(legends.map(\.url?.text) == [url])
    }
}

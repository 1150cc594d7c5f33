import PortolanServices
import PortolanWeb
import Testing

@Suite struct GetLegendGraphicRequestTests {
    /// Pitfall 7.
    @Test func `version 1_3_0 sends SLD_VERSION, and the style parameter is STYLE`() throws {
        var request = GetLegendGraphicRequest(
            version: .v1_3_0, baseURL: "http://h/wms?map=a&styles=x&", layer: "a b", style: "red")
        #expect(
            request.url
                == "http://h/wms?map=a&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetLegendGraphic&SLD_VERSION=1.1.0"
                + "&LAYER=a%20b&STYLE=red&FORMAT=image/png&EXCEPTIONS=XML")
        request.version = .v1_1_1
        request.style = nil
        request.width = 20
        request.height = 16
        request.scaleDenominator = 25_000
        request.format = "image/svg+xml"
        #expect(
            request.url
                == "http://h/wms?map=a&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetLegendGraphic&LAYER=a%20b"
                + "&FORMAT=image/svg%2Bxml&WIDTH=20&HEIGHT=16&SCALE=25000&EXCEPTIONS=application/vnd.ogc.se_xml")
    }

    @Test func `a legend of version 1_0_0 is requested as version 1_1_1`() {
        let request = GetLegendGraphicRequest(version: .v1_0_0, baseURL: "http://h/", layer: "a", style: "")
        #expect(request.url.contains("VERSION=1.1.1&"))
        #expect(!request.url.contains("STYLE"))
        #expect(!request.url.contains("WMTVER"))
        #expect(!request.url.contains("SLD_VERSION"))
    }
}

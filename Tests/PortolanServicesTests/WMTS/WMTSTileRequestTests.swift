import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMTSFeatureInfoTemplateTests {
    private func template(
        _ file: String, layer: String = "political", encoding: WMTSOptions.Encoding? = nil,
        base: BaseURL = "http://127.0.0.1:18081/wmts"
    ) throws -> WMTSFeatureInfoTemplate? {
        let offered = try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/\(file)"))
        let tiles = try WMTSNegotiation.request(
            for: WMTSOptions(layer: layer, matrixSet: "webmercator", encoding: encoding), of: offered, baseURL: base,
            mapCRS: .webMercator)
        return WMTSNegotiation.featureInfo(for: tiles, encoding: encoding, of: offered, baseURL: base)
    }

    private func url(
        _ template: WMTSFeatureInfoTemplate, format: String = "application/json", column: Int = 129, row: Int = 112
    ) throws -> String? {
        let tile = try #require(template.tiles.grid.tile(level: 10, column: 509, row: 381))
        return template.url(for: tile, column: column, row: row, infoFormat: WMSCapabilities.Format(format))
    }

    /// The parameters of OGC 07-057r7 table 31, and the templates that the server lists.
    @Test func `feature info for a tile pixel is requested by KVP and by REST`() throws {
        let byParameters = try #require(try template("wmts-kvp-caps.xml"))
        #expect(
            try url(byParameters)
                == "http://127.0.0.1:18081/service?SERVICE=WMTS&REQUEST=GetFeatureInfo&VERSION=1.0.0&LAYER=political"
                + "&STYLE=default&FORMAT=image/png&TILEMATRIXSET=webmercator&TILEMATRIX=10&TILEROW=381&TILECOL=509"
                + "&J=112&I=129&INFOFORMAT=application/json")
        #expect(
            byParameters.formats.map(\.verbatim) == [
                "application/json", "text/plain", "application/vnd.ogc.gml", "text/html",
            ])
        let byPath = try #require(try template("wmts-rest-caps.xml"))
        #expect(try url(byPath) == "http://127.0.0.1:18081/wmts/political/webmercator/10/509/381/129/112.json")
        #expect(
            try url(byPath, format: "text/plain")
                == "http://127.0.0.1:18081/wmts/political/webmercator/10/509/381/129/112.txt")
        #expect(try url(byPath, format: "image/png") == nil)
    }

    @Test func `pixels outside the tile and layers without feature info are not queried`() throws {
        let template = try #require(try template("wmts-rest-caps.xml"))
        for (column, row) in [(-1, 0), (0, -1), (256, 0), (0, 256)] {
            #expect(try url(template, column: column, row: row) == nil)
        }
        #expect(try self.template("wmts-rest-caps.xml", layer: "relief") == nil)
        #expect(try self.template("wmts-kvp-caps.xml", layer: "relief") == nil)
        // What is not advertised is not asked for.
        let offered = try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/wmts-rest-caps.xml"))
        #expect(
            WMTSNegotiation.featureInfo(
                for: template.tiles, encoding: .parameters, of: offered, baseURL: "http://127.0.0.1:18081/wmts") == nil)
    }

    @Test func `internal feature info addresses are replaced by the document's host`() throws {
        let base: BaseURL = "https://u:p@maps.example/wmts?key=k"
        let byPath = try #require(try template("wmts-rest-caps.xml", base: base))
        #expect(
            try url(byPath) == "https://u:p@maps.example/wmts/political/webmercator/10/509/381/129/112.json?key=k")
        let byParameters = try #require(try template("wmts-kvp-caps.xml", base: base))
        #expect(
            try url(byParameters)?.hasPrefix("https://u:p@maps.example/wmts?key=k&SERVICE=WMTS&REQUEST=GetFeatureInfo&")
                == true)
    }
}

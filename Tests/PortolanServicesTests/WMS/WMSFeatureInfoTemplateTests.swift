import PortolanGeo
import PortolanServices
import Testing

@Suite struct WMSFeatureInfoTemplateTests {
    private func template(_ formats: [String]) throws -> WMSFeatureInfoTemplate {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let map = GetMapRequest(
            version: .v1_3_0, baseURL: "http://h/", layers: ["a"], crs: .webMercator, extent: extent, width: 1,
            height: 1)
        return WMSFeatureInfoTemplate(map: map, queryLayers: ["a"], formats: formats.map(WMSFormat.init))
    }

    /// The lists that the programs advertise.
    @Test(arguments: [
        (
            ["text/plain", "application/vnd.ogc.gml", "text/html", "text/javascript", "application/json"],
            "application/json"
        ),
        (
            ["text/plain", "text/xml", "application/vnd.ogc.gml", "application/json", "application/geo+json"],
            "application/geo+json"
        ),
        (
            ["application/vnd.esri.wms_featureinfo_xml", "text/xml", "text/html", "text/plain"],
            "application/vnd.esri.wms_featureinfo_xml"
        ),
        (["text/html", "text/plain"], "text/plain"), (["MIME", "GML.1"], "GML.1"),
        (["text/html; charset=UTF-8"], "text/html; charset=UTF-8"), (["image/png"], "text/plain"), ([], "text/plain"),
        (["geojson", "text/plain"], "geojson"),
    ])
    func `the format from which most can be learned comes first`(offered: [String], first: String) throws {
        #expect(try template(offered).readableFormats.first?.verbatim == first)
    }

    @Test func `of each kind one format is worth a try`() throws {
        let offered = [
            "gml", "text/html", "application/vnd.ogc.gml", "geojson", "text/plain", "text/xml", "application/json",
        ]
        let kinds = try template(offered).distinctFormats.map(\.verbatim)
        #expect(kinds == ["application/json", "application/vnd.ogc.gml", "text/plain", "text/html"])
        #expect(try template([]).distinctFormats.map(\.verbatim) == ["text/plain"])
    }

    @Test(arguments: [
        ("json", "application/json"), ("gml", "application/vnd.ogc.gml"), ("TEXT", "text/plain"), ("html", "text/html"),
        ("text/html", "text/html"), ("xml", "application/vnd.ogc.gml"), ("Text/Plain", "text/plain"),
    ])
    func `a format may be meant by a word`(word: String, format: String) throws {
        let offered = ["text/plain", "text/html", "application/vnd.ogc.gml", "application/json"]
        #expect(try template(offered).format(meant: word)?.verbatim == format)
        #expect(try template(offered).format(meant: "geojson") == nil)
        #expect(try template(offered).format(meant: "application/pdf") == nil)
        #expect(try template([]).format(meant: "text/odd")?.verbatim == "text/odd")
    }
}

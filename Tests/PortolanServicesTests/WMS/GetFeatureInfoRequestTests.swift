import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct GetFeatureInfoRequestTests {
    private func request(
        _ version: WMSCapabilities.Version, format: String = "application/json", base: NamedURL = "http://h/wms",
        query: [String] = ["cities"], extra: [GetMapRequest.Parameter] = []
    ) throws -> GetFeatureInfoRequest {
        let extent = try #require(Extent(minX: -10, minY: 35, maxX: 5, maxY: 45))
        let map = GetMapRequest(
            version: version, baseURL: base, layers: ["countries", "cities"], crs: .epsg4326, extent: extent,
            width: 300, height: 200, extraParameters: extra)
        return GetFeatureInfoRequest(
            map: map, queryLayers: query, column: 7, row: 0, infoFormat: format, featureCount: 5)
    }

    /// Pitfall 4.
    @Test func `the pixel is X and Y with SRS up to version 1_1_1, and I and J with CRS in 1_3_0`() throws {
        #expect(
            try request(.v1_0_0, format: "text/plain").url
                == "http://h/wms?SERVICE=WMS&WMTVER=1.0.0&REQUEST=feature_info&LAYERS=countries,cities&STYLES=,"
                + "&SRS=EPSG:4326&BBOX=-10,35,5,45&WIDTH=300&HEIGHT=200&FORMAT=PNG&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF"
                + "&EXCEPTIONS=WMS_XML&QUERY_LAYERS=cities&INFO_FORMAT=MIME&FEATURE_COUNT=5&X=7&Y=0")
        for version in [WMSCapabilities.Version.v1_1_0, .v1_1_1] {
            #expect(
                try request(version).url
                    == "http://h/wms?SERVICE=WMS&VERSION=\(version)&REQUEST=GetFeatureInfo&LAYERS=countries,cities"
                    + "&STYLES=,&SRS=EPSG:4326&BBOX=-10,35,5,45&WIDTH=300&HEIGHT=200&FORMAT=image/png"
                    + "&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF&EXCEPTIONS=application/vnd.ogc.se_xml&QUERY_LAYERS=cities"
                    + "&INFO_FORMAT=application/json&FEATURE_COUNT=5&X=7&Y=0")
        }
        #expect(
            try request(.v1_3_0).url
                == "http://h/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&LAYERS=countries,cities&STYLES=,"
                + "&CRS=EPSG:4326&BBOX=35,-10,45,5&WIDTH=300&HEIGHT=200&FORMAT=image/png&TRANSPARENT=TRUE"
                + "&BGCOLOR=0xFFFFFF&EXCEPTIONS=XML&QUERY_LAYERS=cities&INFO_FORMAT=application/json&FEATURE_COUNT=5"
                + "&I=7&J=0")
    }

    /// Quirk 11.
    @Test func `a plus in a media type is percent-encoded`() throws {
        #expect(
            try request(.v1_3_0, format: "application/geo+json").url.contains("&INFO_FORMAT=application/geo%2Bjson&"))
        var drawn = try request(.v1_3_0)
        drawn.map.format = "image/svg+xml"
        #expect(drawn.url.contains("&FORMAT=image/svg%2Bxml&"))
    }

    @Test func `a parameter given in both the address and the options is sent once`() throws {
        let url = try request(
            .v1_1_1, base: "http://h/wms?map=a&query_layers=x&x=9&Info_Format=y",
            extra: [.init("TIME", "2020"), .init("query_layers", "relief")]
        ).url
        #expect(url.hasPrefix("http://h/wms?map=a&SERVICE=WMS&"))
        for name in ["QUERY_LAYERS=", "X=", "INFO_FORMAT=", "TIME="] {
            #expect(url.uppercased().split(separator: "&").count { $0.hasPrefix(name) } == 1, "\(name) in \(url)")
        }
        #expect(url.contains("QUERY_LAYERS=cities"))
        #expect(url.contains("X=7"))
    }

    @Test func `commas and ampersands in layer names are percent-encoded`() throws {
        #expect(try request(.v1_3_0, query: ["a,b", "c&d"]).url.contains("QUERY_LAYERS=a%2Cb,c%26d&"))
    }
}

@Suite struct WMSFeatureInfoTemplateTests {
    private func template(_ formats: [String]) throws -> WMSFeatureInfoTemplate {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let map = GetMapRequest(
            version: .v1_3_0, baseURL: "http://h/", layers: ["a"], crs: .webMercator, extent: extent, width: 1,
            height: 1)
        return WMSFeatureInfoTemplate(map: map, queryLayers: ["a"], formats: formats.map(WMSCapabilities.Format.init))
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
    func `the most structured info format is preferred`(offered: [String], first: String) throws {
        #expect(try template(offered).readableFormats.first?.verbatim == first)
    }

    @Test func `one format of each kind is tried`() throws {
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
    func `a format can be given by a short name`(word: String, format: String) throws {
        let offered = ["text/plain", "text/html", "application/vnd.ogc.gml", "application/json"]
        #expect(try template(offered).format(meant: word)?.verbatim == format)
        #expect(try template(offered).format(meant: "geojson") == nil)
        #expect(try template(offered).format(meant: "application/pdf") == nil)
        #expect(try template([]).format(meant: "text/odd")?.verbatim == "text/odd")
    }
}

import PortolanGeo
import PortolanServices
import Testing

@Suite struct GetFeatureInfoRequestTests {
    private func request(
        _ version: WMSVersion, format: String = "application/json", base: String = "http://h/wms",
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
    @Test func `the pixel is X and Y up to version 1_1_1 and I and J in 1_3_0, as the system is SRS and CRS`() throws {
        #expect(
            try request(.v1_0_0, format: "text/plain").url
                == "http://h/wms?SERVICE=WMS&WMTVER=1.0.0&REQUEST=feature_info&LAYERS=countries,cities&STYLES=,"
                + "&SRS=EPSG:4326&BBOX=-10,35,5,45&WIDTH=300&HEIGHT=200&FORMAT=PNG&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF"
                + "&EXCEPTIONS=WMS_XML&QUERY_LAYERS=cities&INFO_FORMAT=MIME&FEATURE_COUNT=5&X=7&Y=0")
        for version in [WMSVersion.v1_1_0, .v1_1_1] {
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
    @Test func `a plus in a media type is no blank`() throws {
        #expect(
            try request(.v1_3_0, format: "application/geo+json").url.contains("&INFO_FORMAT=application/geo%2Bjson&"))
        var drawn = try request(.v1_3_0)
        drawn.map.format = "image/svg+xml"
        #expect(drawn.url.contains("&FORMAT=image/svg%2Bxml&"))
    }

    @Test func `what the address or the user says twice is said once`() throws {
        let url = try request(
            .v1_1_1, base: "http://h/wms?map=a&query_layers=x&x=9&Info_Format=y",
            extra: [.init("TIME", "2020"), .init("query_layers", "relief")]
        ).url
        #expect(url.hasPrefix("http://h/wms?map=a&SERVICE=WMS&"))
        for name in ["QUERY_LAYERS=", "X=", "INFO_FORMAT=", "TIME="] {
            #expect(url.uppercased().split(separator: "&").count { $0.hasPrefix(name) } == 1, "\(name) in \(url)")
        }
        #expect(url.contains("QUERY_LAYERS=cities") && url.contains("X=7"))
    }

    @Test func `commas and ampersands in names do not part them`() throws {
        #expect(try request(.v1_3_0, query: ["a,b", "c&d"]).url.contains("QUERY_LAYERS=a%2Cb,c%26d&"))
    }
}

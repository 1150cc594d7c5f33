import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct GetMapRequestTests {
    private func request(
        _ version: WMSCapabilities.Version, base: NamedURL = "http://h/wms", layers: [String] = ["countries"],
        styles: [String] = [],
        crs: CRS = .epsg4326, crsName: String? = nil, format: String = "image/png",
        extra: [GetMapRequest.Parameter] = []
    ) throws -> GetMapRequest {
        let extent = try #require(Extent(minX: -10, minY: 35, maxX: 5, maxY: 45))
        return GetMapRequest(
            version: version, baseURL: base, layers: layers, styles: styles, crs: crs, crsName: crsName, extent: extent,
            width: 300, height: 200, format: format, extraParameters: extra)
    }

    @Test func `each WMS version uses its own parameter names`() throws {
        #expect(
            try request(.v1_0_0).url
                == "http://h/wms?SERVICE=WMS&WMTVER=1.0.0&REQUEST=map&LAYERS=countries&STYLES=&SRS=EPSG:4326"
                + "&BBOX=-10,35,5,45&WIDTH=300&HEIGHT=200&FORMAT=PNG&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF&EXCEPTIONS=WMS_XML"
        )
        for version in [WMSCapabilities.Version.v1_1_0, .v1_1_1] {
            #expect(
                try request(version).url
                    == "http://h/wms?SERVICE=WMS&VERSION=\(version)&REQUEST=GetMap&LAYERS=countries&STYLES=&SRS=EPSG:4326"
                    + "&BBOX=-10,35,5,45&WIDTH=300&HEIGHT=200&FORMAT=image/png&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF"
                    + "&EXCEPTIONS=application/vnd.ogc.se_xml")
        }
        #expect(
            try request(.v1_3_0).url
                == "http://h/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=countries&STYLES=&CRS=EPSG:4326"
                + "&BBOX=35,-10,45,5&WIDTH=300&HEIGHT=200&FORMAT=image/png&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF&EXCEPTIONS=XML"
        )
    }

    @Test(arguments: [("image/png", "PNG"), ("image/jpeg", "JPEG"), ("PNG", "PNG"), ("image/odd", "image/odd")])
    func `version 1_0_0 sends format names instead of media types`(format: String, sent: String) throws {
        #expect(try request(.v1_0_0, format: format).url.contains("&FORMAT=\(sent)&"))
    }

    @Test func `styles are always sent, one for each layer`() throws {
        #expect(try request(.v1_1_1, layers: ["a", "b", "c"]).url.contains("&LAYERS=a,b,c&STYLES=,,&"))
        #expect(try request(.v1_1_1, layers: ["a", "b", "c"], styles: ["", "x"]).url.contains("&STYLES=,x,&"))
    }

    @Test func `names with commas, blanks and accents are encoded`() throws {
        let url = try request(.v1_3_0, layers: ["a,b", "c d", "ríos", "ns:x"], format: "image/svg+xml").url
        #expect(url.contains("&LAYERS=a%2Cb,c%20d,r%C3%ADos,ns:x&"))
        #expect(url.contains("&FORMAT=image/svg%2Bxml&"))
    }

    @Test func `protocol parameters in the base address are dropped whatever their case and the rest kept`() throws {
        let base: NamedURL =
            "http://h/cgi-bin/mapserv?map=/a/b.map&service=wms&Version=1.1.1&REQUEST=GetCapabilities&layers=x&wmtver=1&key=k"
        let url = try request(.v1_1_1, base: base).url
        #expect(url.hasPrefix("http://h/cgi-bin/mapserv?map=/a/b.map&key=k&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&"))
        #expect(!url.contains("GetCapabilities"))
    }

    @Test func `extra parameters come last and replace standard ones of the same name`() throws {
        let url = try request(
            .v1_1_1, extra: [.init("TIME", "2026-01-01"), .init("exceptions", "BLANK"), .init("DIM_X", "a b")]
        ).url
        #expect(url.hasSuffix("&EXCEPTIONS=BLANK&TIME=2026-01-01&DIM_X=a%20b"))
        #expect(!url.contains("se_xml"))
    }

    @Test func `the server's spelling of a CRS is sent`() throws {
        let url = try request(.v1_1_1, crs: .webMercator, crsName: "OSGEO:41001").url
        #expect(url.contains("&SRS=OSGEO:41001&"))
    }

    @Test func `tiny extents are written without exponents`() throws {
        var request = try request(.v1_1_1)
        request.extent = try #require(Extent(minX: 0.00001, minY: -0.000002, maxX: 0.00002, maxY: 1e-9))
        #expect(request.url.contains("&BBOX=0.00001,-0.000002,0.00002,0.000000001&"))
    }

    @Test func `unset optional parameters are not sent`() throws {
        var request = try request(.v1_1_1)
        request.isTransparent = nil
        request.background = nil
        request.exceptions = nil
        #expect(request.url.hasSuffix("&FORMAT=image/png"))
        request.isTransparent = false
        request.background = .init(red: 1, green: 0xAB, blue: 0)
        #expect(request.url.hasSuffix("&TRANSPARENT=FALSE&BGCOLOR=0x01AB00"))
    }
}

/// Half-size letters on dense screens (pitfall 47).
@Suite struct GetMapRequestPixelRatioTests {
    private func query(
        _ ratio: Double, base: NamedURL = "http://h/wms", _ extra: [GetMapRequest.Parameter] = []
    ) throws
        -> [String: String]
    {
        let request = try GetMapRequest(
            version: .v1_3_0, baseURL: base, layers: ["a"], crs: .webMercator,
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1, extraParameters: extra)
        let url = request.enlarged(byPixelRatio: ratio).url
        var query: [String: String] = [:]
        for part in url.split(separator: "?")[1].split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            #expect(query.updateValue(pair[1], forKey: pair[0].uppercased()) == nil, "\(part) is there twice")
        }
        return query
    }

    @Test(arguments: [(2.0, "180", "144"), (1.5, "135", "108"), (3, "270", "216"), (0.5, "45", "36")])
    func `a pixel ratio sets the DPI parameters of three servers`(ratio: Double, dpi: String, mapServer: String) throws
    {
        let query = try query(ratio)
        #expect(query["DPI"] == dpi)
        #expect(query["MAP_RESOLUTION"] == mapServer)
        #expect(query["FORMAT_OPTIONS"] == "dpi:\(dpi)")
    }

    @Test(arguments: [1, 0, -2, .nan, .infinity]) func `a pixel ratio of 1 or an invalid one sends no DPI parameters`(
        ratio: Double
    ) throws {
        let query = try query(ratio)
        #expect(query["DPI"] == nil)
        #expect(query["MAP_RESOLUTION"] == nil)
        #expect(query["FORMAT_OPTIONS"] == nil)
    }

    @Test(arguments: [("DPI", "96"), ("map_resolution", "96"), ("FORMAT_OPTIONS", "antialias:on;dpi:96")])
    func `a resolution set by the user replaces the automatic DPI parameters`(name: String, value: String) throws {
        let query = try query(2, [.init(name, value)])
        let sent = ["DPI", "MAP_RESOLUTION", "FORMAT_OPTIONS"].filter { query[$0] != nil }
        #expect(sent == [name.uppercased()])
        #expect(
            try self.query(2, base: NamedURL("http://h/wms?\(name)=\(value)", namedBy: .user)).filter {
                $0.value.contains("180")
            }.isEmpty)
    }

    @Test func `other format options are kept next to the DPI`() throws {
        let query = try query(2, [.init("format_options", "layout:big")])
        #expect(query["FORMAT_OPTIONS"] == "layout:big%3Bdpi:180")
        #expect(query["DPI"] == "180")
        #expect(try self.query(2, base: "http://h/wms?format_options=layout:big")["FORMAT_OPTIONS"] == "layout:big")
    }
}

import PortolanGeo
import PortolanServices
import Testing

@Suite struct GetMapRequestTests {
    private func request(
        _ version: WMSVersion, base: String = "http://h/wms", layers: [String] = ["countries"], styles: [String] = [],
        crs: CRS = .epsg4326, crsName: String? = nil, format: String = "image/png",
        extra: [GetMapRequest.Parameter] = []
    ) throws -> GetMapRequest {
        let extent = try #require(Extent(minX: -10, minY: 35, maxX: 5, maxY: 45))
        return GetMapRequest(
            version: version, baseURL: base, layers: layers, styles: styles, crs: crs, crsName: crsName, extent: extent,
            width: 300, height: 200, format: format, extraParameters: extra)
    }

    @Test func `each version has its own words`() throws {
        #expect(
            try request(.v1_0_0).url
                == "http://h/wms?SERVICE=WMS&WMTVER=1.0.0&REQUEST=map&LAYERS=countries&STYLES=&SRS=EPSG:4326"
                + "&BBOX=-10,35,5,45&WIDTH=300&HEIGHT=200&FORMAT=PNG&TRANSPARENT=TRUE&BGCOLOR=0xFFFFFF&EXCEPTIONS=WMS_XML"
        )
        for version in [WMSVersion.v1_1_0, .v1_1_1] {
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
    func `version 1.0.0 asks for formats by their names`(format: String, sent: String) throws {
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
        let base =
            "http://h/cgi-bin/mapserv?map=/a/b.map&service=wms&Version=1.1.1&REQUEST=GetCapabilities&layers=x&wmtver=1&key=k"
        let url = try request(.v1_1_1, base: base).url
        #expect(url.hasPrefix("http://h/cgi-bin/mapserv?map=/a/b.map&key=k&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&"))
        #expect(!url.contains("GetCapabilities"))
    }

    @Test func `more parameters go last and take the place of those that are there`() throws {
        let url = try request(
            .v1_1_1, extra: [.init("TIME", "2026-01-01"), .init("exceptions", "BLANK"), .init("DIM_X", "a b")]
        ).url
        #expect(url.hasSuffix("&EXCEPTIONS=BLANK&TIME=2026-01-01&DIM_X=a%20b"))
        #expect(!url.contains("se_xml"))
    }

    @Test func `the server's spelling of a system is sent`() throws {
        let url = try request(.v1_1_1, crs: .webMercator, crsName: "OSGEO:41001").url
        #expect(url.contains("&SRS=OSGEO:41001&"))
    }

    @Test func `tiny extents have no exponents`() throws {
        var request = try request(.v1_1_1)
        request.extent = try #require(Extent(minX: 0.00001, minY: -0.000002, maxX: 0.00002, maxY: 1e-9))
        #expect(request.url.contains("&BBOX=0.00001,-0.000002,0.00002,0.000000001&"))
    }

    @Test func `what is left unsaid is not sent`() throws {
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

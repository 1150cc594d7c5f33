import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// References in documents of services are resolved against the address of the document (RFC 3986, section 5).
@Suite struct AdvertisedAddressTests {
    private static let document = "http://h.example/ows/deep/caps?key=k"

    /// A reference and the address of a map that it leads to, without the parameters of the request.
    static let operations: [(String, String)] = [
        ("map?", "http://h.example/ows/deep/map"), ("./map", "http://h.example/ows/deep/map"),
        ("/map?a=1&", "http://h.example/map?a=1"), ("../map?", "http://h.example/ows/map"),
        ("../../../map", "http://h.example/map"), ("?", "http://h.example/ows/deep/caps"),
        ("//h.example/x?", "http://h.example/x"), ("h.example/x?", "http://h.example/x"),
        ("//other.example/x?", "http://other.example/x"), ("www.other.example/x", "http://www.other.example/x"),
        ("http://h.example/whole?", "http://h.example/whole"), ("dir/", "http://h.example/ows/deep/dir/"),
        ("cgi?map=/a b.map&", "http://h.example/ows/deep/cgi?map=/a%20b.map"),
        // An address that is not on the web is replaced by that of the service itself.
        ("mailto:a@h.example", "http://h.example/ows/deep/caps"), ("http://", "http://h.example/ows/deep/caps"),
        ("data:text/plain,x", "http://h.example/ows/deep/caps"),
    ]

    private func wms(_ href: String) throws -> WMSCapabilities {
        let text = """
            <WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
            <Service><Name>WMS</Name></Service><Capability><Request><GetMap><Format>image/png</Format><DCPType><HTTP><Get>
            <OnlineResource xlink:href="\(href.replacing("&", with: "&amp;"))"/></Get></HTTP></DCPType></GetMap></Request>
            <Layer><Name>a</Name><Title>a</Title><CRS>EPSG:3857</CRS><Style><Name>s</Name><Title>s</Title>
            <LegendURL width="1" height="1"><Format>image/png</Format><OnlineResource xlink:href="../legend.png"/></LegendURL>
            </Style></Layer></Capability></WMS_Capabilities>
            """
        return try WMSCapabilitiesReader.read(Array(text.utf8))
    }

    @Test(arguments: operations)
    func `the address of a WMS operation is resolved against the capabilities address`(
        reference: String, address: String
    ) throws {
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: wms(reference), baseURL: BaseURL(Self.document), mapCRS: .webMercator)
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let url = template.request(extent: extent, width: 1, height: 1).url
        let expected = address + (address.contains("?") ? "&" : "?")
        let isOwn = address.hasPrefix("http://h.example/")
        let key = isOwn ? "key=k&" : ""
        #expect(url.hasPrefix(expected + key + "SERVICE=WMS") || url.hasPrefix(expected + "SERVICE=WMS"), "\(url)")
        #expect(url.contains("key=k") == isOwn)
    }

    @Test func `a relative legend address is resolved against the capabilities address`() throws {
        let legends = WMSNegotiation.legends(
            of: ["a"], styles: [""], version: .v1_3_0, in: try wms("map?"), baseURL: BaseURL(Self.document))
        #expect(legends.map { $0.url?.text } == ["http://h.example/ows/legend.png?key=k"])
    }

    @Test(arguments: [
        ("../t/{TileMatrix}/{TileRow}/{TileCol}.png", "http://h.example/ows/t/1/0/0.png?key=k"),
        ("/t/{TileMatrix}/{TileRow}/{TileCol}.png", "http://h.example/t/1/0/0.png?key=k"),
        ("{TileMatrix}/{TileRow}/{TileCol}", "http://h.example/ows/deep/1/0/0?key=k"),
        ("//h.example/{TileMatrix}/{TileRow}/{TileCol}", "http://h.example/1/0/0?key=k"),
        ("//t.example/{TileMatrix}/{TileRow}/{TileCol}", "http://t.example/1/0/0"),
        ("?z={TileMatrix}&y={TileRow}&x={TileCol}", "http://h.example/ows/deep/caps?z=1&y=0&x=0&key=k"),
        ("http://h.example/{TileMatrix}/{TileRow}/{TileCol}", "http://h.example/1/0/0?key=k"),
    ])
    func `a relative tile template is resolved against the capabilities address`(
        reference: String, address: String
    ) throws {
        var text = WMTSText.world()
        text.layer +=
            "<ResourceURL format='image/png' resourceType='tile' template='\(reference.replacing("&", with: "&amp;"))'/>"
        let request = try WMTSNegotiation.request(
            for: WMTSOptions(), of: text.capabilities(), baseURL: BaseURL(Self.document), mapCRS: .webMercator)
        let tile = try #require(request.grid.tile(level: 1, column: 0, row: 0))
        #expect(request.url(for: tile) == address)
    }

    @Test(arguments: [
        ("map?", "http://h.example/moved/map?key=k&SERVICE=WMS"), ("/map?", "http://h.example/map?key=k&SERVICE=WMS"),
        ("", "http://h.example/ows/deep/caps?key=k&SERVICE=WMS"),
    ])
    func `relative addresses of a redirected document are resolved against its final address`(
        reference: String, address: String
    ) throws {
        let base = BaseURL(Self.document, foundAt: "http://h.example/moved/caps?REQUEST=GetCapabilities")
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: wms(reference), baseURL: base, mapCRS: .webMercator)
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        #expect(template.request(extent: extent, width: 1, height: 1).url.hasPrefix(address))
    }

    @Test func `the warning about another host names the setting that keeps the service's own host`() throws {
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: wms("http://inside.example/x?"), baseURL: BaseURL(Self.document),
            mapCRS: .webMercator)
        #expect(template.warnings.contains { $0.message.contains("url-policy=base uses h.example instead") })
    }
}

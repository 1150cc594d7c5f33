import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMSRequestLimitsTests {
    private func template(
        _ layers: String, service: String = "", names: [String], format: String = "image/png"
    ) throws
        -> WMSMapTemplate
    {
        let text = """
            <WMS_Capabilities version="1.3.0"><Service>\(service)</Service><Capability><Request><GetMap>
            <Format>\(format)</Format></GetMap></Request><Layer><CRS>EPSG:3857</CRS>\(layers)</Layer></Capability>
            </WMS_Capabilities>
            """
        return try WMSNegotiation.template(
            for: WMSOptions(layers: names, isTransparent: format == "image/png"),
            of: WMSCapabilitiesReader.read(Array(text.utf8)), baseURL: "http://h/", mapCRS: .webMercator)
    }

    @Test func `size limits, layer limit and scales are read from the document`() throws {
        let limits = try template(
            "<Layer><Name>a</Name><MinScaleDenominator>5</MinScaleDenominator></Layer><Layer><Name>b</Name></Layer>",
            service: "<LayerLimit>3</LayerLimit><MaxWidth>800</MaxWidth><MaxHeight>600</MaxHeight>", names: ["b", "a"]
        ).limits
        #expect(limits.maxWidth == 800)
        #expect(limits.maxHeight == 600)
        #expect(limits.maxLayers == 3)
        #expect(limits.scales == [WMSScaleRange(), WMSScaleRange(minimum: 5)])
        #expect(limits.wholeExtent == nil)
        #expect(limits.fixedWidth == nil)
    }

    @Test func `a layer without subsets has the extent of its box`() throws {
        let limits = try template(
            "<Layer noSubsets='1' fixedWidth='90' fixedHeight='60'><Name>a</Name>"
                + "<BoundingBox CRS='EPSG:3857' minx='0' miny='0' maxx='9' maxy='6'/></Layer>", names: ["a"]
        ).limits
        #expect(limits.wholeExtent == Extent(minX: 0, minY: 0, maxX: 9, maxY: 6))
        #expect(limits.fixedWidth == 90)
        #expect(limits.fixedHeight == 60)
    }

    @Test func `layers beyond the limit are split into several requests only for a transparent format`() throws {
        let layers = "<Layer><Name>a</Name></Layer><Layer><Name>b</Name></Layer>"
        let png = try template(layers, service: "<LayerLimit>1</LayerLimit>", names: ["a", "b"])
        #expect(png.limits.maxLayers == 1)
        #expect(png.warnings.count == 1)
        let jpeg = try template(layers, service: "<LayerLimit>1</LayerLimit>", names: ["a", "b"], format: "image/jpeg")
        #expect(jpeg.limits.maxLayers == nil)
        #expect(jpeg.warnings.contains { $0.description.contains("hides") })
    }

    @Test(
        arguments: [
            (nil, nil, 1.0, true), (1000.0, nil, 800.0, true), (1000, nil, 700, false), (nil, 1000, 1290, true),
            (nil, 1000, 1310, false), (1000, 2000, 1500, true),
        ] as [(Double?, Double?, Double, Bool)])
    func `a scale is within the limits if any server's pixel size makes it so`(
        low: Double?, high: Double?, scale: Double, isDrawn: Bool
    ) {
        // 25.4 mm / 72 are 1.26 times 0.28 mm.
        #expect(WMSScaleRange(minimum: low, maximum: high).mayDraw(at: scale) == isDrawn)
    }

    @Test func `a scale range is described by its 1:n ratios`() {
        #expect(WMSScaleRange(minimum: 5000, maximum: 2e6).description == "from 1:5000 to 1:2000000")
        #expect(WMSScaleRange(maximum: 2e6).description == "to 1:2000000")
        #expect(WMSScaleRange().description == "at all scales")
    }
}

import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Geographic boxes as services write them.
@Suite struct GeographicBoxTests {
    private static let boxes: [((Double, Double, Double, Double), [Double]?)] = [
        ((-10, 35, 5, 45), [-10, 35, 5, 45]), ((-180, -90, 180, 90), [-180, -90, 180, 90]),
        // Half a cell beyond the poles, and from Greenwich on.
        ((-1.25, -91.25, 358.75, 91.25), [-1.25, -90, 358.75, 90]), ((170, -20, -170, -10), [170, -20, 190, -10]),
        // Latitude first: China, the world.
        ((18, 73, 54, 135), nil), ((-90, -180, 90, 180), nil),
        // Metres.
        ((-1_113_194, 3_503_549, 3_339_584, 5_621_521), nil), ((428_000, 4_500_000, 429_000, 4_501_000), nil),
        ((300, 500, 700, 900), nil),
        // North and south exchanged.
        ((-10, 45, 5, 35), nil),
    ]

    @Test(arguments: boxes)
    func `an invalid geographic box of a WMS layer is dropped with a warning`(
        sides: (Double, Double, Double, Double), wanted: [Double]?
    ) throws {
        let text = """
            <WMT_MS_Capabilities version="1.1.1"><Capability><Layer><Name>a</Name><LatLonBoundingBox minx="\(sides.0)"
             miny="\(sides.1)" maxx="\(sides.2)" maxy="\(sides.3)"/></Layer></Capability></WMT_MS_Capabilities>
            """
        let offered = try WMSCapabilitiesReader.read(Array(text.utf8))
        let box = offered.layer(named: "a")?.geographicBox
        #expect(box.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } == wanted)
        #expect(
            offered.warnings.contains { $0.description.contains("geographic box") } == (wanted == nil),
            "\(offered.warnings)")
    }

    @Test(arguments: boxes.filter { $0.0.1 < $0.0.3 })
    func `an invalid geographic box of a WMTS layer is dropped with a warning`(
        sides: (Double, Double, Double, Double), wanted: [Double]?
    ) throws {
        var text = WMTSText.world()
        text.layer =
            "<ows:WGS84BoundingBox><ows:LowerCorner>\(sides.0) \(sides.1)</ows:LowerCorner><ows:UpperCorner>"
            + "\(sides.2) \(sides.3)</ows:UpperCorner></ows:WGS84BoundingBox>" + text.layer
        let offered = try text.capabilities()
        let box = offered.layers.first?.geographicBox
        #expect(box.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } == wanted)
        #expect(
            offered.warnings.contains { $0.description.contains("geographic box") } == (wanted == nil),
            "\(offered.warnings)")
    }
}

import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb
import Testing

@Suite struct MapLayerTests {
    /// From the finest resolution on, up to and without the coarsest, as scale ranges are read (OGC 06-042 7.2.4.6.9).
    @Test(
        arguments: [
            (0.9, nil, nil, true), (0.9, 1.0, nil, false), (1, 1, nil, true), (1, nil, 1, false), (0.99, nil, 1, true),
            (5, 1, 10, true), (10, 1, 10, false),
        ] as [(Double, Double?, Double?, Bool)])
    func `a layer is drawn within its resolutions`(
        resolution: Double, minimum: Double?, maximum: Double?, isDrawn: Bool
    ) throws {
        let layer = MapLayer(
            name: "l", source: FeatureSource(features: []),
            minimumResolution: minimum.flatMap { Resolution(unitsPerPixel: $0) },
            maximumResolution: maximum.flatMap { Resolution(unitsPerPixel: $0) })
        #expect(try layer.isDrawn(at: View.resolution(resolution)) == isDrawn)
    }

    @Test(arguments: [(1.0, true), (0.001, true), (0, false), (-1, false), (.nan, false)])
    func `an invisible layer is not drawn`(opacity: Double, isDrawn: Bool) throws {
        let layer = MapLayer(name: "l", source: FeatureSource(features: []), opacity: opacity)
        #expect(try layer.isDrawn(at: View.resolution(1)) == isDrawn)
        var hidden = layer
        hidden.isVisible = false
        #expect(try !hidden.isDrawn(at: View.resolution(1)))
    }

    @Test func `source kinds have the names used in reports`() throws {
        let set = WMSCTileSet(
            crsName: "EPSG:3857", extent: nil, resolutions: [try View.resolution(1000)], layers: ["x"])
        let wmsc = try TileSource(WMSCTileSet.TileRequest(tileSet: set, baseURL: "http://h/"))
        #expect(try WMSPlannerTests.source().kind == "wms")
        #expect(wmsc.kind == "wmsc")
        #expect(try TilePlannerTests.xyz().kind == "xyz")
        #expect(FeatureSource(features: []).kind == "features")
    }
}

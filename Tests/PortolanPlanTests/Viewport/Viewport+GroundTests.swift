import PortolanGeo
import PortolanPlan
import Testing

@Suite struct ViewportGroundTests {
    /// Ground distances by GeographicLib's geodesics on WGS 84 (`geod` of PROJ), to a millimetre.
    @Test(arguments: [
        (24.93545, 60.16952, 24.93645, 60.16952, 55.5143), (24.93545, 60.16952, 24.93545, 60.17052, 111.4152),
        (-78.52495, -0.22985, -78.52395, -0.22985, 111.3186), (179.9995, -16.8, -179.9995, -16.8, 106.5981),
    ])
    func `near places are as far apart as geodesics say`(
        x1: Double, y1: Double, x2: Double, y2: Double, meters: Double
    ) {
        let distance = GroundDistance.meters(
            from: Coordinate(longitude: x1, latitude: y1), to: Coordinate(longitude: x2, latitude: y2))
        #expect(abs(distance / meters - 1) < 1e-5)
    }

    @Test func `web mercator is stretched by the latitude`() throws {
        let view = try View.slippy(24.93545, 60.16952, zoom: 10)
        let meters = try #require(view.metersPerImagePixel)
        // 156543.034 m at the equator over 2^10, by the cosine of the latitude on the ellipsoid's parallel: 76.17 m.
        #expect(abs(meters / 76.17 - 1) < 2e-3)
    }

    @Test func `a map without a known projection has no scale`() throws {
        let view = try View.make(x: 400_000, y: 300_000, resolution: 10, crs: CRS("EPSG:27200"))
        #expect(view.metersPerImagePixel == nil)
        #expect(view.geographicExtent == nil)
    }
}

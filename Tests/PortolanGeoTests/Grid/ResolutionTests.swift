import PortolanGeo
import Testing

@Suite struct ResolutionTests {
    @Test(arguments: [0.0, -1, .nan, .infinity])
    func `a resolution must be finite and positive`(value: Double) {
        #expect(Resolution(unitsPerPixel: value) == nil)
    }

    /// The first and last rows of the table of GoogleMapsCompatible, OGC 17-083r4 annex D.1.
    @Test(arguments: [(0.0, 156543.03392804097, 559082264.0287178), (18, 0.5971642834779395, 2132.729583849784)])
    func `levels have the resolutions and scales of GoogleMapsCompatible`(
        zoom: Double, unitsPerPixel: Double, denominator: Double
    ) throws {
        let resolution = try #require(Resolution(zoom: zoom, in: .webMercator))
        #expect(abs(resolution.unitsPerPixel / unitsPerPixel - 1) < 1e-12)
        #expect(abs(resolution.scaleDenominator(in: .webMercator) / denominator - 1) < 1e-12)
        #expect(abs(resolution.zoom(in: .webMercator) - zoom) < 1e-9)
        let back = try #require(Resolution(scaleDenominator: denominator, in: .webMercator))
        #expect(abs(back.unitsPerPixel / unitsPerPixel - 1) < 1e-12)
    }

    /// 0.28 m are 0.91863 feet of either kind.
    @Test(arguments: [("EPSG:2263", 0.28 * 3937 / 1200), ("EPSG:2222", 0.28 / 0.3048)])
    func `scales in feet assume the OGC pixel size too`(name: String, feet: Double) throws {
        let crs = try CRS(name)
        let resolution = try #require(Resolution(scaleDenominator: 1000, in: crs))
        #expect(abs(resolution.unitsPerPixel / feet - 1) < 1e-12)
        #expect(abs(resolution.scaleDenominator(in: crs) / 1000 - 1) < 1e-12)
    }

    @Test func `level 0 shows 360 degrees in 256 pixels`() throws {
        let resolution = try #require(Resolution(zoom: 0, in: .epsg4326))
        #expect(abs(resolution.unitsPerPixel - 1.40625) < 1e-12)
    }
}

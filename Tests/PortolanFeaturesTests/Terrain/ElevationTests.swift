import PortolanGeo
import PortolanRaster
import Testing

@testable import PortolanFeatures

@Suite struct ElevationTests {
    private func decode(_ encoding: ElevationEncoding, _ pixels: [Pixel]) throws -> [Float] {
        let size = try #require(ImageSize(width: pixels.count, height: 1))
        return encoding.elevations(try #require(PixelBuffer(size: size, pixels: pixels.map(\.bits)))).values
    }

    private func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) -> Pixel {
        Pixel(red: red, green: green, blue: blue, alpha: alpha)
    }

    @Test func `tiles are decoded by the formulas of their encodings`() throws {
        #expect(
            try decode(.terrarium, [pixel(128, 0, 0), pixel(162, 145, 128), pixel(85, 75, 0)]) == [0, 8_849.5, -10_933])
        #expect(try decode(.mapbox, [pixel(1, 134, 160), pixel(2, 224, 74)]) == [0, 8_849])
        let custom = ElevationEncoding.custom(red: 100, green: 1, blue: 0.01, shift: 50)
        #expect(try decode(custom, [pixel(2, 3, 100), pixel(0, 0, 0)]) == [154, -50])
    }

    @Test func `transparent and black pixels have no data`() throws {
        for encoding in [ElevationEncoding.terrarium, .mapbox] {
            let found = try decode(encoding, [pixel(0, 0, 0, alpha: 0), pixel(0, 0, 0), pixel(128, 0, 0)])
            #expect(found.map(\.isNaN) == [true, true, false])
        }
    }

    @Test func `positions between samples have interpolated values`() {
        var grid = RasterValues(width: 2, height: 2)
        grid.values = [0, 10, 20, 30]
        #expect(grid.value(atX: 0.5, y: 0.5) == 15)
        #expect(grid.value(atX: 0.25, y: 0) == 2.5)
        #expect(grid.value(atX: -0.4, y: 1.4) == 20)
        #expect(grid.value(atX: -0.6, y: 0).isNaN)
        grid.values[3] = .nan
        #expect(grid.value(atX: 0.5, y: 0.5) == 10)
    }

    @Test func `spacing is measured on the ground in any CRS`() throws {
        // A degree is 111.32 km at the equator, 55.80 km of longitude at 60 degrees north, and there 111.41 km of latitude.
        let degrees = GroundSpacing(
            crs: .crs84, topLeft: Coordinate(x: 24, y: 60), resolution: (1, 60), columnCount: 3, rowCount: 2)
        #expect(abs(degrees.eastward[0] - 55_800) < 20)
        #expect(abs(degrees.eastward[1] - 111_320) < 20)
        let mercator = GroundSpacing(
            crs: .webMercator, topLeft: Coordinate(x: 0, y: 8_399_737.89), resolution: (10, 10), columnCount: 1,
            rowCount: 1)
        #expect(abs(mercator.eastward[0] - 5.013) < 0.01)
        #expect(abs(mercator.southward[0] - 5.005) < 0.02)
    }

    @Test func `ramps interpolate and clamp`() {
        let ramp = ElevationRamp([
            ElevationRamp.Stop(100, SIMD4(1, 0, 0, 1)), ElevationRamp.Stop(0, SIMD4(0, 0, 0, 0)),
            ElevationRamp.Stop(.nan, SIMD4(0, 1, 0, 1)),
        ])
        #expect(ramp.color(of: 25) == SIMD4(0.25, 0, 0, 0.25))
        #expect(ramp.color(of: -5) == .zero)
        #expect(ramp.color(of: 5_000) == SIMD4(1, 0, 0, 1))
        #expect(ramp.color(of: .nan) == .zero)
    }
}

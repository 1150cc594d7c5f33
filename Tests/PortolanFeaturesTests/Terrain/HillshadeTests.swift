import PortolanRaster
import Testing

@testable import PortolanFeatures

@Suite struct HillshadeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let mode: String
        let look: Hillshade
        var formula = TerrainGradient.Formula.horn
        var factor = 1.0
        var testDescription: String { mode }
    }

    static let cases = [
        Case(mode: "hillshade", look: Hillshade()),
        Case(mode: "hillshade-zt", look: Hillshade(), formula: .zevenbergenThorne),
        Case(mode: "hillshade-low", look: Hillshade(azimuth: 200, altitude: 20), factor: 2),
        Case(mode: "combined", look: Hillshade(method: .combined)),
        Case(mode: "multidirectional", look: Hillshade(method: .multidirectional)),
        Case(mode: "igor", look: Hillshade(method: .igor)),
        Case(mode: "igor-south", look: Hillshade(method: .igor, azimuth: 160)),
    ]

    @Test(arguments: cases)
    func `shades are those of gdaldem`(_ one: Case) throws {
        let relief = try GDALRelief.shared.get(), shader = Hillshade.Shader(one.look)
        var sum = 0.0, largest = 0.0, count = 0
        try relief.compare(one.mode, one.formula, factor: one.factor) { east, north, expected in
            let difference = abs(Double(shader.pixel(east: east, north: north).red) - expected)
            sum += difference
            largest = max(largest, difference)
            count += 1
        }
        #expect(count == 46 * 38)
        #expect(sum / Double(count) < 0.01, "mean difference \(sum / Double(count))")
        #expect(largest <= 1, "largest difference \(largest)")
    }

    @Test func `slopes and aspects are those of gdaldem`() throws {
        let relief = try GDALRelief.shared.get()
        var slope = 0.0, percent = 0.0, aspect = 0.0
        try relief.compare("slope") { slope = max(slope, abs(TerrainGradient.slope(east: $0, north: $1) - $2)) }
        try relief.compare("percent") { percent = max(percent, abs(100 * ($0 * $0 + $1 * $1).squareRoot() - $2)) }
        try relief.compare("aspect") { east, north, expected in
            let own = TerrainGradient.aspect(east: east, north: north) ?? -9_999
            aspect = max(aspect, abs((own - expected).remainder(dividingBy: 360)))
        }
        #expect(slope < 0.01)
        #expect(percent < 0.01)
        #expect(aspect < 0.01)
    }

    @Test func `shades above a map are clear on level ground`() {
        let shader = Hillshade.Shader(
            Hillshade(shadow: MapColor(red: 0, green: 0, blue: 0), highlight: MapColor(red: 255, green: 255, blue: 255))
        )
        #expect(shader.pixel(east: 0, north: 0) == .clear)
        // The light comes from the north-west: ground that rises to the south-east faces it.
        let light = shader.pixel(east: 0.5, north: -0.5), shade = shader.pixel(east: -0.5, north: 0.5)
        #expect(light.red > 0 && light.red == light.alpha)
        #expect(shade.red == 0 && shade.alpha > 0)
    }

    @Test func `the edges of data are as steep as the ground beside them`() {
        var grid = RasterValues(width: 4, height: 4)
        for row in 0..<4 { for column in 0..<4 { grid.values[row * 4 + column] = Float(10 * column) } }
        grid.values[5] = .nan
        let gradient = TerrainGradient(grid, spacing: GroundSpacing(eastward: 10, southward: 10, rowCount: 4))
        for row in 0..<4 {
            for column in 0..<4 where (column, row) != (1, 1) && (column, row) != (0, 1) && (column, row) != (1, 0) {
                #expect(abs((gradient(column, row)?.east ?? 0) - 1) < 1e-9, "\(column), \(row)")
                #expect(abs(gradient(column, row)?.north ?? 1) < 1e-9, "\(column), \(row)")
            }
        }
        #expect(gradient(1, 1) == nil)
    }
}

import PortolanFeatures
import PortolanGeo
import PortolanStyles
import Testing

@Suite struct StyleExpressionTests {
    @Test func `the width of a road grows with its lanes and with zoom`() throws {
        let road = Feature(
            geometry: .lineString([Coordinate(x: 24, y: 60), Coordinate(x: 25, y: 60)]), properties: ["lanes": 3])
        let width = try StyleExpression(
            ["interpolate", ["linear"], ["zoom"], 5, 1, 18, ["*", 2, ["get", "lanes"]]],
            for: PropertySpecification(.number, default: 1, isInterpolated: true))
        let pixels = try width.evaluate(ExpressionContext(zoom: 14, feature: road)).numberValue
        #expect(pixels.map { abs($0 - (1 + 5 * 9.0 / 13)) < 1e-9 } == true)
        #expect(!width.isFeatureConstant)
        #expect(!width.isZoomConstant)
        #expect(width.type == .number)
    }
}

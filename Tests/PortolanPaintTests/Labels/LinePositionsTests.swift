#if Text
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanText
import Testing

@testable import PortolanPaint

@Suite struct LinePositionsTests {
    private static let picture = Rectangle(minX: -1000, minY: -1000, maxX: 1000, maxY: 1000)

    /// A text of capital letters.
    private static func text() throws -> LabelText {
        let symbol = LabelSymbol(template: "TTTTTT", size: 20, isPlain: true)
        return try #require(
            try LabelText(
                "TTTTTT", symbol: symbol, fonts: SampleScene.fonts, pixelRatio: 1, isOneLine: true))
    }

    /// A line with a bend in the middle of two arms.
    private static func line(bend degrees: Double, arm length: Double) -> [Point] {
        let axes = Bearing.axes(degrees: degrees)
        return [
            Point(x: -length, y: 0), Point(x: 0, y: 0), Point(x: length * axes.cosine, y: length * axes.sine),
        ]
    }

    @Test(arguments: [-42.0, 42]) func `letters do not overlap at a bend`(degrees: Double) throws {
        let text = try Self.text()
        func labels(isOfStyle: Bool, arms: Double) -> [LinePositions.Label] {
            LinePositions(text: text, halo: 0, spacing: 400, isOfStyle: isOfStyle).labels(
                along: Self.line(bend: degrees, arm: arms * text.width), in: Self.picture)
        }
        // Short arms leave no other position than across the bend.
        #expect(labels(isOfStyle: true, arms: 0.7).count == 1)
        #expect(labels(isOfStyle: false, arms: 0.7).isEmpty)
        #expect(labels(isOfStyle: false, arms: 1.5).count == 1)
    }

    @Test(arguments: [-12.0, 0, 12]) func `a slight bend is no obstacle`(degrees: Double) throws {
        let text = try Self.text()
        let labels = LinePositions(text: text, halo: 0, spacing: 400).labels(
            along: Self.line(bend: degrees, arm: 0.7 * text.width), in: Self.picture)
        #expect(labels.count == 1)
    }
}
#endif

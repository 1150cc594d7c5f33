#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText
import Testing

@testable import PortolanPaint

/// Points that are drawn with their names, or not at all.
@Suite struct LabelDeclutteringTests {
    /// A point of a layer that is decluttered.
    private static func point(
        _ x: Double, _ y: Double, _ name: String, priority: Int = 0, isSelected: Bool = false
    ) -> Scene.StyledFeature {
        let plain = LabelCollectorTests.point(x, y, name, priority: .integer(priority))
        var style = plain.style
        style.label?.declutters = true
        return Scene.StyledFeature(feature: plain.feature, style: style, iconURL: nil, isSelected: isSelected)
    }

    /// Many points in rows and columns, and a priority for each.
    private static func rows(spacing: Double) -> [Scene.StyledFeature] {
        var random = 7
        return stride(from: -55.0, through: 55, by: spacing).flatMap { y in
            stride(from: -95.0, through: 95, by: spacing).map { x in
                random = (random &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
                return point(x, y, "N\(random % 1000)", priority: random >> 8)
            }
        }
    }

    /// The placed labels and the losses in a picture of 200 × 120 pixels.
    private static func result(_ features: [Scene.StyledFeature]) throws -> LabelCollector.Result {
        let viewport = try SampleScene(width: 200, height: 120).viewport()
        return try LabelCollector.placedLabels(
            SampleScene.step(features).nodes.flatMap { $0.featureSteps }, viewport: viewport, images: [:],
            fonts: SampleScene.fonts,
            furniture: FurniturePainter(furniture: Furniture(), fonts: SampleScene.fonts, viewport: viewport))
    }

    /// The names that are drawn.
    private static func names(_ features: [Scene.StyledFeature]) throws -> Set<String> {
        Set(try result(features).placed.compactMap { $0.text?.lines.first?.text })
    }

    @Test(arguments: [4.0, 7, 11, 19, 40])
    func `each name has its own mark beside it, and any other is farther away`(spacing: Double) throws {
        let features = Self.rows(spacing: spacing), result = try Self.result(features)
        let icons = try result.placed.map { try #require($0.icon?.box) }
        #expect(!icons.isEmpty)
        for (number, label) in result.placed.enumerated() {
            let text = try #require(label.boxes.first)
            #expect(label.text != nil && label.leader == nil)
            let own = text.distance(to: icons[number])
            for (other, icon) in icons.enumerated() where other != number {
                #expect(text.distance(to: icon) > own + 1, "\(text) \(icon)")
                #expect(!icon.overlaps(icons[number]))
            }
        }
        let losses = try #require(result.losses.first)
        #expect(result.placed.count + losses.omittedPoints == features.count && losses.unnamedPoints == 0)
    }

    @Test func `the point of the highest priority is drawn, and those that it crowds out are counted`() throws {
        let suburbs = (0..<8).map { Self.point(3 * Double($0 % 4), 3 * Double($0 / 4), "Suburb", priority: $0) }
        let result = try Self.result(suburbs + [Self.point(4, 1, "Capital", priority: 100)])
        #expect(result.placed.map { $0.text?.lines.first?.text } == ["Capital"])
        #expect(result.losses.first?.omittedPoints == 8)
        #expect(result.losses.first?.collided == 8)
    }

    @Test func `points without a name have marks where there is room`() throws {
        let result = try Self.result([Self.point(-40, 0, ""), Self.point(-39, 0, ""), Self.point(40, 0, "East")])
        #expect(result.placed.map { $0.text == nil } == [true, false])
        #expect(result.losses.first?.omittedPoints == 1 && result.losses.first?.collided == 0)
    }

    @Test func `a mark that the edge of the picture cuts is left out with its name`() throws {
        #expect(try Self.names([Self.point(98, 0, "East")]).isEmpty)
        #expect(try Self.names([Self.point(80, 0, "East")]) == ["East"])
    }

    @Test func `a selected point is drawn in any case`() throws {
        let all = [Self.point(0, 0, "Capital", priority: 9), Self.point(3, 0, "Suburb", isSelected: true)]
        let viewport = try SampleScene(width: 200, height: 120).viewport()
        let step = try #require(SampleScene.step(all).nodes.flatMap { $0.featureSteps }.first)
        let looks = PixelStyles(step, viewport: viewport, images: [:])
        #expect(looks.all[looks.number(ofFeature: 0)].marker == nil)
        #expect(looks.all[looks.number(ofFeature: 1)].marker != nil)
    }

    @Test func `marks are drawn with their names`() throws {
        let picture = try SampleScene(width: 200, height: 120).paint([SampleScene.step([Self.point(0, 0, "Capital")])])
        #expect(picture[100, 60] == Pixel(.brick))
        #expect(picture[10, 10] == Pixel(.white))
    }
}
#endif

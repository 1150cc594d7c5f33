#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

/// Labels of lines stay on their ground while the map is moved.
@Suite struct LabelPanningTests {
    private static func road(_ places: [(Double, Double)], _ name: String) -> Scene.StyledFeature {
        SampleScene.styled(
            .lineString(SampleScene.places(places)), Style(label: LabelCollectorTests.label { $0.outline = nil }),
            properties: ["name": .string(name)])
    }

    /// Roads that run far beyond the picture, straight and winding, in both directions.
    private static let roads: [Scene.StyledFeature] = {
        let winding = (-90...90).map { step -> (Double, Double) in
            let wave = Double((step * step * 7) % 11)
            return (Double(step) * 30, wave * 0.7 + 60)
        }
        let lane = (-60...60).map { step -> (Double, Double) in
            let x = Double(step)
            return (x * 4, x * x / 40 - 20)
        }
        return [
            road(winding, "Winding Road"), road([(3000, -71), (-2500, -40)], "Straight Road"), road(lane, "Short Lane"),
        ]
    }()

    private static func picture(_ x: Double, _ y: Double) throws -> PixelBuffer {
        var scene = SampleScene(width: 900, height: 260)
        scene.center = Coordinate(x: x, y: y)
        return try scene.paint(roads)
    }

    @Test(arguments: 1...20)
    func `labels that stay in view keep their positions on the map`(_ way: Int) throws {
        let before = try Self.picture(0, 0), after = try Self.picture(Double(way), Double(way / 2))
        // What is near enough to the border to enter or leave is left aside.
        var inked = 0, different = 0
        for y in 40..<220 {
            for x in 110..<790 {
                let one = before[x, y], other = after[x - way, y + way / 2]
                if one.red < 128 { inked += 1 }
                if abs(Int(one.red) - Int(other.red)) > 2 { different += 1 }
            }
        }
        #expect(inked > 400)
        #expect(different == 0)
    }

    @Test func `a line is labelled even if its usual label position is out of view`() throws {
        var scene = SampleScene(width: 160, height: 60)
        for x in stride(from: -1900.0, through: 1900, by: 95) {
            scene.center = Coordinate(x: x, y: 0)
            let picture = try scene.paint([Self.road([(-2000, 0), (2000, 0)], "Road")])
            let isLabelled = (0..<60).contains { y in (0..<160).contains { picture[$0, y].red < 128 } }
            #expect(isLabelled, "at \(x)")
        }
    }
}
#endif

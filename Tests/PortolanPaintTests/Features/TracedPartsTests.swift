import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct TracedPartsTests {
    /// A wavy line of many places, or a ring of such.
    private static func wave(_ x: Double, _ y: Double, isRing: Bool) -> Geometry {
        var places = (0..<60).map { step -> (Double, Double) in
            let angle = Double(step) / 30 * .pi
            return isRing
                ? (x + (9 + cos(7 * angle)) * cos(angle), y + (9 + cos(7 * angle)) * sin(angle))
                : (x + Double(step) / 2, y + 3 * sin(3 * angle) + Double(step) / 7)
        }
        guard isRing else { return .lineString(SampleScene.places(places)) }
        places.append(places[0])
        return .polygon([SampleScene.places(places)])
    }

    /// Lines and areas inside the picture, over its border and outside, as one layer of a certain look draws them.
    private static func layer(_ width: Double, _ color: MapColor) -> Scene.Layer {
        let style = Style(
            stroke: LineSymbol(color: color, width: width, cap: .round, join: .round),
            fill: FillSymbol(color: color.withOpacity(0.3)))
        let spots = [(-30.0, -10.0), (5, 12), (40, 20), (-60, 0), (0, -31), (200, 200)]
        return SampleScene.step(
            spots.flatMap { x, y in
                [true, false].map { SampleScene.styled(wave(x, y, isRing: $0), style) }
            }, shifts: [0, 37])
    }

    @Test(arguments: [1, 3])
    func `features drawn from the cache look like new ones`(threads: Int) throws {
        let layer = Self.layer(5, .brick), node = try #require(layer.nodes.first)
        // The same shapes are known from the layer before; those of other features are not.
        let same = Scene.Layer(name: "f", nodes: [node, node])
        let others = Scene.Layer(name: "f", nodes: [node] + Self.layer(5, .brick).nodes)
        #expect(try SampleScene(threads: threads).paint([same]) == SampleScene(threads: threads).paint([others]))
    }
}

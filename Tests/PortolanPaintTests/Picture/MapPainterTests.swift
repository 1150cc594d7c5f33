import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct MapPainterTests {
    @Test func `a plan of nothing is the background`() throws {
        var scene = Scene()
        scene.background = Color(red: 10, green: 20, blue: 30, alpha: 128)
        #expect(try scene.paint([DrawStep]()) == Scene.color(scene.background, 96, 64))
    }

    @Test func `later layers lie over earlier ones`() throws {
        func step(_ color: Color) -> DrawStep {
            Scene.step([
                Scene.styled(
                    .point(Coordinate(x: 0, y: 0)),
                    Style(
                        marker: .shape(ShapeMarker(shape: .square, radius: 10, fill: FillSymbol(color: color)))))
            ])
        }
        #expect(try Scene().paint([step(.brick), step(.sea)])[48, 32] == Pixel(.sea))
        #expect(try Scene().paint([step(.sea), step(.brick)])[48, 32] == Pixel(.brick))
    }

    @Test func `the same plan gives the same picture`() throws {
        var scene = Scene()
        scene.furniture = Furniture(attribution: "© A", title: "T", showsNorthArrow: true)
        let features = [
            Scene.styled(
                .lineString(Scene.places([(-40, -20), (40, 20)])), Style(stroke: LineSymbol(color: .brick, width: 3)))
        ]
        #expect(try scene.paint(features) == scene.paint(features))
    }
}

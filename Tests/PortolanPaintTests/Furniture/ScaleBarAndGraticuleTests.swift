import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct ScaleBarAndGraticuleTests {
    @Test func `a scale bar stands at the bottom left, over the information bar`() throws {
        let furniture = Furniture(infoBar: InfoBar(title: "Walk"), showsScaleBar: true)
        try Golden.check(FurniturePainterTests.scene(220, 100, furniture).paint([SceneLayer]()), "scale-bar")
    }

    @Test func `a graticule has its degrees at the border`() throws {
        let furniture = Furniture(graticule: .automatic)
        try Golden.check(FurniturePainterTests.scene(300, 140, furniture).paint([SceneLayer]()), "graticule")
    }
}

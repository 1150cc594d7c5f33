#if Text
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct ScaleBarAndGraticuleTests {
    @Test func `a scale bar is drawn at the bottom left, above the information bar`() throws {
        let furniture = Furniture(infoBar: Furniture.InfoBar(title: "Walk"), showsScaleBar: true)
        try Golden.check(FurniturePainterTests.scene(220, 100, furniture).paint([Scene.Layer]()), "scale-bar")
    }

    @Test func `a graticule has degree labels at the border`() throws {
        let furniture = Furniture(graticule: .automatic)
        try Golden.check(FurniturePainterTests.scene(300, 140, furniture).paint([Scene.Layer]()), "graticule")
    }

    @Test func `degree labels do not overlap the title, the arrow and the legend`() throws {
        let furniture = Furniture(
            attribution: "© OpenStreetMap", title: "Degrees", infoBar: nil, showsNorthArrow: true, showsScaleBar: true,
            graticule: .automatic)
        try Golden.check(FurniturePainterTests.scene(420, 200, furniture).paint([Scene.Layer]()), "graticule-title")
    }

    @Test func `on a polar map, degree labels are placed where the meridians leave it`() throws {
        var scene = FurniturePainterTests.scene(320, 320, Furniture(graticule: .degrees(30)))
        scene.resolution = 20_000
        try Golden.check(scene.paint([Scene.Layer](), crs: CRS("EPSG:3995")), "graticule-pole")
        scene.resolution = 80_000
        try Golden.check(scene.paint([Scene.Layer](), crs: CRS("EPSG:3035")), "graticule-half-earth")
    }

    @Test func `each copy of the world has its meridians`() throws {
        var scene = FurniturePainterTests.scene(600, 120, Furniture(graticule: .degrees(90)))
        // A world is 256 pixels wide, and a meridian each 64.
        scene.resolution = 156_543.033_928_040_97
        let picture = try scene.paint([Scene.Layer]())
        let row = (0..<600).map { picture[$0, 30] }
        let lines = (1..<600).count { row[$0] != row[0] && row[$0 - 1] == row[0] }
        #expect(lines == 9)
    }
}
#endif

#if Text
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@testable import PortolanPaint

@Suite struct ScaleBarAndGraticuleTests {
    @Test func `a scale bar is drawn at the bottom left, above the information bar`() throws {
        let furniture = Furniture(infoBar: Furniture.InfoBar(title: "Walk"), showsScaleBar: true)
        try Golden.check(FurniturePainterTests.scene(220, 100, furniture).paint([Scene.Layer]()), "scale-bar")
    }

    @Test(
        arguments: [
            (2600, .metric, 2000, "2 km"), (999, .metric, 500, "500 m"), (0.6, .metric, 0.5, "50 cm"),
            (0.0021, .metric, 0.002, "2 mm"), (9000, .imperial, 5 * 1609.344, "5 mi"),
            (1600, .imperial, 5000 * 0.3048, "5000 ft"), (0.2, .imperial, 5 * 0.0254, "5 in"),
            (40_000, .nautical, 20 * 1852, "20 NM"), (1000, .nautical, 0.5 * 1852, "0.5 NM"),
            (18, .nautical, 10, "10 m"),
        ] as [(Double, Furniture.LengthUnits, Double, String)])
    func `a scale bar has the longest round length in its units`(
        limit: Double, units: Furniture.LengthUnits, meters: Double, text: String
    ) throws {
        let length = try #require(ScaleBarPainter.Length(noLongerThan: limit, in: units))
        #expect(abs(length.meters - meters) < 1e-9 * meters)
        #expect(length.text == text)
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

    @Test func `degree labels are inside the edge of the earth, and zero stands once`() throws {
        var furniture = Furniture(graticule: .degrees(30))
        furniture.showsOutline = true
        var scene = FurniturePainterTests.scene(420, 220, furniture)
        scene.resolution = 85_000
        try Golden.check(scene.paint([Scene.Layer](), crs: CRS("robinson")), "graticule-world")
        scene = FurniturePainterTests.scene(220, 220, furniture)
        scene.resolution = 60_000
        try Golden.check(scene.paint([Scene.Layer](), crs: CRS("ortho:lon=10,lat=45")), "graticule-globe")
    }

    @Test func `degree labels are at the lower border if a panel takes most of the upper one`() throws {
        let furniture = Furniture(title: "A title of nearly the whole width", graticule: .automatic)
        try Golden.check(FurniturePainterTests.scene(420, 200, furniture).paint([Scene.Layer]()), "graticule-below")
    }

    @Test func `names keep clear of degree labels`() throws {
        var scene = FurniturePainterTests.scene(420, 200, Furniture(graticule: .degrees(30)))
        scene.resolution = 60_000
        let viewport = try scene.viewport()
        let furniture = FurniturePainter(furniture: scene.furniture, fonts: SampleScene.fonts, viewport: viewport)
        let degrees = try #require(furniture.graticulePainter).labelBoxes(clearOf: [])
        // A place below each degree label, whose name would cover it.
        let places = degrees.map { box in
            let place = viewport.coordinate(atImagePixel: Point(x: box.center.x, y: box.maxY + 6))
            return LabelCollectorTests.point(place.x, place.y, "Place")
        }
        let drawing = Scene(viewport: viewport, background: .white, layers: [SampleScene.step(places)])
        let painter = MapPainter(
            scene: drawing, images: [:], fonts: SampleScene.fonts, furniture: scene.furniture)
        var missing = MissingCharacters()
        let placed = try painter.placedLabels(clearOf: furniture, &missing)
        #expect(degrees.count > 8 && placed.bounds { _ in true } != nil)
        #expect(placed.bounds { $0.boxes.contains { degrees.contains(where: $0.overlaps) } } == nil)
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

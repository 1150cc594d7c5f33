import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct SpherePainterTests {
    @Test(arguments: ["robinson", "ortho:lon=10,lat=45", "aeqd:lat=90", "laea:lon=170,lat=-40"])
    func `the sphere is filled up to its outline`(name: String) throws {
        let crs = try CRS(name), outline = try #require(crs.outlineExtent)
        let view = try Viewport.fitting(
            BoundingBox(outline), padding: 4, size: SampleScene.size(200, 200), crs: crs)
        let scene = Scene(viewport: view, background: .white, layers: [], sphere: .sea)
        let picture = try SampleScene.image(
            MapPainter(scene: scene, images: [:], fonts: SampleScene.fonts, furniture: .init()))
        let back = try CoordinateTransform(from: crs, to: .crs84)
        for row in 0..<200 {
            for column in 0..<200 {
                let around = [(0.5, 0.5), (-0.5, 0.5), (1.5, 0.5), (0.5, -0.5), (0.5, 1.5)].map {
                    back(view.coordinate(at: Point(x: Double(column) + $0.0, y: Double(row) + $0.1))) != nil
                }
                guard Set(around).count == 1 else { continue }
                // The outline is a little inside of what can be projected.
                if around[0] != (picture[column, row] == Pixel(.sea)) {
                    Issue.record("\(column), \(row): \(picture[column, row])")
                    return
                }
            }
        }
    }
}

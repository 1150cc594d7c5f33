import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct MosaicTransformTests {
    static func mosaic(_ x: Double, _ y: Double, _ resolution: Double, crs: CRS = .webMercator) throws -> Mosaic {
        try Mosaic(
            crs: crs, topLeft: Coordinate(x: x, y: y), resolutionX: resolution, resolutionY: resolution,
            size: Scene.size(256, 256), images: [])
    }

    @Test(arguments: [(-48.0, 32.0, 0, 0), (-50, 32, -2, 0), (-47.6, 31.6, 0, 0), (-47.4, 40, 1, -8)])
    func `at its own resolution a mosaic is moved by whole pixels`(x: Double, y: Double, left: Int, top: Int) throws {
        let transform = try #require(MosaicTransform(from: Self.mosaic(x, y, 1), to: Scene().viewport()))
        guard case .shift(let shiftX, let shiftY) = transform else {
            Issue.record("\(transform)")
            return
        }
        #expect(shiftX == left && shiftY == top)
    }

    @Test(arguments: [0.0, 90, 180, 270, 12.5, 359], [0.5, 1.01, 3.0])
    func `otherwise it is moved as the view says`(rotation: Double, resolution: Double) throws {
        var scene = Scene()
        scene.rotation = rotation
        scene.center = Coordinate(x: 7, y: -9)
        scene.pixelRatio = 1.5
        let view = try scene.viewport()
        let transform = try #require(MosaicTransform(from: Self.mosaic(-100, 90, resolution), to: view))
        guard case .affine(let affine) = transform else {
            Issue.record("\(transform)")
            return
        }
        for (x, y) in [(0.0, 0.0), (256, 0), (13, 200)] {
            let place = Coordinate(x: -100 + x * resolution, y: 90 - y * resolution)
            let expected = view.pixel(of: place), got = affine(Point(x: x, y: y))
            #expect(abs(got.x - expected.x * 1.5) < 1e-9 && abs(got.y - expected.y * 1.5) < 1e-9)
        }
    }

    /// Places of the Netherlands, Britain and the Arctic in systems of their own and in web mercator, from cs2cs 9.1.1 with
    /// the seven parameters of EPSG:4833 and EPSG:1314.
    @Test(
        arguments: [
            ("EPSG:28992", Coordinate(x: 121_687.2, y: 487_326.7), Coordinate(x: 545_246.030, y: 6_867_816.025)),
            ("EPSG:27700", Coordinate(x: 530_000, y: 180_000), Coordinate(x: -14_288.295, y: 6_710_932.763)),
            (
                "EPSG:3575", Coordinate(x: 200_000, y: -2_000_000), Coordinate(x: 1_748_895.228, y: 11_725_814.188)
            ),
        ])
    func `an image in a national grid is bent onto web mercator`(
        name: String, place: Coordinate, mercator: Coordinate
    ) throws {
        let crs = try CRS(name)
        let view = try Viewport(
            center: mercator, resolution: #require(Resolution(unitsPerPixel: 20)), size: Scene.size(256, 256))
        let mosaic = try Mosaic(
            crs: crs, topLeft: Coordinate(x: place.x - 5000, y: place.y + 5000), resolutionX: 10, resolutionY: 10,
            size: Scene.size(1000, 1000), images: [])
        guard case .mesh(let mesh) = try #require(MosaicTransform(from: mosaic, to: view)) else {
            Issue.record("no mesh")
            return
        }
        // The middle of the view shows what is in the middle of the mosaic; half of a mosaic pixel is 5 m.
        let found = try #require(mesh.sources[(128 / mesh.spacing) * mesh.columns + 128 / mesh.spacing])
        #expect(abs(found.x - 500) < 0.05 && abs(found.y - 500) < 0.05, "\(found)")
        // A shift or a bend costs few places: the mesh is not set closer than it must be.
        #expect(mesh.spacing == 16)
    }

    @Test func `systems that cannot be brought together have no way`() throws {
        #expect(try MosaicTransform(from: Self.mosaic(0, 0, 1, crs: CRS("EPSG:27200")), to: Scene().viewport()) == nil)
    }

    @Test func `one place under two names is no other place`() throws {
        let view = try MosaicPainterTests.view(zoom: 5, rotation: 0, crs: .crs84)
        let mosaic = try Self.mosaic(
            view.extent.minX, view.extent.maxY, view.imageResolution, crs: .epsg4326)
        guard case .shift(0, 0) = MosaicTransform(from: mosaic, to: view) else {
            Issue.record("no shift")
            return
        }
    }
}

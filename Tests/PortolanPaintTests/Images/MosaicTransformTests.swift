import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct MosaicTransformTests {
    static func mosaic(_ x: Double, _ y: Double, _ resolution: Double, crs: CRS = .webMercator) throws -> Mosaic {
        try Mosaic(
            crs: crs, topLeft: Coordinate(x: x, y: y), resolutionX: resolution, resolutionY: resolution,
            size: SampleScene.size(256, 256), images: [])
    }

    @Test(arguments: [(-48.0, 32.0, 0, 0), (-50, 32, -2, 0), (-47.6, 31.6, 0, 0), (-47.4, 40, 1, -8)])
    func `at its own resolution a mosaic is shifted by whole pixels`(x: Double, y: Double, left: Int, top: Int) throws {
        let transform = try #require(MosaicTransform(from: Self.mosaic(x, y, 1), to: SampleScene().viewport()))
        guard case .shift(let shiftX, let shiftY) = transform else {
            Issue.record("\(transform)")
            return
        }
        #expect(shiftX == left)
        #expect(shiftY == top)
    }

    @Test(arguments: [
        ([(-60.0, 50.0), (70, 80), (50, -40), (-80, -70)], "a parallelogram"),
        ([(-60.0, 50.0), (70, 80), (90, -90), (-40, -30)], "any four corners"),
    ])
    func `a mosaic is mapped onto its four corners`(corners: [(Double, Double)], name: String) throws {
        var mosaic = try Self.mosaic(-100, 90, 1)
        let places = corners.map { Coordinate(x: $0.0, y: $0.1) }
        mosaic.corners = places
        let view = try SampleScene().viewport()
        guard case .mesh(let mesh)? = MosaicTransform(from: mosaic, to: view) else {
            Issue.record("no mesh")
            return
        }
        let middle = Coordinate(x: (places[1].x + places[3].x) / 2, y: (places[1].y + places[3].y) / 2)
        for (place, pixel) in zip(places + [middle], [(0.0, 0.0), (256, 0), (256, 256), (0, 256), (128, 128)]) {
            let at = view.pixel(of: place)
            // The nearest node is up to half a cell beside the place.
            let step = Double(mesh.spacing), reach = 3 * step
            let column = Int((at.x / step).rounded()), row = Int((at.y / step).rounded())
            guard (0..<mesh.columns).contains(column), (0..<mesh.rows).contains(row) else { continue }
            let found = try #require(mesh.sources[row * mesh.columns + column])
            #expect(abs(found.x - pixel.0) < reach && abs(found.y - pixel.1) < reach, "\(name)")
        }
    }

    @Test(arguments: [0.0, 90, 180, 270, 12.5, 359], [0.5, 1.01, 3.0])
    func `at other resolutions and rotations a mosaic has an affine transform`(
        rotation: Double, resolution: Double
    ) throws {
        var scene = SampleScene()
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
            #expect(abs(got.x - expected.x * 1.5) < 1e-9)
            #expect(abs(got.y - expected.y * 1.5) < 1e-9)
        }
    }

    /// Coordinates in the Netherlands, Britain and the Arctic in local CRSs and in web Mercator, from cs2cs 9.1.1 with
    /// the seven parameters of EPSG:4833 and EPSG:1314.
    @Test(
        arguments: [
            ("EPSG:28992", Coordinate(x: 121_687.2, y: 487_326.7), Coordinate(x: 545_246.030, y: 6_867_816.025)),
            ("EPSG:27700", Coordinate(x: 530_000, y: 180_000), Coordinate(x: -14_288.295, y: 6_710_932.763)),
            (
                "EPSG:3575", Coordinate(x: 200_000, y: -2_000_000), Coordinate(x: 1_748_895.228, y: 11_725_814.188)
            ),
        ])
    func `an image in a national grid is reprojected to web mercator`(
        name: String, place: Coordinate, mercator: Coordinate
    ) throws {
        let crs = try CRS(name)
        let view = try Viewport(
            center: mercator, resolution: #require(Resolution(unitsPerPixel: 20)), size: SampleScene.size(256, 256))
        let mosaic = try Mosaic(
            crs: crs, topLeft: Coordinate(x: place.x - 5000, y: place.y + 5000), resolutionX: 10, resolutionY: 10,
            size: SampleScene.size(1000, 1000), images: [])
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

    @Test func `CRSs without a transform between them give nil`() throws {
        #expect(
            try MosaicTransform(from: Self.mosaic(0, 0, 1, crs: CRS("EPSG:27200")), to: SampleScene().viewport()) == nil
        )
    }

    @Test func `a mosaic in EPSG:4326 needs no reprojection in a CRS84 view`() throws {
        let view = try MosaicPainterTests.view(zoom: 5, rotation: 0, crs: .crs84)
        let mosaic = try Self.mosaic(
            view.extent.minX, view.extent.maxY, view.imageResolution, crs: .epsg4326)
        guard case .shift(0, 0) = MosaicTransform(from: mosaic, to: view) else {
            Issue.record("no shift")
            return
        }
    }
}

@Suite struct MosaicMeshTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var map: String, layer: String, longitude: Double, latitude: Double, zoom: Double, rotation: Double
        var testDescription: String { "\(layer) on \(map) at \(longitude),\(latitude) z\(zoom) r\(rotation)" }
    }

    static let cases: [Case] = [
        ("EPSG:3857", "EPSG:4326", 24.9, 60.2), ("EPSG:3857", "EPSG:4326", 0, 0), ("EPSG:4326", "EPSG:3857", 10, 70),
        ("EPSG:25830", "EPSG:3857", -2, 41), ("EPSG:3857", "EPSG:25830", -2, 41), ("EPSG:25830", "EPSG:4326", 1.5, 43),
        ("EPSG:32633", "EPSG:32632", 12, 65), ("EPSG:32760", "EPSG:3857", 180, -16.8),
    ].flatMap { (map: String, layer: String, longitude: Double, latitude: Double) in
        [2.0, 4.5, 8, 14].flatMap { zoom in
            [0.0, 35].map {
                Case(map: map, layer: layer, longitude: longitude, latitude: latitude, zoom: zoom, rotation: $0)
            }
        }
    }

    /// The mesh compared with the transform itself, at pixels that are not nodes.
    @Test(arguments: cases)
    func `the mesh is accurate to a quarter of a pixel`(_ test: Case) throws {
        let map = try CRS(test.map), layer = try CRS(test.layer)
        let view = try MosaicPainterTests.view(
            zoom: test.zoom, rotation: test.rotation, longitude: test.longitude, latitude: test.latitude, crs: map,
            width: 400, height: 300)
        let there = try CoordinateTransform(from: map, to: layer)
        let middle = try #require(there(view.center))
        let resolution = try #require(Resolution(zoom: test.zoom, in: layer)).unitsPerPixel
        let mosaic = try Mosaic(
            crs: layer, topLeft: Coordinate(x: middle.x - 512 * resolution, y: middle.y + 512 * resolution),
            resolutionX: resolution, resolutionY: resolution, size: SampleScene.size(1024, 1024), images: [])
        guard case .mesh(let mesh) = try #require(MosaicTransform(from: mosaic, to: view)) else {
            Issue.record("no mesh")
            return
        }
        var worst = 0.0, worstPlace = Point(x: 0, y: 0), count = 0
        for y in stride(from: 0.5, to: 300, by: 7) {
            for x in stride(from: 0.5, to: 400, by: 7) {
                guard var exact = there(view.coordinate(at: Point(x: x, y: y))), let got = Self.place(mesh, x, y) else {
                    continue
                }
                if let world = layer.worldWidth { exact.x -= ((exact.x - middle.x) / world).rounded() * world }
                let place = Point(
                    x: (exact.x - mosaic.topLeft.x) / resolution, y: (mosaic.topLeft.y - exact.y) / resolution)
                // Only what can be seen counts, and not where a pixel of the picture shows many of the mosaic: there, near
                // the poles of Mercator and far from a zone's meridian, tiles are a smear anyhow.
                guard (0...1024).contains(place.x), (0...1024).contains(place.y),
                    let next = there(view.coordinate(at: Point(x: x + 1, y: y + 1))),
                    abs(next.x - exact.x) < 4 * resolution, abs(next.y - exact.y) < 4 * resolution
                else { continue }
                let error = max(abs(place.x - got.x), abs(place.y - got.y))
                if error > worst { (worst, worstPlace) = (error, Point(x: x, y: y)) }
                count += 1
            }
        }
        #expect(count > 50 || test.latitude == 70)
        #expect(worst < 0.25, "at \(worstPlace), spacing \(mesh.spacing)")
    }

    /// Bilinear interpolation between the nodes, or those of the details.
    static func place(_ mesh: WarpMesh, _ x: Double, _ y: Double) -> Point? {
        let spacing = Double(mesh.spacing)
        let u = (x - Double(mesh.originX)) / spacing, v = (y - Double(mesh.originY)) / spacing
        let column = Int(u), row = Int(v)
        guard column + 1 < mesh.columns, row + 1 < mesh.rows else { return nil }
        var s = u - Double(column), t = v - Double(row), first = row * mesh.columns + column, stride = mesh.columns
        var nodes = mesh.sources
        if let details = mesh.details[first] {
            let right = Int(s * spacing), down = Int(t * spacing)
            (nodes, stride) = (details, mesh.spacing + 1)
            (s, t, first) = (s * spacing - Double(right), t * spacing - Double(down), down * stride + right)
        }
        guard let a = nodes[first], let b = nodes[first + 1], let c = nodes[first + stride],
            let d = nodes[first + stride + 1]
        else { return nil }
        func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            (a * (1 - s) + b * s) * (1 - t) + (c * (1 - s) + d * s) * t
        }
        return Point(x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y))
    }

    @Test func `the mesh covers the whole picture`() throws {
        let view = try MosaicPainterTests.view(zoom: 9, rotation: 10, width: 401, height: 299)
        let mosaic = try MosaicTransformTests.mosaic(15, 45, 0.01, crs: .epsg4326)
        guard case .mesh(let mesh) = try #require(MosaicTransform(from: mosaic, to: view)) else { return }
        #expect(mesh.originX <= 0)
        #expect(mesh.originX + (mesh.columns - 1) * mesh.spacing >= 401)
        #expect(mesh.originY <= 0)
        #expect(mesh.originY + (mesh.rows - 1) * mesh.spacing >= 299)
    }
}

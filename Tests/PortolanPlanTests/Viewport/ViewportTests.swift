import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTestSupport
import Testing

@Suite struct ViewportTests {
    @Test func `the middle of the picture shows the centre`() throws {
        let view = try View.make(x: 100, y: 200, resolution: 2, width: 300, height: 101, rotation: 33)
        #expect(view.coordinate(at: Point(x: 150, y: 50.5)) == Coordinate(x: 100, y: 200))
        #expect(view.pixel(of: Coordinate(x: 100, y: 200)) == Point(x: 150, y: 50.5))
    }

    /// One unit east of the centre, at each quarter turn: the bearing that points up is the rotation.
    @Test(arguments: [
        (0.0, 1.0, 0.0), (90, 0, -1), (180, -1, 0), (270, 0, 1), (-90, 0, 1), (450, 0, -1), (360, 1, 0), (-360, 1, 0),
        (720, 1, 0),
    ])
    func `quarter turns are exact and the bearing points up`(rotation: Double, x: Double, y: Double) throws {
        let view = try View.make(width: 10, height: 20, rotation: rotation)
        #expect(view.pixel(of: Coordinate(x: 1, y: 0)) == Point(x: 5 + x, y: 10 + y))
        #expect(view.coordinate(at: Point(x: 5 + x, y: 10 + y)) == Coordinate(x: 1, y: 0))
    }

    @Test func `with the bearing 30 up, what lies north is left of up`() throws {
        let view = try View.make(width: 10, height: 10, rotation: 30)
        let north = view.pixel(of: Coordinate(x: 0, y: 2))
        #expect(abs(north.x - (5 - 1)) < 1e-12)
        #expect(abs(north.y - (5 - 3.0.squareRoot())) < 1e-12)
    }

    @Test(arguments: [
        (-1e-20, 0.0), (-1e-300, 0), (-0.0, 0), (359.5, 359.5), (-0.5, 359.5), (3600.25, 0.25), (-720, 0),
    ])
    func `the rotation is at least 0 and less than 360`(given: Double, expected: Double) throws {
        let view = try View.make(rotation: given)
        #expect(view.rotation == expected)
        #expect(view.rotation.sign == .plus)
    }

    @Test func `pixels and coordinates lead back to each other`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let resolution = Double.random(in: -3...5, using: &random)
            let unit = [1e-3, 0.01, 0.1, 1, 10, 100, 1000, 1e4][Int(resolution) + 3]
            let view = try View.make(
                x: .random(in: -2e7...2e7, using: &random), y: .random(in: -2e7...2e7, using: &random),
                resolution: unit, width: .random(in: 1...3000, using: &random),
                height: .random(in: 1...3000, using: &random), rotation: .random(in: 0..<360, using: &random),
                pixelRatio: .random(in: 0.5...3, using: &random))
            let pixel = Point(x: .random(in: -100...3000, using: &random), y: .random(in: -100...3000, using: &random))
            let back = view.pixel(of: view.coordinate(at: pixel))
            // Half a unit in the last place of 2e7 is 1.9e-9, seen at the resolution.
            let slack = 1e-8 / unit + 1e-9
            #expect(abs(back.x - pixel.x) < slack && abs(back.y - pixel.y) < slack)
        }
    }

    @Test func `distances keep their length whatever the rotation`() throws {
        for rotation in stride(from: 0.0, to: 360, by: 7.5) {
            let view = try View.make(x: 5e5, y: 4e6, resolution: 0.5, rotation: rotation)
            let a = view.coordinate(at: Point(x: 10, y: 20)), b = view.coordinate(at: Point(x: 13, y: 24))
            let dx = a.x - b.x, dy = a.y - b.y
            #expect(abs((dx * dx + dy * dy).squareRoot() - 2.5) < 1e-8)
        }
    }

    @Test func `the picture has the pixel ratio's many pixels`() throws {
        #expect(try View.make(width: 101, height: 51, pixelRatio: 1.5).imageSize == ImageSize(width: 152, height: 77))
        #expect(try View.make(width: 256, height: 128, pixelRatio: 2).imageSize == ImageSize(width: 512, height: 256))
        #expect(try View.make(resolution: 3, pixelRatio: 2).imageResolution == 1.5)
    }

    @Test func `the extent holds the picture's corners and no more`() throws {
        let plain = try View.make(x: 10, y: 20, resolution: 2, width: 100, height: 50)
        #expect(plain.extent == Extent(minX: -90, minY: -30, maxX: 110, maxY: 70))
        #expect(plain.extent(margin: 5) == Extent(minX: -100, minY: -40, maxX: 120, maxY: 80))
        let turned = try View.make(x: 10, y: 20, resolution: 2, width: 100, height: 50, rotation: 90)
        #expect(turned.extent == Extent(minX: -40, minY: -80, maxX: 60, maxY: 120))
        for rotation in stride(from: 1.0, to: 360, by: 11) {
            let view = try View.make(x: 10, y: 20, resolution: 2, width: 100, height: 50, rotation: rotation)
            let corners = [(0.0, 0.0), (100, 0), (0, 50), (100, 50)].map { view.coordinate(at: Point(x: $0, y: $1)) }
            let box = try #require(BoundingBox(corners))
            let extent = view.extent
            #expect(abs(extent.minX - box.minX) < 1e-9 && abs(extent.maxX - box.maxX) < 1e-9)
            #expect(abs(extent.minY - box.minY) < 1e-9 && abs(extent.maxY - box.maxY) < 1e-9)
        }
    }

    static let hostile: [Double] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude, 1e300, -1e300, 1e12, 1e-12, 0, -0.0, -1, 1e18, 9.3e18, 360, 1,
    ]

    @Test func `no number that a caller may give brings the process down`() throws {
        let size = try #require(ImageSize(width: 64, height: 48))
        let world = try #require(Extent(minX: -1, minY: -1, maxX: 1, maxY: 1))
        for a in Self.hostile {
            for b in Self.hostile {
                guard let resolution = Resolution(unitsPerPixel: abs(b)) ?? Resolution(unitsPerPixel: 1) else {
                    continue
                }
                let views = [
                    try? Viewport(center: Coordinate(x: a, y: b), resolution: resolution, size: size),
                    try? Viewport(center: Coordinate(x: 1, y: 1), resolution: resolution, rotation: a, size: size),
                    try? Viewport(center: Coordinate(x: 1, y: 1), resolution: resolution, size: size, pixelRatio: a),
                    try? Viewport(center: Coordinate(x: 0, y: 0), resolution: resolution, rotation: 45, size: size),
                    try? View.make(),
                ].compactMap(\.self)
                for view in views {
                    let pixel = Point(x: a, y: b)
                    _ = view.pixel(of: view.coordinate(at: pixel))
                    _ = view.extent(margin: a)
                    _ = try? view.zoomed(by: a, about: pixel)
                    _ = try? view.zoomed(by: b)
                    _ = try? view.panned(x: a, y: b)
                    _ = try? view.with(rotation: a, pixelRatio: b)
                    _ = try? view.clamped(to: world)
                    if let limit = Extent(minX: min(a, b), minY: min(a, b), maxX: max(a, b), maxY: max(a, b)) {
                        _ = try? view.clamped(to: limit)
                        _ = try? Viewport.showing(limit, rotation: a, size: size)
                        _ = try? Viewport.fitting(BoundingBox(limit), padding: a, rotation: b, size: size)
                    }
                    if let grid = TileGrid.webMercator() { _ = try? view.snapped(to: grid) }
                }
            }
        }
    }

    @Test func `a margin that makes no sense is none`() throws {
        let view = try View.make()
        for margin in [-1, .nan, -Double.infinity] { #expect(view.extent(margin: margin) == view.extent) }
        #expect(view.extent(margin: .infinity) == view.extent(margin: 1e6))
    }
}

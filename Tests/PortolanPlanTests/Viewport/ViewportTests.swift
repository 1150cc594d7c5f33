import PortolanGeo
import PortolanPlan
import PortolanRaster
import TestHelpers
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

    @Test func `with bearing 30 up, north is to the left of up`() throws {
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

    @Test func `pixels and coordinates convert into each other`() throws {
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
            #expect(abs(back.x - pixel.x) < slack)
            #expect(abs(back.y - pixel.y) < slack)
        }
    }

    @Test func `distances do not depend on the rotation`() throws {
        for rotation in stride(from: 0.0, to: 360, by: 7.5) {
            let view = try View.make(x: 5e5, y: 4e6, resolution: 0.5, rotation: rotation)
            let a = view.coordinate(at: Point(x: 10, y: 20)), b = view.coordinate(at: Point(x: 13, y: 24))
            let dx = a.x - b.x, dy = a.y - b.y
            #expect(abs((dx * dx + dy * dy).squareRoot() - 2.5) < 1e-8)
        }
    }

    @Test func `the picture size is the view size times the pixel ratio`() throws {
        #expect(try View.make(width: 101, height: 51, pixelRatio: 1.5).imageSize == ImageSize(width: 152, height: 77))
        #expect(try View.make(width: 256, height: 128, pixelRatio: 2).imageSize == ImageSize(width: 512, height: 256))
        #expect(try View.make(resolution: 3, pixelRatio: 2).imageResolution == 1.5)
    }

    @Test func `the extent encloses exactly the corners of the picture`() throws {
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
            #expect(abs(extent.minX - box.minX) < 1e-9)
            #expect(abs(extent.maxX - box.maxX) < 1e-9)
            #expect(abs(extent.minY - box.minY) < 1e-9)
            #expect(abs(extent.maxY - box.maxY) < 1e-9)
        }
    }

    static let hostile: [Double] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude, 1e300, -1e300, 1e12, 1e-12, 0, -0.0, -1, 1e18, 9.3e18, 360, 1,
    ]

    @Test func `extreme numbers never crash`() throws {
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

    @Test func `an invalid margin counts as zero`() throws {
        let view = try View.make()
        for margin in [-1, .nan, -Double.infinity] { #expect(view.extent(margin: margin) == view.extent) }
        #expect(view.extent(margin: .infinity) == view.extent(margin: 1e6))
    }
}

@Suite struct ViewportPictureTests {
    @Test func `picture pixels are the pixel ratio times view pixels`() throws {
        let view = try View.make(x: 50, y: 60, resolution: 2, width: 100, height: 80, rotation: 270, pixelRatio: 2.5)
        let place = Coordinate(x: 58, y: 66)
        let pixel = view.pixel(of: place), picture = view.imagePixel(of: place)
        #expect(picture == Point(x: pixel.x * 2.5, y: pixel.y * 2.5))
        #expect(view.coordinate(atImagePixel: picture) == place)
    }

    @Test func `the axes of quarter turns are whole numbers`() throws {
        let axes = try [0.0, 90, 180, 270].map { try View.make(rotation: $0).upAxis }
        #expect(axes.map(\.cosine) == [1, 0, -1, 0])
        #expect(axes.map(\.sine) == [0, 1, 0, -1])
    }
}

@Suite struct ViewportGroundTests {
    /// Ground distances by GeographicLib's geodesics on WGS 84 (`geod` of PROJ), to a millimetre.
    @Test(arguments: [
        (24.93545, 60.16952, 24.93645, 60.16952, 55.5143), (24.93545, 60.16952, 24.93545, 60.17052, 111.4152),
        (-78.52495, -0.22985, -78.52395, -0.22985, 111.3186), (179.9995, -16.8, -179.9995, -16.8, 106.5981),
    ])
    func `short distances agree with geodesics`(x1: Double, y1: Double, x2: Double, y2: Double, meters: Double) {
        let distance = GroundDistance.meters(
            from: Coordinate(longitude: x1, latitude: y1), to: Coordinate(longitude: x2, latitude: y2))
        #expect(abs(distance / meters - 1) < 1e-5)
    }

    @Test func `the scale of web mercator depends on the latitude`() throws {
        let view = try View.slippy(24.93545, 60.16952, zoom: 10)
        let meters = try #require(view.metersPerImagePixel)
        // 156543.034 m at the equator over 2^10, by the cosine of the latitude on the ellipsoid's parallel: 76.17 m.
        #expect(abs(meters / 76.17 - 1) < 2e-3)
    }

    @Test func `a map without a known projection has no scale`() throws {
        let view = try View.make(x: 400_000, y: 300_000, resolution: 10, crs: CRS("EPSG:27200"))
        #expect(view.metersPerImagePixel == nil)
        #expect(view.geographicExtent == nil)
    }
}

@Suite struct ViewportErrorTests {
    @Test(arguments: [
        (Double.nan, 0.0), (0, .infinity), (1e12, 0), (0, -1e12), (.greatestFiniteMagnitude, 0),
    ])
    func `a centre out of range is rejected`(x: Double, y: Double) {
        #expect(throws: Viewport.InvalidError.centerOutOfRange) { try View.make(x: x, y: y, resolution: 1e6) }
    }

    /// At 2²⁴ a unit in the last place is 2⁻²⁸; sixteen of them are 2⁻²⁴.
    @Test func `a resolution too fine for the position is rejected`() throws {
        let far = 16_777_216.0, finest = 1.0 / 16_777_216
        #expect(throws: Viewport.InvalidError.resolutionOutOfRange) { try View.make(x: far, resolution: finest) }
        #expect(throws: Viewport.InvalidError.resolutionOutOfRange) { try View.make(y: -far, resolution: finest) }
        let view = try View.make(x: far, resolution: finest.nextUp)
        #expect(view.coordinate(at: Point(x: 1, y: 0)) != view.coordinate(at: Point(x: 2, y: 0)))
        #expect(throws: Viewport.InvalidError.resolutionOutOfRange) { try View.make(resolution: 1e12) }
    }

    @Test func `a rotation that is not finite is rejected`() {
        #expect(throws: Viewport.InvalidError.rotationNotFinite) { try View.make(rotation: .nan) }
        #expect(throws: Viewport.InvalidError.rotationNotFinite) { try View.make(rotation: -.infinity) }
    }

    @Test(arguments: [0.0, -1, 0.0999, 16.001, .infinity])
    func `a pixel ratio out of range is refused`(ratio: Double) {
        #expect(throws: Viewport.InvalidError.pixelRatioOutOfRange(ratio)) { try View.make(pixelRatio: ratio) }
    }

    @Test func `a pixel ratio that is not a number is rejected`() {
        #expect(throws: Viewport.InvalidError.self) { try View.make(pixelRatio: .nan) }
    }

    @Test func `a picture that is too large or empty is rejected`() throws {
        #expect(throws: Viewport.InvalidError.pictureTooLarge(width: 40000, height: 10, pixelRatio: 2)) {
            try View.make(width: 40000, height: 10, pixelRatio: 2)
        }
        #expect(throws: Viewport.InvalidError.pictureTooLarge(width: 16384, height: 16384, pixelRatio: 1.01)) {
            try View.make(width: 16384, height: 16384, pixelRatio: 1.01)
        }
        #expect(throws: Viewport.InvalidError.pictureTooLarge(width: 4, height: 4, pixelRatio: 0.1)) {
            try View.make(width: 4, height: 4, pixelRatio: 0.1)
        }
    }

    @Test(arguments: [-1.0, 31.6, 32, 1e300, .infinity])
    func `a padding that leaves no room is rejected`(padding: Double) throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let size = try #require(ImageSize(width: 64, height: 64))
        #expect(throws: Viewport.InvalidError.paddingTooLarge(padding)) {
            try Viewport.fitting(box, padding: padding, size: size)
        }
    }

    @Test func `each error describes its cause`() throws {
        let errors: [Viewport.InvalidError] = [
            .centerOutOfRange, .resolutionOutOfRange, .rotationNotFinite, .pixelRatioOutOfRange(17),
            .pictureTooLarge(width: 10, height: 10, pixelRatio: 3), .paddingTooLarge(7),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors[3].description.contains("17"))
        #expect(errors[4].description.contains("10x10"))
        #expect(errors[5].description.contains("7"))
    }
}

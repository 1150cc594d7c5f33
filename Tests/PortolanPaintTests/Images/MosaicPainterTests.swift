import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

@Suite struct MosaicPainterTests {
    static func tiles(_ size: Int = 64, crs: CRS = .webMercator) throws -> TileSource {
        let world = try #require(crs.worldExtent)
        let resolutions = (0...8).compactMap {
            Resolution(unitsPerPixel: world.width / 256 / Double(1 << $0))
        }
        let grid = try #require(
            TileGrid(
                crs: crs, extent: world, resolutions: resolutions, tileWidth: size, tileHeight: size,
                originCorner: .topLeft))
        return try TileSource(grid: grid, address: .xyz(XYZTemplate("{z}/{x}/{y}")))
    }

    /// The plan of a tile layer for a view, and for each of its addresses the same picture.
    static func draw(
        _ source: TileSource, _ view: Viewport, opacity: Double = 1, image: (String) throws -> PixelBuffer?
    ) throws -> PixelBuffer {
        let plan = MapPlanner(viewport: view).plan([
            MapLayer(name: "t", source: source, opacity: opacity)
        ])
        #expect(plan.warnings.isEmpty)
        var images: [Resource.ID: PixelBuffer] = [:]
        for resource in plan.resources { images[resource.id] = try image(resource.location.description) }
        return try SampleScene.image(
            MapPainter(scene: plan.scene, images: images, fonts: SampleScene.fonts, furniture: .init()))
    }

    static func view(
        zoom: Double, rotation: Double, longitude: Double = 20, latitude: Double = 40, crs: CRS = .webMercator,
        width: Int = 96, height: Int = 64, pixelRatio: Double = 1
    ) throws -> Viewport {
        let transform = try CoordinateTransform(from: .crs84, to: crs)
        return try Viewport(
            center: #require(transform(Coordinate(longitude: longitude, latitude: latitude))),
            resolution: #require(Resolution(zoom: zoom, in: crs)), rotation: rotation,
            size: SampleScene.size(width, height), pixelRatio: pixelRatio, crs: crs)
    }

    /// The law of the house: stitched first and resampled once, tiles of one colour give a picture of one colour.
    @Test(arguments: [4.0, 4.3, 4.5, 5.71, 6.999], [0.0, 90, 13, 180.5, 301])
    func `tiles of one colour give a picture of one colour`(zoom: Double, rotation: Double) throws {
        let one = try SampleScene.color(.sea, 64, 64)
        for longitude in [20.0, 180, -180] {
            let view = try Self.view(zoom: zoom, rotation: rotation, longitude: longitude)
            #expect(try Self.draw(Self.tiles(), view) { _ in one } == SampleScene.color(.sea, 96, 64))
        }
    }

    @Test(arguments: ["EPSG:4326", "EPSG:25830", "EPSG:3857"], ["EPSG:4326", "EPSG:3857"])
    func `tiles of one colour give a picture of one colour in another CRS`(map: String, layer: String) throws {
        let one = try SampleScene.color(.sea, 64, 64)
        let view = try Self.view(
            zoom: 6.4, rotation: 20, longitude: -2, latitude: 41, crs: CRS(map), width: 150, height: 100)
        let picture = try Self.draw(Self.tiles(crs: CRS(layer)), view) { _ in one }
        #expect(try picture == SampleScene.color(.sea, 150, 100))
    }

    @Test func `tiles of one colour give one colour over the antimeridian of a UTM map`() throws {
        let one = try SampleScene.color(.sea, 64, 64)
        let view = try Self.view(
            zoom: 7.2, rotation: 0, longitude: 180, latitude: -16.8, crs: CRS("EPSG:32760"), width: 150, height: 100)
        #expect(try Self.draw(Self.tiles(), view) { _ in one } == SampleScene.color(.sea, 150, 100))
    }

    @Test func `tiles of an unexpected size are scaled to their extent`() throws {
        let view = try Self.view(zoom: 4, rotation: 0)
        for size in [1, 32, 100, 128] {
            let one = try SampleScene.color(.leaf, size, size)
            #expect(try Self.draw(Self.tiles(), view) { _ in one } == SampleScene.color(.leaf, 96, 64))
        }
    }

    /// A pattern that differs in each pixel of the world.
    static func pattern(_ url: String) throws -> PixelBuffer {
        let parts = url.split(separator: "/").compactMap { Int($0) }
        var image = try SampleScene.color(.black, 64, 64)
        for y in 0..<64 {
            for x in 0..<64 {
                let column = parts[1] * 64 + x, row = parts[2] * 64 + y
                image[x, y] = Pixel(
                    red: UInt8(column & 255), green: UInt8(row & 255), blue: UInt8((column >> 8) << 4 | row >> 8),
                    alpha: 255)
            }
        }
        return image
    }

    @Test func `at a native level the picture has the pixels of the tiles`() throws {
        let source = try Self.tiles()
        let view = try Self.view(zoom: 4, rotation: 0).snapped(to: source.grid)
        let picture = try Self.draw(source, view, image: Self.pattern)
        // World pixel of the corner: level 4 is 4096 pixels wide.
        let left = (view.extent.minX + 20_037_508.342789244) / 40_075_016.68557849 * 4096
        let top = (20_037_508.342789244 - view.extent.maxY) / 40_075_016.68557849 * 4096
        #expect(abs(left - left.rounded()) < 1e-6)
        for y in 0..<64 {
            for x in 0..<96 {
                let column = Int(left.rounded()) + x, row = Int(top.rounded()) + y
                #expect(picture[x, y].red == UInt8(column & 255))
                #expect(picture[x, y].green == UInt8(row & 255))
            }
        }
    }

    @Test func `quarter turns move pixels without changing them`() throws {
        let source = try Self.tiles()
        let upright = try Self.view(zoom: 4, rotation: 0, width: 80, height: 80).snapped(to: source.grid)
        let plain = try Self.draw(source, upright, image: Self.pattern)
        for (rotation, place) in [
            (90.0, { (x: Int, y: Int) in (79 - y, x) }), (180, { (79 - $0, 79 - $1) }), (270, { ($1, 79 - $0) }),
        ] {
            let turned = try Self.draw(source, upright.with(rotation: rotation), image: Self.pattern)
            var wrong = 0
            for y in 0..<80 {
                for x in 0..<80 {
                    let (column, row) = place(x, y)
                    if turned[x, y] != plain[column, row] { wrong += 1 }
                }
            }
            #expect(wrong == 0, "at \(rotation)")
        }
    }

    @Test func `a missing tile leaves a gap and nothing else`() throws {
        let source = try Self.tiles()
        let one = try SampleScene.color(.sea, 64, 64)
        let view = try Self.view(zoom: 4, rotation: 0, longitude: 22.5, latitude: 41).snapped(to: source.grid)
        let plan = MapPlanner(viewport: view).plan([MapLayer(name: "t", source: source)])
        let gone = try #require(plan.resources.first?.location.description)
        let picture = try Self.draw(source, view) { $0 == gone ? nil : one }
        let colors = Set((0..<64).flatMap { y in (0..<96).map { picture[$0, y] } })
        #expect(colors == [Pixel(.sea), Pixel(.white)])
        let turned = try view.with(
            resolution: Resolution(unitsPerPixel: view.resolution.unitsPerPixel * 0.8), rotation: 20)
        try Golden.check(Self.draw(source, turned) { $0 == gone ? nil : one }, "missing-tile")
    }

    @Test func `without any tile nothing is drawn`() throws {
        for rotation in [0.0, 30] {
            let picture = try Self.draw(Self.tiles(), Self.view(zoom: 4.4, rotation: rotation)) { _ in nil }
            #expect(try picture == SampleScene.color(.white, 96, 64))
        }
    }

    @Test func `a translucent layer is even across the borders of tiles`() throws {
        let one = try SampleScene.color(.black, 64, 64)
        for (zoom, rotation) in [(4.0, 0.0), (4.4, 0), (4.4, 33)] {
            let picture = try Self.draw(Self.tiles(), Self.view(zoom: zoom, rotation: rotation), opacity: 0.5) { _ in
                one
            }
            let colors = Set((0..<64).flatMap { y in (0..<96).map { picture[$0, y] } })
            #expect(colors.count == 1)
            #expect(abs(Int(picture[5, 5].red) - 127) <= 1)
        }
    }

    /// The gutter of each image has a colour that must not be seen.
    @Test(arguments: [0.0, 90, 17])
    func `gutters are cut off before images are joined`(rotation: Double) throws {
        var image = try SampleScene.color(.black, 40, 40)
        for y in 4..<36 { for x in 4..<36 { image[x, y] = Pixel(.sea) } }
        let size = try SampleScene.size(32, 32), whole = try SampleScene.size(40, 40)
        // The second image comes in half its size, as a server may send it, and is scaled before it is cut.
        let small = try SampleScene.color(.sea, 20, 20)
        let placements = [("a", 0, 0), ("a", 32, 0), ("a", 0, 32), ("b", 32, 32)].map { url, x, y in
            Mosaic.Placement(
                resource: Resource.ID(layer: "m", .other(url)), x: x, y: y, size: size,
                crop: Mosaic.Crop(x: 4, y: 4, imageSize: whole))
        }
        let mosaic = try Mosaic(
            crs: .webMercator, topLeft: Coordinate(x: -32, y: 32), resolutionX: 1, resolutionY: 1,
            size: SampleScene.size(64, 64), images: placements)
        var scene = SampleScene(width: 40, height: 40, rotation: rotation)
        scene.images = ["a": image, "b": small]
        #expect(try scene.paint([SampleScene.mosaic(mosaic)]) == SampleScene.color(.sea, 40, 40))
    }

    /// White that JPEG has made a little grey is paper; what is farther off is map (pitfall 50).
    @Test func `a colour declared transparent shows what is below`() throws {
        var image = try SampleScene.color(.white, 40, 40)
        for x in 0..<40 {
            image[x, 0] = Pixel(red: 248, green: 255, blue: 250, alpha: 255)
            image[x, 1] = Pixel(red: 240, green: 255, blue: 255, alpha: 255)
        }
        let mosaic = try Mosaic(
            crs: .webMercator, topLeft: Coordinate(x: -20, y: 20), resolutionX: 1, resolutionY: 1,
            size: SampleScene.size(40, 40),
            images: [
                Mosaic.Placement(
                    resource: Resource.ID(layer: "m", .other("a")), x: 0, y: 0, size: SampleScene.size(40, 40))
            ])
        var scene = SampleScene(width: 40, height: 40)
        scene.background = .sea
        scene.images = ["a": image]
        func draw(_ key: MapColor.Key?) throws -> PixelBuffer {
            try scene.paint([SampleScene.mosaic(mosaic, transparentColor: key)])
        }
        #expect(try draw(nil) == image)
        let exact = try draw(MapColor.Key(color: .white)), near = try draw(MapColor.Key(color: .white, tolerance: 10))
        #expect(exact[3, 0] == image[3, 0])
        #expect(exact[3, 1] == image[3, 1])
        #expect(exact[3, 2] == Pixel(.sea))
        #expect(near[3, 0] == Pixel(.sea))
        #expect(near[3, 1] == image[3, 1])
        #expect(near[3, 2] == Pixel(.sea))
    }
}

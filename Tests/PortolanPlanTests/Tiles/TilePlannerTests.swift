import Foundation
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

@Suite struct TilePlannerTests {
    static func xyz(_ levels: ClosedRange<Int> = 0...19, extent: Extent? = nil) throws -> TileSource {
        try TileSource(
            grid: #require(.webMercator(levels: levels)), address: .xyz(XYZTemplate("t:{z}/{x}/{y}")), extent: extent)
    }

    static func mosaics(_ source: TileSource, _ view: Viewport, margin: Int = 0) throws -> [SeenMosaic] {
        try source.seen(view, margin: margin)
    }

    /// Columns and rows by the formulas of OpenStreetMap's *Slippy map tilenames*, for pictures of whole levels.
    @Test(arguments: [
        (-0.87734, 41.65606, 12, 512, 384, 2037...2039, 1525...1526),
        (24.93545, 60.16952, 16, 640, 480, 37306...37308, 18968...18970),
        (139.7006793, 35.6590699, 10, 256, 256, 908...909, 402...403),
        (-70.0, -53.1, 5, 300, 700, 9...10, 20...22),
    ])
    func `a view needs the tiles of the slippy map scheme`(
        longitude: Double, latitude: Double, zoom: Int, width: Int, height: Int, columns: ClosedRange<Int>,
        rows: ClosedRange<Int>
    ) throws {
        let view = try View.slippy(longitude, latitude, zoom: Double(zoom), width: width, height: height)
        let mosaic = try #require(Self.mosaics(Self.xyz(), view).first)
        let expected = rows.flatMap { row in columns.map { "t:\(zoom)/\($0)/\(row)" } }
        #expect(mosaic.images.map(\.url) == expected)
        #expect(mosaic.size == ImageSize(width: columns.count * 256, height: rows.count * 256))
        #expect(mosaic.margin.isEmpty)
    }

    /// As for a view beside the box of a WMS: what is white says why.
    @Test func `a view without any tile within the limits is reported`() throws {
        let full = try #require(TileGrid.webMercator(levels: 0...4))
        let matrices = full.matrices.compactMap {
            $0.limited(to: 0...$0.columnCount - 1, $0.rowCount / 2...$0.rowCount - 1)
        }
        let grid = try #require(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: matrices))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("t:{z}/{x}/{y}")))
        let north = try source.planned(View.slippy(10, 50, zoom: 4)),
            south = try source.planned(View.slippy(10, -50, zoom: 4))
        #expect(north.resources.isEmpty)
        #expect(north.warnings.map(\.code) == [.blank])
        #expect(north.warnings.first?.message == "level 4, the nearest to the view's scale, has no tiles here")
        #expect(!south.resources.isEmpty)
        #expect(south.warnings.isEmpty)
    }

    /// Where a tile's corner must appear, from world pixels alone.
    @Test func `tiles are placed as in slippy maps`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let longitude = Double.random(in: -179...179, using: &random)
            let latitude = Double.random(in: -80...80, using: &random)
            let zoom = Double.random(in: 2...18, using: &random)
            let view = try View.slippy(longitude, latitude, zoom: zoom, width: 301, height: 199)
            let mosaic = try #require(Self.mosaics(Self.xyz(), view).first)
            let level = zoom.rounded(), scale = pow(2, zoom - level), n = pow(2, level) * 256
            let x = (longitude + 180) / 360 * n, y = (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * n
            let image = try #require(mosaic.images.randomElement(using: &random))
            let parts = image.url.dropFirst(2).split(separator: "/").compactMap { Double($0) }
            #expect(parts[0] == level)
            let left = mosaic.topLeft.x + Double(image.x) * mosaic.resolutionX
            let top = mosaic.topLeft.y - Double(image.y) * mosaic.resolutionY
            let corner = view.pixel(of: Coordinate(x: left, y: top))
            // Across the antimeridian the column counts on from the world's last.
            let column = parts[1] + (((x - parts[1] * 256) / n).rounded()) * n / 256
            #expect(abs(corner.x - ((column * 256 - x) * scale + 150.5)) < 1e-3)
            #expect(abs(corner.y - ((parts[2] * 256 - y) * scale + 99.5)) < 1e-3)
        }
    }

    @Test func `the whole picture is covered by tiles`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            let view = try View.slippy(
                .random(in: -180...180, using: &random), .random(in: -60...60, using: &random),
                zoom: .random(in: 4...12, using: &random), width: 300, height: 200,
                rotation: .random(in: 0..<360, using: &random))
            let mosaics = try Self.mosaics(Self.xyz(), view)
            try #require(mosaics.count == 1)
            let mosaic = mosaics[0]
            let places = Set(mosaic.images.map { Point(x: Double($0.x), y: Double($0.y)) })
            #expect(places.count == mosaic.images.count)
            for (x, y) in [(0.5, 0.5), (299.5, 0.5), (0.5, 199.5), (299.5, 199.5), (150, 100)] {
                let place = view.coordinate(at: Point(x: x, y: y))
                let column = (place.x - mosaic.topLeft.x) / mosaic.resolutionX
                let row = (mosaic.topLeft.y - place.y) / mosaic.resolutionY
                let corner = Point(x: (column / 256).rounded(.down) * 256, y: (row / 256).rounded(.down) * 256)
                #expect(places.contains(corner))
            }
        }
    }

    @Test func `a view over the antimeridian is one mosaic of the world's last and first columns`() throws {
        let view = try View.slippy(179.99, -16.8, zoom: 7, width: 600, height: 300)
        let mosaics = try Self.mosaics(Self.xyz(), view)
        try #require(mosaics.count == 1)
        #expect(
            Set(mosaics[0].images.map(\.url))
                == Set(
                    [69, 70].flatMap { row in
                        [126, 127, 0, 1].map { "t:7/\($0)/\(row)" }
                    }))
        #expect(mosaics[0].size == ImageSize(width: 1024, height: 512))
        let first = try #require(mosaics[0].images.first { $0.url == "t:7/0/69" })
        #expect(first.x == 512)
        #expect(first.y == 0)
    }

    @Test func `a view of several worlds repeats the one tile of level 0`() throws {
        let view = try View.make(resolution: 40_075_016.68557849 / 256, width: 1024, height: 256)
        let mosaic = try #require(Self.mosaics(Self.xyz(), view).first)
        #expect(Set(mosaic.images.map(\.url)) == ["t:0/0/0"])
        #expect(mosaic.images.map(\.x) == [0, 256, 512, 768, 1024])
        #expect(view.pixel(of: mosaic.topLeft).x == -128)
    }

    @Test(arguments: [-3.0, -1, 1, 2, 1000])
    func `a view in a copy of the world has the same tiles`(worlds: Double) throws {
        let width = 40_075_016.68557849
        let here = try View.slippy(24.9, 60.2, zoom: 9)
        let there = try here.with(center: Coordinate(x: here.center.x + worlds * width, y: here.center.y))
        let one = try #require(Self.mosaics(Self.xyz(), here).first)
        let other = try #require(Self.mosaics(Self.xyz(), there).first)
        #expect(one.images == other.images)
        #expect(abs(here.pixel(of: one.topLeft).x - there.pixel(of: other.topLeft).x) < 1e-3)
    }

    @Test func `beyond the last level the finest tiles are used`() throws {
        let view = try View.slippy(10, 10, zoom: 8.2)
        let mosaic = try #require(Self.mosaics(Self.xyz(0...5), view).first)
        #expect(mosaic.images.allSatisfy { $0.url.hasPrefix("t:5/") })
        // The number of a level is its name where a grid begins later.
        let late = try #require(Self.mosaics(Self.xyz(3...5), View.slippy(10, 10, zoom: 3)).first)
        #expect(late.images.allSatisfy { $0.url.hasPrefix("t:3/") })
    }

    @Test func `a high-density picture uses finer tiles`() throws {
        let view = try View.slippy(10, 10, zoom: 8, pixelRatio: 2)
        let mosaic = try #require(Self.mosaics(Self.xyz(), view).first)
        #expect(mosaic.images.allSatisfy { $0.url.hasPrefix("t:9/") })
    }

    @Test func `tiles are requested only within the extent of the source`() throws {
        let limit = try #require(Extent(minX: 0, minY: 0, maxX: 1e6, maxY: 1e6))
        // Level 2: tiles of 10 018 754 m; the quarter north-east of the origin is column 2, row 1.
        let view = try View.slippy(0, 0, zoom: 2, width: 512, height: 512)
        let mosaic = try #require(Self.mosaics(Self.xyz(extent: limit), view).first)
        #expect(mosaic.images.map(\.url) == ["t:2/2/1"])
        #expect(try Self.mosaics(Self.xyz(extent: limit), View.slippy(-90, -40, zoom: 5)).isEmpty)
    }

    @Test func `a view outside the grid needs no tiles`() throws {
        let beyond = try View.make(x: 0, y: 9e7, resolution: 100)
        #expect(try Self.mosaics(Self.xyz(), beyond).isEmpty)
    }

    @Test func `a view outside the CRS of the grid is reported`() throws {
        // Ten kilometres about the pole, where web mercator has nothing.
        let pole = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 100)),
            size: #require(ImageSize(width: 100, height: 100)), crs: CRS("EPSG:3995"))
        let layer = MapLayer(name: "a", source: try Self.xyz())
        let plan = MapPlanner(viewport: pole).plan([layer])
        #expect(plan.resources.isEmpty && plan.warnings.map(\.code) == [.blank], "\(plan.warnings)")
    }

    @Test func `tiles of the margin are fetched and not shown`() throws {
        let view = try View.slippy(0, 0, zoom: 4, width: 512, height: 512)
        let plain = try #require(Self.mosaics(Self.xyz(), view).first)
        let wide = try #require(Self.mosaics(Self.xyz(), view, margin: 10).first)
        #expect(plain.images == wide.images)
        #expect(plain.size == wide.size)
        #expect(plain.topLeft == wide.topLeft)
        #expect(plain.images.count == 4)
        #expect(wide.margin.count == 12)
        #expect(Set(wide.margin.map(\.id)).count == 12)
        #expect(Set(wide.margin.map(\.location)).isDisjoint(with: wide.images.map(\.resource.location)))
    }

    @Test func `a view of too many tiles is refused before they are listed`() throws {
        let view = try View.make(resolution: 40_075_016.68557849 / 4096, width: 4096, height: 4096)
        let source = try TileSource(
            grid: #require(.webMercator(levels: 6...9, tileSize: 64)), address: .xyz(XYZTemplate("t:{z}/{x}/{y}")))
        // 64 × 64 tiles are just as many as there may be.
        #expect(try Self.mosaics(source, view).first?.images.count == 4096)
        let wider = try View.make(resolution: 40_075_016.68557849 / 4096, width: 4160, height: 4096)
        #expect(throws: PlanError.tooManyTiles(limit: 4096)) { try Self.mosaics(source, wider) }
    }

    @Test func `rows counted from the bottom are placed from the top of the mosaic`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 4096, maxY: 4096))
        let crs = try CRS("EPSG:25830")
        let set = try WMSCTileSet(
            crsName: "EPSG:25830", extent: extent, resolutions: [View.resolution(4)],
            layers: ["base"])
        let source = TileSource(try WMSCTileSet.TileRequest(tileSet: set, baseURL: "http://h/wms"))
        let view = try View.make(x: 1024, y: 1024, resolution: 4, width: 512, height: 256, crs: crs)
        let mosaic = try #require(Self.mosaics(source, view).first)
        #expect(mosaic.topLeft == Coordinate(x: 0, y: 2048))
        #expect(mosaic.images.map(\.name) == ["0/0/0", "0/1/0", "0/0/1", "0/1/1"])
        #expect(mosaic.images.map(\.y) == [256, 256, 0, 0])
        #expect(
            mosaic.images[2].url
                == "http://h/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=base&STYLES=&SRS=EPSG:25830"
                + "&BBOX=0,1024,1024,2048&WIDTH=256&HEIGHT=256&FORMAT=image/png&TRANSPARENT=TRUE&TILED=true"
        )
    }

    @Test func `XYZ rows are counted from the top, whatever the origin of the grid`() throws {
        let world = try #require(CRS.webMercator.worldExtent)
        let resolutions = (0...3).compactMap { Resolution(unitsPerPixel: 40_075_016.68557849 / 256 / Double(1 << $0)) }
        let grid = try #require(
            TileGrid(crs: .webMercator, extent: world, resolutions: resolutions, originCorner: .bottomLeft))
        let below = try TileSource(grid: grid, address: .xyz(XYZTemplate("t:{z}/{x}/{y}")))
        let view = try View.slippy(20, 50, zoom: 3)
        let one = try #require(Self.mosaics(below, view).first),
            other = try #require(Self.mosaics(Self.xyz(), view).first)
        #expect(one.topLeft.x == other.topLeft.x)
        #expect(abs(one.topLeft.y - other.topLeft.y) < 1e-6)
        let key = { (image: SeenImage) in "\(image.url) \(image.x) \(image.y)" }
        #expect(Set(one.images.map(key)) == Set(other.images.map(key)))
    }

    /// A Spanish grid of odd resolutions: 1800, 900, 450, 225, 120, 50, 25.
    @Test(arguments: [(1300.0, "0"), (1200, "1"), (100, "4"), (78, "4"), (77, "5"), (30, "6"), (1, "6")])
    func `the level nearest by ratio is chosen`(resolution: Double, level: String) throws {
        let crs = try CRS("EPSG:25830")
        let extent = try #require(Extent(minX: -100_000, minY: 3_900_000, maxX: 1_200_000, maxY: 4_900_000))
        let resolutions = [1800.0, 900, 450, 225, 120, 50, 25].compactMap { Resolution(unitsPerPixel: $0) }
        let grid = try #require(TileGrid(crs: crs, extent: extent, resolutions: resolutions, originCorner: .topLeft))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("{z}/{x}/{y}")))
        let view = try View.make(x: 676_742, y: 4_613_767, resolution: resolution, width: 200, height: 200, crs: crs)
        let mosaic = try #require(Self.mosaics(source, view).first)
        #expect(mosaic.images.allSatisfy { $0.name.hasPrefix("\(level)/") })
    }
}

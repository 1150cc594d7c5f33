import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

@Suite struct TileSourceStandInsTests {
    static func source(_ grid: TileGrid?) throws -> TileSource {
        try TileSource(grid: #require(grid), address: .xyz(XYZTemplate("http://t.example/{z}/{x}/{y}.png")))
    }

    static func mosaics(_ source: TileSource, x: Double, y: Double, zoom: Double) throws -> [Mosaic] {
        let view = try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(zoom: zoom, in: .webMercator)),
            size: #require(ImageSize(width: 300, height: 300)))
        return try TilePlanner(source: source, viewport: view, margin: 0).mosaics()
    }

    @Test func `the parents of a tile, the nearest first, each with its part`() throws {
        let source = try Self.source(.webMercator(levels: 0...6))
        let mosaic = try #require(try Self.mosaics(source, x: 1e6, y: 1e6, zoom: 5).first)
        let image = try #require(mosaic.images.first { $0.name == "5/16/15" })
        let standIns = source.standIns(for: image, in: mosaic, pixelRatio: 1)
        #expect(standIns.map(\.name) == ["4/8/7", "3/4/3", "2/2/1", "1/1/0", "0/0/0"])
        #expect(standIns.first?.url == "http://t.example/4/8/7.png")
        // Tile 15 is the lower half of tile 7: rows go 14, 15.
        #expect(standIns.map(\.crop.x) == [0, 0, 0, 0, 16 * 256])
        #expect(standIns.map(\.crop.y) == [256, 3 * 256, 7 * 256, 15 * 256, 15 * 256])
        #expect(standIns.map(\.crop.imageSize.width) == [512, 1024, 2048, 4096, 8192])
    }

    @Test func `across the antimeridian the parents are those of the world's own place`() throws {
        let source = try Self.source(.webMercator(levels: 0...6))
        let mosaic = try #require(try Self.mosaics(source, x: 20_037_508, y: 1e6, zoom: 5).first)
        #expect(mosaic.images.count > 1)
        for image in mosaic.images {
            let parts = image.name.split(separator: "/").compactMap { Int($0) }
            let parent = try #require(source.standIns(for: image, in: mosaic, pixelRatio: 1).first)
            #expect(parent.name == "4/\(parts[1] / 2)/\(parts[2] / 2)", "\(image.name)")
            #expect(parent.crop.x == parts[1] % 2 * 256 && parent.crop.y == parts[2] % 2 * 256)
        }
    }

    @Test func `levels that are no whole multiple give no parents`() throws {
        let matrices = [(3.0, 40), (2.5, 48), (1, 120)].compactMap { resolution, count in
            Resolution(unitsPerPixel: resolution).flatMap {
                TileMatrix(
                    id: "\(count)", resolution: $0, tileWidth: 256, tileHeight: 256,
                    origin: Coordinate(x: 0, y: 30_720),
                    columnCount: count, rowCount: count)
            }
        }
        let source = try Self.source(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: matrices))
        let size = try #require(ImageSize(width: 256, height: 256))
        func names(x: Int) -> [String] {
            let image = ImagePlacement(url: "", name: "", x: x, y: 0, size: size)
            let mosaic = Mosaic(
                crs: .webMercator, topLeft: Coordinate(x: 0, y: 30_720), resolutionX: 1, resolutionY: 1, size: size,
                images: [image])
            return source.standIns(for: image, in: mosaic, pixelRatio: 1).map(\.name)
        }
        #expect(names(x: 256) == ["40/0/0"] && names(x: 768) == ["40/1/0"])
    }

    @Test func `a plan shows the stand-in in the tile's place`() throws {
        let source = try Self.source(.webMercator(levels: 0...6))
        let mosaics = try Self.mosaics(source, x: 1e6, y: 1e6, zoom: 5)
        let image = try #require(mosaics.first?.images.first)
        let standIn = try #require(source.standIns(for: image, in: mosaics[0], pixelRatio: 1).first)
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 5, in: .webMercator)),
            size: #require(ImageSize(width: 300, height: 300)))
        let plan = DrawPlan(
            viewport: view, background: .white,
            steps: [DrawStep(layer: "a", kind: "xyz", opacity: 1, attribution: nil, content: .mosaics(mosaics))])
        guard case .mosaics(let shown)? = plan.showing([image.url: standIn]).steps.first?.content else {
            Issue.record("no mosaics")
            return
        }
        #expect(
            shown[0].images.count == mosaics[0].images.count
                && shown[0].images.dropFirst() == mosaics[0].images.dropFirst())
        let first = shown[0].images[0]
        #expect(
            first.url == standIn.url && first.crop == standIn.crop && first.x == image.x && first.size == image.size)
    }
}

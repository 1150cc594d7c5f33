import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

/// Tiles of the client's own grid (pitfalls 29, 48 and 49).
@Suite struct WMSTileRequestTests {
    static func layer(
        _ limits: WMSRequestLimits = WMSRequestLimits(), crs: CRS = .webMercator, size: Int = 256, gutter: Int = 32
    ) throws -> MapLayer {
        let request = try GetMapRequest(
            version: .v1_3_0, baseURL: "http://h/wms", layers: ["a", "b"], crs: crs,
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1)
        let source = WMSSource(request: request, limits: limits)
        let grid = try #require(TileGrid.powersOfTwo(in: crs, tileSize: size))
        return MapLayer(
            name: "t",
            source: TileSource(grid: grid, address: .wms(WMSTileRequest(source: source, gutter: gutter))))
    }

    static func images(_ layer: MapLayer, _ view: Viewport) throws -> [SeenImage] {
        (MapPlanner(viewport: view).plan([layer]).layers.first?.plan.seen ?? []).flatMap(\.images)
    }

    @Test func `a tile is requested with its gutter, which is cut off`() throws {
        let images = try Self.images(Self.layer(), View.slippy(1, 1, zoom: 4, width: 20, height: 20))
        let image = try #require(images.first), side = 40_075_016.68557849 / 16, unit = side / 256
        #expect(images.count == 1)
        let box = try WMSPlannerTests.box(image)
        #expect(abs(box[0] - -32 * unit) < 1e-3 && abs(box[1] - -32 * unit) < 1e-3)
        #expect(abs(box[2] - 288 * unit) < 1e-3 && abs(box[3] - 288 * unit) < 1e-3)
        #expect(try WMSPlannerTests.value("WIDTH", image) == "320")
        #expect(image.crop == Mosaic.Crop(x: 32, y: 32, imageSize: try #require(ImageSize(width: 320, height: 320))))
        #expect(!image.url.uppercased().contains("TILED"))
        #expect(try Self.layer().source.kind == "wms")
    }

    @Test func `there is no gutter at the ends of the world`() throws {
        let images = try Self.images(Self.layer(), View.slippy(-179, 84, zoom: 1, width: 4, height: 4))
        let corner = try #require(images.first { $0.name == "1/0/0" })
        #expect(corner.crop == Mosaic.Crop(x: 0, y: 0, imageSize: try #require(ImageSize(width: 288, height: 288))))
        let box = try WMSPlannerTests.box(corner)
        #expect(box[0] >= -20_037_508.342789245 && box[3] <= 20_037_508.342789245)
        let world = try #require(try Self.images(Self.layer(), View.slippy(0, 0, zoom: 0, width: 9, height: 9)).first)
        #expect(world.crop == nil)
        #expect(world.size == ImageSize(width: 256, height: 256))
    }

    @Test func `neighbouring views request the same URLs`() throws {
        let one = try Self.images(Self.layer(), View.slippy(10.01, 50, zoom: 7)).map(\.url)
        let other = try Self.images(Self.layer(), View.slippy(10.02, 50.001, zoom: 7)).map(\.url)
        #expect(Set(one) == Set(other))
        #expect(!one.isEmpty)
    }

    @Test(arguments: [
        (1.0, 256, nil), (1.4, 256, nil), (1.5, 512, "180"), (2, 512, "180"), (2.6, 768, "270"), (3, 768, "270"),
    ])
    func `fractional pixel ratios are requested as 1, 2 or 3`(ratio: Double, side: Int, dpi: String?) throws {
        let view = try View.slippy(1, 1, zoom: 4, width: 20, height: 20, pixelRatio: ratio)
        let image = try #require(try Self.images(Self.layer(gutter: 0), view).first)
        #expect(image.name == "4/8/7")
        #expect(image.size.width == side)
        #expect(image.url.contains("&DPI=") == (dpi != nil))
        if let dpi { #expect(try WMSPlannerTests.value("DPI", image) == dpi) }
        let plain = try #require(
            try Self.images(Self.layer(gutter: 0), View.slippy(1, 1, zoom: 4, width: 20, height: 20)).first)
        #expect(try WMSPlannerTests.box(image) == WMSPlannerTests.box(plain))
    }

    @Test func `layers out of their scales are not on the tiles, with a warning`() throws {
        // Level 4 has pixels of 9784 m, a scale of 1:34 942 642.
        let limits = WMSRequestLimits(scales: [WMSScaleRange(maximum: 1e6), WMSScaleRange()])
        let view = try View.slippy(1, 1, zoom: 4, width: 20, height: 20)
        let image = try #require(try Self.images(Self.layer(limits), view).first)
        #expect(try WMSPlannerTests.value("LAYERS", image) == "b")
        let warnings = try MapPlanner(viewport: view).plan([Self.layer(limits)]).warnings
        #expect(warnings.map(\.message).contains { $0.hasPrefix("'a' is drawn to 1:1000000") })
        let none = WMSRequestLimits(scales: [WMSScaleRange(maximum: 1e6), WMSScaleRange(maximum: 1e6)])
        #expect(try Self.images(Self.layer(none), view).isEmpty)
    }
}

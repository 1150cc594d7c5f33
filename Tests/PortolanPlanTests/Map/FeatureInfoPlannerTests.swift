import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

@Suite struct FeatureInfoPlannerTests {
    private static func layer(_ source: WMSSource) -> MapLayer { MapLayer(name: "a", source: source) }

    private static func request(
        _ view: Viewport, x: Double, y: Double, _ source: WMSSource, layer: MapLayer? = nil
    ) throws -> GetFeatureInfoRequest? {
        let template = WMSFeatureInfoTemplate(map: source.request, queryLayers: ["a"], formats: [])
        return try FeatureInfoPlanner(viewport: view, pixel: Point(x: x, y: y)).request(
            to: template, of: layer ?? Self.layer(source), infoFormat: "text/plain", featureCount: 3)
    }

    /// The common parameters of GetMap and GetFeatureInfo, from an address.
    private static func picture(_ url: String) -> [String] {
        url.split(whereSeparator: { "?&".contains($0) }).map(String.init)
            .filter { !$0.hasPrefix("REQUEST=") }.prefix { !$0.hasPrefix("QUERY_LAYERS=") }.map { $0 }
    }

    @Test(arguments: [
        ("EPSG:3857", WMSCapabilities.Version.v1_3_0, 1.0), ("EPSG:3857", .v1_0_0, 2), ("EPSG:3857", .v1_1_1, 1.5),
        ("EPSG:4326", .v1_3_0, 1), ("EPSG:4326", .v1_1_0, 1), ("EPSG:25830", .v1_1_1, 1), ("EPSG:25830", .v1_3_0, 2),
    ])
    func `the request describes exactly the picture that is drawn`(
        crs: String, version: WMSCapabilities.Version, ratio: Double
    ) throws {
        // Another system than the view's among them, and numbers that are not round.
        let view = try View.make(
            x: -97_661.123, y: 5_107_223.457, resolution: 77.7, width: 301, height: 203, pixelRatio: ratio)
        let source = try WMSPlannerTests.source(crs: CRS(crs), version: version)
        let drawn = try WMSPlannerTests.mosaic(source, view)
        let asked = try #require(try Self.request(view, x: 17.5, y: 200.2, source))
        #expect(drawn.images.count == 1)
        #expect(Self.picture(asked.url) == Self.picture(drawn.images[0].url))
        #expect(asked.featureCount == 3)
        if crs == "EPSG:3857" {
            #expect(asked.column == Int(17.5 * ratio))
            #expect(asked.row == Int(200.2 * ratio))
        } else {
            // The pixel shows the place.
            let transform = try CoordinateTransform(from: view.crs, to: source.crs)
            let place = try #require(transform(view.coordinate(at: Point(x: 17.5, y: 200.2))))
            let x = drawn.topLeft.x + (Double(asked.column) + 0.5) * drawn.resolutionX
            let y = drawn.topLeft.y - (Double(asked.row) + 0.5) * drawn.resolutionY
            #expect(abs(x - place.x) <= drawn.resolutionX * 0.5001)
            #expect(abs(y - place.y) <= drawn.resolutionY * 0.5001)
        }
    }

    @Test(arguments: [(0.0, 0.0, 0, 0), (300, 200, 299, 199), (299.99, 0.99, 299, 0), (150, 100, 150, 100)])
    func `pixels on the border are clamped into the picture`(x: Double, y: Double, column: Int, row: Int) throws {
        let view = try View.make(x: 1000, y: -2000, resolution: 2.5, width: 300, height: 200)
        let asked = try #require(try Self.request(view, x: x, y: y, WMSPlannerTests.source()))
        #expect(asked.column == column)
        #expect(asked.row == row)
    }

    @Test func `a rotated view requests a small upright picture of the same resolution`() throws {
        let view = try View.make(x: 1000, y: -2000, resolution: 2.5, width: 300, height: 200, rotation: 30)
        let asked = try #require(try Self.request(view, x: 10, y: 20, WMSPlannerTests.source()))
        let place = view.coordinate(at: Point(x: 10, y: 20))
        #expect(asked.map.width == 101)
        #expect(asked.map.height == 101)
        #expect(asked.column == 50)
        #expect(asked.row == 50)
        #expect(abs(asked.map.extent.width - 252.5) < 1e-9)
        #expect(abs(asked.map.extent.height - 252.5) < 1e-9)
        #expect(abs(asked.map.extent.center.x - place.x) < 1e-6)
        #expect(abs(asked.map.extent.center.y - place.y) < 1e-6)
    }

    @Test func `a small picture is requested with explicit tolerances`() throws {
        func value(_ name: String, _ url: String) -> String? {
            url.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        for (rotation, expected) in [(0.0, [nil, nil, nil]), (30, ["8", "4", "2"])] as [(Double, [String?])] {
            let view = try View.make(resolution: 2.5, width: 400, height: 200, rotation: rotation, pixelRatio: 2)
            let url = try #require(try Self.request(view, x: 10, y: 20, WMSPlannerTests.source())).url
            let tolerances = ["FI_POINT_TOLERANCE", "FI_LINE_TOLERANCE", "FI_POLYGON_TOLERANCE"].map { value($0, url) }
            #expect(tolerances == expected)
            #expect(value("WITH_GEOMETRY", url) == "TRUE")
        }
    }

    @Test func `a picture over the learned limit of the service is replaced by a small one`() throws {
        let view = try View.make(resolution: 2.5, width: 1200, height: 200)
        let source = try WMSPlannerTests.source()
        #expect(try Self.request(view, x: 10, y: 20, source)?.map.width == 1200)
        var traits = ServiceTraits()
        traits.note(1024, of: source.request.baseURL.text)
        let template = WMSFeatureInfoTemplate(map: source.request, queryLayers: ["a"], formats: [])
        let asked = try FeatureInfoPlanner(viewport: view, pixel: Point(x: 10, y: 20), traits: traits).request(
            to: template, of: Self.layer(source), infoFormat: "text/plain", featureCount: 1)
        #expect(asked?.map.width == 101)
    }

    @Test func `in a copy of the world the original position is requested`() throws {
        let view = try View.make(x: 180, y: 0, resolution: 0.1, width: 300, height: 200, crs: .epsg4326)
        let source = try WMSPlannerTests.source(crs: .epsg4326)
        // 10° east of the date line is 170° west.
        let asked = try #require(try Self.request(view, x: 250, y: 100, source))
        #expect(abs(asked.map.extent.center.x + 170) < 1e-9)
        #expect(asked.column == 50)
        // Half a pixel from its end no picture reaches over it.
        let edge = try #require(try Self.request(view, x: 149.5, y: 100, source))
        #expect(edge.map.extent.maxX <= 180)
        #expect(edge.column == 100)
        #expect(abs(edge.map.extent.width - 10.1) < 1e-9)
        let pole = try View.make(x: 0, y: 90, resolution: 0.1, width: 300, height: 200, rotation: 10, crs: .epsg4326)
        #expect(try Self.request(pole, x: 150, y: 20, source) == nil)
        #expect(try Self.request(pole, x: 150, y: 100.5, source)?.map.extent.maxY == 90)
    }

    @Test func `tiles are identified by a picture of their service`() throws {
        let view = try View.make(x: 1000, y: -2000, resolution: 2.5, width: 300, height: 200)
        let source = try WMSPlannerTests.source(version: .v1_1_1)
        let grid = try #require(TileGrid.webMercator())
        let tiles = MapLayer(
            name: "t", source: TileSource(grid: grid, address: .xyz(try XYZTemplate("http://h/{z}/{x}/{y}"))))
        let asked = try #require(try Self.request(view, x: 0, y: 0, source, layer: tiles))
        #expect(asked.map.width == 101)
        #expect(asked.column == 50)
        #expect(asked.map.extent.center == Coordinate(x: 625, y: -1750))
    }

    @Test func `a position outside the CRS of the service gives no request`() throws {
        let view = try View.make(x: 0, y: 80, resolution: 1, width: 300, height: 200, crs: .epsg4326)
        let source = try WMSPlannerTests.source(crs: .webMercator)
        #expect(try Self.request(view, x: 150, y: 85, source) == nil)
        let unknown = try CRS("EPSG:27200")
        #expect(throws: PlanError.self) {
            try Self.request(view, x: 150, y: 100, WMSPlannerTests.source(crs: unknown))
        }
    }
}

@Suite struct FeatureInfoPlannerTilesTests {
    private static func source(
        _ corner: TileGrid.OriginCorner = .topLeft, extent: Extent? = nil
    ) throws -> TileSource {
        let grid = try #require(TileGrid.webMercator()), world = try #require(CRS.webMercator.worldExtent)
        let origin = Coordinate(x: world.minX, y: corner == .topLeft ? world.maxY : world.minY)
        let matrices = grid.matrices.compactMap { matrix in
            TileGrid.Matrix(
                id: matrix.id, resolution: matrix.resolution, tileWidth: 256, tileHeight: 256, origin: origin,
                columnCount: matrix.columnCount, rowCount: matrix.rowCount)
        }
        return TileSource(
            grid: try #require(TileGrid(crs: .webMercator, originCorner: corner, matrices: matrices)),
            address: .xyz(try XYZTemplate("http://h/{z}/{x}/{y}")), extent: extent)
    }

    private static func found(_ source: TileSource, _ view: Viewport, x: Double, y: Double) throws -> [Int]? {
        try FeatureInfoPlanner(viewport: view, pixel: Point(x: x, y: y)).pixel(of: source).map {
            [$0.tile.level, $0.tile.column, $0.tile.row, $0.column, $0.row]
        }
    }

    /// Level 4 has 16 tiles each way, so that the middle of the world is the corner of four.
    @Test(arguments: [
        (64.0, 64.0, [4, 8, 8, 0, 0]), (63.5, 63.5, [4, 7, 7, 255, 255]), (74.5, 84.2, [4, 8, 8, 10, 20]),
        (63.5, 64, [4, 7, 8, 255, 0]), (0, 127.5, [4, 7, 8, 192, 63]),
    ])
    func `the pixel of the tile that is drawn there is found`(x: Double, y: Double, expected: [Int]) throws {
        let view = try View.slippy(0, 0, zoom: 4, width: 128, height: 128)
        #expect(try Self.found(Self.source(), view, x: x, y: y) == expected)
        // Counted from below the row is another, and the pixel is not.
        var below = expected
        below[2] = 15 - below[2]
        #expect(try Self.found(Self.source(.bottomLeft), view, x: x, y: y) == below)
    }

    @Test func `a rotated high-density view uses the level that it is drawn from`() throws {
        // A quarter turn clockwise: what is below the middle of the picture lies ten pixels off it.
        let turned = try View.slippy(0, 0, zoom: 4, width: 128, height: 128, rotation: 90)
        let pixel = try #require(try Self.found(Self.source(), turned, x: 64.5, y: 74.5))
        let place = turned.coordinate(at: Point(x: 64.5, y: 74.5))
        let unit = try #require(Resolution(zoom: 4, in: .webMercator)).unitsPerPixel
        #expect(pixel[1] * 256 + pixel[3] == 2048 + Int((place.x / unit).rounded(.down)))
        #expect(pixel[2] * 256 + pixel[4] == 2048 + Int((-place.y / unit).rounded(.down)))
        let dense = try View.slippy(0, 0, zoom: 4, width: 128, height: 128, pixelRatio: 2)
        #expect(try Self.found(Self.source(), dense, x: 74.25, y: 84.25) == [5, 16, 16, 20, 40])
    }

    @Test func `beyond the antimeridian is the other end of the grid, and outside the tiles is nothing`() throws {
        let view = try View.slippy(180, 0, zoom: 4, width: 128, height: 128)
        #expect(try Self.found(Self.source(), view, x: 74.5, y: 64.5) == [4, 0, 8, 10, 0])
        let north = try View.slippy(0, 85, zoom: 1)
        #expect(try Self.found(Self.source(), north, x: 128, y: 2) == nil)
        let part = try #require(Extent(minX: 0, minY: 0, maxX: 1e6, maxY: 1e6))
        let middle = try View.slippy(0, 0, zoom: 4, width: 128, height: 128)
        #expect(try Self.found(Self.source(extent: part), middle, x: 65, y: 65) == nil)
        #expect(try Self.found(Self.source(extent: part), middle, x: 65, y: 63) == [4, 8, 7, 1, 255])
    }
}

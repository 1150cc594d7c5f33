import Foundation
import Portolan
import Testing

@Suite(.onMapServers) struct XYZTests {
    @Test(arguments: [3, 6, 9]) func `an XYZ view at a native level equals the tiles side by side`(
        level: Int
    ) async throws {
        // Around Gibraltar, at 5.35° W 36.14° N: its tile by the formula of tile numbers.
        let count = Double(1 << level), latitude = 36.14 * Double.pi / 180
        let column = Int((180 - 5.35) / 360 * count), row = Int((1 - asinh(tan(latitude)) / .pi) / 2 * count)
        let viewport = try TileLayers.viewport(
            level: level, x: column * 256 + 13, y: row * 256 + 200, width: 290, height: 260)
        let drawn = try await MapRenderer.fresh().picture(of: TileLayers.xyz(), in: viewport)
        let direct = try await DirectTiles.xyz(MapServers.running(), layer: "political", level: level)
            .picture(columns: column...(column + 1), rows: row...(row + 1))
        try #require(!direct.isBlank)
        expectSame(drawn, direct.part(x: 13, y: 200, size: viewport.size).onWhite)
    }

    @Test func `XYZ and WMS-C tiles of one grid give the same picture`() async throws {
        let renderer = MapRenderer.fresh()
        let native = try TileLayers.viewport(level: 5, x: 15 * 256 + 77, y: 11 * 256 + 50, width: 300, height: 300)
        let one = try await renderer.picture(of: TileLayers.xyz(), in: native)
        #expect(!one.isBlank)
        expectSame(one, try await renderer.picture(of: TileLayers.wmsc("EPSG:3857"), in: native))
        // Between levels both are resampled, and their resolutions differ in the sixteenth place.
        let between = try Place(.webMercator, -300_000, 4_900_000, 3000, width: 400, height: 300).viewport()
        expectNear(
            try await renderer.picture(of: TileLayers.xyz(), in: between),
            try await renderer.picture(of: TileLayers.wmsc("EPSG:3857"), in: between), by: 1)
    }

    @Test(arguments: [-1, 0, 1]) func `the picture continues across the antimeridian in both directions`(
        world: Int
    ) async throws {
        let level = 3, edge = (1 << level) * 256
        let viewport = try TileLayers.viewport(
            level: level, x: world * edge - 180, y: 2 * 256 + 100, width: 400, height: 300)
        let tiles = try DirectTiles.xyz(MapServers.running(), layer: "political", level: level)
        // A server that is busy may answer once with what it does not keep: its tiles are made before they are compared.
        _ = try await tiles.picture(columns: -1...0, rows: 2...3)
        let drawn = try await MapRenderer.fresh().picture(of: TileLayers.xyz(), in: viewport)
        let direct = try await tiles.picture(columns: -1...0, rows: 2...3)
        let expected = direct.part(x: 256 - 180, y: 100, size: viewport.size).onWhite
        // Both sides show something: Chukotka and Alaska.
        let half = try #require(ImageSize(width: 180, height: 300))
        try #require(!expected.part(x: 0, y: 0, size: half).isBlank)
        try #require(!expected.part(x: 220, y: 0, size: half).isBlank)
        expectSame(drawn, expected)
    }

    @Test func `a WMS picture continues across the antimeridian`() async throws {
        let servers = try MapServers.running()
        let service = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer, options: WMSOptions(layers: ["relief"], format: "image/png")
        ).layer
        let viewport = try TileLayers.viewport(level: 3, x: -180, y: 2 * 256 + 100, width: 400, height: 300)
        let drawn = try await MapRenderer.fresh().whole([service], in: viewport)
        #expect(drawn.report.layers.first?.requested == 2)
        // Each side is the server's own picture of its side of the world.
        let unit = 40_075_016.685578488 / 256 / 8, edge = 20_037_508.342789244
        let top = edge - 612 * unit, bottom = edge - 912 * unit
        for (x, width, left, right) in [(0, 180, edge - 180 * unit, edge), (180, 220, -edge, 220 * unit - edge)] {
            let url =
                servers.mapServer + "SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=relief&STYLES=&CRS=EPSG:3857"
                + "&BBOX=\(left),\(bottom),\(right),\(top)&WIDTH=\(width)&HEIGHT=300&FORMAT=image/png"
                + "&TRANSPARENT=TRUE&EXCEPTIONS=XML"
            let direct = try await PixelBuffer(at: url)
            // The numbers of the box differ in their last digits.
            expectNear(drawn.image.part(x: x, y: 0, size: direct.size), direct.onWhite, by: 1)
        }
    }

    @Test(arguments: [("EPSG:3857", 0.0), ("EPSG:3857", 20), ("EPSG:4326", 0), ("EPSG:4326", 20)])
    func `a WMS picture has no seam at the antimeridian`(crs: String, rotation: Double) async throws {
        // The antimeridian is at three tenths of a pixel: no requested box may extend beyond it by the rest of the
        // pixel.
        let place = Place(.webMercator, 20_037_508.342789244 + 0.3 * 15_000, 5_000_000, 15_000, width: 400, height: 300)
        let viewport = try place.viewport(rotation: rotation)
        let offer = WMSOffer(server: .mapServer, layers: "relief", version: .v1_3_0, crs: crs)
        let renderer = MapRenderer.fresh()
        let image = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: viewport)
        let tiles = try await renderer.picture(of: TileLayers.xyz("relief", type: "jpeg"), in: viewport)
        let difference = try #require(image.meanDifference(from: tiles))
        #expect(difference < 1.5)
    }

    @Test(arguments: ["EPSG:3857", "EPSG:4326"]) func `a view wider than the world is drawn without gaps`(
        crs: String
    ) async throws {
        let viewport = try Place(.webMercator, 3_000_000, 0, 110_000, width: 500, height: 320).viewport()
        let offer = WMSOffer(server: .mapServer, layers: "relief", version: .v1_3_0, crs: crs)
        let renderer = MapRenderer.fresh()
        let image = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: viewport)
        let tiles = try await renderer.picture(of: TileLayers.xyz("relief", type: "jpeg"), in: viewport)
        let difference = try #require(image.meanDifference(from: tiles))
        #expect(difference < 4)
    }

    @Test(arguments: [90.0, 180, 270]) func `quarter turns only move pixels`(rotation: Double) async throws {
        let renderer = MapRenderer.fresh(), layer = try TileLayers.xyz()
        func view(_ rotation: Double) throws -> Viewport {
            try TileLayers.viewport(
                level: 5, x: 15 * 256 + 77, y: 11 * 256 + 50, width: 300, height: 300, rotation: rotation)
        }
        let upright = try await renderer.picture(of: layer, in: view(0))
        let turned = try await renderer.picture(of: layer, in: view(rotation))
        var expected = PixelBuffer(size: upright.size)
        for y in 0..<300 {
            for x in 0..<300 {
                // At bearing 90 east is up and south is right.
                expected[x, y] =
                    switch rotation {
                    case 90: upright[299 - y, x]
                    case 180: upright[299 - x, 299 - y]
                    default: upright[y, 299 - x]
                    }
            }
        }
        expectSame(turned, expected)
    }

    @Test(arguments: [30.0, 200]) func `a rotated picture equals the upright one with bilinear resampling`(
        rotation: Double
    ) async throws {
        let renderer = MapRenderer.fresh(), layer = try TileLayers.xyz("relief", type: "jpeg")
        // The upright one is larger, so that it holds the corners.
        let upright = try await renderer.picture(
            of: layer, in: TileLayers.viewport(level: 5, x: 3840, y: 2816, width: 400, height: 400))
        let turned = try await renderer.picture(
            of: layer,
            in: TileLayers.viewport(level: 5, x: 3940, y: 2916, width: 200, height: 200, rotation: rotation))
        let cosine = cos(rotation * .pi / 180), sine = sin(rotation * .pi / 180)
        var largest = 0.0
        for y in 0..<200 {
            for x in 0..<200 {
                let right = Double(x) - 99.5, down = Double(y) - 99.5
                let east = right * cosine - down * sine, south = right * sine + down * cosine
                let value = upright.green(x: 199.5 + east, y: 199.5 + south)
                largest = max(largest, abs(Double(turned[x, y].green) - value))
            }
        }
        #expect(largest < 2)
    }

    @Test func `a high-density view uses the finer level`() async throws {
        let renderer = MapRenderer.fresh(), layer = try TileLayers.xyz()
        let fine = try TileLayers.viewport(level: 6, x: 30 * 256, y: 22 * 256, width: 400, height: 300)
        let dense = try Viewport(
            center: fine.center, resolution: try #require(Resolution(unitsPerPixel: 2 * fine.resolution.unitsPerPixel)),
            size: try #require(ImageSize(width: 200, height: 150)), pixelRatio: 2)
        let picture = try await renderer.picture(of: layer, in: dense)
        #expect(picture.size == fine.size)
        expectSame(picture, try await renderer.picture(of: layer, in: fine))
    }

    @Test func `a view between two levels agrees with the WMS picture`() async throws {
        let renderer = MapRenderer.fresh()
        let offer = WMSOffer(server: .mapServer, layers: "relief", version: .v1_3_0, crs: "EPSG:3857")
        let place = Place(.webMercator, -300_000, 4_900_000, 3500)
        let tiles = try await renderer.picture(of: TileLayers.xyz("relief", type: "jpeg"), in: place.viewport())
        let image = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: place.viewport())
        let difference = try #require(tiles.meanDifference(from: image))
        #expect(difference < 2)
    }
}

extension PixelBuffer {
    /// Green between pixels, by the textbook; x and y count from the middle of the first pixel.
    fileprivate func green(x: Double, y: Double) -> Double {
        let column = Int(x.rounded(.down)), row = Int(y.rounded(.down))
        let fx = x - Double(column), fy = y - Double(row)
        func at(_ x: Int, _ y: Int) -> Double { Double(self[x, y].green) }
        let top = at(column, row) * (1 - fx) + at(column + 1, row) * fx
        let bottom = at(column, row + 1) * (1 - fx) + at(column + 1, row + 1) * fx
        return top * (1 - fy) + bottom * fy
    }
}

import Foundation
import Portolan

/// A route with its places over tiles in memory, 1024 × 768, as a PNG: the cost of a route snapshot.
struct SnapshotScene {
    private let layers: [MapLayer]
    private let viewport: Viewport

    /// Reads a route.
    ///
    /// - Parameter tiles: a URL template with `{z}`, `{x}` and `{y}`.
    init(tiles: String, route: String) throws {
        let source = FeatureSource(features: try features(of: route))
        layers = [try .tiles(tiles), MapLayer(name: "route", source: source)]
        guard let extent = try source.boundingBox(in: .webMercator)?.extent,
            let size = ImageSize(width: 1024, height: 768)
        else { throw SceneError() }
        // An integer level, so that tiles are copied and not resampled.
        let fitting = try Viewport.showing(extent, size: size).resolution.unitsPerPixel
        let level0 = 156543.03392804097, level = log2(level0 / fitting).rounded(.down)
        guard let resolution = Resolution(unitsPerPixel: level0 / exp2(level)) else { throw SceneError() }
        viewport = try Viewport(center: extent.center, resolution: resolution, size: size, crs: .webMercator)
    }

    func time(_ clock: SceneClock) async throws {
        var times: [Double] = [], encoding: [Double] = [], byteCount = 0
        for _ in 0...20 {
            var picture: PixelBuffer?
            let drawing = try await clock.milliseconds { picture = try await clock.render(layers, in: viewport).image }
            guard let picture else { return }
            let png = try await clock.milliseconds { byteCount = try PNGEncoder.encode(picture).count }
            times.append(drawing + png)
            encoding.append(png)
            if let file = clock.png { try Data(PNGEncoder.encode(picture)).write(to: URL(fileURLWithPath: file)) }
        }
        SceneClock.report(
            "route-snapshot",
            [
                ("portolan_ms", SceneClock.median(Array(times.dropFirst()))), ("first_ms", times[0]),
                ("png_ms", SceneClock.median(Array(encoding.dropFirst()))), ("bytes", Double(byteCount)),
            ])
    }
}

/// The error of a scene with unsuitable input.
struct SceneError: Error {}

extension MapLayer {
    /// Returns a layer of Web Mercator tiles.
    static func tiles(_ template: String) throws -> MapLayer {
        guard let grid = TileGrid.webMercator(levels: 0...19) else { throw SceneError() }
        return MapLayer(name: "tiles", source: TileSource(grid: grid, address: .xyz(try XYZTemplate(template))))
    }
}

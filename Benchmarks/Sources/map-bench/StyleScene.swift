import Foundation
import Portolan

/// A city in a full MapLibre style, at each of its zoom levels.
struct StyleScene {
    /// Half the width of the world in metres of web Mercator.
    private static let half = 20_037_508.342789244
    /// The centre of the city in web Mercator.
    private static let center = Coordinate(
        x: 24.944 / 180 * half, y: asinh(tan(60.1716 * Double.pi / 180)) / .pi * half)

    let layer: MapLayer

    /// Reads a style and its sources.
    init(style: String, client: ServiceClient = MapRenderer().services) async throws {
        let words = try LayerSpecification(kind: .style, source: style)
        guard let layer = try await LayerBuilder(client: client).build([words]).first?.layer else {
            throw SceneError()
        }
        self.layer = layer
    }

    /// Measures the city centre at tile zoom levels, at 1024 × 768.
    func time(_ clock: SceneClock, zooms: ClosedRange<Int>, frames: Int) async throws {
        for zoom in zooms {
            guard let size = ImageSize(width: 1024, height: 768),
                let resolution = Resolution(unitsPerPixel: 2 * Self.half / 256 / Double(1 << zoom))
            else { throw SceneError() }
            let viewport = try Viewport(center: Self.center, resolution: resolution, size: size, crs: .webMercator)
            let own = clock.writing(to: clock.png.map { "\($0)-\(zoom).png" })
            SceneClock.report("style-\(zoom)", try await own.time([layer], in: viewport, frames: frames).members)
        }
    }

    /// Measures 16 tiles of 256 pixels around the centre at tile zoom levels, each drawn alone: the mean of a tile.
    func timeTiles(_ clock: SceneClock, zooms: ClosedRange<Int>, frames: Int) async throws {
        guard let size = ImageSize(width: 256, height: 256) else { throw SceneError() }
        for zoom in zooms {
            let half = Self.half, side = 2 * half / Double(1 << zoom)
            let column = ((Self.center.x + half) / side).rounded(.down)
            let row = ((half - Self.center.y) / side).rounded(.down)
            var times: [Double] = []
            for x in -2..<2 {
                for y in -2..<2 {
                    let left = -half + (column + Double(x)) * side, top = half - (row + Double(y)) * side
                    guard let extent = Extent(minX: left, minY: top - side, maxX: left + side, maxY: top) else {
                        continue
                    }
                    let own = clock.writing(to: clock.png.map { "\($0)-\(zoom)-\(x)-\(y).png" })
                    times.append(
                        try await own.time([layer], in: .showing(extent, size: size), frames: frames).processor)
                }
            }
            SceneClock.report("style-tiles-\(zoom)", [("cpu_ms", times.reduce(0, +) / Double(times.count))])
        }
    }
}

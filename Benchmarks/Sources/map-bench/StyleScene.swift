import Foundation
import Portolan

/// A city in a full MapLibre style, at each of its zoom levels.
struct StyleScene {
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
            let half = 20_037_508.342789244, radians = Double.pi / 180
            let center = Coordinate(
                x: 24.944 / 180 * half, y: asinh(tan(60.1716 * radians)) / .pi * half)
            guard let size = ImageSize(width: 1024, height: 768),
                let resolution = Resolution(unitsPerPixel: 2 * half / 256 / Double(1 << zoom))
            else { throw SceneError() }
            let viewport = try Viewport(center: center, resolution: resolution, size: size, crs: .webMercator)
            let own = clock.writing(to: clock.png.map { "\($0)-\(zoom).png" })
            SceneClock.report("style-\(zoom)", try await own.time([layer], in: viewport, frames: frames).members)
        }
    }
}

import Foundation
import Portolan

/// A view of a MapLibre style, such as one with vector tiles, as a PNG: opening the style, the first picture, and
/// pictures after it with everything in memory.
struct ViewScene {
    /// Longitude and latitude of the centre in degrees, and the zoom of tiles with 256 pixels.
    let longitude: Double, latitude: Double, zoom: Double

    init?(_ numbers: ArraySlice<String>) {
        let values = numbers.compactMap { Double($0) }
        guard values.count == numbers.count, values.count == 3 else { return nil }
        (longitude, latitude, zoom) = (values[0], values[1], values[2])
    }

    /// Measures the view at 1024 × 768, in processor time.
    ///
    /// `second_ms` is that of the second picture, `cpu_ms` the median of all after the first.
    func time(_ style: String, _ clock: SceneClock, frames: Int) async throws {
        let start = SceneClock.processorMilliseconds
        let scene = try await StyleScene(style: style, client: clock.renderer.services)
        let opened = SceneClock.processorMilliseconds
        let viewport = try viewport()
        var times: [Double] = [], encoding: [Double] = [], png: [UInt8] = []
        for _ in 0...max(frames, 1) {
            let start = SceneClock.processorMilliseconds
            let picture = try await clock.render([scene.layer], in: viewport).image
            let drawn = SceneClock.processorMilliseconds
            png = try PNGEncoder.encode(picture, compression: .fast)
            let end = SceneClock.processorMilliseconds
            times.append(end - start)
            encoding.append(end - drawn)
        }
        if let file = clock.png { try Data(png).write(to: URL(fileURLWithPath: file)) }
        SceneClock.report(
            "view",
            [
                ("open_ms", opened - start), ("first_ms", times[0]), ("second_ms", times[1]),
                ("cpu_ms", SceneClock.median(Array(times.dropFirst()))),
                ("png_ms", SceneClock.median(Array(encoding.dropFirst()))), ("png_bytes", Double(png.count)),
                ("peak_mb", FileStatus.peakMegabytes),
            ])
    }

    private func viewport() throws -> Viewport {
        let half = 20_037_508.342789244
        let center = Coordinate(
            x: longitude / 180 * half, y: asinh(tan(latitude * Double.pi / 180)) / .pi * half)
        guard let size = ImageSize(width: 1024, height: 768),
            let resolution = Resolution(unitsPerPixel: 2 * half / 256 / exp2(zoom))
        else { throw SceneError() }
        return try Viewport(center: center, resolution: resolution, size: size, crs: .webMercator)
    }
}

import Portolan
import PortolanPlan

/// Planning of 20,000 lines, with and without feature styles.
enum StyledScene {
    static func time(_ clock: SceneClock) async throws {
        guard let extent = Extent(minX: -10, minY: 40, maxX: 10, maxY: 55),
            let size = ImageSize(width: 1024, height: 768)
        else { return }
        let viewport = try Viewport.showing(extent, size: size, crs: .crs84)
        let plain = layer(hasStyles: false), styled = layer(hasStyles: true)
        var times: (plain: [Double], styled: [Double]) = ([], [])
        // Alternating, so that other load on the machine affects both equally.
        for _ in 0...15 {
            times.plain.append(await clock.milliseconds { _ = MapPlanner(viewport: viewport).plan([plain]) })
            times.styled.append(await clock.milliseconds { _ = MapPlanner(viewport: viewport).plan([styled]) })
        }
        let medians = (
            plain: SceneClock.median(Array(times.plain.dropFirst())),
            styled: SceneClock.median(Array(times.styled.dropFirst()))
        )
        SceneClock.report(
            "styled",
            [
                ("portolan_ms", medians.styled), ("plain_ms", medians.plain), ("ratio", medians.styled / medians.plain),
                ("first_ms", times.styled[0]),
            ])
    }

    private static func layer(hasStyles: Bool) -> MapLayer {
        let colors = ["#aa0000", "#00aa00", "#0000aa", "#aa00aa", "#00aaaa"]
        let features = (0..<20_000).map { number in
            let x = -9.9 + Double(number % 200) * 0.099, y = 40.1 + Double(number / 200) * 0.149
            let line = [(0.0, 0.0), (0.03, 0.05), (0.06, 0.02)].map { Coordinate(x: x + $0, y: y + $1) }
            var properties: Properties = ["name": .string("Line \(number)")]
            if hasStyles {
                properties["style"] = [
                    "default": [
                        "strokeColor": .string(colors[number % colors.count]),
                        "strokeWidth": .integer(1 + number % 7), "strokeOpacity": 0.8,
                    ],
                    "select": ["strokeColor": "#ffff00"],
                ]
            }
            return Feature(id: .integer(number), geometry: .lineString(line), properties: properties)
        }
        return MapLayer(name: "lines", source: FeatureSource(features: features))
    }
}

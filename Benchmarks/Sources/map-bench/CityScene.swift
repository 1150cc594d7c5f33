import Foundation
import Portolan
import PortolanRaster

/// Central Helsinki: areas, buildings with borders, streets with casings, railways.
struct CityScene {
    let layers: [MapLayer]

    init(folder: String) throws {
        func layer(
            _ name: String, polygonsOnly: Bool = false, _ change: (inout StyleDeclaration) -> Void
        ) throws -> MapLayer {
            var style = StyleDeclaration()
            style.isFilled = polygonsOnly
            style.fillOpacity = 1
            style.strokeCap = .butt
            style.strokeJoin = .miter
            change(&style)
            let all = try features(of: "\(folder)/\(name).geojson")
            let kept = polygonsOnly ? all.filter { $0.geometry?.polygons.isEmpty == false } : all
            return MapLayer(name: name, source: FeatureSource(features: kept, style: style))
        }
        layers = [
            try layer("areas", polygonsOnly: true) {
                $0.fillColor = MapColor(red: 205, green: 230, blue: 190)
                $0.isStroked = false
            },
            try layer("buildings", polygonsOnly: true) {
                $0.fillColor = MapColor(red: 216, green: 208, blue: 200)
                $0.strokeColor = MapColor(red: 180, green: 170, blue: 160)
                $0.strokeWidth = 0.5
            },
            try layer("streets") {
                $0.casing = LineSymbol.Casing(color: MapColor(red: 120, green: 120, blue: 120), width: 6)
                $0.strokeColor = .white
                $0.strokeWidth = 4
                $0.strokeCap = .round
                $0.strokeJoin = .round
            },
            try layer("rail") {
                $0.strokeColor = MapColor(red: 90, green: 90, blue: 90)
                $0.strokeWidth = 1.5
            },
        ]
    }

    /// Measures the whole centre at 1024 × 768.
    func time(_ clock: SceneClock) async throws {
        SceneClock.report("helsinki-city", try await clock.time(layers, in: Self.center()).members)
    }

    /// Returns the view of the whole centre.
    static func center() throws -> Viewport {
        guard
            let extent = Extent(
                minX: 2775772.2469722554, minY: 8437012.821491785, maxX: 2777801.3014170527, maxY: 8438534.612325385),
            let size = ImageSize(width: 1024, height: 768)
        else { throw SceneError() }
        return try .showing(extent, size: size)
    }

    /// Measures the tiles of levels 14 to 17 that touch the centre, each drawn alone.
    ///
    /// The result is the mean over all tiles of a round, and the median of several rounds.
    func timeTiles(_ clock: SceneClock) async throws {
        let tiles = try Self.tiles()
        var rounds: [Double] = [], processor: [Double] = []
        for _ in 0...5 {
            let start = SceneClock.processorMilliseconds
            let time = try await clock.milliseconds { for tile in tiles { try await clock.draw(layers, in: tile) } }
            rounds.append(time / Double(tiles.count))
            processor.append((SceneClock.processorMilliseconds - start) / Double(tiles.count))
        }
        SceneClock.report(
            "helsinki-tiles",
            [
                ("portolan_ms", SceneClock.median(Array(rounds.dropFirst()))), ("first_ms", rounds[0]),
                ("cpu_ms", SceneClock.median(Array(processor.dropFirst()))), ("tiles", Double(tiles.count)),
            ])
    }

    private static func tiles() throws -> [Viewport] {
        let half = 20037508.342789244
        var tiles: [Viewport] = []
        for level in 14...17 {
            let count = Double(1 << level), side = 2 * half / count
            func column(_ longitude: Double) -> Int { Int((longitude + 180) / 360 * count) }
            func row(_ latitude: Double) -> Int {
                Int((1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * count)
            }
            for x in column(24.9352)...column(24.9534) {
                for y in row(60.1791)...row(60.1642) {
                    let left = -half + Double(x) * side, top = half - Double(y) * side
                    guard let extent = Extent(minX: left, minY: top - side, maxX: left + side, maxY: top),
                        let size = ImageSize(width: 256, height: 256)
                    else { continue }
                    tiles.append(try .showing(extent, size: size))
                }
            }
        }
        return tiles
    }
}

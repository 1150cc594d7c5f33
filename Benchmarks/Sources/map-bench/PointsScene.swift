import Foundation
import Portolan
import PortolanRaster

/// Many points at 2048 × 2048, each a red disc of four pixels: as points by the million, or with its name above it as features.
struct PointsScene {
    private let layer: MapLayer
    private let box: BoundingBox?
    private let name: String
    private let openMilliseconds: Double?

    init(file: String, showsLabels: Bool) throws {
        var style = StyleDeclaration()
        style.isStroked = false
        style.fillColor = Color(red: 255, green: 0, blue: 0)
        style.fillOpacity = 1
        style.pointRadius = 2
        guard showsLabels else {
            let start = ContinuousClock.now
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            let source = PointSource(try PointSource.Table.reading(bytes), style: style)
            openMilliseconds = start.duration(to: .now) / .milliseconds(1)
            layer = MapLayer(name: "points", source: source)
            box = source.table.boundingBox
            name = "points-\(source.table.count)"
            return
        }
        style.label = "${name}"
        style.fontSize = 11
        style.fontFamily = "DejaVu Sans"
        style.labelOutlineColor = .white
        style.labelOutlineWidth = 1
        style.labelVerticalAlignment = .bottom
        style.labelOffsetY = -3
        let source = FeatureSource(features: try features(of: file), style: style)
        layer = MapLayer(name: "points", source: source)
        box = source.boundingBox
        name = "points-\(source.features.count)-labels"
        openMilliseconds = nil
    }

    /// Times the whole, and for points by the million parts of it, their heat, their clusters, and how one is found.
    func time(_ clock: SceneClock) async throws {
        guard let box, let size = ImageSize(width: 2048, height: 2048) else { return }
        func viewport(_ part: Double) throws -> Viewport {
            let x = (box.maxX - box.minX) * part / 2, y = (box.maxY - box.minY) * part / 2, center = box.center
            let corners = [
                Coordinate(x: center.x - x, y: center.y - y), Coordinate(x: center.x + x, y: center.y + y),
            ].map { Viewport.webMercator($0) }
            guard
                let extent = Extent(
                    minX: corners[0].x, minY: corners[0].y, maxX: corners[1].x, maxY: corners[1].y)
            else { throw SceneError() }
            return try .showing(extent, size: size)
        }
        if let openMilliseconds { SceneClock.report(name + "-open", [("portolan_ms", openMilliseconds)]) }
        SceneClock.report(name, try await clock.time([layer], in: try viewport(1)).members)
        guard var source = layer.points else { return }
        for part in [0.5, 0.1, 0.01] {
            let times = try await clock.time([layer], in: try viewport(part))
            SceneClock.report("\(name)-\(part)", times.members)
        }
        source.look = .heatmap(PointSource.Heatmap(radius: 20, intensity: 0.05))
        let heat = MapLayer(name: "points", source: source)
        SceneClock.report(name + "-heat", try await clock.time([heat], in: try viewport(1)).members)
        source.look = .clusters()
        let clusters = MapLayer(name: "points", source: source)
        SceneClock.report(name + "-clusters", try await clock.time([clusters], in: try viewport(1)).members)
        let found = SceneClock.median(
            (0..<101).map { number in
                let place = Coordinate(x: box.center.x + Double(number) / 1000, y: box.center.y),
                    start = ContinuousClock.now
                _ = source.table.features(nearestTo: place, within: 0.01)
                return start.duration(to: .now) / .milliseconds(1)
            })
        SceneClock.report(name + "-nearest", [("portolan_ms", found)])
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS") || line.hasPrefix("VmHWM") {
            let kilobytes = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.first ?? 0
            SceneClock.report("\(name)-\(line.prefix(5))", [("mb", kilobytes / 1024)])
        }
    }
}

extension Viewport {
    /// A place in degrees in Web Mercator.
    fileprivate static func webMercator(_ place: Coordinate) -> Coordinate {
        (try? CoordinateTransform(from: .crs84, to: .webMercator))?(place) ?? place
    }
}

import Foundation
import Portolan
import PortolanRaster

/// Many points at 2048 × 2048, each a red disc of four pixels: as a `PointSource`, or as labelled features.
struct PointsScene {
    private let layer: MapLayer
    private let box: BoundingBox?
    private let name: String
    /// The measured times of opening.
    private var opening: [(name: String, value: Double)] = []
    /// The memory of the process before, in megabytes.
    private let residentMegabytes: Double

    init(file: String, showsLabels: Bool) throws {
        var style = StyleDeclaration()
        style.isStroked = false
        style.fillColor = MapColor(red: 255, green: 0, blue: 0)
        style.fillOpacity = 1
        style.pointRadius = 2
        residentMegabytes = FileStatus.residentMegabytes
        guard showsLabels else {
            let start = ContinuousClock.now, processor = SceneClock.processorMilliseconds
            let source = PointSource(try Self.table(file), style: style)
            let took = start.duration(to: .now) / .milliseconds(1)
            opening = [
                ("portolan_ms", took), ("cpu_ms", SceneClock.processorMilliseconds - processor),
                ("held_mb", FileStatus.residentMegabytes - residentMegabytes),
            ]
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
    }

    private static func table(_ file: String) throws -> PointSource.Table {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped))
        return try PointSource.Table.reading(bytes)
    }

    /// Measures the whole; for a `PointSource` also parts of it, a heat map, clusters, and a hit test.
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
        if !opening.isEmpty { SceneClock.report(name + "-open", opening) }
        guard var source = layer.points else {
            return SceneClock.report(name, try await clock.time([layer], in: try viewport(1)).members)
        }
        let parts = [8, 4, 2, 1, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001]
        for part in parts {
            let times = try await clock.time([layer], in: try viewport(part), frames: 7)
            SceneClock.report("\(name)-\(part)", times.members)
        }
        source.look = .heatmap(PointSource.Heatmap(radius: 20, intensity: 0.05))
        let heat = MapLayer(name: "points", source: source)
        SceneClock.report(name + "-heat", try await clock.time([heat], in: try viewport(1), frames: 7).members)
        reportMemory("marks-held")
        source.look = .clusters()
        let start = ContinuousClock.now, processor = SceneClock.processorMilliseconds
        source.prepare()
        let took = start.duration(to: .now) / .milliseconds(1)
        SceneClock.report(
            name + "-clusters-open",
            [("portolan_ms", took), ("cpu_ms", SceneClock.processorMilliseconds - processor)])
        let clusters = MapLayer(name: "points", source: source)
        for part in parts {
            let times = try await clock.time([clusters], in: try viewport(part), frames: 7)
            SceneClock.report("\(name)-clusters-\(part)", times.members)
        }
        let touch = SceneClock.median(
            (0..<101).map { number in
                let place = Coordinate(x: box.center.x + Double(number) / 1000, y: box.center.y),
                    start = ContinuousClock.now
                _ = source.table.features(nearestTo: place, within: 0.01)
                return start.duration(to: .now) / .milliseconds(1)
            })
        SceneClock.report(name + "-touch", [("portolan_ms", touch)])
        reportMemory("held")
    }

    /// Prints the additional memory of the process since before the file was read, and its peak.
    private func reportMemory(_ word: String) {
        SceneClock.report(
            "\(name)-\(word)",
            [("mb", FileStatus.residentMegabytes - residentMegabytes), ("peak_mb", FileStatus.peakMegabytes)])
    }
}

extension Viewport {
    /// Returns a coordinate in degrees in Web Mercator.
    fileprivate static func webMercator(_ place: Coordinate) -> Coordinate {
        (try? CoordinateTransform(from: .crs84, to: .webMercator))?(place) ?? place
    }
}

import Foundation
import Portolan

/// Measures whole maps rendered by `MapRenderer` like in an app, and prints a JSON line per scene.
///
///     map-bench city FOLDER [--threads N] [--png FILE]
///     map-bench tiles FOLDER [--threads N]
///     map-bench style STYLE [--zoom N] [--frames N] [--threads N] [--png FILE]        (a picture per zoom level: FILE-16.png)
///     map-bench style-tiles STYLE [--zoom N] [--frames N] [--threads N] [--png FILE]  (tiles of 256 pixels, each drawn alone)
///     map-bench view STYLE LONGITUDE LATITUDE ZOOM [--frames N] [--threads N] [--png FILE]
///     map-bench points FILE [--labels] [--threads N] [--png FILE]
///     map-bench geojson FILE [--threads N]
///     map-bench formats FOLDER
///     map-bench styled
///     map-bench snapshot TILES-URL ROUTE [--threads N] [--png FILE]
///     map-bench warp TILES-URL [--threads N] [--png FILE]
///     map-bench live [--threads N] [--png FILE]
///     map-bench pan tiles TILES-URL | pan city FOLDER [--threads N] [--retain]
///     map-bench drag tiles TILES-URL | drag city FOLDER [--threads N]
///
/// TILES-URL is a template with `{z}`, `{x}` and `{y}`, ROUTE a GeoJSON file. FOLDER contains `areas`, `buildings`, `streets` and `rail` as GeoJSON; FILE is a GeoJSON file of points with names.
/// Times are medians of warm frames in milliseconds; `first_ms` is that of the first frame. Files are read before the measurement.
/// `cpu_ms` is the processor time of a warm frame, which is more meaningful on a shared machine.
@main struct MapBench {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func take(_ name: String) -> String? {
            guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(place...(place + 1)) }
            return arguments[place + 1]
        }
        let threads = take("--threads").flatMap { Int($0) } ?? 1, png = take("--png")
        let zoom = take("--zoom").flatMap { Int($0) }, frames = take("--frames").flatMap { Int($0) } ?? 15
        let showsLabels = arguments.contains("--labels")
        arguments.removeAll { $0 == "--labels" }
        let retains = arguments.contains("--retain")
        arguments.removeAll { $0 == "--retain" }
        let clock = SceneClock(threads: threads, png: png, retains: retains)
        switch (arguments.first, arguments.dropFirst().first) {
        case ("city", let folder?): try await CityScene(folder: folder).time(clock)
        case ("tiles", let folder?): try await CityScene(folder: folder).timeTiles(clock)
        case ("points", let file?): try await PointsScene(file: file, showsLabels: showsLabels).time(clock)
        case ("style", let style?):
            try await StyleScene(style: style).time(clock, zooms: zoom.map { $0...$0 } ?? 13...18, frames: frames)
        case ("style-tiles", let style?):
            try await StyleScene(style: style).timeTiles(clock, zooms: zoom.map { $0...$0 } ?? 13...18, frames: frames)
        case ("view", let style?) where arguments.count == 5:
            guard let scene = ViewScene(arguments[2...]) else { throw SceneError() }
            try await scene.time(style, clock, frames: frames)
        case ("live", nil):
            var scene = try LiveScene()
            try await scene.time(clock)
        case ("geojson", let file?): try SceneClock.timeReading(file, threads: threads)
        case ("formats", let folder?): try FormatsScene(folder: folder).time()
        case ("styled", nil): try await StyledScene.time(clock)
        case ("snapshot", let tiles?) where arguments.count == 3:
            try await SnapshotScene(tiles: tiles, route: arguments[2]).time(clock)
        case ("warp", let tiles?):
            // Two and a half kilometres of the centre in UTM, from Web Mercator tiles.
            guard let crs = CRS.epsg(25835),
                let extent = Extent(minX: 384900, minY: 6670900, maxX: 387100, maxY: 6673100),
                let size = ImageSize(width: 2048, height: 2048)
            else { throw SceneError() }
            let times = try await clock.time([.tiles(tiles)], in: try .showing(extent, size: size, crs: crs))
            SceneClock.report("warp", times.members)
        case ("pan", "city") where arguments.count == 3:
            let city = try CityScene(folder: arguments[2])
            try await PanScene(name: "city", layers: city.layers, viewport: CityScene.center()).time(clock)
        case ("pan", "tiles") where arguments.count == 3:
            try await PanScene(name: "tiles", layers: [.tiles(arguments[2])], viewport: CityScene.center()).time(clock)
        case ("drag", "city") where arguments.count == 3:
            let city = try CityScene(folder: arguments[2])
            try await DragScene(name: "city", layers: city.layers, viewport: CityScene.center()).time(clock)
        case ("drag", "tiles") where arguments.count == 3:
            try await DragScene(name: "tiles", layers: [.tiles(arguments[2])], viewport: CityScene.center()).time(clock)
        default:
            print(
                "usage: map-bench city FOLDER | tiles FOLDER | style STYLE | style-tiles STYLE | view STYLE LONGITUDE LATITUDE ZOOM | points FILE [--labels] | geojson FILE [--threads N] | formats FOLDER | styled | live | snapshot TILES-URL ROUTE"
                    + " | warp TILES-URL | pan city FOLDER | pan tiles TILES-URL | drag city FOLDER | drag tiles TILES-URL"
            )
            exit(64)
        }
    }
}

/// Renders frames with one renderer and measures their times.
struct SceneClock {
    /// The file for the last frame, or `nil`.
    private(set) var png: String?
    let renderer: MapRenderer

    init(threads: Int, png: String?, retains: Bool) {
        var configuration = RendererConfiguration()
        configuration.paintingThreadCount = threads
        configuration.retainsPictures = retains
        renderer = MapRenderer(configuration: configuration)
        self.png = png
    }

    /// Returns a copy with another file for the last frame.
    func writing(to png: String?) -> SceneClock {
        var clock = self
        clock.png = png
        return clock
    }

    /// Returns the time of the first frame and the median of the following ones, in milliseconds.
    func time(
        _ layers: [MapLayer], in viewport: Viewport, frames: Int = 15
    ) async throws -> FrameTimes {
        var times: [Double] = [], processorTimes: [Double] = []
        for _ in 0...frames {
            let start = Self.processorMilliseconds
            times.append(try await milliseconds { try await draw(layers, in: viewport) })
            processorTimes.append(Self.processorMilliseconds - start)
        }
        if let png {
            let bytes = try PNGEncoder.encode(await render(layers, in: viewport).image)
            try Data(bytes).write(to: URL(fileURLWithPath: png))
        }
        return FrameTimes(
            first: times[0], warm: Self.median(Array(times.dropFirst())),
            processor: Self.median(Array(processorTimes.dropFirst())))
    }

    /// Renders one frame and discards it.
    func draw(_ layers: [MapLayer], in viewport: Viewport) async throws { _ = try await render(layers, in: viewport) }

    /// Renders one frame.
    func render(_ layers: [MapLayer], in viewport: Viewport) async throws -> RenderResult {
        var options = RenderOptions()
        options.attribution = .none
        return try await renderer.render(layers, in: viewport, options: options)
    }

    /// Returns the duration of `work` in milliseconds.
    func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// Parses a GeoJSON file repeatedly for a second, and prints the median time.
    static func timeReading(_ file: String, threads: Int) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), start = ContinuousClock.now
        var times: [Double] = [], count = 0
        var processorTimes: [Double] = []
        while times.count < 5 || start.duration(to: .now) < .seconds(1) {
            let begin = ContinuousClock.now, processor = processorMilliseconds
            count = try GeoJSONReader.read(bytes, threads: threads).features.count
            times.append(begin.duration(to: .now) / .milliseconds(1))
            processorTimes.append(processorMilliseconds - processor)
        }
        let median = median(times)
        report(
            "geojson",
            [
                ("features", Double(count)), ("portolan_ms", median), ("cpu_ms", Self.median(processorTimes)),
                ("mb_s", Double(bytes.count) / 1e3 / median),
                ("peak_of_file", FileStatus.peakMegabytes * 1e6 / Double(bytes.count)),
            ])
    }

    /// The processor time of the process, for all threads together.
    static var processorMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Prints the line of a scene.
    static func report(_ scene: String, _ values: [(name: String, value: Double)]) {
        let members = values.map { ",\"\($0.name)\":\(String(format: "%.3f", $0.value))" }.joined()
        print("{\"scene\":\"\(scene)\"\(members)}")
    }
}

/// The times of a scene's frames, in milliseconds.
struct FrameTimes {
    /// The time of the first frame.
    let first: Double
    /// The median time of the following frames.
    let warm: Double
    /// The median processor time of the following frames.
    let processor: Double

    var members: [(name: String, value: Double)] {
        [("portolan_ms", warm), ("first_ms", first), ("cpu_ms", processor)]
    }
}

/// Reads the features of a GeoJSON file.
func features(of file: String) throws -> [Feature] {
    try GeoJSONReader.read([UInt8](Data(contentsOf: URL(fileURLWithPath: file)))).features
}

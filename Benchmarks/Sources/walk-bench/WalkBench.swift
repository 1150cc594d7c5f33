import Foundation
import Portolan
import PortolanRaster

/// Pans randomly over a tile map as fast as possible, and reports the memory used.
@main struct WalkBench {
    private static let usage = """
        usage: walk-bench URL VIEWS CACHE-FOLDER

        Draws VIEWS views of the tiles at URL (a template with {z}, {x} and {y}): drags, zooms, jumps, and now and then one
        that the next one overtakes. Prints a JSON line twenty times: views drawn, resident memory in KiB before the first and now, bytes of decoded
        images in memory and those the view needs, bytes in the cache folder as the store counts them and as the files are
        long, tiles fetched and taken from caches, descriptors, threads. Then draws ten new places twice each and prints the average in milliseconds.

        Benchmarks/walk starts a server and runs it.
        """

    private static let imageBudget = 16 << 20
    private static let diskBudget = 24 << 20

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 3, let count = Int(words[1]), count >= 20, let template = try? XYZTemplate(words[0]),
            let grid = TileGrid.webMercator(levels: 0...19)
        else { return print(usage) }
        var configuration = RendererConfiguration()
        configuration.imageCacheByteBudget = imageBudget
        configuration.cacheFolder = words[2]
        configuration.cacheByteBudget = diskBudget
        let renderer = MapRenderer(configuration: configuration)
        let map = try MapFacade(width: 480, height: 320, renderer: renderer)
        try map.add(MapLayer(name: "tiles", source: TileSource(grid: grid, address: .xyz(template))))
        map.options.offScreenMargin = 64
        try map.center(on: Coordinate(longitude: 2, latitude: 46), zoom: 8)
        let idle = status("VmRSS")
        var random = Walk(state: 1), fetched = 0, cached = 0, incomplete = 0, overtaken = 0
        for view in 1...count {
            try step(map, &random)
            if view % 16 == 0 {
                // The next view begins while this one is being fetched.
                let early = Task { try? await map.refresh() }
                await Task.yield()
                try step(map, &random)
                overtaken += 1
                _ = try await map.refresh()
                _ = await early.value
            } else {
                let report = try await map.refresh().report
                fetched += report.layers[0].fetched
                cached += report.layers[0].cached
                if !report.complete { incomplete += 1 }
            }
            if view % (count / 20) == 0 {
                let disk = await renderer.storeStatistics()?.byteCount ?? -1
                let images = renderer.cacheStatistics
                report([
                    "views": view, "idle": idle, "resident": status("VmRSS"), "threads": status("Threads"),
                    "images": images.cost,
                    "pinned": images.pinnedCost, "disk": disk, "files": folderBytes(words[2]), "fetched": fetched,
                    "cached": cached, "incomplete": incomplete, "overtaken": overtaken,
                    "descriptors": (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
                ])
            }
        }
        try await again(map)
    }

    /// Draws ten views twice.
    private static func again(_ map: MapFacade) async throws {
        var first = Duration.zero, second = Duration.zero, asked = 0
        for place in 0..<10 {
            try map.center(on: Coordinate(longitude: 60 + Double(place) * 3.1, latitude: -3.3), zoom: 12)
            let start = ContinuousClock.now
            _ = try await map.refresh()
            let middle = ContinuousClock.now
            asked += try await map.refresh().report.layers[0].fetched
            first += middle - start
            second += ContinuousClock.now - middle
        }
        report([
            "first": first / .milliseconds(10), "second": second / .milliseconds(10), "ratio": second / first,
            "asked": asked,
        ])
    }

    private static func step(_ map: MapFacade, _ random: inout Walk) throws {
        switch random.next(20) {
        case 0: try map.zoom(by: 2)
        case 1: try map.zoom(by: 0.5)
        case 2: try map.zoom(by: 1.3)
        case 3:
            try map.center(
                on: Coordinate(longitude: Double(random.next(300)) - 150, latitude: Double(random.next(120)) - 60),
                zoom: 3 + Double(random.next(12)))
        default: try map.pan(x: Double(random.next(400)) - 200, y: Double(random.next(300)) - 150)
        }
        let zoom = map.viewport.resolution.zoom(in: map.viewport.crs)
        if zoom < 2 || zoom > 17 { try map.center(on: Coordinate(longitude: 2, latitude: 46), zoom: 8) }
    }

    /// A reproducible walk (a linear congruential generator by Knuth).
    private struct Walk {
        var state: UInt64

        mutating func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
    }

    private static func folderBytes(_ folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// Returns a value of /proc/self/status.
    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    private static func report(_ values: [String: any Sendable]) {
        let data = (try? JSONSerialization.data(withJSONObject: values, options: .sortedKeys)) ?? Data()
        print(String(decoding: data, as: UTF8.self))
        fflush(nil)
    }
}

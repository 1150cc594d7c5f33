import Foundation
import Portolan

/// A session with a viewer: what the memory of its process grows by over some fifty tiles, and whether it goes on growing.
struct SessionScene {
    private let layer: MapLayer
    private let viewport: Viewport

    /// - Parameter tiles: a template with `{z}`, `{x}` and `{y}`.
    init(tiles: String) throws {
        layer = try .tiles(tiles)
        viewport = try CityScene.center()
    }

    func measure(_ clock: SceneClock) async throws {
        let map = try MapFacade(size: viewport.size, crs: viewport.crs, renderer: clock.renderer)
        map.options.attribution = .none
        let idle = try Self.residentMegabytes()
        try map.add(layer)
        try map.setExtent(viewport.extent)
        // Four columns by three rows in view at the least; ten steps of a tile bring in fifty.
        for _ in 0..<10 {
            try map.pan(x: 256, y: 0)
            _ = try await map.refresh()
        }
        let session = try Self.residentMegabytes() - idle
        var generator = SplitMix(state: 7), early = 0.0
        for move in 0..<10_000 {
            if move % 10 == 9 {
                try map.setExtent(viewport.extent)
                try map.zoom(by: generator.next() % 2 == 0 ? 2 : 0.5)
            } else {
                try map.pan(x: Double(generator.next() % 400) - 200, y: Double(generator.next() % 400) - 200)
            }
            _ = try await map.refresh()
            if move == 999 { early = try Self.residentMegabytes() }
        }
        SceneClock.report(
            "session",
            [
                ("session_mb", session), ("after_1000_moves_mb", early - idle),
                ("after_10000_moves_mb", try Self.residentMegabytes() - idle),
            ])
    }

    /// What the process has in memory now.
    private static func residentMegabytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kilobytes = line.flatMap({ Double($0.filter(\.isNumber)) }) else { throw SceneError() }
        return kilobytes / 1024
    }
}

/// Numbers that are the same in each run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

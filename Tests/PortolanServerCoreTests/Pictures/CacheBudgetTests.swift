import Portolan
import PortolanServerCore
import TestHelpers
import Testing

@Suite struct CacheBudgetTests {
    /// The answers to tiles of all levels, and what the caches hold afterwards.
    private func bodies(memory: Int) async throws -> (bodies: [[UInt8]], total: Int, counts: [String: Int]) {
        let sample = try await SampleServer { $0.pictures.memoryByteCount = memory }
        var bodies: [[UInt8]] = []
        for level in 0..<6 {
            for map in ["square", "named", "both"] {
                for x in 0..<min(1 << level, 4) {
                    let middle = (1 << level) / 2
                    let tile = "\(level)/\(max(middle - 2, 0) + x)/\(max(middle - 1, 0))"
                    bodies.append(await sample.get("/tiles/\(map)/\(tile).png").body)
                    #expect(sample.server.cacheByteCounts.values.reduce(0, +) <= memory)
                }
            }
        }
        let counts = sample.server.cacheByteCounts
        return (bodies, counts.values.reduce(0, +), counts)
    }

    @Test func `one limit applies to all caches together, and does not change pictures`() async throws {
        let free = try await bodies(memory: 256 << 20)
        #expect(Set(free.counts.keys) == ["glyphs", "images", "labels", "pictures", "shapes", "styles", "texts"])
        #expect(free.counts["pictures", default: 0] > 0 && free.counts["shapes", default: 0] > 0)
        #if Text
        #expect(free.counts["texts", default: 0] > 0)
        #endif
        for memory in [free.total / 2, free.total / 8, 0] {
            let bound = try await bodies(memory: memory)
            #expect(bound.bodies == free.bodies)
            #expect(bound.total <= memory)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [0, 1000])
    func `cached results of styles are within the limit as well`(memory: Int) async throws {
        let folder = try PictureCacheTests.folder()
        let free = try await PictureCacheTests.server("style:style.json", in: folder)
        let bound = try await PictureCacheTests.server("style:style.json", in: folder, memory: memory)
        for zoom in 0..<12 {
            let target = "/maps/m/static/0,0,\(Double(zoom) / 3)/64x64.png"
            #expect(await bound.answer("GET", target).response.body == free.answer("GET", target).response.body)
            #expect(bound.cacheByteCounts.values.reduce(0, +) <= memory)
        }
        #expect(free.cacheByteCounts["styles", default: 0] > 2000)
    }

    @Test func `the metrics show the size of each cache, the limit and the queue`() async throws {
        let sample = try await SampleServer { $0.pictures.memoryByteCount = 7 << 20 }
        _ = await sample.get("/tiles/square/1/0/0.png")
        let page = String(decoding: await sample.get("/metrics").body, as: UTF8.self)
        let lines = page.split(separator: "\n").filter { !$0.hasPrefix("#") }
        func value(_ name: String) -> Double? {
            lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
        }
        #expect(value("portolan_cache_limit_bytes") == Double(7 << 20))
        #expect((value("portolan_cache_bytes{cache=\"pictures\"}") ?? 0) > 100)
        #expect(value("portolan_gate_waiting") == 0 && value("portolan_gate_waiting_clients") == 0)
        #expect(value("portolan_gate_room") == 1000 && value("portolan_gate_shed_total") == 0)
        #expect(value("portolan_gate_abandoned_total") == 0 && value("portolan_viewers") == 0)
        #if os(Linux)
        #expect((value("process_resident_memory_bytes") ?? 0) > 1e6)
        #endif
    }
}

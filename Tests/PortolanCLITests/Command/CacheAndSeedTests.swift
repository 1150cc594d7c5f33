#if Storage
import Foundation
import Portolan
import PortolanArchives
import PortolanCodecs
import PortolanRaster
import PortolanSQLite
import Synchronization
import TestHelpers
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.timeLimit(.minutes(20))) struct CacheAndSeedTests {
    /// Answers this number of requests, and leaves the others waiting.
    final class Gate: Sendable {
        private let open = Mutex(Int.max)
        func open(for count: Int) { open.withLock { $0 = count } }
        func pass() -> Bool {
            open.withLock { count in
                if count > 0 { count -= 1 }
                return count > 0
            }
        }
    }

    static func server(gate: Gate = Gate()) throws -> LoopbackServer {
        let size = try #require(ImageSize(width: 256, height: 256))
        let body = try PNGEncoder.encode(
            PixelBuffer(size: size, filledWith: Pixel(red: 0, green: 90, blue: 0, alpha: 255)))
        return try LoopbackServer { _ in
            gate.pass() ? LoopbackServer.Answer(type: "image/png", body: body) : nil
        }
    }

    static let view = ["--center", "0,0", "--zoom", "4", "--size", "300x300", "--attribution", "none"]

    @Test func `a second render uses the cache alone, as does one offline`() async throws {
        let server = try Self.server()
        let portolan = try BuiltCommand()
        let layer = ["-l", "xyz:\(server.url)/{z}/{x}/{y}.png"]
        for extra in [[], [], ["--offline"]] {
            let ended = try await portolan.run(["render"] + layer + Self.view + extra + ["-o", "a.png"])
            #expect(ended.status == 0, "\(ended)")
            #expect(server.log.count == 4)
        }
        let elsewhere = ["--cache", "here"]
        #expect(try await portolan.run(["render"] + layer + Self.view + elsewhere + ["-o", "b.png"]).status == 0)
        #expect(server.log.count == 8 && portolan.files.contains("here"))
        #expect(try await portolan.run(["render"] + layer + Self.view + ["--no-cache", "-o", "b.png"]).status == 0)
        #expect(server.log.count == 12 && portolan.file("a.png") == portolan.file("b.png"))
        let offline = try await portolan.run(
            ["render"] + layer + ["--center", "90,0", "--zoom", "4", "--offline", "-o", "c.png"])
        #expect(offline.status == 69 && offline.error.contains("offline mode"))
        server.stop()
    }

    @Test func `tiles are estimated, seeded and drawn, and a finished seed is not repeated`() async throws {
        let server = try Self.server()
        let portolan = try BuiltCommand()
        let seed = [
            "seed", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png;attribution=us", "--zooms", "2-4", "--bbox",
            "-20,-20,20,20",
            "--bbox-crs", "EPSG:4326", "-o", "a.mbtiles",
        ]
        let estimate = try await portolan.run(seed + ["--estimate"])
        #expect(estimate.status == 0 && estimate.errors.contains("12 tiles, 7 to fetch, about"))
        #expect(server.log.count == 5)
        let ended = try await portolan.run(seed)
        #expect(ended.status == 0 && ended.output.isEmpty, "\(ended)")
        #expect(server.log.count == 12 && portolan.files == ["a.mbtiles"])
        let again = try await portolan.run(seed)
        #expect(again.status == 0 && again.errors == "portolan: nothing to fetch: a.mbtiles has all 12 tiles\n")
        #expect(server.log.count == 12)
        let other = try await portolan.run(seed.map { $0 == "2-4" ? "2-3" : $0 })
        #expect(other.status == 73 && other.error.contains("it is complete, and has another layer"), "\(other)")
        let drawn = try await portolan.run(
            ["render", "-l", "mbtiles:a.mbtiles"] + Self.view + ["--report", "r.json", "-o", "a.png"])
        #expect(drawn.status == 0 && server.log.count == 12, "\(drawn)")
        let report = try JSONDecoder().decode(RenderReport.self, from: Data(try #require(portolan.file("r.json"))))
        #expect(report.layers[0].kind == "mbtiles" && report.layers[0].attribution == "us")
        server.stop()
    }

    @Test func `a second seed at the same time is rejected and names the process of the first`() async throws {
        let gate = Gate()
        let server = try Self.server(gate: gate)
        defer { server.stop() }
        let portolan = try BuiltCommand()
        let seed = [
            "seed", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "--zooms", "0-2", "--bbox", "-2e7,-2e7,2e7,2e7", "-o",
            "a.mbtiles", "--quiet",
        ]
        gate.open(for: 3)
        let first = try await portolan.run(seed) { process in
            #expect(await eventually { server.log.count >= 3 || !process.isRunning })
            let second = try await portolan.run(seed)
            #expect(second.status == 73, "\(second)")
            #expect(second.error.contains("process \(process.processIdentifier) on "), "\(second)")
            #expect(second.error.hasSuffix("is writing it; wait until it has finished"), "\(second)")
            _ = kill(process.processIdentifier, SIGKILL)
        }
        #expect(first.status == 128 + SIGKILL)
        gate.open(for: .max)
        #expect(try await portolan.run(seed).status == 0)
        #expect(portolan.files == ["a.mbtiles"])
    }

    @Test func `a seed that is killed at any moment is resumed, and its file is intact`() async throws {
        let gate = Gate()
        let server = try Self.server(gate: gate)
        let portolan = try BuiltCommand()
        let seed = [
            "seed", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "--zooms", "0-5", "--bbox", "-2e7,-2e7,2e7,2e7", "-o",
            "a.mbtiles", "--quiet",
        ]
        for round in 0..<5 {
            // Some way into the work; from there the server is silent, so that it cannot come to an end before.
            let start = server.log.count, count = 20 + round * 37
            gate.open(for: count)
            let ended = try await portolan.run(seed) { process in
                #expect(await eventually { server.log.count >= start + count || !process.isRunning })
                _ = kill(process.processIdentifier, SIGKILL)
            }
            #expect(ended.status == 128 + SIGKILL)
            let connection = try SQLiteConnection(path: portolan.folder.path + "/a.mbtiles", access: .writing)
            #expect(try connection.text("PRAGMA integrity_check") == "ok")
        }
        gate.open(for: .max)
        let ended = try await portolan.run(seed)
        #expect(ended.status == 0, "\(ended)")
        let file = try MBTilesFile(path: portolan.folder.path + "/a.mbtiles")
        var count = 0
        for level in 0...5 {
            for row in 0..<1 << level {
                for column in 0..<1 << level where try file.tile(level: level, column: column, row: row) != nil {
                    count += 1
                }
            }
        }
        #expect(count == 1365)
        // What was under way at a kill is all that was asked for again: one batch and the sample's way of asking.
        #expect(server.log.count <= 1365 + 5 * 64)
        server.stop()
    }
}
#endif

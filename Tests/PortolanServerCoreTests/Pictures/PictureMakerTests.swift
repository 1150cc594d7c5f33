import Foundation
import Portolan
import PortolanPlan
import PortolanServerCore
import Synchronization
import TestHelpers
import Testing

@Suite struct PictureMakerTests {
    /// Keeps the thread that plans it until it is let go.
    private final class Holder: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let threads = Mutex<[String]>([])
    }

    private struct HoldingSource: LayerSource {
        let holder: Holder
        let kind = "holding"

        static func == (one: HoldingSource, other: HoldingSource) -> Bool { one.holder === other.holder }

        func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
            holder.threads.withLock { $0.append(Thread.current.name ?? "") }
            holder.semaphore.wait()
            return LayerPlan()
        }
    }

    @Test func `pictures have their own threads, and requests over capacity are rejected at once`() async throws {
        let sample = try await SampleServer { settings in
            settings.pictures.concurrency = 2
            settings.pictures.room = 1
            settings.pictures.deadline = .seconds(600)
        }
        let holder = Holder()
        var map = try sample.book.map("square")
        map.layers = [MapLayer(name: "holding", source: HoldingSource(holder: holder))]
        sample.server.replace(MapBook([map]))
        let drawn = (0..<2).map { column in Task { await sample.get("/tiles/square/3/\(column)/0.png").status } }
        #expect(await eventually { holder.threads.withLock { $0.count } == 2 })
        #expect(Set(holder.threads.withLock { $0 }) == ["map-render-0", "map-render-1"])
        let waiting = Task { await sample.get("/tiles/square/3/2/0.png").status }
        #expect(await eventually { sample.server.gateFigures.waiting == 1 })
        for column in 3..<8 { #expect(await sample.get("/tiles/square/3/\(column)/0.png").status == 503) }
        #expect(await sample.get("/tilejson/square.json").status == 200)
        #expect(sample.server.gateFigures.refused == 5)
        for _ in 0..<3 { holder.semaphore.signal() }
        for task in drawn + [waiting] { #expect(await task.value == 200) }
        #expect(sample.server.gateFigures.running == 0 && sample.server.pictureFigures.drawn == 3)
    }
}

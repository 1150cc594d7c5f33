import PortolanFetch
import PortolanServerCore
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite struct SharedPicturesTests {
    /// A store that several servers share, with leases.
    private final class WorkerStore: ResponseStore {
        private struct State {
            var entries: [StoreKey: StoredResponse] = [:]
            var leased: Set<StoreKey> = []
            var waitingCount = 0
            var isAway = false
        }
        private let state = Mutex(State())

        var entryCount: Int { state.withLock(\.entries.count) }
        var leaseCount: Int { state.withLock(\.leased.count) }
        var waitingCount: Int { state.withLock(\.waitingCount) }
        func goAway() { state.withLock { $0.isAway = true } }

        func entry(for key: StoreKey) throws(StoreError) -> StoredResponse? {
            let (isAway, entry) = state.withLock { ($0.isAway, $0.entries[key]) }
            if isAway { throw StoreError(.unavailable, place: "the store", detail: "it is away") }
            return entry
        }

        func put(_ entry: StoredResponse, for key: StoreKey, place: StoredResponse.Location) throws(StoreError) {
            if state.withLock(\.isAway) { throw StoreError(.unavailable, place: "the store", detail: "it is away") }
            state.withLock { $0.entries[key] = entry }
        }

        func lease(for key: StoreKey) async -> StoreLease? {
            if state.withLock(\.isAway) { return nil }
            if state.withLock({ $0.leased.insert(key).inserted }) {
                return StoreLease { self.state.withLock { _ = $0.leased.remove(key) } }
            }
            state.withLock { $0.waitingCount += 1 }
            _ = await eventually { self.state.withLock { !$0.leased.contains(key) } }
            return StoreLease()
        }

        func confirm(_ entry: StoredResponse, for key: StoreKey) {}
        func remove(_ key: StoreKey) { state.withLock { _ = $0.entries.removeValue(forKey: key) } }
        func removeAll(_ selection: StoreSelection) -> Int { 0 }
        func statistics() -> StoreStatistics { StoreStatistics(count: entryCount, byteCount: 0, byteBudget: 0) }
        func flush() {}
        var warnings: [MapWarning] { [] }
    }

    private func workers(_ store: WorkerStore, count: Int = 3) async throws -> [SampleServer] {
        var all: [SampleServer] = []
        for _ in 0..<count { all.append(try await SampleServer { $0.store = store }) }
        return all
    }

    @Test func `a picture drawn by one worker is not drawn by the others`() async throws {
        let store = WorkerStore(), workers = try await workers(store)
        let first = await workers[0].get("/tiles/square/0/0/0.png")
        #expect(await eventually { store.entryCount == 1 && store.leaseCount == 0 })
        for worker in workers.dropFirst() {
            let answer = await worker.get("/tiles/square/0/0/0.png")
            #expect(
                answer.status == 200 && answer.body == first.body && answer[header: "ETag"] == first[header: "ETag"])
            #expect(answer[header: "Content-Type"] == "image/png")
        }
        #expect(workers.map(\.server.pictureFigures.drawn) == [1, 0, 0])
        #expect(workers.map(\.server.pictureFigures.shared) == [0, 1, 1])
        // It is in their own memory now.
        _ = await workers[2].get("/tiles/square/0/0/0.png")
        #expect(workers[2].server.pictureFigures.shared == 1 && workers[2].server.pictureFigures.kept == 1)
    }

    @Test func `workers that get the same request at once draw it once`() async throws {
        let store = WorkerStore(), workers = try await workers(store)
        let bodies = await withTaskGroup(of: [UInt8].self) { group in
            for number in 0..<30 {
                group.addTask { await workers[number % 3].get("/tiles/square/1/0/\(number % 2).png").body }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(bodies.count == 2)
        #expect(workers.map(\.server.pictureFigures.drawn).reduce(0, +) == 2)
        #expect(await eventually { store.leaseCount == 0 })
    }

    @Test func `an unavailable store costs drawing, but never a picture`() async throws {
        let store = WorkerStore(), workers = try await workers(store, count: 2)
        let before = await workers[0].get("/tiles/square/0/0/0.png")
        #expect(await eventually { store.entryCount == 1 })
        store.goAway()
        let after = await workers[1].get("/tiles/square/0/0/0.png")
        #expect(after.status == 200 && after.body == before.body)
        #expect(await workers[1].get("/tiles/square/1/0/0.png").status == 200)
        #expect(workers[1].server.pictureFigures.drawn == 2)
    }

    @Test func `a provided picture is in the shared store, and drawn once`() async throws {
        let store = WorkerStore(), worker = try await workers(store, count: 1)[0]
        let maker = PictureMaker(PictureMaker.Settings(processors: 1), store: store)
        let tile = TileAddress(grid: "WebMercatorQuad", level: 1, column: 1, row: 0, format: .png)
        let request = try tile.picture(of: worker.book.map("square"), labelReach: 0)
        #expect(try await maker.provide(request) && store.entryCount == 1)
        #expect(try await maker.provide(request))
        #expect(maker.figures.drawn == 1)
        _ = await worker.get("/tiles/square/1/1/0.png")
        #expect(worker.server.pictureFigures.shared == 1)
        // Where it cannot be kept nothing was provided.
        store.goAway()
        let next = TileAddress(grid: "WebMercatorQuad", level: 1, column: 0, row: 0, format: .png)
        #expect(try await !maker.provide(next.picture(of: worker.book.map("square"), labelReach: 0)))
    }

    @Test(
        arguments: [
            // Of servers, which may change: nothing comes of this one.
            "/tiles/far/0/0/0.png",
            // Words alone.
            "/wms?service=WMS&version=1.3.0&request=GetMap&layers=none&styles=&crs=EPSG:4326&bbox=0,0,1,1&width=9&height=9&format=image/png&exceptions=INIMAGE",
        ])
    func `changeable and trivial pictures are not shared`(target: String) async throws {
        let store = WorkerStore(), workers = try await workers(store, count: 1)
        _ = await workers[0].get(target)
        #expect(store.entryCount == 0 && store.leaseCount == 0)
    }
}

import Portolan
import PortolanFetch
import PortolanRedis
import Synchronization

/// A seeding job that several machines share through Redis, as `portolan-server seed` shares the drawing of tiles.
struct SharedSeeding {
    /// The number of tiles that a machine has at a time; connections to a host are limited separately.
    private static let width = 8

    private let seeder: TileSeeder
    private let work: RedisWork

    /// Returns `nil` if the cache is not Redis.
    init?(_ seeder: TileSeeder, _ configuration: RendererConfiguration) {
        guard let store = configuration.store as? RedisStore else { return nil }
        self.seeder = seeder
        work = RedisWork(named: "tiles:" + seeder.jobName, count: seeder.plan.count, on: store)
    }

    /// The tiles of this machine so far.
    private struct State {
        var progress = TileSeeder.Progress()
        /// The number of consecutive failures.
        var failures = 0
        /// Why the job was stopped.
        var stop: String?
        var task: Task<RedisWork.Progress, any Error>?
    }

    /// Fetches tiles until all machines together have all.
    ///
    /// - Parameter told: called with the progress of all machines.
    /// - Returns: the tiles of this machine; failed ones are those of all machines.
    /// - Throws: ``MapError``.
    func run(told: @escaping @Sendable (MapRenderer.Progress) -> Void) async throws(MapError) -> TileSeeder.Progress {
        let state = Mutex(State())
        // A finished job is checked again: tiles in the cache that are fresh cost no request.
        do throws(StoreError) {
            if try await work.progress().isOver { try await work.forget() }
        } catch { throw Self.failure(error) }
        let task = Task { [work] in
            try await work.run(
                width: Self.width, tell: { told(MapRenderer.Progress(done: $0.done, total: $0.total)) }
            ) { number in
                let (one, asksToStop) = await self.seeder.fetch(tile: number)
                return state.withLock { state in
                    // A cancelled tile is left to other machines.
                    guard !Task.isCancelled else { return .failed }
                    state.progress.add(one)
                    state.failures = one.failed > 0 ? state.failures + 1 : 0
                    if asksToStop || state.failures >= TileSeeder.failureLimit {
                        state.stop = state.stop ?? one.firstFailure
                        state.task?.cancel()
                    }
                    return one.failed > 0 ? .failed : .done
                }
            }
        }
        state.withLock { state in
            state.task = task
            if state.stop != nil { task.cancel() }
        }
        let outcome = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        await seeder.flush()
        if let stop = state.withLock(\.stop) {
            throw MapError(.unavailable, "\(stop); stopped; run the same command later to continue")
        }
        if Task.isCancelled { throw MapError(.cancelled, "interrupted; run the same command to continue") }
        switch outcome {
        case .success(let all):
            var progress = state.withLock(\.progress)
            (progress.total, progress.failed) = (all.total, all.failed)
            return progress
        case .failure(let error as StoreError): throw Self.failure(error)
        case .failure(let error): throw MapError(any: error, code: .unavailable)
        }
    }

    private static func failure(_ error: StoreError) -> MapError {
        MapError(.unavailable, "\(error); run the same command to continue")
    }
}

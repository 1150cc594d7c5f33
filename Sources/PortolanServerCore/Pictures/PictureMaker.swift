import Portolan
import PortolanCodecs
package import PortolanFetch
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Renders requested pictures: a limited number at a time on its own threads, with clients taking turns, and equal
/// requests only once.
///
/// A picture is cached until its dependencies change: the map's documents, the files that it needs, and responses of
/// servers until they must be revalidated.
package final class PictureMaker: Sendable {
    /// The settings of a picture maker.
    package struct Settings: Hashable, Sendable {
        /// The maximum number of concurrent renders.
        ///
        /// The default is the number of processors.
        package var concurrency: Int
        /// The maximum number of waiting requests, provided that they can be rendered before their deadline.
        ///
        /// The default is 1000.
        package var room = 1000
        /// The longest time of a request, including its wait and its server requests.
        ///
        /// The default is 10 seconds.
        package var deadline: Duration = .seconds(10)
        /// The maximum size of all caches in bytes: pictures, and resources for further renders.
        ///
        /// The default is 256 MiB.
        ///
        /// Features of the maps, running renders and open viewers need additional memory.
        package var memoryByteCount = 256 << 20
        /// The maximum size of cached pictures in bytes, as part of all caches.
        ///
        /// The default is 64 MiB.
        package var keptByteCount = 64 << 20

        /// Creates settings for a number of processors.
        package init(processors: Int) {
            concurrency = max(processors, 1)
        }
    }

    private typealias Outcome = Result<ServedPicture, Problem>

    /// The settings.
    package let settings: Settings
    /// The threads that render.
    let threads: RenderThreads
    private let gate: RenderGate
    private let shared = SharedWork<EntityTag, Outcome>()
    private let kept: PictureCache
    private let tileLabels = TileLabels()
    private let caches: Mutex<MemoryCaches>
    private let workers: SharedPictures?
    private let counts = Mutex(Counts())
    /// Returns the time in seconds since 1970.
    private let now: @Sendable () -> Int

    /// The number of pictures by outcome, since the start.
    package struct Counts: Equatable, Sendable {
        /// Complete pictures.
        package var drawn = 0
        /// Incomplete pictures.
        package var incomplete = 0
        /// Failed pictures.
        package var failed = 0
        /// Cancelled pictures.
        package var abandoned = 0
        /// Pictures from the cache.
        package var kept = 0
        /// Pictures that another worker had rendered.
        package var shared = 0
        /// The total rendering time in seconds.
        package var seconds = 0.0
    }

    /// Creates a picture maker and starts its threads.
    ///
    /// - Parameters:
    ///   - store: the store that the workers of a server share, or `nil` for a single worker.
    ///   - now: returns the time in seconds since 1970.
    package init(
        _ settings: Settings, store: (any ResponseStore)? = nil,
        now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
    ) {
        self.settings = settings
        self.now = now
        workers = store.map(SharedPictures.init)
        threads = RenderThreads(count: settings.concurrency)
        gate = RenderGate(capacity: settings.concurrency, room: settings.room, deadline: settings.deadline)
        kept = PictureCache(byteBudget: max(settings.keptByteCount, 0))
        caches = Mutex(MemoryCaches())
        use(MapBook([]))
    }

    /// Sets the maps whose caches count toward the memory limit, replacing the previous maps.
    func use(_ book: MapBook) {
        var caches = MemoryCaches()
        caches.add("pictures", kept)
        caches.add("labels", tileLabels)
        for map in book.maps {
            map.renderer.addCaches(to: &caches)
            for layer in map.layers { layer.addCaches(to: &caches) }
        }
        self.caches.withLock { $0 = caches }
    }

    /// Trims the caches to the memory limit.
    func settle() { caches.withLock(\.self).settle(within: settings.memoryByteCount) }

    /// The sizes of the caches in bytes, by content.
    package var cacheByteCounts: [String: Int] { caches.withLock(\.self).byteCounts }

    /// The figures of the render gate.
    package var gateFigures: RenderGate.Figures { gate.figures }
    /// The number of pictures by outcome.
    package var figures: Counts { counts.withLock(\.self) }
    /// The number of requests that joined the render of another one.
    package var joinedCount: Int { shared.joinedCount }

    /// Returns a picture: rendered now, from a running render, or from the cache.
    ///
    /// - Parameters:
    ///   - known: the ``PictureRequest/identity`` of the request, if it was computed before.
    ///   - client: the client that sent the request.
    /// - Throws: ``Problem``: `overloaded` if it cannot be rendered in time, `timedOut` after the deadline or if the
    ///   task is cancelled, `sourceFailed` if the map's servers sent nothing usable.
    package func picture(
        _ request: PictureRequest, known: EntityTag? = nil, for client: String = ""
    ) async throws(Problem) -> ServedPicture {
        let identity = known ?? request.identity
        if let picture = keptPicture(identity) { return picture }
        // The wait ends at the deadline, although the painting thread must run to completion.
        let outcome = await beforeDeadline {
            await self.shared.value(for: identity) { finish in
                Task { finish(await self.draw(request, identity, for: client)) }
            }
        }
        guard let outcome else {
            counts.withLock { $0.abandoned += 1 }
            throw Problem(.timedOut, "rendering timed out after \(Int(settings.deadline.inSeconds)) seconds")
        }
        return try outcome.get()
    }

    /// Returns the tags of the current picture of a request that are known without rendering it.
    ///
    /// The identity of a request is the tag of pictures that the map's documents determine. No other picture ever has
    /// it as a tag, so a client that sends it has the picture.
    package func currentTags(of request: PictureRequest, _ identity: EntityTag) -> [EntityTag] {
        var tags: [EntityTag] = []
        if request.map.isExact, request.map.files.holds(at: 0) { tags.append(identity) }
        if let tag = kept.tag(identity, at: now()) { tags.append(tag) }
        return tags
    }

    /// Runs other work than rendering when a slot is free, within the time limit of a picture.
    ///
    /// - Throws: ``Problem``: `overloaded` if it cannot start in time, `timedOut` after the deadline.
    func inTurn<Value: Sendable>(
        of client: String, _ work: @escaping @Sendable () async -> Value
    ) async throws(Problem) -> Value {
        let outcome = await beforeDeadline { () -> Result<Value, Problem>? in
            do throws(Problem) {
                return .success(try await self.gate.admitted(for: client) { () throws(Problem) in await work() })
            } catch { return .failure(error) }
        }
        guard let outcome else {
            throw Problem(.timedOut, "the response timed out after \(Int(settings.deadline.inSeconds)) seconds")
        }
        return try outcome.get()
    }

    /// Returns the result of `work`, or cancels it at the deadline and returns `nil`.
    private func beforeDeadline<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        let deadline = settings.deadline
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await Task.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Returns the cached picture if it is current.
    func keptPicture(_ identity: EntityTag) -> ServedPicture? {
        guard let picture = kept.picture(identity, at: now()) else { return nil }
        counts.withLock { $0.kept += 1 }
        return picture
    }

    /// Renders a picture unless another worker has rendered it or is rendering it.
    private func draw(_ request: PictureRequest, _ identity: EntityTag, for client: String) async -> Outcome {
        // Another request may have stored it since the first lookup.
        if let picture = keptPicture(identity) { return .success(picture) }
        guard let workers, workers.isFor(request) else { return await drawHere(request, identity, for: client) }
        // The client need not wait until the picture is shared.
        return await draw(request, identity, for: client, and: workers).outcome
    }

    /// Renders a picture for all workers unless it exists, and waits until it is stored.
    ///
    /// - Returns: whether it is complete, and stored if pictures of the map are shared.
    /// - Throws: ``Problem`` as ``picture(_:known:)``.
    package func provide(_ request: PictureRequest) async throws(Problem) -> Bool {
        guard let workers, workers.isFor(request) else { return try await !picture(request).hasHoles }
        let identity = request.identity
        guard let drawn = await beforeDeadline({ await self.draw(request, identity, for: "", and: workers) }) else {
            throw Problem(.timedOut, "rendering timed out after \(Int(settings.deadline.inSeconds)) seconds")
        }
        _ = try drawn.outcome.get()
        return await drawn.keeping?.value ?? true
    }

    /// Renders a picture unless another worker has rendered it or is rendering it, and shares it.
    ///
    /// - Returns: the outcome, and the task that stores the picture. Its value is whether the picture is complete and
    ///   stored.
    private func draw(
        _ request: PictureRequest, _ identity: EntityTag, for client: String, and workers: SharedPictures
    ) async -> (outcome: Outcome, keeping: Task<Bool, Never>?) {
        func drawnByOthers() async -> Outcome? {
            guard let picture = await workers.picture(request, identity) else { return nil }
            counts.withLock { $0.shared += 1 }
            kept.keep(picture, identity, at: now())
            settle()
            return .success(picture)
        }
        if let outcome = await drawnByOthers() { return (outcome, nil) }
        let lease = await workers.lease(identity)
        if lease != nil, let outcome = await drawnByOthers() {
            await lease?.end()
            return (outcome, nil)
        }
        let outcome = await drawHere(request, identity, for: client)
        let keeping = Task {
            var isKept = false
            if case .success(let picture) = outcome, !picture.hasHoles {
                // If the picture depends on servers, their responses are cached instead of the picture.
                isKept = picture.tag == identity ? await workers.keep(picture, identity) : true
            }
            await lease?.end()
            return isKept
        }
        return (outcome, keeping)
    }

    /// Renders a picture when a slot is free.
    private func drawHere(_ request: PictureRequest, _ identity: EntityTag, for client: String) async -> Outcome {
        let arrival = ContinuousClock.now
        do throws(Problem) {
            let picture = try await gate.admitted(for: client) { () throws(Problem) in
                let start = ContinuousClock.now
                defer { counts.withLock { $0.seconds += (ContinuousClock.now - start).inSeconds } }
                let time = settings.deadline - (start - arrival)
                // The preference applies only to the render: on busy threads, arrivals would not be noticed.
                return try await withTaskExecutorPreference(threads) { () throws(Problem) in
                    try await drawNow(request, identity, within: time)
                }
            }
            counts.withLock { if picture.hasHoles { $0.incomplete += 1 } else { $0.drawn += 1 } }
            if !picture.hasHoles { kept.keep(picture, identity, at: now()) }
            settle()
            return .success(picture)
        } catch {
            counts.withLock { if error.kind != .overloaded { $0.failed += 1 } }
            return .failure(error)
        }
    }

    @concurrent
    private func drawNow(
        _ request: PictureRequest, _ identity: EntityTag, within time: Duration
    ) async throws(Problem) -> ServedPicture {
        var options = RenderOptions()
        options.background = request.background
        options.attribution = request.attribution
        // Resources that arrive shortly before the deadline can still be painted.
        options.deadline = time * 9 / 10
        switch request.subject {
        case .map: break
        case .legend: options.showsLegend = true
        case .notice(let text): options.notice = Furniture.Notice(text, level: .severe)
        }
        var labels: TileLabels.Outcome?
        if let tile = request.tile {
            labels = await tileLabels.labels(of: request, at: tile, options: options, on: threads, now: now())
            options.labels = labels?.labels
        }
        let result: RenderResult
        do throws(MapError) {
            result = try await request.map.renderer.render(request.layers, in: request.viewport, options: options)
        } catch {
            switch error.code {
            case .cancelled: throw Problem(.timedOut, "rendering was cancelled")
            case .noFont: throw Problem(.failed, error.description)
            default: throw Problem(.sourceFailed, error.description, retryAfter: 10)
            }
        }
        let bytes: [UInt8]
        do {
            if case .legend(let size, let isExact) = request.subject {
                let panel = try result.legendPicture(within: size, exact: isExact)
                let blank = isExact ? size : ImageSize(width: 1, height: 1) ?? size
                bytes = try request.format.encode(
                    panel ?? Canvas(size: blank, background: .white).buffer, background: .white)
            } else {
                bytes = try request.format.encode(
                    result, background: request.background, quality: request.quality)
            }
        } catch { throw Problem(.failed, "cannot encode the image: \(error)") }
        var validity = result.validity
        if let labels { validity.formIntersection(labels.validity) }
        return ServedPicture(
            bytes: bytes, format: request.format,
            tag: request.map.determines(validity) ? identity : EntityTag(bytes),
            hasHoles: result.report.mayBecomeWhole || labels?.hasHoles ?? false,
            validity: validity)
    }
}

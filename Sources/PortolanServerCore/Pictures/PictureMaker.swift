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

/// Draws the pictures that clients ask for: so many at once, on threads of its own, clients by turns; equal ones once.
///
/// A picture is kept for as long as what it was drawn from stays the same: the map's documents, the files that it needs, and
/// the responses of servers until they have to be asked again.
package final class PictureMaker: Sendable {
    /// How it draws.
    package struct Settings: Hashable, Sendable {
        /// How many pictures are drawn at once; as many as there are processors.
        package var concurrency: Int
        /// How many may wait for their turn, as far as they can be drawn before their deadline; 1000.
        package var room = 1000
        /// How long a picture may take, its wait and what its servers need among it.
        package var deadline: Duration = .seconds(10)
        /// The most bytes that all caches hold together: pictures, and what is kept to draw the next ones; 256 MiB.
        ///
        /// The features of the maps, pictures that are being drawn and open viewers take memory besides.
        package var memoryByteCount = 256 << 20
        /// The most bytes of pictures among them.
        package var keptByteCount = 64 << 20

        /// Makes the settings for a number of processors.
        package init(processors: Int) {
            concurrency = max(processors, 1)
        }
    }

    private typealias Outcome = Result<ServedPicture, Problem>

    /// How it draws.
    package let settings: Settings
    /// What draws, and does nothing else.
    let threads: RenderThreads
    private let gate: RenderGate
    private let shared = SharedWork<EntityTag, Outcome>()
    private let kept: PictureCache
    private let tileLabels = TileLabels()
    private let caches: Mutex<MemoryCaches>
    private let workers: SharedPictures?
    private let counts = Mutex(Counts())
    /// The time in seconds since 1970.
    private let now: @Sendable () -> Int

    /// How many pictures came to what, since the beginning.
    package struct Counts: Equatable, Sendable {
        /// Those that were drawn whole.
        package var drawn = 0
        /// Those that lack something.
        package var incomplete = 0
        /// Those of which nothing came.
        package var failed = 0
        /// Those that were given up.
        package var abandoned = 0
        /// Those that were there already.
        package var kept = 0
        /// Those that another worker had drawn.
        package var shared = 0
        /// How long drawing took, in seconds, all together.
        package var seconds = 0.0
    }

    /// Makes one; it starts its threads.
    ///
    /// - Parameters:
    ///   - store: where the workers of a server keep what they share, or `nil` where it is alone.
    ///   - now: the time in seconds since 1970.
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

    /// Counts the caches of some maps, in place of those before, to what all caches may hold together.
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

    /// Keeps the caches within their bound.
    func settle() { caches.withLock(\.self).settle(within: settings.memoryByteCount) }

    /// What the caches hold, by what they keep, in bytes.
    package var cacheByteCounts: [String: Int] { caches.withLock(\.self).byteCounts }

    /// How the gate stands.
    package var gateFigures: RenderGate.Figures { gate.figures }
    /// What the pictures came to.
    package var figures: Counts { counts.withLock(\.self) }
    /// How many requests shared a drawing of others.
    package var joinedCount: Int { shared.joinedCount }

    /// The picture, drawn now, by others at this moment, or kept.
    ///
    /// - Parameters:
    ///   - known: the ``PictureRequest/identity`` of the request, if it was computed before.
    ///   - client: the client that asks.
    /// - Throws: ``Problem``: `overloaded` if it cannot be drawn in time, `timedOut` after the deadline or when the task is
    ///   cancelled, `sourceFailed` where nothing came of the map's servers.
    package func picture(
        _ request: PictureRequest, known: EntityTag? = nil, for client: String = ""
    ) async throws(Problem) -> ServedPicture {
        let identity = known ?? request.identity
        if let picture = keptPicture(identity) { return picture }
        // Who waits leaves at the deadline, though the thread that paints must come to its end.
        let outcome = await beforeDeadline {
            await self.shared.value(for: identity) { finish in
                Task { finish(await self.draw(request, identity, for: client)) }
            }
        }
        guard let outcome else {
            counts.withLock { $0.abandoned += 1 }
            throw Problem(.timedOut, "the picture was not ready after \(Int(settings.deadline.inSeconds)) seconds")
        }
        return try outcome.get()
    }

    /// The tags of a picture that is current, as far as they are known without drawing it.
    ///
    /// The identity of a request is the tag of pictures that the map's documents determine. No other picture has ever had it as
    /// its tag, so a client that names it has the picture.
    package func currentTags(of request: PictureRequest, _ identity: EntityTag) -> [EntityTag] {
        var tags: [EntityTag] = []
        if request.map.isExact, request.map.files.holds(at: 0) { tags.append(identity) }
        if let tag = kept.tag(identity, at: now()) { tags.append(tag) }
        return tags
    }

    /// Does other work than drawing in its turn, for no longer than a picture may take.
    ///
    /// - Throws: ``Problem``: `overloaded` if it cannot be done in time, `timedOut` after the deadline.
    func inTurn<Value: Sendable>(
        of client: String, _ work: @escaping @Sendable () async -> Value
    ) async throws(Problem) -> Value {
        let outcome = await beforeDeadline { () -> Result<Value, Problem>? in
            do throws(Problem) {
                return .success(try await self.gate.admitted(for: client) { () throws(Problem) in await work() })
            } catch { return .failure(error) }
        }
        guard let outcome else {
            throw Problem(.timedOut, "the answer was not ready after \(Int(settings.deadline.inSeconds)) seconds")
        }
        return try outcome.get()
    }

    /// What some work comes to, or `nil` where the deadline comes first: the work is then told to end.
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

    /// The picture, if it was drawn before and is current.
    private func keptPicture(_ identity: EntityTag) -> ServedPicture? {
        guard let picture = kept.picture(identity, at: now()) else { return nil }
        counts.withLock { $0.kept += 1 }
        return picture
    }

    /// Draws a picture, if no other worker has, or is at it.
    private func draw(_ request: PictureRequest, _ identity: EntityTag, for client: String) async -> Outcome {
        // It may have come between the first look and now.
        if let picture = keptPicture(identity) { return .success(picture) }
        guard let workers, workers.isFor(request) else { return await drawHere(request, identity, for: client) }
        // Who asked need not wait until the others have it.
        return await draw(request, identity, for: client, and: workers).outcome
    }

    /// Draws a picture for all workers, if none has, and waits until they have it.
    ///
    /// - Returns: whether it is whole, and kept for the others where pictures of the map are.
    /// - Throws: ``Problem`` as ``picture(_:known:)``.
    package func provide(_ request: PictureRequest) async throws(Problem) -> Bool {
        guard let workers, workers.isFor(request) else { return try await !picture(request).hasHoles }
        let identity = request.identity
        guard let drawn = await beforeDeadline({ await self.draw(request, identity, for: "", and: workers) }) else {
            throw Problem(.timedOut, "the picture was not ready after \(Int(settings.deadline.inSeconds)) seconds")
        }
        _ = try drawn.outcome.get()
        return await drawn.keeping?.value ?? true
    }

    /// Draws a picture, if no other worker has or is at it, and gives it to them.
    ///
    /// - Returns: what came of it, and the giving, whether it is whole and they have it.
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
                // Of what servers were asked for, their responses are kept.
                isKept = picture.tag == identity ? await workers.keep(picture, identity) : true
            }
            await lease?.end()
            return isKept
        }
        return (outcome, keeping)
    }

    /// Draws a picture when its turn has come.
    private func drawHere(_ request: PictureRequest, _ identity: EntityTag, for client: String) async -> Outcome {
        let arrival = ContinuousClock.now
        do throws(Problem) {
            let picture = try await gate.admitted(for: client) { () throws(Problem) in
                let start = ContinuousClock.now
                defer { counts.withLock { $0.seconds += (ContinuousClock.now - start).inSeconds } }
                let time = settings.deadline - (start - arrival)
                // Not sooner: while the threads are busy, nobody would be seen to come.
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
        // What has come a little before the end can still be painted.
        options.deadline = time * 9 / 10
        switch request.subject {
        case .map: break
        case .legend: options.showsLegend = true
        case .notice(let text): options.notice = Notice(text, level: .severe)
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
            case .cancelled: throw Problem(.timedOut, "the drawing was given up")
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
                bytes = try request.format.encode(result, background: request.background)
            }
        } catch { throw Problem(.failed, "the picture cannot be encoded: \(error)") }
        var validity = result.validity
        if let labels { validity.formIntersection(labels.validity) }
        return ServedPicture(
            bytes: bytes, format: request.format,
            tag: request.map.determines(validity) ? identity : EntityTag(bytes),
            hasHoles: result.report.mayBecomeWhole || labels?.hasHoles ?? false,
            validity: validity)
    }
}

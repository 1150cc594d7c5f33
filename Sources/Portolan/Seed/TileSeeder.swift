import PortolanArchives
import PortolanCodecs
public import PortolanFetch
import PortolanServices
import PortolanWeb
import Synchronization

/// Fetches tiles for use without a network, into an MBTiles file, a GeoPackage or the cache on disk.
///
/// It can be stopped at any moment, also by `kill -9`: the next run of the same job goes on where the last one was, and
/// fetches nothing twice but the few tiles that were under way. Only whole images are kept; that a tile is empty, or that a
/// server has none at an address, is kept too. It stops by itself when the server fails again and again, or asks to be left
/// alone.
public struct TileSeeder: Sendable {
    /// What has come of a job.
    public struct Progress: Hashable, Sendable {
        /// Tiles in all.
        public var total = 0
        /// Tiles that were there before.
        public var present = 0
        /// Tiles fetched.
        public var fetched = 0
        /// Tiles of which the source says that nothing is there (``/PortolanPlan/TileSource/emptyStatuses``).
        public var empty = 0
        /// Tiles that the server does not have.
        public var absent = 0
        /// Tiles that failed.
        public var failed = 0
        /// Tiles that came, and that the server forbids to keep in a cache.
        public var unkept = 0
        /// Bytes fetched.
        public var byteCount = 0
        /// What went wrong first.
        public var firstFailure: String?

        /// Tiles that are dealt with.
        public var done: Int { present + fetched + empty + absent + failed + unkept }

        /// Bytes of what is still to come, by the mean of what has been fetched; `nil` before anything has.
        public var estimatedByteCount: Int? {
            fetched == 0 ? nil : Int(Double(byteCount) / Double(fetched + empty + absent) * Double(total - done))
        }
    }

    /// What is fetched.
    public let plan: SeedPlan
    /// Whether an earlier run of the same job has made the file whole: nothing is fetched any more.
    public var isFinished: Bool { writer?.isFinished ?? false }
    /// What writes the file, or `nil` if the cache keeps the tiles.
    private let writer: (any TileFileWriter)?
    private let cache: ResponseCache
    private let configuration: RendererConfiguration
    private let imageReader: ImageReader

    /// Failures one after the other that end the job.
    private static let patience = 20
    /// Tiles that are fetched side by side and written in one transaction.
    private static let batchCount = 32

    /// Begins a job, or goes on with it.
    ///
    /// - Parameters:
    ///   - path: the file; it has no meaning if the cache keeps the tiles.
    ///   - configuration: how tiles are fetched; unless its cache is the target nothing is looked up or kept there. Few
    ///     connections at once are polite.
    /// - Throws: ``MapError``, with the code ``MapError/Code/unwritableFile`` when the file is there and is of something else, or there is no cache.
    public init(
        plan: SeedPlan, path: String = "", configuration: RendererConfiguration = RendererConfiguration(),
        transport: (any HTTPTransport)? = nil
    ) throws(MapError) {
        self.plan = plan
        self.configuration = configuration
        imageReader = ImageReader(configuration) {}
        guard plan.target != .cache else {
            guard configuration.cacheFolder != nil || configuration.store != nil else {
                throw MapError(.unwritableFile, "no cache to keep the tiles")
            }
            cache = configuration.cache(over: transport)
            writer = nil
            return
        }
        cache = configuration.withoutCache.cache(over: transport)
        do {
            let job = Self.job(plan)
            writer =
                if let pyramid = plan.pyramid {
                    try GeoPackageTileWriter(path: path, pyramid: pyramid, crs: plan.source.grid.crs, job: job)
                } else {
                    try MBTilesWriter(path: path, job: job)
                }
        } catch { throw MapError(any: error, code: .unwritableFile) }
    }

    /// What tells a job from others, without its addresses; a key or token may be another the next time.
    private static func job(_ plan: SeedPlan) -> String {
        let first = plan.ranges.first.flatMap {
            plan.location(of: $0, column: $0.columns.lowerBound, row: $0.rows.lowerBound)
        }
        let ranges = plan.ranges.map { "\($0.level) \($0.columns) \($0.rows)" }
        let text = ([first.map { FetchError.redactedWhole($0.description) } ?? ""] + ranges).joined(separator: "\n")
        return SHA256.hash(Array(text.utf8)).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// Fetches some tiles from all over the job, by which ``Progress/estimatedByteCount`` tells what the rest will take;
    /// they are kept.
    public func sample(count: Int = 5) async throws(MapError) -> Progress {
        if isFinished { return finished }
        var places: [Place] = []
        for number in 0..<max(1, min(count, plan.count)) {
            places.append(place(at: plan.count / max(1, min(count, plan.count)) * number))
        }
        var progress = Progress()
        progress.total = plan.count
        for level in plan.ranges {
            for row in level.rows { progress.present += try columnsDone(level, row).count }
        }
        var missing: [Place] = []
        for place in places where try !columnsDone(place.level, place.row).contains(place.column) {
            missing.append(place)
        }
        var failures = 0
        try await fetch(missing, &progress, failures: &failures)
        return progress
    }

    /// Fetches all that is missing, and makes the file whole when nothing is any more.
    ///
    /// - Parameters:
    ///   - name: what the tiles are to be called.
    ///   - told: is told how far the job has come.
    /// - Throws: ``MapError``; what has been fetched is kept.
    public func run(
        name: String, attribution: String? = nil, told: (Progress) -> Void = { _ in }
    ) async throws(MapError) -> Progress {
        if isFinished {
            told(finished)
            return finished
        }
        var progress = Progress()
        progress.total = plan.count
        var waiting: [Place] = [], failures = 0
        for level in plan.ranges {
            for row in level.rows {
                let done = try columnsDone(level, row)
                progress.present += done.count
                for column in level.columns where !done.contains(column) {
                    waiting.append(Place(level: level, column: column, row: row))
                    guard waiting.count >= Self.batchCount else { continue }
                    try await fetch(waiting, &progress, failures: &failures)
                    waiting = []
                    told(progress)
                }
            }
        }
        try await fetch(waiting, &progress, failures: &failures)
        told(progress)
        if let writer, progress.failed == 0 { try finish(writer, name: name, attribution: attribution) }
        await cache.flush()
        return progress
    }

    /// Of a finished job all is there, or known to be nowhere.
    private var finished: Progress {
        var progress = Progress()
        progress.total = plan.count
        progress.present = plan.count
        return progress
    }

    private struct Place: Sendable {
        let level: SeedPlan.Level
        let column: Int
        let row: Int
    }

    private func place(at index: Int) -> Place {
        var rest = index
        for level in plan.ranges {
            if rest < level.count {
                return Place(
                    level: level, column: level.columns.lowerBound + rest % level.columns.count,
                    row: level.rows.lowerBound + rest / level.columns.count)
            }
            rest -= level.count
        }
        let last = plan.ranges[plan.ranges.count - 1]
        return Place(level: last, column: last.columns.upperBound, row: last.rows.upperBound)
    }

    private func columnsDone(_ level: SeedPlan.Level, _ row: Int) throws(MapError) -> Set<Int> {
        // The cache is looked into tile by tile.
        guard let writer else { return [] }
        do { return try writer.columnsDone(level: level.level, row: row).filter(level.columns.contains) } catch {
            throw MapError(any: error, code: .unwritableFile)
        }
    }

    private enum Outcome: Sendable {
        case tile([UInt8])
        /// The cache has it, or has just been told that it is as it was.
        case present
        case unkept
        case empty
        case absent
        case failed(ResourceError)
    }

    /// Fetches tiles side by side and keeps those that come.
    ///
    /// - Parameter failures: how many tiles in a row have failed, those of batches before among them.
    private func fetch(
        _ places: [Place], _ progress: inout Progress, failures: inout Int
    ) async throws(MapError) {
        guard !places.isEmpty else { return }
        var last: ResourceError?, came: [MBTile] = []
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, place) in places.enumerated() { group.addTask { (index, await outcome(of: place)) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        // In the order of the places: what counts as a row must not depend on which answer comes first.
        for (place, outcome) in zip(places, outcomes) {
            var bytes: [UInt8]?
            switch outcome {
            case .tile(let tile):
                bytes = tile
                progress.fetched += 1
                progress.byteCount += tile.count
            case .failed(let error):
                progress.failed += 1
                progress.firstFailure = progress.firstFailure ?? "\(error)"
                last = error
                failures += 1
                continue
            case .present: progress.present += 1
            case .unkept: progress.unkept += 1
            case .empty: progress.empty += 1
            case .absent: progress.absent += 1
            }
            failures = 0
            came.append(MBTile(level: place.level.level, column: place.column, row: place.row, bytes: bytes))
        }
        // One transaction for all that came, also of a batch that was given up.
        do { try writer?.write(came) } catch { throw MapError(any: error, code: .unwritableFile) }
        if Task.isCancelled { throw MapError(.cancelled, "interrupted; run the same command to continue") }
        if let last, last.asksToStop || failures >= Self.patience {
            throw MapError(
                .unavailable, "\(last); stopped; run the same command later to continue",
                httpStatus: last.status)
        }
    }

    private func outcome(of place: Place) async -> Outcome {
        var first: Outcome?
        for url in plan.addresses(of: place.level, column: place.column, row: place.row) {
            let outcome = await outcome(at: url)
            guard case .failed(let error) = outcome else { return outcome }
            first = first ?? outcome
            // What is wrong with the server or the way to it is so with its other addresses.
            let isRefusal = error.cause == .exception || error.cause == .damaged || error.status == 400
            guard isRefusal, !error.asksToStop else { break }
        }
        return first ?? .absent
    }

    private func outcome(at url: NamedURL) async -> Outcome {
        let request = configuration.request(to: url, limit: configuration.codecLimits.maximumByteCount)
        let rule = writer == nil ? configuration.cacheRule(for: url.text, layer: plan.layer) : .disabled
        let statuses = plan.source.emptyStatuses, isCached = writer == nil
        let wish = CacheRequest<Outcome, ResourceError>(
            request: request, rule: rule, goodStatuses: statuses.union([204]), missing: { ResourceError($0) }
        ) { [imageReader] response throws(ResourceError) in
            if !statuses.contains(response.status), [404, 410].contains(response.status) { return .absent }
            // All of it is read, and no more of it kept than shows that it can be.
            let decoded = try imageReader.decoded(
                response, form: .image, size: ImageSize(width: 1, height: 1), emptyStatuses: statuses)
            if isCached, !Freshness.mayStore(response, rule: rule, goodStatuses: statuses.union([204])) {
                return .unkept
            }
            return decoded.content.isEmpty ? .empty : .tile(response.body)
        }
        do {
            let answer = try await cache.answer(to: wish)
            switch (answer.origin, answer.value) {
            case (.network, let outcome): return outcome
            case (_, .tile): return .present
            case (_, let outcome): return outcome
            }
        } catch { return .failed(error) }
    }

    private func finish(
        _ writer: any TileFileWriter, name: String, attribution: String?
    ) throws(MapError) {
        do {
            guard let file = try writer.anyTile() else {
                throw MapError(.nothingFound, "all these tiles are absent on the server")
            }
            try writer.finish(
                MBTilesMetadata(
                    name: name, format: ImageFormat(recognizing: file).map { $0 == .jpeg ? "jpg" : "\($0)" } ?? "png",
                    bounds: plan.bounds, levels: plan.levels, attribution: attribution))
        } catch { throw MapError(any: error, code: .unwritableFile) }
    }
}

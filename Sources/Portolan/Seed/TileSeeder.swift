import PortolanArchives
import PortolanCodecs
public import PortolanFetch
import PortolanPlan
import PortolanServices
import PortolanVectorTiles
import PortolanWeb
import PortolanZip
import Synchronization

/// Fetches tiles for offline use into an MBTiles file, a GeoPackage or the disk cache.
///
/// ```swift
/// let plan = try TileSeeder.Plan(
///     layer: layer, levels: 0...12, extent: extent, maximumCount: 10_000)
/// let progress = try await TileSeeder(plan: plan, path: "harbour.mbtiles").run(name: "Harbour")
/// ```
///
/// A job can be interrupted at any time, even by `kill -9`. The next run of the same job continues it, and fetches
/// again only the few tiles that were in progress. Only complete images are stored; empty and absent tiles are recorded
/// as well. The job stops if the server fails repeatedly or requests a pause.
public struct TileSeeder: Sendable {
    /// The progress of a job.
    public struct Progress: Hashable, Sendable {
        /// The total number of tiles.
        public var total = 0
        /// The number of tiles from earlier runs.
        public var present = 0
        /// The number of fetched tiles.
        public var fetched = 0
        /// The number of tiles that the source reports as empty (``/PortolanPlan/TileSource/emptyStatuses``).
        public var empty = 0
        /// The number of tiles that the server does not have.
        public var absent = 0
        /// The number of failed tiles.
        public var failed = 0
        /// The number of fetched tiles that the server does not permit to cache.
        public var unkept = 0
        /// The number of fetched bytes.
        public var byteCount = 0
        /// The first failure.
        public var firstFailure: String?

        /// Creates the progress of a job before its first tile.
        package init() {}

        /// Adds the progress of other tiles of the same job.
        package mutating func add(_ other: Progress) {
            present += other.present
            fetched += other.fetched
            empty += other.empty
            absent += other.absent
            failed += other.failed
            unkept += other.unkept
            byteCount += other.byteCount
            firstFailure = firstFailure ?? other.firstFailure
        }

        /// The number of processed tiles.
        public var done: Int { present + fetched + empty + absent + failed + unkept }

        /// The estimated size of the remaining tiles in bytes, from the average so far; `nil` before the first tile.
        public var estimatedByteCount: Int? {
            fetched == 0 ? nil : Int(Double(byteCount) / Double(fetched + empty + absent) * Double(total - done))
        }
    }

    /// The plan.
    public let plan: TileSeeder.Plan
    /// Whether an earlier run of the job completed the file, so that nothing is fetched.
    public var isFinished: Bool { writer?.isFinished ?? false }
    /// The writer of the file, or `nil` if the cache is the target.
    private let writer: (any TileFileWriter)?
    private let cache: ResponseCache
    private let archives: TileArchives
    private let remoteArchives: RemoteArchives
    private let configuration: RendererConfiguration
    private let imageReader: ImageReader

    /// The number of consecutive failures that end the job.
    private static let patience = 20
    /// The number of tiles that are fetched concurrently and written in one transaction.
    private static let batchCount = 32

    /// Creates a new job, or continues an earlier one.
    ///
    /// - Parameters:
    ///   - path: the file; not used if the cache is the target.
    ///   - configuration: the settings for requests. Its cache is used only if it is the target. Use few connections
    ///     per host out of courtesy.
    /// - Throws: ``MapError``, with the code ``MapError/Code/unwritableFile`` if the file exists with other content, or
    ///   if there is no cache.
    public init(
        plan: TileSeeder.Plan, path: String = "", configuration: RendererConfiguration = RendererConfiguration(),
        transport: (any HTTPTransport)? = nil
    ) throws(MapError) {
        self.plan = plan
        self.configuration = configuration
        imageReader = ImageReader(configuration) {}
        archives = TileArchives(configuration.tileArchives)
        guard plan.target != .cache else {
            guard configuration.cacheFolder != nil || configuration.store != nil else {
                throw MapError(.unwritableFile, "no cache to keep the tiles")
            }
            cache = configuration.cache(over: transport)
            remoteArchives = RemoteArchives(configuration, cache: cache)
            writer = nil
            return
        }
        cache = configuration.withoutCache.cache(over: transport)
        remoteArchives = RemoteArchives(configuration.withoutCache, cache: cache)
        do {
            let job = Self.job(plan)
            writer =
                if let pyramid = plan.pyramid {
                    try GeoPackageTileWriter(path: path, pyramid: pyramid, crs: plan.source.grid.crs, job: job)
                } else if plan.target == .pmtiles {
                    try PMTilesWriter(path: path, job: job)
                } else {
                    try MBTilesWriter(path: path, job: job)
                }
        } catch { throw MapError(any: error, code: .unwritableFile) }
    }

    /// Returns the identity of a job, without its URLs, whose keys or tokens may change.
    private static func job(_ plan: TileSeeder.Plan) -> String {
        let first = plan.ranges.first.flatMap {
            plan.location(of: $0, column: $0.columns.lowerBound, row: $0.rows.lowerBound)
        }
        let ranges = plan.ranges.map { "\($0.level) \($0.columns) \($0.rows)" }
        let text = ([first.map { FetchError.redactedWhole($0.description) } ?? ""] + ranges).joined(separator: "\n")
        return SHA256.hash(Array(text.utf8)).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// Fetches and stores some tiles from the whole job, so that ``Progress/estimatedByteCount`` can estimate the total
    /// size.
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

    /// Fetches all missing tiles, and completes the file when none are missing.
    ///
    /// - Parameters:
    ///   - name: the name of the tile set.
    ///   - told: called with the progress of the job.
    /// - Throws: ``MapError``. Fetched tiles are kept.
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

    /// The progress of a finished job: all tiles are stored or known to be absent.
    private var finished: Progress {
        var progress = Progress()
        progress.total = plan.count
        progress.present = plan.count
        return progress
    }

    private struct Place: Sendable {
        let level: TileSeeder.Plan.Level
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

    private func columnsDone(_ level: TileSeeder.Plan.Level, _ row: Int) throws(MapError) -> Set<Int> {
        // The cache is checked tile by tile.
        guard let writer else { return [] }
        do { return try writer.columnsDone(level: level.level, row: row).filter(level.columns.contains) } catch {
            throw MapError(any: error, code: .unwritableFile)
        }
    }

    /// The name of the job, the same on all machines that have the same plan.
    package var jobName: String { Self.job(plan) }

    /// The number of consecutive failures that end a job.
    package static var failureLimit: Int { patience }

    /// Fetches a tile of a job whose target is the cache, so that several machines can share the job.
    ///
    /// - Parameter index: the index of the tile in the plan.
    /// - Returns: the progress of this tile, and whether the server asks to stop.
    package func fetch(tile index: Int) async -> (progress: Progress, asksToStop: Bool) {
        var progress = Progress()
        switch await outcome(of: place(at: index)) {
        case .tile(let bytes): (progress.fetched, progress.byteCount) = (1, bytes.count)
        case .present: progress.present = 1
        case .unkept: progress.unkept = 1
        case .empty: progress.empty = 1
        case .absent: progress.absent = 1
        case .failed(let error):
            (progress.failed, progress.firstFailure) = (1, "\(error)")
            return (progress, error.asksToStop)
        }
        return (progress, false)
    }

    /// Waits until all fetched tiles are in the cache.
    package func flush() async { await cache.flush() }

    private enum Outcome: Sendable {
        case tile([UInt8])
        /// The tile is in the cache, or was confirmed as unchanged.
        case present
        case unkept
        case empty
        case absent
        case failed(ResourceError)
    }

    /// Fetches tiles concurrently and stores them.
    ///
    /// - Parameter failures: the number of consecutive failures, including those of earlier batches.
    private func fetch(
        _ places: [Place], _ progress: inout Progress, failures: inout Int
    ) async throws(MapError) {
        guard !places.isEmpty else { return }
        var last: ResourceError?, came: [MBTile] = []
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, place) in places.enumerated() { group.addTask { (index, await outcome(of: place)) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        // The order is that of the plan: consecutive failures must not depend on the order of the responses.
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
        // One transaction for all received tiles, even of a cancelled batch.
        do { try writer?.write(came) } catch { throw MapError(any: error, code: .unwritableFile) }
        if Task.isCancelled { throw MapError(.cancelled, "interrupted; run the same command to continue") }
        if let last, last.asksToStop || failures >= Self.patience {
            throw MapError(
                .unavailable, "\(last); stopped; run the same command later to continue",
                httpStatus: last.status)
        }
    }

    private func outcome(of place: Place) async -> Outcome {
        if let entry = plan.entry(of: place.level, column: place.column, row: place.row) {
            return await outcome(of: entry)
        }
        var first: Outcome?
        for url in plan.addresses(of: place.level, column: place.column, row: place.row) {
            let outcome = await outcome(at: url)
            guard case .failed(let error) = outcome else { return outcome }
            first = first ?? outcome
            // Other errors of the server or network also affect its other URLs.
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
        ) { [imageReader, plan] response throws(ResourceError) in
            if !statuses.contains(response.status), [404, 410].contains(response.status) { return .absent }
            if let encoding = plan.encoding {
                return try Self.vectorTile(response, encoding, isCached: isCached, statuses)
            }
            // The image is fully decoded for validation, but only one pixel is kept.
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

    /// A tile of an archive.
    private func outcome(of entry: TileArchive.Entry) async -> Outcome {
        do throws(ResourceError) {
            let limit = configuration.codecLimits.maximumByteCount, bytes: [UInt8]?
            if let address = entry.archive.address {
                let rule = writer == nil ? configuration.cacheRule(for: address.text, layer: plan.layer) : .disabled
                let tile = try await remoteArchives.tile(entry, at: address, RemoteAccess(rule: rule))
                if case .picture(.pixels(let image))? = tile.content {
                    if writer == nil, tile.origin != .network { return .present }
                    return Self.encoded(image)
                }
                if writer == nil { return tile.origin == .network ? tile.bytes.map { .tile($0) } ?? .absent : .present }
                bytes = tile.bytes
            } else {
                switch try archives.tile(entry, maximumByteCount: limit) {
                case nil: return .absent
                case .pixels(let image)?: return Self.encoded(image)
                case .encoded(let content)?: bytes = content
                }
            }
            guard let bytes, !bytes.isEmpty else { return .absent }
            let response = HTTPResponse(status: 200, body: bytes, url: entry.description)
            if let encoding = plan.encoding { return try Self.vectorTile(response, encoding, isCached: false, []) }
            let decoded = try imageReader.decoded(response, form: .image, size: ImageSize(width: 1, height: 1))
            return decoded.content.isEmpty ? .empty : .tile(bytes)
        } catch { return .failed(error) }
    }

    /// The tile of an archive that is itself an image, as PNG.
    private static func encoded(_ image: PixelBuffer) -> Outcome {
        guard image.pixels.contains(where: { $0 != 0 }) else { return .empty }
        do throws(CodecError) { return .tile(try PNGEncoder.encode(image)) } catch {
            return .failed(ResourceError(.memory, place: "", message: error.detail))
        }
    }

    /// A vector tile, if it can be decoded; in a file it is compressed by gzip, as MBTiles 1.3 and PMTiles want it.
    private static func vectorTile(
        _ response: HTTPResponse, _ encoding: VectorTileEncoding, isCached: Bool, _ emptyStatuses: Set<Int>
    ) throws(ResourceError) -> Outcome {
        if response.status == 204 || emptyStatuses.contains(response.status) { return .empty }
        guard response.isSuccessful else { throw .status(of: response) }
        guard !response.body.isEmpty else { return .empty }
        let content: [UInt8]
        do throws(VectorTileError) {
            content = try VectorTile.unpacked(response.body, encoding: encoding)
            _ = try VectorTile(content, encoding: encoding, selection: .layers([:]))
        } catch { throw ResourceError(error, in: response) }
        if isCached || CompressedContent(recognizing: response.body[...]) == .gzip { return .tile(response.body) }
        do throws(ZipError) { return .tile(try CompressedContent.gzip(content)) } catch {
            throw ResourceError(.memory, place: FetchError.redacted(response.url), message: error.detail)
        }
    }

    private func finish(
        _ writer: any TileFileWriter, name: String, attribution: String?
    ) throws(MapError) {
        do {
            guard let file = try writer.anyTile() else {
                throw MapError(.nothingFound, "all these tiles are absent on the server")
            }
            let image = ImageFormat(recognizing: file).map { $0 == .jpeg ? "jpg" : "\($0)" } ?? "png"
            let vector = plan.encoding.map { $0 == .mlt ? "mlt" : "pbf" }
            try writer.finish(
                MBTilesMetadata(
                    name: name, format: vector ?? image, bounds: plan.bounds, levels: plan.levels,
                    attribution: attribution, vectorLayers: plan.vectorLayers))
        } catch { throw MapError(any: error, code: .unwritableFile) }
    }
}

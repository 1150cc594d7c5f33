public import PortolanFetch
import PortolanPaint
public import PortolanPlan
import PortolanRaster
import PortolanText
import Synchronization

/// Turns a view and its layers into a picture: plans what is needed, fetches and decodes it, and paints.
///
/// One renderer keeps one cache of decoded images and one set of connections; make one for a process and share it
/// among tasks.
public final class MapRenderer: Sendable {
    let loader: ImageLoader
    private let cache: MemoryCache<String, DecodedImage>
    private let responses: ResponseCache
    private let fonts: FontBook
    private let threads: Int
    private let configuration: RendererConfiguration
    private let sizes = Mutex(LearntSizes())

    /// Asks services what they offer, over the same connections.
    public let services: ServiceClient

    /// What the caller has told about progress.
    public typealias ProgressHandler = @Sendable (RenderProgress) -> Void

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - configuration: how it fetches, decodes and remembers.
    ///   - transport: what carries its requests; the platform's own when `nil`.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        self.configuration = configuration
        responses = configuration.cache(over: transport)
        cache = MemoryCache(
            byteBudget: max(configuration.imageCacheByteBudget, 0),
            maximumCount: configuration.imageCacheCapacity.map { max($0, 0) })
        loader = ImageLoader(responses: responses, cache: cache, configuration: configuration)
        services = ServiceClient(configuration: configuration, cache: responses)
        threads = max(configuration.paintingThreadCount, 1)
        fonts = FontBook(fonts: configuration.fonts, usesSystemFonts: configuration.usesSystemFonts)
    }

    /// How full the cache of decoded images is and how it served.
    public var cacheStatistics: CacheStatistics { cache.statistics }

    /// Forgets all decoded images; what is on disk stays (``removeStored(_:)``).
    public func removeCachedImages() { cache.removeAll() }

    /// Removes answers of servers from the cache on disk, and all decoded images from memory.
    ///
    /// - Returns: how many entries were removed from disk; 0 where there is no such cache.
    /// - Throws: ``/PortolanFetch/StoreError``.
    /// - Complexity: O(entries on disk).
    @discardableResult
    public func removeStored(_ selection: StoreSelection = StoreSelection()) async throws(StoreError) -> Int {
        cache.removeAll()
        return try await responses.removeAll(selection)
    }

    /// What the cache on disk holds, or `nil` where there is none or it cannot be read.
    public func storeStatistics() async -> StoreStatistics? { await responses.statistics() }

    /// Returns when all that was fetched is on disk.
    ///
    /// That happens by itself soon after each picture; a program that ends at once calls this first.
    public func flush() async { await responses.flush() }

    /// Draws `layers`, bottom first, as `viewport` shows them.
    ///
    /// A resource that cannot be had leaves a hole and a line in the report.
    ///
    /// - Parameters:
    ///   - progress: called from any task as resources arrive.
    /// - Throws: ``RenderError`` when nothing at all can be painted, when more is missing than
    ///   ``RenderOptions/maximumMissing`` allows, or when the task is cancelled.
    /// - Complexity: O(resources of the view + features in the view + pixels).
    public func render(
        _ layers: [MapLayer], in viewport: Viewport, options: RenderOptions = RenderOptions(),
        progress: ProgressHandler? = nil
    ) async throws(RenderError) -> RenderResult {
        let owner = PinOwner()
        defer { release(owner) }
        let drawing = await draw(layers, in: viewport, options: options, for: owner, progress: progress)
        let result = try drawing.result.get()
        await prefetch(drawing)
        return result
    }

    /// What a drawing came to: a picture or why there is none, the layers whose servers could not be reached, and the
    /// addresses of what lies beside the view.
    package struct Drawing: Sendable {
        package let result: Result<RenderResult, RenderError>
        let lostConnections: [String: LostConnection]
        let marginURLs: [String]
        let places: [String: ResourcePlace]
    }

    /// What could not be reached, for one layer.
    struct LostConnection: Hashable, Sendable {
        let url: String
        let detail: String
    }

    /// Lets go of the images that were kept for the view of `owner`.
    func release(_ owner: PinOwner) { cache.unpin(owner) }

    /// Fetches what lies beside a view into memory, for a view to come.
    func prefetch(_ drawing: Drawing) async {
        _ = await load(
            drawing.marginURLs, in: drawing.places, isMargin: true, reloads: false, onRequested: {}, progress: nil)
    }

    /// Whether the server of an image answers, in whatever way.
    func answers(_ url: String) async -> Bool {
        let result = await loader.arrival(of: url, reloads: true).result
        if case .failure(.fetch(let error)) = result, error.code == .cancelled { return false }
        return Self.connectionLoss(result) == nil
    }

    /// What was wrong with the connection, if that was it; an image that is out of date may stand in all the same.
    static func connectionLoss(_ result: Result<ImageLoader.Loaded, ResourceError>) -> String? {
        switch result {
        case .success(let loaded):
            if case .stale(let reason, isConnectionLost: true) = loaded.origin { reason } else { nil }
        case .failure(let error): error.isConnectionLoss ? "\(error)" : nil
        }
    }

    /// How large services were found to draw that do not state it, for as long as the renderer lives.
    var learntSizes: LearntSizes { sizes.withLock(\.self) }

    /// Remembers how large services draw.
    func learn(_ found: LearntSizes) { sizes.withLock { $0.merge(found) } }

    /// The time that waits are counted in.
    var clock: FetchClock { configuration.clock }

    /// Draws for an owner whose images stay pinned until its next drawing, as a view on a screen wants it.
    ///
    /// - Parameter onRequested: called once when all that is shown is in memory or asked for: what was asked for before
    ///   can then be given up, and what both need is not fetched twice.
    package func draw(
        _ layers: [MapLayer], in viewport: Viewport, options: RenderOptions, for owner: PinOwner,
        onRequested: @escaping @Sendable () -> Void = {}, progress: ProgressHandler?
    ) async -> Drawing {
        guard let observer = configuration.observer else {
            return await unobservedDrawing(
                of: layers, in: viewport, options: options, for: owner, onRequested: onRequested, progress: progress)
        }
        let (drawing, outcome) = await observer.drawing {
            let start = ContinuousClock.now
            let drawing = await unobservedDrawing(
                of: layers, in: viewport, options: options, for: owner, onRequested: onRequested, progress: progress)
            let outcome = DrawingOutcome(
                drawing.result, layerCount: layers.count, duration: ContinuousClock.now - start)
            return ((drawing, outcome), outcome)
        }
        observer.note(.drawingEnded(outcome))
        return drawing
    }

    private func unobservedDrawing(
        of layers: [MapLayer], in viewport: Viewport, options: RenderOptions, for owner: PinOwner,
        onRequested: @escaping @Sendable () -> Void, progress: ProgressHandler?
    ) async -> Drawing {
        let clock = ContinuousClock()
        let start = clock.now
        var plan = await plan(layers, in: viewport, options: options)
        let planned = clock.now
        let shown = plan.shownURLsFromCenter, margin = plan.marginURLsFromCenter
        // The margin is pinned as well: what is kept for the next view must find room beside this one.
        cache.pin(Set(shown + margin), for: owner)
        var places = plan.places
        var loaded = await load(
            shown, in: places, isMargin: false, reloads: options.reloadsImages, onRequested: onRequested,
            progress: progress)
        let cut = await cutSmaller(plan, loaded) { sizes in
            await self.plan(layers, in: viewport, options: options, trying: sizes)
        } loading: { urls, smaller in
            cache.pin(Set(smaller.shownURLs + margin), for: owner)
            return await load(
                urls, in: smaller.places, isMargin: false, reloads: options.reloadsImages, onRequested: {},
                progress: progress)
        }
        if let cut {
            (plan, loaded) = cut
            places = plan.places
        }
        let standIns = await standIns(for: plan, of: layers, loaded: loaded)
        let fetched = clock.now
        var report = RenderReport(plan: plan, loaded: loaded, standIns: standIns.tiles)
        report.add([], warnings: responses.warnings)
        report.milliseconds.plan = (planned - start).milliseconds
        report.milliseconds.fetch = (fetched - planned).milliseconds
        let lost = plan.lostConnections(in: loaded)
        func drawing(_ result: Result<RenderResult, RenderError>) -> Drawing {
            Drawing(result: result, lostConnections: lost, marginURLs: margin, places: places)
        }
        if Task.isCancelled {
            return drawing(.failure(RenderError(.cancelled, "the drawing was cancelled", report: report)))
        }
        if let error = failure(of: report, plan: plan, standIns: standIns, options: options) {
            return drawing(.failure(error))
        }
        let picture: MapPicture
        do {
            let images = loaded.compactMapValues { try? $0.get().image }.merging(standIns.images) { first, _ in first }
            picture = try await paint(plan.showing(standIns.tiles), images: images, options: options)
        } catch { return drawing(.failure(RenderError(.noFont, error.description, report: report))) }
        let painted = clock.now
        report.warnings += picture.warnings
        if picture.lacksLegend { report.complete = false }
        report.milliseconds.paint = (painted - fetched).milliseconds
        report.milliseconds.total = (painted - start).milliseconds
        return drawing(.success(RenderResult(image: picture.image, report: report, painter: picture.painter)))
    }

    /// Planning looks at each feature in view: it leaves the caller's actor.
    @concurrent
    private func plan(
        _ layers: [MapLayer], in viewport: Viewport, options: RenderOptions, trying trial: LearntSizes = LearntSizes()
    ) async -> DrawPlan {
        var sizes = learntSizes
        sizes.merge(trial)
        return MapPlanner(
            viewport: viewport, margin: options.offScreenMargin, background: options.background,
            showsLegend: options.showsLegend
        ).knowing(sizes).plan(layers)
    }

    /// What the loading of each URL came to.
    typealias Loaded = [String: Result<ImageLoader.Loaded, ResourceError>]

    /// Loads images, the first the soonest; files are read and images decoded, so it leaves the caller's actor.
    @concurrent
    private func load(
        _ urls: [String], in places: [String: ResourcePlace], isMargin: Bool, reloads: Bool,
        onRequested: @escaping @Sendable () -> Void, progress: ProgressHandler?
    ) async -> Loaded {
        let countdown = Countdown(parties: urls.count, action: onRequested)
        return await withTaskGroup(of: ImageLoader.Arrival.self) { [loader] group in
            for (rank, url) in urls.enumerated() {
                let turn = FetchTurn(priority: FetchPriority(isMargin: isMargin, rank: rank)) { countdown.arrive(rank) }
                let arrive: @Sendable () async -> ImageLoader.Arrival = {
                    // What is in memory, or cannot be asked for, arrives without a request.
                    defer { countdown.arrive(rank) }
                    return await loader.arrival(of: url, place: places[url], reloads: reloads, turn: turn)
                }
                // Begun at once, so that the first connections are for what is wanted first.
                if #available(macOS 26, iOS 26, *) {
                    group.addImmediateTask { await arrive() }
                } else {
                    group.addTask { await arrive() }
                }
            }
            var loaded: Loaded = [:]
            for await arrival in group {
                loaded[arrival.url] = arrival.result
                progress?(RenderProgress(done: loaded.count, total: urls.count))
            }
            return loaded
        }
    }

    /// Why a picture with what has come is none, or `nil` when it is one.
    private func failure(
        of report: RenderReport, plan: DrawPlan, standIns: StandIns, options: RenderOptions
    ) -> RenderError? {
        let missing = report.failedCount, requested = report.requestedCount
        guard missing > 0 else { return nil }
        let first = report.layers.compactMap { layer in layer.failed.first.map { "\(layer.name): \($0.error)" } }.first
        if Double(missing) > options.maximumMissing * Double(requested) {
            return RenderError(
                .incomplete, "\(missing) of \(requested) resources are missing; \(first ?? "")", report: report)
        }
        // A legend alone is no map.
        let legends = plan.steps.reduce(0) { count, step in
            count + Set(plan.resources(of: step).map(\.url)).count - Set(step.content.shownResources.map(\.url)).count
        }
        let lostLegends = report.layers.flatMap(\.failed).count { $0.resource.hasPrefix("legend ") }
        if missing - lostLegends == requested - legends, missing > lostLegends, !plan.hasFeatures,
            standIns.tiles.isEmpty
        {
            return RenderError(.nothingDrawn, "nothing could be drawn; \(first ?? "")", report: report)
        }
        return nil
    }

    /// Painting is pure computation: it leaves the caller's actor.
    @concurrent
    private func paint(
        _ plan: DrawPlan, images: [String: PixelBuffer], options: RenderOptions
    ) async throws(TextError) -> MapPicture {
        let attribution: String? =
            switch options.attribution {
            case .automatic: plan.attributions.isEmpty ? nil : plan.attributions.joined(separator: " · ")
            case .none: nil
            case .text(let text): text
            }
        let furniture = Furniture(
            attribution: attribution, title: options.title, infoBar: options.infoBar,
            showsNorthArrow: options.showsNorthArrow, showsScaleBar: options.showsScaleBar,
            graticule: options.graticule)
        return try MapPainter(plan: plan, images: images, fonts: fonts, furniture: furniture, threads: threads).paint()
    }
}

extension Duration {
    /// The length in milliseconds.
    var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}

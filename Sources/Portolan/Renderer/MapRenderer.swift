public import PortolanFetch
import PortolanPaint
public import PortolanPlan
import PortolanRaster
import PortolanText

/// Turns a view and its layers into a picture: plans what is needed, fetches and decodes it, and paints.
///
/// One renderer keeps one cache of decoded images and one set of connections; make one for a process and share it
/// among tasks.
public final class MapRenderer: Sendable {
    private let loader: ImageLoader
    private let cache: MemoryCache<String, PixelBuffer>
    private let fonts: FontBook
    private let threads: Int
    private let configuration: RendererConfiguration

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
        let fetcher = configuration.fetcher(over: transport)
        cache = MemoryCache(
            byteBudget: max(configuration.imageCacheByteBudget, 0),
            maximumCount: configuration.imageCacheCapacity.map { max($0, 0) })
        loader = ImageLoader(fetcher: fetcher, cache: cache, configuration: configuration)
        services = ServiceClient(configuration: configuration, fetcher: fetcher)
        threads = max(configuration.paintingThreadCount, 1)
        fonts = FontBook(fonts: configuration.fonts, usesSystemFonts: configuration.usesSystemFonts)
    }

    /// How full the cache of decoded images is and how it served.
    public var cacheStatistics: CacheStatistics { cache.statistics }

    /// Forgets all decoded images.
    public func removeCachedImages() { cache.removeAll() }

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
        await prefetch(drawing.marginURLs)
        return result
    }

    /// What a drawing came to: a picture or why there is none, the layers whose servers could not be reached, and the
    /// addresses of what lies beside the view.
    package struct Drawing: Sendable {
        package let result: Result<RenderResult, RenderError>
        let lostConnections: [String: LostConnection]
        let marginURLs: [String]
    }

    /// What could not be reached, for one layer.
    struct LostConnection: Hashable, Sendable {
        let url: String
        let detail: String
    }

    /// Lets go of the images that were kept for the view of `owner`.
    func release(_ owner: PinOwner) { cache.unpin(owner) }

    /// Fetches images into memory, for a view to come.
    func prefetch(_ urls: [String]) async {
        _ = await load(urls, isMargin: true, reloads: false, onRequested: {}, progress: nil)
    }

    /// Whether the server of an image answers, in whatever way.
    func answers(_ url: String) async -> Bool {
        switch await loader.arrival(of: url, reloads: true).result {
        case .success: true
        case .failure(.fetch(let error)):
            ![.cancelled, .hostUnavailable].contains(error.code) && !error.isConnectionFailure
        case .failure: true
        }
    }

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
        let clock = ContinuousClock()
        let start = clock.now
        var plan = await plan(layers, in: viewport, options: options)
        let planned = clock.now
        let shown = plan.shownURLsFromCenter, margin = plan.marginURLsFromCenter
        // The margin is pinned as well: what is kept for the next view must find room beside this one.
        cache.pin(Set(shown + margin), for: owner)
        var loaded = await load(
            shown, isMargin: false, reloads: options.reloadsImages, onRequested: onRequested, progress: progress)
        let refused = plan.refusals(in: loaded)
        if !refused.isEmpty {
            plan = plan.replacing(refused)
            cache.pin(Set(plan.shownURLs + margin), for: owner)
            let others = plan.shownURLsFromCenter.filter { loaded[$0] == nil }
            let more = await load(
                others, isMargin: false, reloads: options.reloadsImages, onRequested: {}, progress: progress)
            loaded.merge(more) { first, _ in first }
        }
        let fetched = clock.now
        var report = RenderReport(plan: plan, loaded: loaded)
        let lost = plan.lostConnections(in: loaded)
        func drawing(_ result: Result<RenderResult, RenderError>) -> Drawing {
            Drawing(result: result, lostConnections: lost, marginURLs: margin)
        }
        if Task.isCancelled {
            return drawing(.failure(RenderError(.cancelled, "the drawing was cancelled", report: report)))
        }
        if let error = failure(of: report, plan: plan, options: options) { return drawing(.failure(error)) }
        let picture: MapPicture
        do {
            picture = try await paint(plan, images: loaded.compactMapValues { try? $0.get().image }, options: options)
        } catch { return drawing(.failure(RenderError(.noFont, error.description, report: report))) }
        let painted = clock.now
        report.warnings += picture.warnings
        report.milliseconds.plan = (planned - start).milliseconds
        report.milliseconds.fetch = (fetched - planned).milliseconds
        report.milliseconds.paint = (painted - fetched).milliseconds
        report.milliseconds.total = (painted - start).milliseconds
        return drawing(.success(RenderResult(image: picture.image, report: report)))
    }

    /// Planning looks at each feature in view: it leaves the caller's actor.
    @concurrent
    private func plan(_ layers: [MapLayer], in viewport: Viewport, options: RenderOptions) async -> DrawPlan {
        MapPlanner(
            viewport: viewport, margin: options.offScreenMargin, background: options.background,
            showsLegend: options.showsLegend
        ).plan(layers)
    }

    /// What the loading of each URL came to.
    typealias Loaded = [String: Result<ImageLoader.Loaded, ResourceError>]

    /// Loads images, the first the soonest; files are read and images decoded, so it leaves the caller's actor.
    @concurrent
    private func load(
        _ urls: [String], isMargin: Bool, reloads: Bool, onRequested: @escaping @Sendable () -> Void,
        progress: ProgressHandler?
    ) async -> Loaded {
        let countdown = Countdown(parties: urls.count, action: onRequested)
        return await withTaskGroup(of: ImageLoader.Arrival.self) { [loader] group in
            for (rank, url) in urls.enumerated() {
                let arrive: @Sendable () async -> ImageLoader.Arrival = {
                    // What is in memory, or cannot be asked for, arrives without a request.
                    defer { countdown.arrive(rank) }
                    return await FetchPriority.$current.withValue(FetchPriority(isMargin: isMargin, rank: rank)) {
                        await Fetcher.$onAdmission.withValue({ countdown.arrive(rank) }) {
                            await loader.arrival(of: url, reloads: reloads)
                        }
                    }
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
    private func failure(of report: RenderReport, plan: DrawPlan, options: RenderOptions) -> RenderError? {
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
        if missing - lostLegends == requested - legends, missing > lostLegends, !plan.hasFeatures {
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

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
        let fetcher = configuration.fetcher(over: transport)
        cache = MemoryCache(
            byteBudget: configuration.imageCacheByteBudget, maximumCount: configuration.imageCacheCapacity)
        loader = ImageLoader(fetcher: fetcher, cache: cache, configuration: configuration)
        services = ServiceClient(configuration: configuration, fetcher: fetcher)
        fonts = FontBook(files: configuration.fontFiles, usesSystemFonts: configuration.usesSystemFonts)
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
        try await draw(layers, in: viewport, options: options, for: PinOwner(), keepsPins: false, progress: progress)
            .result
    }

    /// A picture, and the layers whose servers could not be reached.
    struct Drawing {
        let result: RenderResult
        let lostConnections: [String: String]
    }

    /// Draws for an owner whose images stay pinned until its next drawing, as a view on a screen wants it.
    func draw(
        _ layers: [MapLayer], in viewport: Viewport, options: RenderOptions, for owner: PinOwner, keepsPins: Bool,
        progress: ProgressHandler?
    ) async throws(RenderError) -> Drawing {
        let clock = ContinuousClock()
        let start = clock.now
        let plan = MapPlanner(
            viewport: viewport, margin: options.offScreenMargin, background: options.background
        ).plan(layers)
        let planned = clock.now
        let shown = plan.shownURLs, margin = plan.marginURLs
        cache.pin(Set(shown), for: owner)
        defer { if !keepsPins { cache.unpin(owner) } }
        let loaded = await load(shown + margin, countingTo: shown.count, progress: progress)
        if Task.isCancelled { throw RenderError(.cancelled, "the drawing was cancelled") }
        let fetched = clock.now
        var report = RenderReport(plan: plan, loaded: loaded)
        try check(report, plan: plan, options: options)
        let image: PixelBuffer
        do {
            image = try await paint(plan, images: loaded.compactMapValues { try? $0.get().image }, options: options)
        } catch { throw RenderError(.noFont, error.description, report: report) }
        let painted = clock.now
        report.milliseconds.plan = (planned - start).milliseconds
        report.milliseconds.fetch = (fetched - planned).milliseconds
        report.milliseconds.paint = (painted - fetched).milliseconds
        report.milliseconds.total = (painted - start).milliseconds
        return Drawing(
            result: RenderResult(image: image, report: report), lostConnections: plan.lostConnections(in: loaded))
    }

    /// What the loading of each URL came to.
    typealias Loaded = [String: Result<ImageLoader.Loaded, ResourceError>]

    private func load(_ urls: [String], countingTo total: Int, progress: ProgressHandler?) async -> Loaded {
        await withTaskGroup(of: ImageLoader.Arrival.self) { [loader] group in
            for url in urls { group.addTask { await loader.arrival(of: url) } }
            var loaded: Loaded = [:]
            for await arrival in group {
                loaded[arrival.url] = arrival.result
                progress?(RenderProgress(done: min(loaded.count, total), total: total))
            }
            return loaded
        }
    }

    private func check(_ report: RenderReport, plan: DrawPlan, options: RenderOptions) throws(RenderError) {
        let missing = report.failedCount, requested = report.requestedCount
        guard missing > 0 else { return }
        let first = report.layers.compactMap { layer in layer.failed.first.map { "\(layer.name): \($0.error)" } }.first
        if Double(missing) > options.maximumMissing * Double(requested) {
            throw RenderError(
                .incomplete, "\(missing) of \(requested) resources are missing; \(first ?? "")", report: report)
        }
        if missing == requested, !plan.hasFeatures {
            throw RenderError(.nothingDrawn, "nothing could be drawn; \(first ?? "")", report: report)
        }
    }

    /// Painting is pure computation: it leaves the caller's actor.
    @concurrent
    private func paint(
        _ plan: DrawPlan, images: [String: PixelBuffer], options: RenderOptions
    ) async throws(TextError) -> PixelBuffer {
        let attribution: String? =
            switch options.attribution {
            case .automatic: plan.attributions.isEmpty ? nil : plan.attributions.joined(separator: " · ")
            case .none: nil
            case .text(let text): text
            }
        let furniture = Furniture(
            attribution: attribution, title: options.title, infoBar: options.infoBar,
            showsNorthArrow: options.showsNorthArrow)
        return try MapPainter(plan: plan, images: images, fonts: fonts, furniture: furniture).paint()
    }
}

extension Duration {
    /// The length in milliseconds.
    var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}

import PortolanFeatures
public import PortolanFetch
import PortolanFormats
import PortolanPaint
public import PortolanPlan
package import PortolanRaster
import PortolanText
import PortolanWeb
import Synchronization

/// Renders a view of layers to a picture: plans the required resources, fetches and decodes them, and draws.
///
/// ```swift
/// let renderer = MapRenderer()
/// let (layer, _) = try await renderer.services.wmsLayer(
///     named: "Depths", url: "https://maps.example.org/wms", options: WMSOptions(layers: ["depths"]))
/// let result = try await renderer.render([layer], in: viewport)
/// try result.writePNG(to: "map.png")
/// ```
///
/// A renderer has one cache of decoded images and one set of connections. Create one per process and share it among
/// tasks.
public final class MapRenderer: Sendable {
    let loader: ResourceLoader
    let cache: MemoryCache<Resource.Location, CachedContent>
    private let responses: ResponseCache
    let fonts: FontBook
    let threads: Int
    let configuration: RendererConfiguration
    private let secrets: Secrets
    private let traits = Mutex(ServiceTraits())
    /// Keeps the last picture if the configuration requires it.
    private let keeper: PictureKeeper?

    /// The client for capabilities and layers of services, with the same connections.
    public let services: ServiceClient

    /// A callback for progress reports.
    public typealias ProgressHandler = @Sendable (MapRenderer.Progress) -> Void

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - configuration: the settings for fetching, decoding and caching.
    ///   - transport: the transport of its requests; `nil` for the platform's own.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        self.configuration = configuration
        secrets = configuration.secrets
        responses = configuration.cache(over: transport)
        cache = MemoryCache(
            byteBudget: max(configuration.imageCacheByteBudget, 0),
            maximumCount: configuration.imageCacheCapacity.map { max($0, 0) })
        loader = ResourceLoader(responses: responses, cache: cache, configuration: configuration)
        services = ServiceClient(configuration: configuration, cache: responses)
        threads = max(configuration.paintingThreadCount, 1)
        keeper = configuration.retainsPictures ? PictureKeeper() : nil
        fonts = FontBook(fonts: configuration.fonts, usesSystemFonts: configuration.usesSystemFonts)
    }

    /// The usage and hit rate of the cache of decoded images.
    public var cacheStatistics: CacheStatistics { cache.statistics }

    /// Adds the caches with images and texts of earlier pictures.
    package func addCaches(to caches: inout MemoryCaches) {
        caches.add("images", cache)
        caches.add("texts", fonts)
    }

    /// Removes all decoded images from memory.
    ///
    /// The disk cache is unchanged (``removeStored(_:)``).
    public func removeCachedImages() { cache.removeAll() }

    /// Removes server responses from the disk cache, and all decoded images from memory.
    ///
    /// - Returns: the number of entries removed from disk; 0 without a disk cache.
    /// - Throws: ``MapError``.
    /// - Complexity: O(entries on disk).
    @discardableResult
    public func removeStored(_ selection: StoreSelection = StoreSelection()) async throws(MapError) -> Int {
        cache.removeAll()
        do { return try await responses.removeAll(selection) } catch { throw MapError(error) }
    }

    /// Returns the contents of the disk cache, or `nil` if none exists or it cannot be read.
    public func storeStatistics() async -> StoreStatistics? { await responses.statistics() }

    /// Waits until all fetched resources are on disk.
    ///
    /// They are written automatically soon after each picture. A program that exits immediately calls this first.
    public func flush() async { await responses.flush() }

    /// Warnings about the cache, including those after the last picture.
    package var cacheWarnings: [MapWarning] { responses.warnings }

    /// Renders `layers`, the lowest first, for the view of `viewport`.
    ///
    /// An unavailable resource leaves a gap in the picture, and is listed in the report.
    ///
    /// - Parameters:
    ///   - progress: called from any task when resources arrive.
    /// - Throws: ``MapError`` if nothing can be drawn, if more is missing than ``RenderOptions/maximumMissing`` allows,
    ///   or if the task is cancelled.
    /// - Complexity: O(resources of the view + features in the view + pixels).
    public func render(
        _ layers: [MapLayer], in viewport: Viewport, options: RenderOptions = RenderOptions(),
        progress: ProgressHandler? = nil
    ) async throws(MapError) -> RenderResult {
        let owner = PinOwner()
        defer { release(owner) }
        let drawing = await draw(layers, in: viewport, options: options, for: owner, progress: progress)
        let result = try drawing.result.get()
        await prefetch(drawing)
        return result
    }

    /// The outcome of a render: a picture or an error, the layers whose servers could not be reached, and the resources
    /// of the margin.
    package struct Drawing: Sendable {
        package let result: Result<RenderResult, MapError>
        /// Whether shapes were drawn in parts.
        ///
        /// A complete render of the picture may differ slightly.
        let hasSeams: Bool
        let lostConnections: [String: LostConnection]
        let margin: [Resource]
        /// The images that no other view uses, such as those of an untiled WMS.
        let singleImages: Set<Resource.Location>
        let deadline: PictureDeadline?
    }

    /// A lost connection of a layer.
    struct LostConnection: Hashable, Sendable {
        let resource: Resource
        let detail: String
    }

    /// Releases the images that were kept for the view of `owner`.
    func release(_ owner: PinOwner) { cache.unpin(owner) }

    /// Removes images from memory that no other view needs.
    ///
    /// The disk cache is unchanged.
    func forget(_ images: Set<Resource.Location>) { cache.remove(unpinned: images) }

    /// Fetches the margin of a view into memory, for later views.
    func prefetch(_ drawing: Drawing) async {
        guard drawing.deadline?.hasPassed != true else { return }
        _ = await load(
            drawing.margin, isMargin: true, reloads: false, by: drawing.deadline, onRequested: {}, progress: { _ in })
    }

    /// Returns whether the server of a resource responds, with any status.
    func answers(_ resource: Resource) async -> Bool {
        let result = await loader.load(resource, reloads: true)
        if case .failure(let error) = result, error.cause == .cancelled { return false }
        return Self.connectionLoss(result) == nil
    }

    /// Returns the connection failure of a result, which may include a stale image.
    static func connectionLoss(_ result: Result<ResourceLoader.Loaded, ResourceError>) -> String? {
        switch result {
        case .success(let loaded):
            if case .stale(let reason, isConnectionLost: true) = loaded.origin { reason } else { nil }
        case .failure(let error): error.isConnectionLoss ? "\(error)" : nil
        }
    }

    /// The image sizes of services that do not state them, learned during the life of the renderer.
    var serviceTraits: ServiceTraits { traits.withLock(\.self) }

    /// The feature document formats that are read.
    package var featureFormats: FeatureFormats { configuration.featureFormats }
    /// The layer kinds that documents may name.
    package var layerKinds: LayerKinds { configuration.layerKinds }

    /// The clock that measures delays.
    var clock: FetchClock { configuration.clock }

    /// Renders for an owner, such as a view on a screen, whose images stay pinned until its next render.
    ///
    /// - Parameters:
    ///   - keeper: keeps the picture between renders, in place of the renderer's own keeper.
    ///   - onRequested: called once when all visible resources are in memory or requested. Earlier requests can then be
    ///     cancelled without fetching shared resources twice.
    package func draw(
        _ layers: [MapLayer], in viewport: Viewport, options: RenderOptions, for owner: PinOwner,
        keeper: PictureKeeper? = nil, onRequested: @escaping @Sendable () -> Void = {},
        progress: ProgressHandler? = nil
    ) async -> Drawing {
        guard let observer = configuration.observer else {
            return await unobservedDrawing(
                of: layers, in: viewport, options: options, for: owner, keeper: keeper, onRequested: onRequested,
                progress: progress)
        }
        let (drawing, outcome) = await observer.drawing {
            let start = ContinuousClock.now
            let drawing = await unobservedDrawing(
                of: layers, in: viewport, options: options, for: owner, keeper: keeper, onRequested: onRequested,
                progress: progress)
            let outcome = MapObservation.DrawingOutcome(
                drawing.result, layerCount: layers.count, duration: ContinuousClock.now - start)
            return ((drawing, outcome), outcome)
        }
        observer.note(.drawingEnded(outcome))
        return drawing
    }

    /// Renders without notifying the observer.
    func unobservedDrawing(
        of layers: [MapLayer], in viewport: Viewport, options: RenderOptions, for owner: PinOwner,
        keeper: PictureKeeper? = nil, purpose: Purpose = .picture, onRequested: @escaping @Sendable () -> Void = {},
        progress: ProgressHandler? = nil
    ) async -> Drawing {
        let clock = ContinuousClock()
        let start = clock.now
        let deadline = options.deadline.map { PictureDeadline($0, from: configuration.clock) }
        let planner = MapPlanner(
            viewport: viewport, margin: options.offScreenMargin, background: options.background,
            sphere: options.sphere, showsLegend: options.showsLegend, traits: serviceTraits, drafts: true, fonts: fonts)
        var plan = await plan { planner.plan(layers) }
        let planned = clock.now
        let keeper = purpose == .picture ? keeper ?? self.keeper : nil
        let isInBands =
            keeper == nil
            && (purpose == .documentPage || viewport.imageSize.pixelCount > configuration.pixelCountAtOnce)
        let (loaded, arrivals) = await gather(
            &plan, planner, options: options, by: deadline, for: owner, storesImages: isInBands,
            onRequested: onRequested, progress: progress)
        traits.withLock { $0.merge(plan.foundTraits) }
        let fetched = clock.now
        var report = RenderReport(plan: plan, loaded: loaded, secrets: secrets)
        report.add([], warnings: cacheWarnings)
        report.milliseconds.plan = (planned - start).milliseconds
        report.milliseconds.fetch = (fetched - planned).milliseconds
        let lost = plan.lostConnections(in: loaded), margin = plan.resources.filter { $0.use == .margin }
        let singleImages = Set(
            plan.resources.lazy.filter { if case .map = $0.id.item { true } else { false } }.map(\.location))
        func drawing(_ result: Result<RenderResult, MapError>, hasSeams: Bool = false) -> Drawing {
            Drawing(
                result: result, hasSeams: hasSeams, lostConnections: lost, margin: margin.nearestFirst,
                singleImages: singleImages, deadline: deadline)
        }
        func cancellation() -> Drawing? {
            guard Task.isCancelled else { return nil }
            return drawing(.failure(MapError(.cancelled, "rendering was cancelled", report: report)))
        }
        if let given = cancellation() { return given }
        if let error = failure(of: report, plan: plan, options: options) {
            return drawing(.failure(error))
        }
        let insets = await insets(of: layers, on: viewport, options: options)
        report.add(insets.missing, warnings: insets.warnings)
        let picture: MapPicture, hasSeams: Bool
        do {
            (picture, hasSeams) = try await paint(
                plan, planner, arrivals, options: options, insets: insets.pictures, keeper: keeper,
                isInBands: isInBands)
        } catch {
            return drawing(.failure(MapError(.noFont, error.description, report: report)))
        }
        // A cancelled picture is incomplete.
        if keeper == nil, let given = cancellation() { return given }
        let painted = clock.now
        report.warnings += picture.warnings
        for number in report.layers.indices {
            report.layers[number].droppedLabels = RenderReport.DroppedLabels(
                picture.labelLosses[report.layers[number].name])
        }
        if !picture.isComplete || picture.warnings.contains(where: \.isLoss) { report.complete = false }
        report.milliseconds.paint = (painted - fetched).milliseconds
        report.milliseconds.total = (painted - start).milliseconds
        // With `maximumMissing` 0, losses found by the painter count as well.
        if options.maximumMissing == 0, !report.complete {
            return drawing(
                .failure(MapError(.incomplete, report.firstLoss ?? "the legend is missing", report: report)))
        }
        return drawing(
            .success(
                RenderResult(
                    picture: picture, report: report,
                    symbols: ShownSymbols(viewport: viewport, symbols: picture.symbols),
                    validity: validity(of: plan, loaded))),
            hasSeams: hasSeams)
    }

    /// Returns the error if the received resources are insufficient for a picture, otherwise `nil`.
    private func failure(of report: RenderReport, plan: MapPlan, options: RenderOptions) -> MapError? {
        let missing = report.failedCount, requested = report.requestedCount
        guard missing > 0 else { return nil }
        let first = report.layers.compactMap { layer in layer.failed.first.map { "\(layer.name): \($0.error)" } }.first
        if Double(missing) > options.maximumMissing * Double(requested) {
            return MapError(
                .incomplete, "\(missing) of \(requested) resources missing; \(first ?? "")", report: report)
        }
        // A picture with only a legend is not a map.
        let lost = report.layers.flatMap(\.failed).count { !$0.isLegend }
        let needed = requested - plan.legendResources.count
        let hasStandIns = plan.layers.contains { layer in
            layer.plan.nodes.contains { $0.mosaics.contains { $0.images.contains { $0.standsIn != nil } } }
        }
        if lost == needed, lost > 0, !plan.hasFeatures, !hasStandIns {
            let isLate = report.layers.flatMap(\.failed).allSatisfy { $0.code == .deadline }
            return MapError(
                isLate ? .timedOut : .nothingDrawn, "nothing drawn; \(first ?? "")", report: report)
        }
        return nil
    }

    /// Draws a scene off the caller's actor, as this is pure computation.
    @concurrent
    private func paint(
        _ plan: MapPlan, _ planner: MapPlanner, _ arrivals: Arrivals, options: RenderOptions, insets: [PaintedInset],
        keeper: PictureKeeper?, isInBands: Bool
    ) async throws(TextError) -> (picture: MapPicture, hasSeams: Bool) {
        func joined(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: " · ") }
        var credits = MapPlan.Credits(attributions: [], page: options.page)
        if case .automatic = options.attribution { credits = try plan.credits(on: options.page, fonts: fonts) }
        let page = credits.page
        let attribution: String? =
            switch options.attribution {
            case .automatic: joined(credits.attributions)
            case .none: nil
            case .text(let text): text
            }
        var furniture = Furniture(
            attribution: attribution, title: options.title, subtitle: options.subtitle, notice: options.notice,
            infoBar: options.infoBar, profile: options.profile, panel: options.panel,
            showsNorthArrow: options.showsNorthArrow, showsScaleBar: options.showsScaleBar,
            graticule: options.graticule, theme: options.theme, showsOutline: options.sphere != nil)
        furniture.scaleBarUnits = options.scaleBarUnits
        furniture.legendCorner = options.legendCorner.painted
        furniture.isSteady = options.hasSteadyFurniture
        if case .automatic = options.attribution { furniture.rights = joined(plan.attributions) }
        furniture.attributionLinks = plan.attributionLinks
        let scene = plan.scene, images = arrivals.images, stored = arrivals.stored
        func painter(_ scene: Scene, while isWanted: @escaping @Sendable () -> Bool = { true }) -> MapPainter {
            MapPainter(
                scene: scene, images: images, stored: stored, resources: plan.resources, fonts: fonts,
                furniture: furniture, page: page, insets: insets, threads: threads, labels: options.labels,
                memory: configuration.memory, hasGridAbove: keeper != nil, while: isWanted)
        }
        // A kept picture must be complete.
        guard let keeper else {
            let painter = painter(scene) { !Task.isCancelled }
            return (try isInBands ? painter.paintInBands() : painter.paint(), false)
        }
        let layers = keeper.layers(
            of: scene, images: images,
            by: RetainedPicture.Painter(
                paint: { painter($0).paintLayers(over: $1) },
                part: { planner.plan(plan, in: $0, given: arrivals).scene }))
        return (try painter(scene).paint(over: layers.pixels), layers.hasSeams)
    }
}

extension MemoryCache: TrimmableCache {}

extension [Resource] {
    /// The resources, those closest to the centre of the view first.
    var nearestFirst: [Resource] {
        enumerated().sorted { left, right in
            left.element.rank != right.element.rank
                ? left.element.rank < right.element.rank : left.offset < right.offset
        }.map(\.element)
    }
}

extension Duration {
    /// The duration in milliseconds.
    var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}

extension MapRenderer {
    /// Plans off the caller's actor, as this visits each feature in view.
    @concurrent
    func plan(_ make: @Sendable () -> MapPlan) async -> MapPlan { make() }

    /// The maximum number of rounds of requests for additional resources.
    private static let roundLimit = 24

    /// The load results by resource.
    typealias Loaded = [Resource.ID: Result<ResourceLoader.Loaded, ResourceError>]

    /// Loads the resources of a plan, and updates the plan with them until no new resources are needed.
    ///
    /// - Parameter storesImages: whether tiles and map images are kept in encoded form.
    func gather(
        _ plan: inout MapPlan, _ planner: MapPlanner, options: RenderOptions,
        only isNeeded: (Resource) -> Bool = { _ in true }, by deadline: PictureDeadline?,
        for owner: PinOwner, storesImages: Bool, onRequested: @escaping @Sendable () -> Void,
        progress: ProgressHandler?
    ) async -> (Loaded, Arrivals) {
        var loaded: Loaded = [:], arrivals = Arrivals()
        for round in 0..<Self.roundLimit {
            let needed = plan.resources.filter(isNeeded)
            // The margin is pinned as well: it must fit in memory together with this view.
            cache.pin(Set(needed.map(\.location)), for: owner)
            let missing = needed.filter { $0.use != .margin && loaded[$0.id] == nil }.nearestFirst
                .map { storesImages ? $0.stored : $0 }
            guard round == 0 || !missing.isEmpty, !Task.isCancelled else { break }
            let isFirst = round == 0
            let begun: @Sendable () -> Void = { if isFirst { onRequested() } }
            // Substitutes do not count as progress.
            let came = Set(needed.lazy.filter { $0.use == .shown && loaded[$0.id] != nil }.map(\.location)).count
            let count = Set(missing.lazy.filter { $0.use == .shown }.map(\.location)).count
            let report: @Sendable (Int) -> Void = { done in
                if done <= count { progress?(MapRenderer.Progress(done: came + done, total: came + count)) }
            }
            let found = await load(
                missing, isMargin: false, reloads: options.reloadsImages, by: deadline, onRequested: begun,
                progress: report)
            for (id, result) in found { Self.note(result, of: id, in: &arrivals) }
            loaded.merge(found) { first, _ in first }
            guard plan.isRevised(by: arrivals), !Task.isCancelled else { break }
            let earlier = plan, given = arrivals
            plan = await self.plan { planner.plan(earlier, given: given) }
        }
        return (loaded, arrivals)
    }

    /// Returns the dependencies of the picture of a plan, including failed resources.
    func validity(of plan: MapPlan, _ loaded: Loaded) -> ContentValidity {
        var validity = ContentValidity(), locations: [Resource.ID: Resource.Location] = [:],
            beside: Set<Resource.ID> = []
        for resource in plan.resources {
            locations[resource.id] = resource.location
            // A picture with substitutes is incomplete.
            if resource.use == .standIn || resource.use == .margin { beside.insert(resource.id) }
        }
        for (id, result) in loaded where !beside.contains(id) {
            switch result {
            case .success(let loaded): validity.formIntersection(loaded.validity)
            case .failure: validity.formIntersection(loader.validity(ofFailureAt: locations[id]))
            }
        }
        return validity
    }

    private static func note(
        _ result: Result<ResourceLoader.Loaded, ResourceError>, of id: Resource.ID, in arrivals: inout Arrivals
    ) {
        switch result {
        case .success(let loaded):
            arrivals.note(naturalSize: loaded.content.naturalSize, of: id)
            switch loaded.content {
            case .image(let image, _): arrivals[id] = .image(image)
            case .stored(let image, _): arrivals.store(image, of: id)
            case .nothing: arrivals[id] = .image(ResourceLoader.Content.transparent)
            case .vectorTile(let tile): arrivals.note(tile, of: id)
            case .elevations(let tile): arrivals.note(tile, of: id)
            case .document(let bytes, let name):
                arrivals[id] = .document(bytes)
                arrivals.note(contentCRS: name, of: id)
            }
        case .failure(let error): arrivals[id] = .failure(error)
        }
    }

    /// Loads resources in order of priority.
    ///
    /// It reads files and decodes images, and must not block the caller's actor.
    ///
    /// - Parameters:
    ///   - deadline: the deadline, after which only resources in memory or on disk are returned.
    ///   - progress: called with the number of received resources.
    @concurrent
    func load(
        _ resources: [Resource], isMargin: Bool, reloads: Bool, by deadline: PictureDeadline?,
        onRequested: @escaping @Sendable () -> Void,
        progress: @escaping @Sendable (Int) -> Void
    ) async -> Loaded {
        // Layers share identical resources.
        var sharing: [SharedResource: [Resource.ID]] = [:]
        var distinct: [Resource] = [], places: [SharedResource: Int] = [:]
        for resource in resources {
            let shared = SharedResource(resource)
            sharing[shared, default: []].append(resource.id)
            if let place = places[shared] {
                distinct[place] = distinct[place].wanted(as: resource)
            } else {
                places[shared] = distinct.count
                distinct.append(resource)
            }
        }
        let countdown = Countdown(parties: distinct.count, action: onRequested)
        var isLate = deadline?.hasPassed ?? false
        return await withTaskGroup(of: [Arrived]?.self) { [loader] group in
            if let deadline, !isLate, !distinct.isEmpty {
                group.addTask {
                    await deadline.wait()
                    return nil
                }
            }
            for batch in Self.batches(distinct.map { isLate ? $0.keptAlone : $0 }) {
                let wishes = batch.map { rank, resource in
                    let priority = Fetcher.Priority(isMargin: isMargin, rank: rank)
                    return (resource: resource, turn: FetchTurn(priority: priority) { countdown.arrive(rank) })
                }
                let arrive: @Sendable () async -> [Arrived] = {
                    // Resources in memory, and those that cannot be requested, arrive without a request.
                    defer { for (rank, _) in batch { countdown.arrive(rank) } }
                    let results =
                        wishes.count == 1
                        ? [await loader.load(wishes[0].resource, reloads: reloads, turn: wishes[0].turn)]
                        : await loader.load(together: wishes, reloads: reloads)
                    return zip(wishes, results).map { Arrived(shared: SharedResource($0.resource), result: $1) }
                }
                // An immediate start gives the first connections to the resources with the highest priority.
                if #available(macOS 26, iOS 26, *) {
                    group.addImmediateTask { await arrive() }
                } else {
                    group.addTask { await arrive() }
                }
            }
            var loaded: Loaded = [:], count = 0
            while count < distinct.count, let arrival = await group.next() {
                guard let all = arrival else {
                    // A cancelled timer ends early; in that case all tasks are cancelled.
                    isLate = deadline?.hasPassed ?? false
                    group.cancelAll()
                    continue
                }
                for arrived in all {
                    var result = arrived.result
                    if isLate, case .failure(let error) = result, [.cancelled, .offline].contains(error.cause) {
                        result = .failure(.late(arrived.shared.location))
                    }
                    for id in sharing[arrived.shared] ?? [] { loaded[id] = result }
                    count += 1
                    progress(count)
                }
            }
            // The timer is no longer needed.
            group.cancelAll()
            return loaded
        }
    }

    /// What layers share: the location, and the elevations that are read there; the same tile may be shown as an image too.
    private struct SharedResource: Hashable, Sendable {
        let location: Resource.Location
        private let reading: Resource.ElevationReading?

        init(_ resource: Resource) {
            location = resource.location
            if case .elevations(let own) = resource.form { reading = own } else { reading = nil }
        }
    }

    /// Returns the resources with their ranks, those together that are loaded together.
    private static func batches(_ resources: [Resource]) -> [[(rank: Int, resource: Resource)]] {
        var batches: [[(rank: Int, resource: Resource)]] = [], places: [ResourceLoader.ImageBatch: Int] = [:]
        for (rank, resource) in resources.enumerated() {
            let batch = ResourceLoader.ImageBatch(resource)
            if let place = batch.flatMap({ places[$0] }) {
                batches[place].append((rank, resource))
            } else {
                if let batch { places[batch] = batches.count }
                batches.append([(rank, resource)])
            }
        }
        return batches
    }

    /// The load result of one resource.
    private struct Arrived: Sendable {
        let shared: SharedResource
        let result: Result<ResourceLoader.Loaded, ResourceError>
    }
}

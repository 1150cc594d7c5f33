import PortolanFeatures
import PortolanFetch
public import PortolanGeo
public import PortolanPlan
public import PortolanRaster

/// A map for an app or a server: a view, layers, a selection, and pictures of them.
///
/// ```swift
/// let map = try MapFacade(width: 1024, height: 768)
/// try await map.addWMS("https://maps.example.org/wms", layers: ["depths"])
/// try map.center(on: Coordinate(x: -0.88, y: 41.65), zoom: 14)
/// let result = try await map.refresh()
/// ```
///
/// The class is not `Sendable`: use it from the actor that owns it, such as the main actor of an app or a task of a
/// server. Its async methods run on the caller's actor and pass only values to the renderer. ``MapFacade/viewport`` is
/// the visible area. Images are fetched and drawn by ``MapFacade/refresh(progress:)`` only.
public final class MapFacade {
    /// The current view.
    public internal(set) var viewport: Viewport {
        didSet {
            guard viewport != oldValue else { return }
            if !isMovedByControls { controls.jump(to: viewport) }
            changes.note()
            broadcast(.viewportChanged(viewport))
        }
    }

    /// The interactive view with gestures, animations, limits and history; see ``MapFacade/handle(_:)``.
    public var controls: MapControls

    /// The user's position, and how the map follows it; see ``MapFacade/startPosition(following:at:)``.
    public var position = PositionControl() { didSet { changes.note() } }

    /// The style of the position.
    public var positionStyle = PositionStyle() { didSet { changes.note() } }

    /// The colour of the area outside ``MapFacade/limitingExtent``, or `nil` for no mask.
    ///
    /// It is visible while the map is held beyond the limit, or if picture and limit have different aspect ratios.
    public var limitingMask: MapColor? {
        didSet {
            drawnMask = nil
            changes.note()
        }
    }

    /// The last mask layer and its extent.
    var drawnMask: (extent: Extent, source: FeatureSource)?

    /// The last position layer.
    var drawnPosition: (mark: PositionMark, source: FeatureSource)?

    /// The state of live layers.
    var live = LiveState()

    /// The content that pictures leave out because the client of the map draws it; it is found by hit tests anyway.
    package var clientContent = ClientContent() { didSet { if clientContent != oldValue { changes.note() } } }

    /// The symbols in the client's picture of its content, for hit tests.
    private var clientSymbols: ShownSymbols?

    /// A layer above the others that hit tests ignore, such as the outline of the selected feature.
    package var highlight: MapLayer? { didSet { changes.note() } }

    /// The time of the next required tick, or `nil`.
    ///
    /// Frames send it automatically.
    var nextTick: Duration?

    /// Whether the view is currently being set from the controls.
    var isMovedByControls = false

    /// The stages of opening the map, which determine the home view.
    enum Opening {
        /// The initial view.
        case made
        /// The features were fitted.
        ///
        /// More features may follow.
        case fitted
        /// A view was requested, drawn or moved.
        case done
    }

    /// The current stage of opening.
    var opening = Opening.made

    /// The layers, the lowest first.
    ///
    /// The vector layer, once used, is on top.
    public internal(set) var layers: [MapLayer] = [] { didSet { if notesLayers { changes.note() } } }

    /// Whether a change of the layers wakes the frame loop.
    var notesLayers = true

    /// The options of pictures.
    public var options = RenderOptions() { didSet { changes.note() } }

    /// The maximum visible extent in units of the map's CRS, or `nil` for no limit.
    ///
    /// Views are moved into it.
    public var limitingExtent: Extent? {
        get { limits.extent }
        set { limits.extent = newValue }
    }

    /// The limits of the views of the map.
    ///
    /// The current view and requested views are moved into the limits. Levels and tile grids apply to gestures only.
    public var limits: ViewLimits {
        get { controls.limits }
        set {
            controls.limits = newValue
            if let limited = try? limited(viewport) { viewport = limited }
        }
    }

    /// Whether taps and keys select features; see ``MapFacade/handle(_:)``.
    public var isSelecting = true

    /// The layer and identifier of the selected feature, or `nil`.
    package internal(set) var selection: Selection? { didSet { changes.note() } }

    /// A reference to a feature by layer and identifier.
    package struct Selection: Hashable {
        package var layer: String
        package var feature: Feature.ID
    }

    /// The name of the layer for an app's own features.
    public static let vectorLayerName = "vectors"

    /// The changes that affect pictures.
    ///
    /// Frames wait for them.
    let changes = MapChanges()

    package let renderer: MapRenderer
    let owner = PinOwner()
    private let broadcaster = MapEventBroadcaster()
    /// The positions of style labels and icons in the last picture.
    private(set) var shownSymbols = ShownSymbols()
    private var drawingTask: Task<MapRenderer.Drawing, Never>?
    private var marginTask: Task<Void, Never>?
    private var watchTask: Task<Void, Never>?
    /// The images that only the last pictures needed, the newest last.
    private var singleImages: [Set<Resource.Location>] = []
    /// The number of pictures whose images are kept in memory, for quick back and forward navigation.
    private static let keptDrawingCount = 3

    /// Creates a map that shows the whole world.
    ///
    /// If the CRS has no world extent, it shows the area around its origin.
    ///
    /// - Parameters:
    ///   - size: the size in view pixels.
    ///   - renderer: the renderer, which several maps may share.
    /// - Throws: ``MapError`` with the code ``MapError/Code/tooLarge`` if the picture would be too large.
    public init(
        size: ImageSize, pixelRatio: Double = 1, crs: CRS = .webMercator, renderer: MapRenderer = MapRenderer()
    ) throws(MapError) {
        self.renderer = renderer
        let viewport: Viewport
        do throws(Viewport.InvalidError) {
            if let world = crs.worldExtent {
                viewport = try .showing(world, size: size, pixelRatio: pixelRatio, crs: crs)
            } else {
                guard let resolution = Resolution(zoom: 8, in: crs) else { throw .resolutionOutOfRange }
                viewport = try Viewport(
                    center: Coordinate(x: 0, y: 0), resolution: resolution, size: size, pixelRatio: pixelRatio,
                    crs: crs)
            }
        } catch { throw MapError(error) }
        self.viewport = viewport
        controls = MapControls(viewport)
    }

    /// Creates a map with a size in view pixels that shows the whole world or the area around the CRS's origin.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/tooLarge`` if the picture would be too large or a side is
    ///   not positive.
    public convenience init(
        width: Int, height: Int, pixelRatio: Double = 1, crs: CRS = .webMercator, renderer: MapRenderer = MapRenderer()
    ) throws(MapError) {
        guard let size = ImageSize(width: width, height: height) else {
            throw MapError(Viewport.InvalidError.pictureTooLarge(width: width, height: height, pixelRatio: pixelRatio))
        }
        try self.init(size: size, pixelRatio: pixelRatio, crs: crs, renderer: renderer)
    }

    deinit {
        drawingTask?.cancel()
        marginTask?.cancel()
        watchTask?.cancel()
        renderer.release(owner)
        renderer.forget(Set(singleImages.joined()))
        broadcaster.finish()
    }

    /// Renders the current map, and notifies listeners about layers and connections.
    ///
    /// ```swift
    /// let result = try await map.refresh { print("\($0.done) of \($0.total)") }
    /// try result.writePNG(to: "map.png")
    /// ```
    ///
    /// A running render is cancelled and throws ``MapError/Code/cancelled``; resources that both need are fetched once.
    /// Resources in the margin (see ``RenderOptions/offScreenMargin``) are fetched after the picture is complete.
    ///
    /// - Throws: ``MapError``, as ``MapRenderer/render(_:in:options:progress:)``.
    public func refresh(progress: MapRenderer.ProgressHandler? = nil) async throws(MapError) -> RenderResult {
        try tell(of: await newDrawing(progress: progress)).get()
    }

    /// Whether hit tests know the symbols of the content that the client draws in the current view.
    package var knowsClientSymbols: Bool { clientContent.layers.isEmpty || clientSymbols?.viewport == viewport }

    /// Adopts the symbols of a picture for hit tests in content that the client draws.
    package func adoptClientSymbols(of result: RenderResult) { clientSymbols = result.symbols }

    /// The symbols that hit tests find.
    var foundSymbols: ShownSymbols { clientContent.layers.isEmpty ? shownSymbols : clientSymbols ?? shownSymbols }

    /// Notifies listeners about the layers and connections of a drawing, and fetches its margin.
    func tell(of drawing: MapRenderer.Drawing) -> Result<RenderResult, MapError> {
        forgetOldImages(besides: drawing.singleImages)
        let report: RenderReport?
        switch drawing.result {
        case .success(let result): report = result.report
        case .failure(let error): report = error.report
        }
        // Lost connections are reported even without a picture, when the report is most useful.
        for layer in report?.layers ?? [] {
            if let lost = drawing.lostConnections[layer.name] {
                broadcaster.lose(layer: layer.name, lost)
            } else if layer.fetched > 0 {
                broadcaster.restore(layer: layer.name)
            }
        }
        watchLostConnections()
        guard case .success(let result) = drawing.result else { return drawing.result }
        shownSymbols = result.symbols
        for layer in result.report.layers where !Self.ownLayerNames.contains(layer.name) {
            broadcast(.layerLoaded(name: layer.name, isComplete: layer.failed.isEmpty))
        }
        if !drawing.margin.isEmpty {
            marginTask?.cancel()
            marginTask = Task { [renderer] in await renderer.prefetch(drawing) }
        }
        return drawing.result
    }

    /// Removes images from memory that only earlier views need.
    private func forgetOldImages(besides images: Set<Resource.Location>) {
        guard images != singleImages.last else { return }
        singleImages.append(images)
        guard singleImages.count > Self.keptDrawingCount else { return }
        let old = singleImages.removeFirst()
        renderer.forget(old.subtracting(singleImages.joined()))
    }

    /// Draws the map, and cancels the previous drawing once all resources needed now have been requested.
    private func newDrawing(progress: MapRenderer.ProgressHandler?) async -> MapRenderer.Drawing {
        opening = .done
        let earlier = drawingTask, margin = marginTask
        let task = Task { [renderer, layersToDraw, viewport, options = options.steady, owner] in
            await renderer.draw(
                layersToDraw, in: viewport, options: options, for: owner,
                onRequested: {
                    earlier?.cancel()
                    margin?.cancel()
                }, progress: progress)
        }
        drawingTask = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Probes lost servers at intervals while there are listeners.
    private func watchLostConnections() {
        watchTask?.cancel()
        watchTask = nil
        guard broadcaster.isWatching else { return }
        watchTask = Task { [renderer, broadcaster] in
            var delay = Duration.seconds(1)
            while true {
                await renderer.clock.sleep(delay)
                guard !Task.isCancelled, broadcaster.isWatching else { return }
                for (layers, resource) in broadcaster.lostServers where await renderer.answers(resource) {
                    guard !Task.isCancelled else { return }
                    for layer in layers { broadcaster.restore(layer: layer) }
                }
                delay = min(delay * 2, .seconds(60))
            }
        }
    }

    /// Waits until the margin of the last picture has been fetched; returns immediately if none exists.
    public func waitForMargin() async { await marginTask?.value }

    /// The layers with the selected feature marked, and the mask, the highlight and the position above them, without
    /// the content that the client draws.
    var layersToDraw: [MapLayer] {
        layers.filter { !clientContent.layers.contains($0.name) }.map { layer in
            layer.selecting(selection.flatMap { $0.layer == layer.name ? $0.feature : nil })
        } + [maskLayer, highlight, clientContent.hasPosition ? nil : positionLayer].compactMap(\.self)
    }

    /// Returns a stream of future events.
    ///
    /// ```swift
    /// for await event in map.events() {
    ///     if case .connectionLost(let layer, _) = event { print("offline: \(layer)") }
    /// }
    /// ```
    ///
    /// Each listener needs its own stream.
    ///
    /// For a slow listener, the newest 256 events are buffered.
    public func events() -> AsyncStream<MapFacade.Event> { broadcaster.events() }

    func broadcast(_ event: MapFacade.Event) { broadcaster.broadcast(event) }
}

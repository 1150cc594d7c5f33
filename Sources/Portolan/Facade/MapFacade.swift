import PortolanFeatures
import PortolanFetch
public import PortolanGeo
public import PortolanPlan
public import PortolanRaster

/// The one door for an app: a view, layers, a selection, and pictures of them.
///
/// A facade is not `Sendable`: use it from whichever actor owns it, the main actor in an app or a task in a server. Its
/// async methods run on the caller's actor and hand only values to the renderer. ``MapFacade/viewport`` says what is seen;
/// nothing is fetched or drawn before ``MapFacade/refresh(progress:)``.
public final class MapFacade {
    /// What is seen.
    public internal(set) var viewport: Viewport {
        didSet {
            guard viewport != oldValue else { return }
            if !isMovedByControls { controls.jump(to: viewport) }
            changes.note()
            broadcast(.viewportChanged(viewport))
        }
    }

    /// How gestures and animations move the view, and its limits and history; see ``MapFacade/handle(_:)``.
    public var controls: MapControls

    /// What is known of the position, and how the map follows it; see ``MapFacade/startPosition(following:at:)``.
    public var position = PositionControl() { didSet { changes.note() } }

    /// How the position is drawn.
    public var positionStyle = PositionStyle() { didSet { changes.note() } }

    /// The colour laid over what lies outside ``MapFacade/limitingExtent``, or `nil` for none.
    ///
    /// It is seen while the map is held beyond the limit, or where the picture has another shape than the limit.
    public var limitingMask: Color? {
        didSet {
            drawnMask = nil
            changes.note()
        }
    }

    /// The mask as it was drawn last, and of which extent.
    var drawnMask: (extent: Extent, source: FeatureSource)?

    /// The position as it was drawn last.
    var drawnPosition: (mark: PositionMark, source: FeatureSource)?

    /// When live layers are drawn, and what is followed of them.
    var live = LiveState()

    /// When a tick is wanted, or `nil` when none is; frames send it by themselves.
    var nextTick: Duration?

    /// Whether the view is being set to what the controls say.
    var isMovedByControls = false

    /// How far the map has been opened: what home is depends on it.
    enum Opening {
        /// It shows what it was made with.
        case made
        /// Its features were fitted; further ones may still be.
        case fitted
        /// It shows a view that was asked for, or was drawn, or moved.
        case done
    }

    /// How far the map has been opened.
    var opening = Opening.made

    /// The layers, bottom first; the vector layer, once used, is on top of them.
    public internal(set) var layers: [MapLayer] = [] { didSet { if notesLayers { changes.note() } } }

    /// Whether who draws the map is woken when layers are set.
    var notesLayers = true

    /// What pictures look like, beside view and layers.
    public var options = RenderOptions() { didSet { changes.note() } }

    /// What the map may show at the most, in units of its CRS, or `nil` for no limit; views are moved into it.
    public var limitingExtent: Extent? {
        get { limits.extent }
        set { limits.extent = newValue }
    }

    /// What views the map may show.
    ///
    /// The present one is moved into them, and so are those that are asked for. Levels and tile grids are for gestures alone.
    public var limits: ViewLimits {
        get { controls.limits }
        set {
            controls.limits = newValue
            if let limited = try? limited(viewport) { viewport = limited }
        }
    }

    /// Whether taps and keys select features; see ``MapFacade/handle(_:)``.
    public var isSelecting = true

    /// Where the selected feature is, or `nil` when none is selected.
    package internal(set) var selection: Selection? { didSet { changes.note() } }

    /// A feature by its layer and identifier.
    package struct Selection: Hashable {
        package var layer: String
        package var feature: FeatureID
    }

    /// The name of the layer for an app's own features.
    public static let vectorLayerName = "vectors"

    /// What pictures depend on has changed; who shows frames waits for it.
    let changes = MapChanges()

    package let renderer: MapRenderer
    let owner = PinOwner()
    private let broadcaster = MapEventBroadcaster()
    /// The texts and icons of styles where the last picture showed them.
    private(set) var shownSymbols = ShownSymbols()
    private var drawingTask: Task<MapRenderer.Drawing, Never>?
    private var marginTask: Task<Void, Never>?
    private var watchTask: Task<Void, Never>?
    /// The images of the last drawings that no other view has, the newest last.
    private var singleImages: [Set<Resource.Location>] = []
    /// How many drawings keep such images in memory: a step back and forward again is quick.
    private static let keptDrawingCount = 3

    /// Makes a map that shows the whole world, or, where the CRS covers only a part, the place of its origin.
    ///
    /// - Parameters:
    ///   - size: in view pixels.
    ///   - renderer: may be shared by several maps.
    /// - Throws: ``MapError`` with the code ``MapError/Code/tooLarge`` when the picture would be too large.
    public init(
        size: ImageSize, pixelRatio: Double = 1, crs: CRS = .webMercator, renderer: MapRenderer = MapRenderer()
    ) throws(MapError) {
        self.renderer = renderer
        let viewport: Viewport
        do throws(ViewportError) {
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

    /// Makes a map of a size in view pixels that shows the whole world, or the place of the CRS's origin.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/tooLarge``, when a side is not above zero as well.
    public convenience init(
        width: Int, height: Int, pixelRatio: Double = 1, crs: CRS = .webMercator, renderer: MapRenderer = MapRenderer()
    ) throws(MapError) {
        guard let size = ImageSize(width: width, height: height) else {
            throw MapError(ViewportError.pictureTooLarge(width: width, height: height, pixelRatio: pixelRatio))
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

    /// Draws the map as it is now, and tells listeners about layers and connections.
    ///
    /// A drawing that is under way is given up for this one, and throws ``MapError/Code/cancelled``; what both need is
    /// fetched once. What lies in the margin (see ``RenderOptions/offScreenMargin``) is fetched after the picture is
    /// there.
    ///
    /// - Throws: ``MapError`` as ``MapRenderer/render(_:in:options:progress:)`` does.
    public func refresh(progress: MapRenderer.ProgressHandler? = nil) async throws(MapError) -> RenderResult {
        try tell(of: await newDrawing(progress: progress)).get()
    }

    /// Tells listeners about the layers and connections of a drawing, and goes on with its margin.
    func tell(of drawing: MapRenderer.Drawing) -> Result<RenderResult, MapError> {
        forgetOldImages(besides: drawing.singleImages)
        let report: RenderReport?
        switch drawing.result {
        case .success(let result): report = result.report
        case .failure(let error): report = error.report
        }
        // Of connections listeners hear even when no picture comes of it: that is when they matter most.
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

    /// Removes the images of earlier views from memory that no view but theirs needs.
    private func forgetOldImages(besides images: Set<Resource.Location>) {
        guard images != singleImages.last else { return }
        singleImages.append(images)
        guard singleImages.count > Self.keptDrawingCount else { return }
        let old = singleImages.removeFirst()
        renderer.forget(old.subtracting(singleImages.joined()))
    }

    /// Draws, and gives up what was under way as soon as all that is needed now has been asked for.
    private func newDrawing(progress: MapRenderer.ProgressHandler?) async -> MapRenderer.Drawing {
        opening = .done
        let earlier = drawingTask, margin = marginTask
        let task = Task { [renderer, layersToDraw, viewport, options, owner] in
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

    /// While connections are lost and someone listens: asks each server now and then whether it is back.
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

    /// Waits until the margin of the last picture has been fetched; returns at once when there is none.
    public func waitForMargin() async { await marginTask?.value }

    /// The layers with the selected feature marked, and the mask and the position above them.
    var layersToDraw: [MapLayer] {
        layers.map { layer in
            layer.selecting(selection.flatMap { $0.layer == layer.name ? $0.feature : nil })
        } + [maskLayer, positionLayer].compactMap(\.self)
    }

    /// A stream of what happens to the map from now on; ask for one for each listener.
    ///
    /// A listener that falls behind keeps the newest 256 events.
    public func events() -> AsyncStream<MapEvent> { broadcaster.events() }

    func broadcast(_ event: MapEvent) { broadcaster.broadcast(event) }
}

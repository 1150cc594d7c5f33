import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanRealtime
import PortolanRouting
import Synchronization

/// A map that a user views in a browser: a facade that the user controls, and the resulting pictures.
///
/// The page requests changes since its last response (``frame(_:within:)``). The response is sent as soon as there are
/// any: the current view, and the changed part of the picture, which the page moves to the current view. Input and
/// pictures thus need only plain requests, one of each at a time, and a slow connection gets fewer pictures but no
/// outdated ones.
///
/// A page can draw parts of the map itself (``ViewerContent``). Pictures then contain only the rest.
actor ViewerSession {
    /// The parameters of a new session.
    struct Opening: Sendable {
        /// The picture size in view pixels.
        var size: ImageSize
        /// The number of picture pixels per view pixel.
        var pixelRatio: Double
        /// Whether the user prefers reduced motion.
        var reducesMotion = false
        /// The initial coordinate in degrees, zoom level and bearing, or `nil` for the initial view of the map.
        var view: (place: Coordinate, zoom: Double, bearing: Double)?
        /// The client for fair scheduling of legends and downloads.
        var client = ""
        /// The content that the page draws itself.
        var drawn: Set<ViewerContent> = []
    }

    /// The map.
    nonisolated let map: PublishedMap
    let facade: MapFacade
    let clock: FrameClock
    let maker: PictureMaker
    let client: String
    /// The resources shared with other viewers.
    let share: ViewerShare
    let limits: ServingLimits
    /// The functions that are offered.
    let offer: ViewerOffer
    /// The action of taps on the map.
    private(set) var tool = ViewerTool.selecting
    /// The layer names of shown routes, by route identifier.
    var routeLayers: [String: String] = [:]
    /// The simulated trip along a line.
    var simulation: Task<Void, Never>?
    /// The planned route with its errors, and the running search.
    var draft = RouteDraft(name: "Planned route")
    var planning: Task<Void, Never>?
    var planningFault: String?
    /// The public transport display, and the task that polls its vehicles.
    var transit = ViewerCity()
    var listening: Task<Void, Never>?
    /// The content that the page draws itself.
    let drawn: Set<ViewerContent>
    /// The moving objects on the page, and what they were last compared for.
    var moving = ViewerMarks()
    var marked: (view: Viewport, selected: Feature.ID?, filters: TransitPreferences.Filters, time: Duration)?
    /// The number of the latest change of the view, picture or state.
    private var number = 0
    /// The picture of the map, without the content that the page draws.
    private var picture = ViewerPicture()
    /// The time and the encoded size of the last picture that was sent.
    private var sent: (time: Duration, byteCount: Int)?
    /// The reserved memory for pictures.
    let charge: MemoryCharge
    private var isFinal = false
    /// The view at the last noted change.
    private var notedView: Viewport?
    /// Whether a check for the end of a motion, or for a picture that was held back, is scheduled.
    private var isWatched = false
    /// The number of the latest change of ``state``.
    private(set) var stateNumber = 1
    /// The parts of ``state`` that depend on the view.
    private var standing: [Bool] = []
    /// The messages for the user, newest last.
    var messages: [String] = []
    /// The layers whose servers are unreachable.
    private(set) var lost: Set<String> = []
    private var acknowledged = 0
    /// The place of the last pointer that was pressed.
    private var pressed: Point?
    private var lastInput = Duration.zero
    /// The activity of the page.
    private nonisolated let attention: Mutex<ViewerAttention>
    /// The requests waiting for changes, each with its end time.
    private var waiting: [Int: (end: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    private var waitCount = 0
    /// The timer for the end of waiting requests.
    private var alarm: FrameAlarm?
    /// The tasks that receive map events, and draw while the page is active.
    private var hearing: Task<Void, Never>?, drawing: Task<Void, Never>?
    private(set) var isClosed = false

    /// Creates a session; ``start()`` begins drawing.
    ///
    /// - Throws: ``Problem`` if the picture cannot be drawn.
    init(
        _ map: PublishedMap, _ opening: Opening, maker: PictureMaker, limits: ServingLimits, offer: ViewerOffer,
        share: ViewerShare, attention: ViewerAttention, clock: FrameClock
    ) throws(Problem) {
        self.map = map
        self.maker = maker
        client = opening.client
        drawn = opening.drawn
        self.limits = limits
        self.offer = offer
        self.share = share
        self.clock = clock
        self.attention = Mutex(attention)
        do {
            facade = try MapFacade(
                size: opening.size, pixelRatio: limits.ratio(opening.pixelRatio, of: opening.size), crs: map.crs,
                renderer: map.renderer)
            for layer in map.layers { try facade.add(layer) }
            facade.controls.reducesMotion = opening.reducesMotion
            // The page shows the attribution.
            facade.options.attribution = .none
            try Self.show(opening.view, of: map, on: facade)
        } catch { throw Problem(.nothingToDraw, "cannot show the map: \(error)") }
        charge = try share.charge(pixelCount: facade.viewport.imageSize.pixelCount)
        facade.clientContent.hasPosition = drawn.contains(.position)
    }

    private static func show(
        _ view: (place: Coordinate, zoom: Double, bearing: Double)?, of map: PublishedMap, on facade: MapFacade
    ) throws {
        if let view {
            try facade.center(on: view.place, zoom: view.zoom)
            try facade.rotate(to: view.bearing)
        } else {
            try facade.show(map.view)
        }
        facade.controls.history = ViewHistory(facade.viewport)
    }

    /// Starts drawing after each change, until ``close()``.
    func start() {
        hearing = Task { await self.hear() }
        divide()
        draw()
    }

    /// Ends the session and answers all waiting requests.
    func close() {
        isClosed = true
        for task in [hearing, drawing, simulation, planning, listening] { task?.cancel() }
        charge.shrink(by: charge.byteCount)
        note()
    }

    // MARK: - Attention

    /// Returns the activity of the page.
    nonisolated func level(at time: Duration) -> ViewerAttention.Level { attention.withLock { $0.level(at: time) } }

    /// Returns the time since the last request of the page.
    nonisolated func silence(at time: Duration) -> Duration { attention.withLock { $0.silence(at: time) } }

    /// Performs a request of the page, and registers its start and end.
    nonisolated func attending<Value: Sendable>(
        _ work: (ViewerSession) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        attention.withLock { $0.begin(at: clock.now()) }
        defer { attention.withLock { $0.end(at: clock.now()) } }
        return try await work(self)
    }

    /// Pauses drawing and vehicle updates until the next request of the page, which gets the last picture.
    func rest() {
        guard level(at: clock.now()) != .looking else { return }
        drawing?.cancel()
        listening?.cancel()
        (drawing, listening) = (nil, nil)
    }

    /// Whether it draws after each change.
    var isDrawing: Bool { drawing != nil }

    /// The number of requests waiting for changes.
    var waitingCount: Int { waiting.count }

    /// Starts drawing unless it is already running.
    private func draw() {
        guard drawing == nil, !isClosed else { return }
        isFinal = false
        drawing = Task { await self.showFrames() }
        listen()
    }

    // MARK: - Drawing

    private func showFrames() async {
        // Viewer threads paint, so that request handling is not blocked. The page moves pictures itself.
        var how = FramePainting()
        (how.executor, how.movesPictures) = (share.threads, false)
        var frames = facade.frames(perSecond: 60, clock: clock, painting: how).makeAsyncIterator(), painting = 0
        while !Task.isCancelled, let frame = await frames.next(isolation: self) {
            if let error = frame.error { tell("\(error)") }
            var isNews = isFinal != frame.isFinal || notedView != facade.viewport
            // With moving vehicles, all new content can arrive in moved frames.
            if frame.stage != .moved || frame.painting != painting {
                painting = frame.painting
                if picture.take(frame) {
                    // Drawing for viewers fills the caches of their maps, too.
                    maker.settle()
                    isNews = isNews || frame.isFinal || isPictureDue
                    if !isNews { watch(in: .milliseconds(100)) }
                }
            }
            isFinal = frame.isFinal
            if isNews { note() }
        }
    }

    private func hear() async {
        for await event in facade.events() {
            switch event {
            case .connectionLost(let layer, let detail):
                lost.insert(layer)
                tell("\(layer): \(detail)")
            case .connectionRestored(let layer): lost.remove(layer)
            case .selectionChanged: outlineSelection()
            case .position: break
            default: continue
            }
            changeState()
        }
    }

    /// Adds a message for the user.
    func tell(_ message: String) {
        guard messages.last != message else { return }
        messages = messages.suffix(19) + [message]
        changeState()
    }

    /// Registers a change of ``state``.
    func changeState() {
        stateNumber += 1
        note()
    }

    /// Registers a change and answers waiting requests.
    func note() {
        divide()
        let history = facade.controls.history, resolution = facade.viewport.resolution
        let standing = [history.canGoBack, history.canGoForward] + facade.layers.map { $0.isDrawn(at: resolution) }
        if standing != self.standing {
            self.standing = standing
            stateNumber += 1
        }
        number += 1
        notedView = facade.viewport
        for turn in waiting.keys { wake(turn) }
    }

    /// Applies a batch of events, once.
    ///
    /// - Returns: the actions for the page: selection boxes to draw.
    func take(_ input: ViewerInput) async -> [GestureMachine.Action] {
        guard input.sequence > acknowledged else { return [] }
        acknowledged = input.sequence
        await prepareTap(input)
        // The page's clock differs from ours: its last event is assumed to be now.
        let now = clock.now(), offset = now - (input.events.last?.time ?? .zero)
        var actions: [GestureMachine.Action] = []
        for event in input.events {
            lastInput = min(max(event.time + offset, lastInput), now)
            let done = facade.handle(InputEvent(event.input, at: lastInput))
            for case .tap(let pixel) in done { tap(pixel) }
            if done.contains(.command(.selectNext)) || done.contains(.command(.selectPrevious)) { showSelected() }
            actions += done
        }
        note()
        return actions
    }

    /// Renders the labels and icons of the content that the page draws, if a batch may tap one.
    private func prepareTap(_ input: ViewerInput) async {
        var isTap = false
        for event in input.events {
            guard case .pointer(let phase, let pointer) = event.input else { continue }
            if phase == .down { pressed = pointer.place }
            if phase == .up, let start = pressed {
                isTap = max(abs(pointer.place.x - start.x), abs(pointer.place.y - start.y)) < 15
            }
        }
        // Only labels and icons of styles depend on the picture.
        guard isTap, facade.isSelecting, !facade.knowsClientSymbols,
            facade.layers.contains(where: { $0.isVisible && $0.style != nil }),
            let result = try? await rendered(facade.layers, in: facade.viewport, RenderOptions())
        else { return }
        facade.adoptClientSymbols(of: result)
    }

    /// Sets the action of taps.
    func use(_ tool: ViewerTool) {
        self.tool = tool
        facade.isSelecting = tool == .selecting
        // Double taps are taps here, because nearby points may be intended.
        let twice: Set<GestureMachine.Settings.Gesture> = [.doubleTap, .tapDrag]
        if tool == .selecting {
            facade.controls.gestures.settings.enabled.formUnion(twice)
        } else {
            facade.controls.gestures.settings.enabled.subtract(twice)
        }
    }

    /// Applies the current tool to a tap.
    private func tap(_ pixel: Point) {
        let coordinate = facade.viewport.coordinate(at: pixel)
        guard tool != .selecting || transit.isShown, let place = inDegrees(coordinate) else { return }
        switch tool {
        case .selecting: chooseStop()
        case .measuring(let measuring):
            do { try addMeasured(place, to: measuring) } catch { tell("\(error)") }
        case .planning: addPlanned(place)
        case .departing, .arriving: endJourney(at: place, isDeparture: tool == .departing)
        }
        changeState()
    }

    /// Returns a map coordinate in degrees, or `nil` if it is not on the earth.
    private func inDegrees(_ coordinate: Coordinate) -> Coordinate? {
        guard let place = (try? CoordinateTransform(from: map.crs, to: .crs84))?(coordinate), abs(place.y) <= 90
        else { return nil }
        return Coordinate(x: (place.x + 540).truncatingRemainder(dividingBy: 360) - 180, y: place.y)
    }

    /// The centre of the view, in degrees.
    var centerInDegrees: Coordinate? { inDegrees(facade.viewport.center) }

    /// Scrolls the selected feature into view, clear of the controls over the map.
    func showSelected() { facade.showSelectedFeature(margin: 60, at: clock.now()) }

    /// Responds as soon as there are changes since the page's last response, or after a timeout.
    func frame(_ request: ViewerFrameRequest, within wait: Duration) async -> ServerResponse {
        draw()
        if number <= request.seen, !isClosed { await newer(within: wait) }
        guard !isClosed else { return Problem(.notFound, "the viewer was closed").response }
        var members: Properties = [
            "n": .integer(number), "ack": .integer(acknowledged), "state": .integer(stateNumber),
            "view": .object(facade.viewport.told),
            // A recent command may not have been drawn, or not have started to move the map.
            "final": .bool(isAtRest),
        ]
        if drawn.contains(.ground) { members["ground"] = groundTold }
        if facade.controls.isMoving(at: clock.now()) {
            members["goal"] = .object(facade.controls.destination.placeTold)
        }
        if drawn.contains(.position), let here = positionTold { members["here"] = here }
        var response = ServerResponse(status: 204)
        if let view = picture.view {
            if picture.number != request.known, !isPictureDue {
                // The page keeps its picture for now.
                watch(in: .milliseconds(100))
                if request.known > 0 { members["pictureNumber"] = .integer(request.known) }
            } else {
                members["picture"] = .object(view.told)
                members["pictureNumber"] = .integer(picture.number)
                if let patch = picture.patch(since: request.known, isWhole: drawn.isEmpty) {
                    members["patch"] = patch.told
                    let (type, bytes) = await encoded(patch, for: request)
                    response = ServerResponse(type: type, body: bytes)
                    sent = (clock.now(), bytes.count)
                } else if picture.number != request.known {
                    members["patch"] = "empty"
                }
            }
        }
        let head = String(decoding: GeoJSONWriter.json(.object(members)), as: UTF8.self)
        response.set("Portolan-Frame", head)
        response.set("Cache-Control", "no-store")
        return response
    }

    /// Returns the stops and lines that match a search text.
    ///
    /// - Throws: ``Problem`` if the server has no public transport.
    func found(_ text: String) throws(Problem) -> PropertyValue {
        guard let city = offer.city else { throw Problem(.notFound, "this server has no public transport") }
        return city.found(String(text.prefix(100)))
    }

    /// Whether the picture is complete and current, and the map does not move.
    private var isAtRest: Bool {
        guard isFinal, picture.view == facade.viewport else { return false }
        guard facade.controls.isMoving(at: clock.now()) else { return true }
        // A motion without effect, such as zooming beyond the highest level, ends without a frame.
        watch(in: .milliseconds(50))
        return false
    }

    /// Answers waiting requests after a while.
    private func watch(in delay: Duration) {
        guard !isWatched else { return }
        isWatched = true
        Task { [clock] in
            await clock.sleep(delay)
            self.isWatched = false
            self.note()
        }
    }

    /// Whether a changed picture is sent now: at rest, and at intervals that depend on its size while the map changes.
    private var isPictureDue: Bool {
        guard let sent else { return true }
        let isHeld = facade.controls.isHeld || facade.controls.isMoving(at: clock.now())
        if !isHeld, isFinal { return true }
        let seconds = Double(sent.byteCount) / Self.bytesPerSecond
        return clock.now() - sent.time >= max(.seconds(seconds), .milliseconds(200))
    }

    /// The amount of pictures that is sent per second while the map changes.
    private static let bytesPerSecond = 600_000.0

    /// Waits for a change, at most for a duration.
    private func newer(within wait: Duration) async {
        // A page has one waiting request, and another one if a connection was lost.
        if waiting.count >= 4, let oldest = waiting.keys.min() { wake(oldest) }
        waitCount += 1
        let turn = waitCount, end = clock.now() + wait
        if alarm == nil { alarm = FrameAlarm(clock) { [weak self] in Task { await self?.wakeLate() } } }
        alarm?.set(for: end)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiting[turn] = (end, continuation) }
            }
        } onCancel: {
            Task { await self.wake(turn) }
        }
    }

    private func wake(_ turn: Int) { waiting.removeValue(forKey: turn)?.continuation.resume() }

    /// Answers the requests whose wait is over.
    private func wakeLate() {
        let now = clock.now()
        for (turn, waiter) in waiting where waiter.end <= now { wake(turn) }
        if let next = waiting.values.map(\.end).min() { alarm?.set(for: next) }
    }
}

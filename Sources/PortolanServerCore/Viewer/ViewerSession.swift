import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanRouting
import Synchronization

/// A map that a person looks at in a browser: a facade of its own, moved by what the person does, and the pictures that come
/// of it.
///
/// The page asks for what is newer than what it has (``frame(after:knowing:within:)``) and is answered as soon as there is
/// something: where the map is now, and a picture where there is a new one, which the page moves to where the map is. So
/// input and pictures need no more than requests, one of each under way, and a slow line gets fewer pictures and no old ones.
actor ViewerSession {
    /// What a page says of itself when it begins.
    struct Opening: Sendable {
        /// The picture in view pixels.
        var size: ImageSize
        /// Picture pixels a view pixel.
        var pixelRatio: Double
        /// Whether the person wants things to move no more than they must.
        var reducesMotion = false
        /// A place in degrees, a level and a bearing to begin with, or `nil` for what the map shows first.
        var view: (place: Coordinate, zoom: Double, bearing: Double)?
        /// The client whose turn it is when a legend or another whole picture is drawn.
        var client = ""
    }

    private struct Picture: Sendable {
        let number: Int
        let view: Viewport
        let bytes: [UInt8]
    }

    /// The map that is looked at.
    nonisolated let map: PublishedMap
    let facade: MapFacade
    let clock: FrameClock
    let maker: PictureMaker
    let client: String
    /// What it shares with other viewers.
    let share: ViewerShare
    let limits: ServingLimits
    /// What may be done beside looking.
    let offer: ViewerOffer
    /// What taps on the map do.
    private(set) var tool = ViewerTool.selecting
    /// The layers of routes of the server's book, by their identifiers.
    var routeLayers: [String: String] = [:]
    /// Goes along a line.
    var simulation: Task<Void, Never>?
    /// The route that is planned, what looks for its way, and why there is none.
    var draft = RouteDraft(name: "Planned route")
    var planning: Task<Void, Never>?
    var planningFault: String?
    /// What is shown of public transport, and what listens to its vehicles.
    var transit = ViewerCity()
    var listening: Task<Void, Never>?
    /// Counts what a page may have to know: where the map is, its picture, its state.
    private var number = 0
    private var picture: Picture?
    private var pictureCount = 0
    /// The memory of its pictures.
    let charge: MemoryCharge
    private var isFinal = false
    /// Where the map was when something was noted last.
    private var notedView: Viewport?
    /// Whether it is looked soon whether a motion has ended.
    private var isWatched = false
    /// Counts changes of what ``state`` tells.
    private(set) var stateNumber = 1
    /// What ``state`` tells that the view decides.
    private var standing: [Bool] = []
    /// What went wrong, newest last.
    var messages: [String] = []
    /// Layers whose servers cannot be reached.
    private(set) var lost: Set<String> = []
    private var acknowledged = 0
    private var lastInput = Duration.zero
    /// Whether anybody looks.
    private nonisolated let attention: Mutex<ViewerAttention>
    /// Requests for what is newer, each until a time.
    private var waiting: [Int: (end: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    private var waitCount = 0
    /// Rings when requests have waited for long enough.
    private var alarm: FrameAlarm?
    /// Hears what happens to the map, and draws it while somebody looks.
    private var hearing: Task<Void, Never>?, drawing: Task<Void, Never>?
    private(set) var isClosed = false

    /// Makes a session; ``start()`` lets it draw.
    ///
    /// - Throws: ``Problem`` where the picture cannot be drawn.
    init(
        _ map: PublishedMap, _ opening: Opening, maker: PictureMaker, limits: ServingLimits, offer: ViewerOffer,
        share: ViewerShare, attention: ViewerAttention, clock: FrameClock
    ) throws(Problem) {
        self.map = map
        self.maker = maker
        client = opening.client
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
            // The page names them.
            facade.options.attribution = .none
            try Self.show(opening.view, of: map, on: facade)
        } catch { throw Problem(.nothingToDraw, "the map cannot be shown: \(error)") }
        charge = try share.charge(pixelCount: facade.viewport.imageSize.pixelCount)
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

    /// Lets it draw whenever something changes, until ``close()``.
    func start() {
        hearing = Task { await self.hear() }
        draw()
    }

    /// Ends it: who waits is answered.
    func close() {
        isClosed = true
        for task in [hearing, drawing, simulation, planning, listening] { task?.cancel() }
        charge.shrink(by: charge.byteCount)
        note()
    }

    // MARK: - Attention

    /// How much it is looked at.
    nonisolated func level(at time: Duration) -> ViewerAttention.Level { attention.withLock { $0.level(at: time) } }

    /// How long nothing was heard of the page.
    nonisolated func silence(at time: Duration) -> Duration { attention.withLock { $0.silence(at: time) } }

    /// Does what the page asks for; the page is heard of before and after.
    nonisolated func attending<Value: Sendable>(
        _ work: (ViewerSession) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        attention.withLock { $0.begin(at: clock.now()) }
        defer { attention.withLock { $0.end(at: clock.now()) } }
        return try await work(self)
    }

    /// Draws nothing, and hears of no vehicles, until the page asks again; the last picture is kept for it.
    func rest() {
        guard level(at: clock.now()) != .looking else { return }
        drawing?.cancel()
        listening?.cancel()
        (drawing, listening) = (nil, nil)
    }

    /// Whether it draws whenever something changes.
    var isDrawing: Bool { drawing != nil }

    /// The number of requests that wait for what is newer.
    var waitingCount: Int { waiting.count }

    /// Draws from now on, if it does not.
    private func draw() {
        guard drawing == nil, !isClosed else { return }
        isFinal = false
        drawing = Task { await self.showFrames() }
        listen()
    }

    // MARK: - Drawing

    private func showFrames() async {
        // On threads of the viewers, so that they keep nobody's requests from being read; the page moves pictures itself.
        var how = FramePainting()
        (how.executor, how.movesPictures) = (share.threads, false)
        var frames = facade.frames(at: 60, clock: clock, painting: how).makeAsyncIterator(), painting = 0
        while !Task.isCancelled, let frame = await frames.next(isolation: self) {
            if let error = frame.error { tell("\(error)") }
            var isNews = isFinal != frame.isFinal || notedView != facade.viewport
            // Where vehicles move, what is new may come in moved ones alone.
            if frame.stage != .moved || frame.painting != painting {
                painting = frame.painting
                if picture?.view != frame.viewport || !frame.damage.isEmpty {
                    let bytes = await encoded(frame.image)
                    if Task.isCancelled { return }
                    pictureCount += 1
                    picture = Picture(number: pictureCount, view: frame.viewport, bytes: bytes)
                    isNews = true
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
            case .selectionChanged, .position, .layerLoaded: break
            default: continue
            }
            changeState()
        }
    }

    /// Keeps a sentence for the person.
    func tell(_ message: String) {
        guard messages.last != message else { return }
        messages = messages.suffix(19) + [message]
        changeState()
    }

    /// What ``state`` tells is something else now.
    func changeState() {
        stateNumber += 1
        note()
    }

    /// Something is new: who waits is answered.
    func note() {
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

    /// Takes a batch of events, once.
    ///
    /// - Returns: what the page may answer: boxes that are drawn.
    func take(_ input: ViewerInput) -> [GestureAction] {
        guard input.sequence > acknowledged else { return [] }
        acknowledged = input.sequence
        // The page's clock is another one: its last event was just now.
        let now = clock.now(), offset = now - (input.events.last?.time ?? .zero)
        var actions: [GestureAction] = []
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

    /// Says what taps do from now on.
    func use(_ tool: ViewerTool) {
        self.tool = tool
        facade.isSelecting = tool == .selecting
        // Places that lie close to each other may be meant.
        let twice: Set<GestureSettings.Gesture> = [.doubleTap, .tapDrag]
        if tool == .selecting {
            facade.controls.gestures.settings.enabled.formUnion(twice)
        } else {
            facade.controls.gestures.settings.enabled.subtract(twice)
        }
    }

    /// Does with a tapped place what the tool is for.
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

    /// A place of the map in degrees, or `nil` where there is none on the earth.
    private func inDegrees(_ coordinate: Coordinate) -> Coordinate? {
        guard let place = (try? CoordinateTransform(from: map.crs, to: .crs84))?(coordinate), abs(place.y) <= 90
        else { return nil }
        return Coordinate(x: (place.x + 540).truncatingRemainder(dividingBy: 360) - 180, y: place.y)
    }

    /// The middle of what is seen, in degrees.
    var centerInDegrees: Coordinate? { inDegrees(facade.viewport.center) }

    /// Brings what is selected into sight, beside what lies over the map.
    func showSelected() { facade.showSelectedFeature(margin: 60, at: clock.now()) }

    /// Answers as soon as there is something newer than what the page has, or with the same after a time.
    ///
    /// - Parameters:
    ///   - seen: the number that the page was answered with last.
    ///   - known: the number of the picture that it has.
    func frame(after seen: Int, knowing known: Int, within wait: Duration) async -> ServerResponse {
        draw()
        if number <= seen, !isClosed { await newer(within: wait) }
        guard !isClosed else { return Problem(.notFound, "the viewer was closed").response }
        var members: Properties = [
            "n": .integer(number), "ack": .integer(acknowledged), "state": .integer(stateNumber),
            "view": .object(facade.viewport.told),
            // What was just done may not have been drawn, or not have begun to move.
            "final": .bool(isAtRest),
        ]
        var response = ServerResponse(status: 204)
        if let picture {
            members["picture"] = .object(picture.view.told)
            members["pictureNumber"] = .integer(picture.number)
            if picture.number != known {
                response = ServerResponse(type: ServedFormat.png.mediaType, body: picture.bytes)
            }
        }
        let head = String(decoding: GeoJSONWriter.json(.object(members)), as: UTF8.self)
        response.set("Portolan-Frame", head)
        response.set("Cache-Control", "no-store")
        return response
    }

    /// The stops and lines that a text stands for.
    ///
    /// - Throws: ``Problem`` where no public transport is shown here.
    func found(_ text: String) throws(Problem) -> PropertyValue {
        guard let city = offer.city else { throw Problem(.notFound, "this server shows no public transport") }
        return city.found(String(text.prefix(100)))
    }

    /// Whether the picture is whole, and of where the map is and stays.
    private var isAtRest: Bool {
        guard isFinal, picture?.view == facade.viewport else { return false }
        guard facade.controls.isMoving(at: clock.now()) else { return true }
        // A motion that leads nowhere, as at the closest level, ends without a frame.
        if !isWatched {
            isWatched = true
            Task { [clock] in
                await clock.sleep(.milliseconds(50))
                self.isWatched = false
                self.note()
            }
        }
        return false
    }

    /// Waits until something is new, for a time at the most.
    private func newer(within wait: Duration) async {
        // A page has one such request under way, and another where a line was lost.
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

    /// Answers the requests that have waited for long enough.
    private func wakeLate() {
        let now = clock.now()
        for (turn, waiter) in waiting where waiter.end <= now { wake(turn) }
        if let next = waiting.values.map(\.end).min() { alarm?.set(for: next) }
    }
}

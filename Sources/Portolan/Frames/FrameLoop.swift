import PortolanFetch
import PortolanPlan
import PortolanRaster
import Synchronization

/// Performs the steps of a ``FrameScheduler``: renders pictures and returns frames.
final class FrameLoop {
    /// A finished drawing.
    private struct Mail: Sendable {
        /// The kind of drawing.
        enum Kind { case whole, part, surroundings }
        let kind: Kind
        let change: Int
        let viewport: Viewport
        let drawing: MapRenderer.Drawing
    }

    /// The finished drawings until the loop processes them.
    private final class Mailbox: Sendable {
        private let mails = Mutex<[Mail]>([])
        func post(_ mail: Mail) { mails.withLock { $0.append(mail) } }
        var isEmpty: Bool { mails.withLock(\.isEmpty) }
        func take() -> [Mail] {
            mails.withLock { mails in
                defer { mails = [] }
                return mails
            }
        }
    }

    /// The maximum size in pixels of a picture whose surroundings are rendered, so that these need at most 64 MiB.
    private static let largestSurroundings = 4 << 20

    private let map: MapFacade
    private let clock: FrameClock
    private let painting: FramePainting
    private var scheduler: FrameScheduler
    private let mailbox = Mailbox()
    private let keeper = PictureKeeper()
    private var wakes: AsyncStream<Void>.Iterator
    private let waker: AsyncStream<Void>.Continuation
    private let alarm: FrameAlarm

    private var running: (task: Task<Void, Never>, viewport: Viewport)?
    /// The rendering of a part or of the surroundings; only one runs at a time.
    private var beside: Task<Void, Never>?
    /// The last picture, and its surroundings.
    private var picture: MovablePicture?
    private var surroundings: MovablePicture?
    /// The last rendered result, partial or whole.
    private var painted: (result: Result<RenderResult, MapError>, stage: MapFrame.Stage)?
    /// The number of rendered pictures.
    private var paintingCount = 0
    private var last: MapFrame?
    /// The time at which a live object fades or disappears.
    private var liveChange: Duration?

    init(_ map: MapFacade, interval: Duration, clock: FrameClock, painting: FramePainting) {
        self.map = map
        self.clock = clock
        self.painting = painting
        scheduler = FrameScheduler(interval: interval, change: map.changes.count, at: clock.now())
        let (stream, continuation) = map.changes.listen()
        wakes = stream.makeAsyncIterator()
        waker = continuation
        alarm = FrameAlarm(clock) { continuation.yield() }
    }

    deinit {
        running?.task.cancel()
        beside?.cancel()
        waker.finish()
    }

    func next(isolation actor: isolated (any Actor)?) async -> MapFrame? {
        while !Task.isCancelled {
            let now = clock.now()
            map.goOn(to: now)
            if let change = liveChange, change <= now {
                liveChange = nil
                map.advance(to: now)
            }
            for mail in mailbox.take() { receive(mail, at: now) }
            scheduler.change(to: map.changes.count, at: now, covers: isRunningOfUse)
            switch scheduler.next(at: now, isMoving: map.isMoving(at: now)) {
            case .paint: paint()
            case .paintAnew:
                keeper.forget()
                paint()
            case .giveUp: running?.task.cancel()
            case .paintPart: paintPart()
            case .paintSurroundings: paintSurroundings()
            case .showMoved:
                return await frame(.moved, isFinal: false, isolation: actor)
            case .showPainted(let isFinal):
                let before = last, isSame = before.map { $0.isFinal && isFinal && $0.viewport == map.viewport } ?? false
                let frame = await frame(painted?.stage ?? .whole, isFinal: isFinal, isolation: actor)
                // The change is not visible.
                if isSame, frame.damage.isEmpty, frame.error == before?.error { continue }
                return frame
            case .wait(let time):
                liveChange = nextLiveChange(after: now)
                let due = [time, liveChange, map.nextTick].compactMap(\.self).min()
                let known = (map.changes.count, map.changes.wakeCount)
                // Own animations wake the loop as well. They are already visible, and the next frame has its time.
                repeat {
                    if let due { alarm.set(for: due) }
                    guard await wakes.next(isolation: actor) != nil else { break }
                } while (map.changes.count, map.changes.wakeCount) == known && mailbox.isEmpty
                    && due.map { clock.now() < $0 } ?? true
                    && !Task.isCancelled
            }
        }
        return nil
    }

    /// Returns the time at which a live object fades or disappears, unless that is now.
    private func nextLiveChange(after now: Duration) -> Duration? {
        // During motion the scheduler wakes for the next frame.
        guard !map.isLiveMoving(at: now) else { return nil }
        // Dates are less precise than durations, so that the next change may appear to be now.
        return map.nextLiveChange(after: now).map { max($0, now + .milliseconds(1)) }
    }

    // MARK: - Painting

    /// Whether the running render covers enough of the view.
    private var isRunningOfUse: Bool {
        guard let running else { return true }
        return MovablePicture.coverage(of: map.viewport, by: running.viewport) >= 0.6
    }

    private func paint() {
        let change = map.changes.count, viewport = map.viewport
        let task = Task(executorPreference: painting.executor) {
            @concurrent [
                renderer = map.renderer, layers = map.layersToDraw, options = map.options.steady, owner = map.owner,
                keeper,
                mailbox, waker
            ] in
            let drawing = await renderer.draw(
                layers, in: viewport, options: options, for: owner, keeper: keeper)
            mailbox.post(Mail(kind: .whole, change: change, viewport: viewport, drawing: drawing))
            waker.yield()
        }
        running = (task, viewport)
    }

    private func paintPart() {
        if !paintBeside(.part, in: map.viewport) { scheduler.endPart(of: map.changes.count, isPicture: false) }
    }

    /// Renders what is available without waiting; returns `false` if another such rendering is running.
    @discardableResult
    private func paintBeside(_ kind: Mail.Kind, in viewport: Viewport) -> Bool {
        guard beside == nil else { return false }
        let change = map.changes.count
        var options = map.options.steady
        options.deadline = .zero
        options.offScreenMargin = 0
        options.maximumMissing = 1
        beside = Task(executorPreference: painting.executor) {
            @concurrent [renderer = map.renderer, layers = map.layersToDraw, options, mailbox, waker] in
            let owner = PinOwner()
            let drawing = await renderer.unobservedDrawing(of: layers, in: viewport, options: options, for: owner)
            renderer.release(owner)
            mailbox.post(Mail(kind: kind, change: change, viewport: viewport, drawing: drawing))
            waker.yield()
        }
        return true
    }

    private func paintSurroundings() {
        guard map.viewport.imageSize.pixelCount <= Self.largestSurroundings,
            let wider = try? map.viewport.zoomed(by: 0.5)
        else { return }
        paintBeside(.surroundings, in: wider)
    }

    private func receive(_ mail: Mail, at time: Duration) {
        switch mail.kind {
        case .whole:
            let isCancelled = mail.drawing.result.isCancelled
            running = nil
            if !isCancelled { take(map.tell(of: mail.drawing), as: .whole, mail.viewport) }
            scheduler.end(
                of: mail.change, hasSeams: mail.drawing.hasSeams, isCancelled: isCancelled, at: time)
        case .part:
            beside = nil
            guard running?.viewport == mail.viewport, case .success = mail.drawing.result else {
                return scheduler.endPart(of: mail.change, isPicture: false)
            }
            take(mail.drawing.result, as: .partial, mail.viewport)
            scheduler.endPart(of: mail.change, isPicture: true)
        case .surroundings:
            beside = nil
            guard case .success(let result) = mail.drawing.result else { return }
            surroundings = MovablePicture(viewport: mail.viewport, ground: result.ground, painter: nil)
        }
    }

    private func take(_ result: Result<RenderResult, MapError>, as stage: MapFrame.Stage, _ viewport: Viewport) {
        painted = (result, stage)
        paintingCount += 1
        guard case .success(let result) = result else { return }
        picture = MovablePicture(viewport: viewport, ground: result.ground, painter: result.painter)
    }

    // MARK: - Showing

    private func frame(
        _ stage: MapFrame.Stage, isFinal: Bool, isolation: isolated (any Actor)?
    ) async -> MapFrame {
        let viewport = map.viewport, before = last?.image
        let made: (image: PixelBuffer, damage: [MapFrame.Area])
        var report: RenderReport?, error: MapError?
        if stage != .moved, case .success(let result) = painted?.result {
            report = result.report
            made = await Self.compared(result.image, to: before)
        } else if stage == .moved, !painting.movesPictures, let last, last.painting == paintingCount {
            made = (last.image, [])
        } else {
            if stage != .moved, case .failure(let failure) = painted?.result {
                error = failure
                report = failure.report
            }
            made = await Self.moved(
                picture, to: viewport, over: surroundings, background: map.options.background,
                threads: map.renderer.threads, before: before)
        }
        let frame = MapFrame(
            number: (last?.number ?? 0) + 1, viewport: viewport, image: made.image, damage: made.damage, stage: stage,
            painting: paintingCount, isFinal: isFinal, report: report, error: error)
        last = frame
        return frame
    }

    @concurrent
    private static func compared(
        _ image: PixelBuffer, to before: PixelBuffer?
    ) async -> (PixelBuffer, [MapFrame.Area]) { (image, MapFrame.damage(from: before, to: image)) }

    @concurrent
    private static func moved(
        _ picture: MovablePicture?, to viewport: Viewport, over surroundings: MovablePicture?, background: MapColor,
        threads: Int, before: PixelBuffer?
    ) async -> (PixelBuffer, [MapFrame.Area]) {
        let image =
            picture?.moved(to: viewport, over: surroundings, background: background, threads: threads)
            ?? PixelBuffer(size: viewport.imageSize, filledWith: Pixel(background))
        return (image, MapFrame.damage(from: before, to: image))
    }
}

extension Result<RenderResult, MapError> {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.code == .cancelled } else { false }
    }
}

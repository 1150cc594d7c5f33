/// Decides the next step of an interactive map: render, show, or wait.
///
/// It is a value without a clock; each call passes the time.
///
/// One picture is rendered at a time, and only the picture of the current map is wanted. During rendering, the last
/// picture is shown moved. A slow picture is shown in parts first.
struct FrameScheduler {
    /// A step to perform.
    enum Step: Equatable {
        /// Render the current map.
        case paint
        /// Render the current map completely, without reuse of the last picture.
        case paintAnew
        /// Cancel the running render because too little of it would be visible.
        case giveUp
        /// Render the resources received so far.
        case paintPart
        /// Render the area around the view, for the next move.
        case paintSurroundings
        /// Show the last picture, moved to the current view.
        case showMoved
        /// Show the last rendered result, partial or whole.
        case showPainted(isFinal: Bool)
        /// Wait for an event, or until a time.
        case wait(until: Duration?)
    }

    /// The minimum time between two frames.
    var interval: Duration
    /// The time to wait for a picture that is expected soon, instead of showing the last one moved.
    static let patience = Duration.milliseconds(4)
    /// The time of the first partial picture of a render, and the interval of further ones.
    static let firstPart = Duration.milliseconds(100), partInterval = Duration.milliseconds(250)
    /// The time at rest before less urgent work begins.
    static let rest = Duration.milliseconds(250)

    /// A running or finished render.
    private struct Painting {
        /// The number of the rendered map change.
        var change: Int
        /// The start time.
        var start: Duration
        /// Whether too little of it would be visible, and whether it was cancelled for that.
        var isGivenUp = false, isCancelled = false
        /// The start time of its last partial picture, and whether this is still being rendered.
        var part: (start: Duration, isRunning: Bool)?
    }

    /// The wanted map change, its time, and the time of the last move.
    private var wanted: (change: Int, time: Duration)
    private var running: Painting?
    /// The last completely rendered change, and whether it was combined from parts.
    private var painted: (change: Int, hasSeams: Bool)?
    /// The rendered result that has not been shown.
    private var unseen: (change: Int, isWhole: Bool)?
    /// The change in the last frame, and whether the frame was final.
    private var shown: (change: Int, time: Duration, isFinal: Bool)?
    /// The duration of the last render.
    private var cost: Duration?
    /// Whether there is a picture that can be moved.
    private var hasPicture = false
    /// The change whose surroundings are or were rendered.
    private var surrounded: Int?

    /// Starts with a map to be shown.
    init(interval: Duration, change: Int, at time: Duration) {
        self.interval = interval
        wanted = (change, time)
    }

    /// Records a change of the map.
    ///
    /// - Parameter covers: whether the running render covers enough of the view.
    mutating func change(to change: Int, at time: Duration, covers: Bool) {
        guard change != wanted.change else { return }
        wanted = (change, time)
        if !covers { running?.isGivenUp = true }
    }

    /// Records the end of a render, successful or not.
    mutating func end(of change: Int, hasSeams: Bool, isCancelled: Bool, at time: Duration) {
        guard let running, running.change == change else { return }
        if !isCancelled {
            cost = time - running.start
            painted = (change, hasSeams)
            unseen = (change, true)
            hasPicture = true
        }
        self.running = nil
    }

    /// Records the end of a partial render, and whether there is a picture.
    mutating func endPart(of change: Int, isPicture: Bool) {
        guard running?.change == change else { return }
        running?.part?.isRunning = false
        guard isPicture, unseen?.isWhole != true else { return }
        unseen = (change, false)
        hasPicture = true
    }

    /// Returns the next step.
    ///
    /// - Parameter isMoving: whether the map changes without events.
    mutating func next(at time: Duration, isMoving: Bool) -> Step {
        if let running, running.isGivenUp, !running.isCancelled {
            self.running?.isCancelled = true
            return .giveUp
        }
        var wakes: [Duration] = []
        if running == nil, painted?.change != wanted.change {
            guard time < paintingTime else {
                running = Painting(change: wanted.change, start: time)
                return .paint
            }
            wakes.append(paintingTime)
        }
        if running == nil, !isMoving, painted.map({ $0 == (wanted.change, false) }) ?? false,
            shown?.change == wanted.change, shown?.isFinal == false
        {
            // The map came to rest at the view that is shown.
            unseen = (wanted.change, true)
        }
        if let step = show(at: time, isMoving: isMoving, &wakes) { return step }
        if let running, running.change == wanted.change, running.part?.isRunning != true {
            let due = running.part.map { $0.start + Self.partInterval } ?? running.start + Self.firstPart
            guard time < due else {
                self.running?.part = (time, true)
                return .paintPart
            }
            wakes.append(due)
        }
        if let painted, painted.change == wanted.change, running == nil, !isMoving {
            let due = wanted.time + Self.rest
            if time < due {
                if painted.hasSeams || surrounded != wanted.change { wakes.append(due) }
            } else if painted.hasSeams {
                running = Painting(change: wanted.change, start: time)
                return .paintAnew
            } else if surrounded != wanted.change, unseen == nil {
                surrounded = wanted.change
                return .paintSurroundings
            }
        }
        if isMoving { wakes.append((shown?.time ?? time) + interval) }
        return .wait(until: wakes.min())
    }

    /// The time to start a render so that it is complete for the next frame.
    ///
    /// Of several changes within a frame, only the last is rendered.
    private var paintingTime: Duration {
        guard let shown, let cost, cost * 2 < interval else { return .zero }
        return shown.time + interval - cost * 2
    }

    /// Returns the step that shows a picture now, if any.
    private mutating func show(at time: Duration, isMoving: Bool, _ wakes: inout [Duration]) -> Step? {
        let isBehind = hasPicture && shown?.change != wanted.change
        guard unseen != nil || isBehind else { return nil }
        if let shown, time < shown.time + interval {
            wakes.append(shown.time + interval)
            return nil
        }
        if let unseen, unseen.change == wanted.change {
            let isFinal = unseen.isWhole && !isMoving && painted?.hasSeams == false
            self.unseen = nil
            shown = (wanted.change, time, isFinal)
            return .showPainted(isFinal: isFinal)
        }
        if unseen == nil, let running, running.change == wanted.change, let cost, cost <= Self.patience,
            time < wanted.time + Self.patience
        {
            // The picture is expected very soon.
            wakes.append(wanted.time + Self.patience)
            return nil
        }
        unseen = nil
        shown = (wanted.change, time, false)
        return .showMoved
    }
}

/// Decides what an interactive map does next: paint, show, or wait.
///
/// It is a value without a clock: each question carries its time.
///
/// One picture is painted at a time, and one is wanted: that of the map as it is now. While it is painted, the last picture is
/// shown moved; what takes long is shown in parts; what came is shown as a whole.
struct FrameScheduler {
    /// What is to be done.
    enum Step: Equatable {
        /// Paint the map as it is now.
        case paint
        /// Paint the map as it is now as a whole, whatever of the last picture could be kept.
        case paintAnew
        /// Give up what is being painted: too little of it would be seen.
        case giveUp
        /// Paint what has come so far of what is being painted.
        case paintPart
        /// Paint what lies around the view, for the next move.
        case paintSurroundings
        /// Show the last picture, moved to where the map is now.
        case showMoved
        /// Show what was painted last, in parts or as a whole.
        case showPainted(isFinal: Bool)
        /// Wait for something to happen, or until a time.
        case wait(until: Duration?)
    }

    /// The least time between two frames.
    var interval: Duration
    /// How long a picture is waited for that was painted within that time before, in place of showing the last one moved.
    static let patience = Duration.milliseconds(4)
    /// When a picture that is being painted is first shown in part, and how often after that.
    static let firstPart = Duration.milliseconds(100), partInterval = Duration.milliseconds(250)
    /// How long a map has to be at rest for work that is not urgent.
    static let rest = Duration.milliseconds(250)

    /// What was painted, or is being painted.
    private struct Painting {
        /// Which change of the map it shows.
        var change: Int
        /// When it began.
        var start: Duration
        /// Whether too little of it would be seen, and whether that was told.
        var isGivenUp = false, isCancelled = false
        /// Whether its last part is being painted, and when that began.
        var part: (start: Duration, isRunning: Bool)?
    }

    /// The change of the map that is wanted, when it came, and when the map moved last.
    private var wanted: (change: Int, time: Duration)
    private var running: Painting?
    /// The last change that was painted as a whole, and whether it was put together of parts.
    private var painted: (change: Int, hasSeams: Bool)?
    /// What was painted and is not yet shown.
    private var unseen: (change: Int, isWhole: Bool)?
    /// The change that the last frame shows, and whether nothing was to come after it.
    private var shown: (change: Int, time: Duration, isFinal: Bool)?
    /// How long the last picture took.
    private var cost: Duration?
    /// Whether there is a picture that can be moved.
    private var hasPicture = false
    /// The change whose surroundings were painted, or are being painted.
    private var surrounded: Int?

    /// Begins with a map that is to be shown.
    init(interval: Duration, change: Int, at time: Duration) {
        self.interval = interval
        wanted = (change, time)
    }

    /// The map has changed.
    ///
    /// - Parameter covers: whether enough of the view would be seen in what is being painted.
    mutating func change(to change: Int, at time: Duration, covers: Bool) {
        guard change != wanted.change else { return }
        wanted = (change, time)
        if !covers { running?.isGivenUp = true }
    }

    /// A picture was painted, or could not be.
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

    /// A part of a picture was painted; `false` when nothing came of it.
    mutating func endPart(of change: Int, isPicture: Bool) {
        guard running?.change == change else { return }
        running?.part?.isRunning = false
        guard isPicture, unseen?.isWhole != true else { return }
        unseen = (change, false)
        hasPicture = true
    }

    /// What to do now.
    ///
    /// - Parameter isMoving: whether the map will change without anything happening.
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
            // It came to rest at what is shown.
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

    /// When to begin with a picture so that it is there for the next frame: of changes that come faster none but the last is
    /// painted.
    private var paintingTime: Duration {
        guard let shown, let cost, cost * 2 < interval else { return .zero }
        return shown.time + interval - cost * 2
    }

    /// What is to be shown now, if anything.
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
            // It will be there in a moment.
            wakes.append(wanted.time + Self.patience)
            return nil
        }
        unseen = nil
        shown = (wanted.change, time, false)
        return .showMoved
    }
}

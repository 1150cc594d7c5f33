/// The frames of a map that is moved about: an endless sequence, from which a view on a screen takes what it shows.
///
/// Each time that a frame is asked for, it is the newest one: at once the last picture moved under the finger, over a coarser
/// one that is twice as wide; then what has come, then the whole. Only what changed is painted again: the part of the ground
/// that came into view, or the layers from the first one on that changed. Nothing comes while nothing happens.
///
/// A map has one such sequence at a time; its element is made on the actor that owns the map, and painted beside it. While it
/// is iterated, animations go on and ticks are sent by themselves (``MapFacade/advance(to:)``).
public struct MapFrames: AsyncSequence {
    /// A frame.
    public typealias Element = MapFrame
    /// Frames tell themselves what failed.
    public typealias Failure = Never

    let map: MapFacade
    let interval: Duration
    let clock: FrameClock
    let painting: FramePainting

    /// Begins with the map as it is.
    public func makeAsyncIterator() -> Iterator {
        Iterator(loop: FrameLoop(map, interval: interval, clock: clock, painting: painting))
    }

    /// Gives the newest frame each time.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let loop: FrameLoop

        /// The next frame, as soon as there is something else to show; `nil` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> MapFrame? {
            await loop.next(isolation: actor)
        }
    }
}

/// How the pictures of frames are made.
package struct FramePainting: Sendable {
    /// What runs the painting, or `nil` for the threads that all tasks share.
    package var executor: (any TaskExecutor)?
    /// Whether the last picture is moved to where the map is.
    ///
    /// Who shows frames may do so itself: it then gets that picture again, unless parts of a new one have come.
    package var movesPictures = true

    /// Makes pictures as a view on a screen wants them.
    package init() {}
}

/// The time that frames and the events of their map go by.
public struct FrameClock: Sendable {
    /// The time since a fixed moment; it never runs backwards.
    public var now: @Sendable () -> Duration
    /// Waits for so long, or until the task is cancelled.
    public var sleep: @Sendable (Duration) async -> Void

    /// Makes a clock.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's.
    public static let system: FrameClock = {
        let beginning = ContinuousClock.now
        return FrameClock(
            now: { beginning.duration(to: .now) }, sleep: { try? await Task.sleep(for: $0, tolerance: .zero) })
    }()
}

extension MapFacade {
    /// Pictures of the map for a screen, as it is moved about.
    ///
    /// ```swift
    /// for await frame in map.frames() { show(frame.image) }
    /// ```
    ///
    /// - Parameters:
    ///   - rate: how many frames a second there are at the most; clamped to 1 through 1000.
    ///   - clock: what the times of the map's events are counted by.
    public func frames(at rate: Double = 60, clock: FrameClock = .system) -> MapFrames {
        frames(at: rate, clock: clock, painting: FramePainting())
    }

    /// Pictures of the map, made in a way of their own.
    package func frames(at rate: Double, clock: FrameClock, painting: FramePainting) -> MapFrames {
        let rate = rate.isFinite ? min(max(rate, 1), 1000) : 60
        return MapFrames(map: self, interval: .seconds(1 / rate), clock: clock, painting: painting)
    }

    /// Moves what moves by itself on to a time.
    func goOn(to time: Duration) {
        if let tick = nextTick, tick <= time {
            handle(InputEvent(.tick, at: time))
        } else if controls.isInMotion || isLiveMoving(at: time) {
            advance(to: time)
        }
    }

    /// Whether what is seen will be something else a little later.
    func isMoving(at time: Duration) -> Bool { controls.isMoving(at: time) || isLiveMoving(at: time) }
}

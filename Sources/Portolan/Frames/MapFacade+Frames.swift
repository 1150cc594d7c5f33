extension MapFacade {
    /// The frames of an interactive map: an endless sequence for a view on a screen.
    ///
    /// Each request returns the newest frame: first the last picture moved with the gesture, over a coarser picture of
    /// twice the width; then the resources received so far, then the whole. Only changes are rendered again: the newly
    /// visible area, or the layers from the first changed one upwards. Without changes there are no frames.
    ///
    /// A map has one such sequence at a time. Frames are created on the actor that owns the map and rendered off it. During
    /// iteration, animations advance and ticks are sent automatically (``MapFacade/advance(to:)``).
    public struct Frames: AsyncSequence {
        /// A frame.
        public typealias Element = MapFrame
        /// Failures are reported in the frames.
        public typealias Failure = Never

        let map: MapFacade
        let interval: Duration
        let clock: FrameClock
        let painting: FramePainting

        /// Creates an iterator that starts with the current map.
        public func makeAsyncIterator() -> Iterator {
            Iterator(loop: FrameLoop(map, interval: interval, clock: clock, painting: painting))
        }

        /// Returns the newest frame for each request.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let loop: FrameLoop

            /// Returns the next frame as soon as the picture changes, or `nil` if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> MapFrame? {
                await loop.next(isolation: actor)
            }
        }
    }
}

/// Options for the pictures of frames.
package struct FramePainting: Sendable {
    /// The executor of the rendering, or `nil` for the global one.
    package var executor: (any TaskExecutor)?
    /// Whether the last picture is moved to the current view.
    ///
    /// A client may move pictures itself. It then receives the same picture again until parts of a new one are
    /// available.
    package var movesPictures = true

    /// Creates the options for a view on a screen.
    package init() {}
}

/// The clock of frames and events of a map.
public struct FrameClock: Sendable {
    /// Returns the time since a fixed moment.
    ///
    /// It is monotonic.
    public var now: @Sendable () -> Duration
    /// Sleeps for a duration, or until the task is cancelled.
    public var sleep: @Sendable (Duration) async -> Void

    /// Creates a clock.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system clock.
    public static let system: FrameClock = {
        let beginning = ContinuousClock.now
        return FrameClock(
            now: { beginning.duration(to: .now) }, sleep: { try? await Task.sleep(for: $0, tolerance: .zero) })
    }()
}

extension MapFacade {
    /// Returns the frames of the map for an interactive view.
    ///
    /// ```swift
    /// for await frame in map.frames() { show(frame.image) }
    /// ```
    ///
    /// - Parameters:
    ///   - rate: the maximum frames per second; clamped to 1 through 1000.
    ///   - clock: the clock of the map's events.
    public func frames(perSecond rate: Double = 60, clock: FrameClock = .system) -> MapFacade.Frames {
        frames(perSecond: rate, clock: clock, painting: FramePainting())
    }

    /// Returns the frames of the map with custom options.
    package func frames(perSecond rate: Double, clock: FrameClock, painting: FramePainting) -> MapFacade.Frames {
        let rate = rate.isFinite ? min(max(rate, 1), 1000) : 60
        return MapFacade.Frames(map: self, interval: .seconds(1 / rate), clock: clock, painting: painting)
    }

    /// Advances animations and live layers to a time.
    func goOn(to time: Duration) {
        if let tick = nextTick, tick <= time {
            handle(InputEvent(.tick, at: time))
        } else if controls.isInMotion || isLiveMoving(at: time) {
            advance(to: time)
        }
    }

    /// Returns whether the picture changes with time.
    func isMoving(at time: Duration) -> Bool { controls.isMoving(at: time) || isLiveMoving(at: time) }
}

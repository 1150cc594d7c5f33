public import PortolanGeo

/// A state machine for the user's position and how the map follows it, driven by fixes, manual moves of the map, and
/// time.
///
/// It is a value without a clock or a source: each event has a time and returns the resulting actions. A ``MapFacade``
/// contains one and performs its actions.
public struct PositionControl: Sendable {
    /// The thresholds for new and stale positions.
    public struct Settings: Hashable, Sendable {
        /// The minimum distance of a fix from the last position, in metres, to become the new position.
        public var distanceFilter = 10.0
        /// The required accuracy.
        ///
        /// Fixes closer to the last position than this are ignored.
        public var accuracy = PositionControl.Accuracy.best
        /// The maximum time for which closer fixes are held back.
        public var longestInterval = Duration.seconds(10)
        /// The minimum time between positions.
        public var shortestInterval = Duration.zero
        /// The maximum time to wait for the first fix before a failure is reported.
        public var timeout = Duration.seconds(10)
        /// The age at which a position is shown as stale.
        public var staleAge = Duration.seconds(30)
        /// The speed in metres per second below which the course is random, so that the last one is kept.
        public var leastCourseSpeed = 0.5
        /// The offset of the position below the centre of a map that turns with it, as a fraction of the height, 0 to
        /// 0.4.
        ///
        /// It shows more of the area ahead.
        public var leadRoom = 0.0

        /// Creates the default settings.
        public init() {}
    }

    /// The state of the position.
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// The position is not requested.
        case off
        /// No position was received yet.
        case waiting
        /// The position is current.
        case live
        /// The last position is stale or currently unavailable.
        ///
        /// It remains visible in grey.
        case stale
        /// Access to the position is denied.
        case failed
    }

    /// How the map follows the position.
    public enum Follow: Hashable, Sendable, CaseIterable {
        /// The map does not follow.
        case none
        /// The position is in the centre.
        case follow
        /// The position is in the centre, and the heading of the device is up.
        case followWithHeading
        /// The position is in the centre, and the direction of movement is up.
        case followWithCourse
    }

    /// An event of the state machine.
    public enum Event: Hashable, Sendable {
        /// The position is requested, with this follow mode.
        case start(Follow)
        /// The position is no longer requested.
        case stop
        /// The source reported an update.
        case update(PositionUpdate)
        /// The follow mode changes.
        case follow(Follow)
        /// The map was moved by hand.
        case panned
        /// The map was rotated by hand.
        case turned
        /// Time has passed.
        case tick
    }

    /// An action that results from an event.
    public enum Action: Hashable, Sendable {
        /// The position changed; `nil` if it is no longer requested.
        case positionChanged(PositionFix?)
        /// The state changed.
        case phaseChanged(Phase)
        /// The follow mode changed.
        case followChanged(Follow)
        /// The permission changed.
        case permissionChanged(PositionControl.Permission)
        /// A failure began.
        case failed(PositionError)
        /// The map must show a coordinate at a fraction of its height, with a bearing up; `nil` for the current one.
        case show(Coordinate, bearing: Double?, height: Double)
        /// A tick is needed at this time.
        case wake(at: Duration)
    }

    /// The thresholds for new and stale positions.
    public var settings: Settings
    /// The permission of the user, as reported by the source.
    public private(set) var permission = PositionControl.Permission.notDetermined
    /// The state of the position.
    public private(set) var phase = Phase.off
    /// How the map follows the position.
    public private(set) var follow = Follow.none
    /// The position, or `nil` if none exists.
    public private(set) var fix: PositionFix?

    /// The arrival time of ``fix``.
    private var positionTime = Duration.zero
    /// The time of the last equally good fix, or the start of waiting.
    private var lastTime = Duration.zero
    private var hasTimedOut = false
    private var lastFailure: PositionError?
    private var now = Duration.zero

    /// Creates a control in the state ``PositionControl/Phase/off``.
    public init(settings: Settings = Settings()) { self.settings = settings }

    /// Returns the actions that result from an event.
    ///
    /// Time never runs backwards.
    public mutating func handle(_ event: Event, at time: Duration) -> [Action] {
        now = max(now, time)
        var actions: [Action] = []
        // A late fix must not be reported as a timeout.
        if case .update(.fix(let fix)) = event { take(fix, &actions) }
        age(&actions)
        switch event {
        case .start(let follow): start(follow, &actions)
        case .stop: stop(&actions)
        case .update(.failure(let failure)): fail(failure, &actions)
        case .update(.permission(let permission)): change(permission, &actions)
        case .follow(let follow): change(phase == .off ? .none : follow, &actions)
        case .panned: change(.none, &actions)
        case .turned: if follow != .none { change(.follow, &actions, shows: false) }
        case .update(.fix), .tick: break
        }
        if let wake = nextWake, !actions.isEmpty || event == .tick { actions.append(.wake(at: wake)) }
        return actions
    }

    // MARK: - Time

    private var nextWake: Duration? {
        switch phase {
        case .waiting where !hasTimedOut: lastTime + settings.timeout
        case .live: lastTime + settings.staleAge
        case .off, .waiting, .stale, .failed: nil
        }
    }

    private mutating func age(_ actions: inout [Action]) {
        guard let end = nextWake, now >= end else { return }
        if phase == .waiting {
            hasTimedOut = true
            tell(.timedOut, &actions)
        } else {
            change(.stale, &actions)
        }
    }

    // MARK: - Events

    private mutating func start(_ follow: Follow, _ actions: inout [Action]) {
        if phase == .off || phase == .failed {
            lastTime = now
            hasTimedOut = false
            lastFailure = nil
            if permission == .denied || permission == .restricted {
                change(.failed, &actions)
                tell(permission == .denied ? .denied : .restricted, &actions)
            } else {
                change(.waiting, &actions)
            }
        }
        change(follow, &actions)
    }

    private mutating func stop(_ actions: inout [Action]) {
        change(.none, &actions)
        if fix != nil {
            fix = nil
            actions.append(.positionChanged(nil))
        }
        change(Phase.off, &actions)
    }

    private mutating func take(_ fix: PositionFix, _ actions: inout [Action]) {
        guard phase != .off, phase != .failed else { return }
        guard let fix = fix.checked else { return tell(.impossibleFix, &actions) }
        let last = self.fix
        // The fix is older than the current one.
        if let last, fix.time < last.time { return }
        lastTime = now
        lastFailure = nil
        change(.live, &actions)
        guard last.map({ isNew(fix, after: $0) }) ?? true else { return }
        var position = fix
        if let last, fix.course == nil || (fix.speed ?? .infinity) < settings.leastCourseSpeed {
            position.course = last.course
        }
        self.fix = position
        positionTime = now
        actions.append(.positionChanged(position))
        show(&actions)
    }

    private func isNew(_ fix: PositionFix, after last: PositionFix) -> Bool {
        let age = now - positionTime
        guard age >= settings.shortestInterval else { return false }
        // Differences within the required accuracy are random, regardless of the time.
        return age >= settings.longestInterval && settings.accuracy.meters <= settings.distanceFilter
            || Geodesic.line(from: last.place, to: fix.place).meters
                >= max(settings.distanceFilter, settings.accuracy.meters)
    }

    private mutating func fail(_ failure: PositionError, _ actions: inout [Action]) {
        guard phase != .off else { return }
        switch failure {
        case .denied: change(PositionControl.Permission.denied, &actions)
        case .restricted: change(PositionControl.Permission.restricted, &actions)
        case .unavailable, .timedOut, .impossibleFix, .ended:
            if phase == .live, failure != .impossibleFix { change(.stale, &actions) }
            tell(failure, &actions)
        }
    }

    private mutating func change(_ permission: PositionControl.Permission, _ actions: inout [Action]) {
        guard permission != self.permission else { return }
        self.permission = permission
        actions.append(.permissionChanged(permission))
        guard phase != .off else { return }
        switch permission {
        case .denied, .restricted:
            change(.failed, &actions)
            tell(permission == .denied ? .denied : .restricted, &actions)
        case .approximate, .precise:
            guard phase == .failed else { return }
            lastTime = now
            hasTimedOut = false
            change(fix == nil ? .waiting : .stale, &actions)
        case .notDetermined: break
        }
    }

    // MARK: - Changes

    private mutating func change(_ phase: Phase, _ actions: inout [Action]) {
        guard phase != self.phase else { return }
        self.phase = phase
        actions.append(.phaseChanged(phase))
    }

    private mutating func change(_ follow: Follow, _ actions: inout [Action], shows: Bool = true) {
        guard follow != self.follow else { return }
        self.follow = follow
        actions.append(.followChanged(follow))
        if shows { show(&actions) }
    }

    private mutating func tell(_ failure: PositionError, _ actions: inout [Action]) {
        guard failure != lastFailure else { return }
        lastFailure = failure
        actions.append(.failed(failure))
    }

    private func show(_ actions: inout [Action]) {
        guard let fix else { return }
        let bearing: Double?
        switch follow {
        case .none: return
        case .follow: bearing = nil
        case .followWithHeading: bearing = fix.heading
        case .followWithCourse: bearing = fix.course
        }
        let lead = follow == .follow || !settings.leadRoom.isFinite ? 0 : min(max(settings.leadRoom, 0), 0.4)
        actions.append(.show(fix.place, bearing: bearing, height: 0.5 + lead))
    }
}

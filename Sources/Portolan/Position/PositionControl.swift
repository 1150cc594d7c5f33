public import PortolanGeo

/// What is known of a position, and how the map follows it: a machine over fixes, moves of the map by hand, and time.
///
/// It is a value without a clock or a source: each event carries its time and gives the actions that follow from it.
/// A ``MapFacade`` has one and does what it asks.
public struct PositionControl: Sendable {
    /// From where on a fix is a new position, and when it is an old one.
    public struct Settings: Hashable, Sendable {
        /// How far a fix must be from the last position, in metres, to be a new one.
        public var distanceFilter = 10.0
        /// How exact the position has to be: a fix that is nearer to the last position than that is no new one either.
        public var accuracy = PositionAccuracy.best
        /// How long a nearer one is held back at the most.
        public var longestInterval = Duration.seconds(10)
        /// The least time from one position to the next.
        public var shortestInterval = Duration.zero
        /// How long the first fix is waited for before that is told.
        public var timeout = Duration.seconds(10)
        /// How old a position becomes before it is shown as old.
        public var staleAge = Duration.seconds(30)
        /// The speed, in metres a second, below which the course is chance: the last one stays.
        public var leastCourseSpeed = 0.5
        /// How far below the middle a position stands that the map turns with, as part of the picture's height, 0 to 0.4: so
        /// that more is seen of what lies ahead.
        public var leadRoom = 0.0

        /// Makes the standard settings.
        public init() {}
    }

    /// What is known of the position.
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// It is not asked for.
        case off
        /// None has come yet.
        case waiting
        /// It is known.
        case live
        /// The last one is old, or there is none at present: it stays, and is drawn grey.
        case stale
        /// It may not be known.
        case failed
    }

    /// How the map follows the position.
    public enum Follow: Hashable, Sendable, CaseIterable {
        /// Not at all.
        case none
        /// It is in the middle.
        case follow
        /// It is in the middle, and where the device points to is up.
        case followWithHeading
        /// It is in the middle, and where it moves to is up.
        case followWithCourse
    }

    /// What happens to a position.
    public enum Event: Hashable, Sendable {
        /// It is wanted, and the map is to follow it so.
        case start(Follow)
        /// It is no longer wanted.
        case stop
        /// Something came from the source.
        case update(PositionUpdate)
        /// The map is to follow it so.
        case follow(Follow)
        /// The map was moved by hand.
        case panned
        /// The map was turned by hand.
        case turned
        /// Nothing but time.
        case tick
    }

    /// What follows from an event.
    public enum Action: Hashable, Sendable {
        /// There is a new position, or, with `nil`, none is wanted any more.
        case positionChanged(PositionFix?)
        /// Something else is known of it.
        case phaseChanged(Phase)
        /// The map follows it in another way.
        case followChanged(Follow)
        /// Something else is allowed.
        case permissionChanged(PositionPermission)
        /// Something failed, once for each time it begins to.
        case failed(PositionError)
        /// The map is to show a place at a part of its height, and with a bearing up, or the present one for `nil`.
        case show(Coordinate, bearing: Double?, height: Double)
        /// A tick is wanted at this time.
        case wake(at: Duration)
    }

    /// From where on a fix is a new position, and when it is an old one.
    public var settings: Settings
    /// What the person allows, as far as the source has told.
    public private(set) var permission = PositionPermission.notDetermined
    /// What is known of the position.
    public private(set) var phase = Phase.off
    /// How the map follows it.
    public private(set) var follow = Follow.none
    /// The position, or `nil` when there is none.
    public private(set) var fix: PositionFix?

    /// When ``fix`` came.
    private var positionTime = Duration.zero
    /// When anything came that was as good as it, or the wait began.
    private var lastTime = Duration.zero
    private var hasTimedOut = false
    private var lastFailure: PositionError?
    private var now = Duration.zero

    /// Makes a control that is off.
    public init(settings: Settings = Settings()) { self.settings = settings }

    /// The actions that follow from an event at a time; a time that runs backwards stands still.
    public mutating func handle(_ event: Event, at time: Duration) -> [Action] {
        now = max(now, time)
        var actions: [Action] = []
        // A fix that was late is no reason to tell that there was none.
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
        // What was overtaken on its way.
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
        // What lies within the wanted accuracy is chance, however long it lasts.
        return age >= settings.longestInterval && settings.accuracy.meters <= settings.distanceFilter
            || Geodesic.line(from: last.place, to: fix.place).meters
                >= max(settings.distanceFilter, settings.accuracy.meters)
    }

    private mutating func fail(_ failure: PositionError, _ actions: inout [Action]) {
        guard phase != .off else { return }
        switch failure {
        case .denied: change(PositionPermission.denied, &actions)
        case .restricted: change(PositionPermission.restricted, &actions)
        case .unavailable, .timedOut, .impossibleFix, .ended:
            if phase == .live, failure != .impossibleFix { change(.stale, &actions) }
            tell(failure, &actions)
        }
    }

    private mutating func change(_ permission: PositionPermission, _ actions: inout [Action]) {
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

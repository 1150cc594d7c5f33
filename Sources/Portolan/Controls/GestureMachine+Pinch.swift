import PortolanGeo
import PortolanRaster

/// Two pointers that are down: what they have told since, and what of it has been done.
struct PinchTracker {
    private let start: (center: Point, distance: Double)
    private(set) var center: Point
    /// Their distance.
    private(set) var distance: Double
    /// Their least distance since they are down.
    private var leastDistance: Double
    private var direction: Point
    /// How far they have turned since they are down, in degrees clockwise.
    private(set) var turn = 0.0
    /// Whether the map follows them.
    var hasBegun: Bool
    /// Where the map has followed them to.
    var follows: Point
    /// What has been done of the levels, and of the turn.
    var zoom = Onset(), rotation = Onset()

    /// A movement that counts once it has gone far enough; the way until then is left out.
    struct Onset {
        private var leftOut: Double?
        private var since: Duration?
        /// What has been done.
        private(set) var done = 0.0

        /// What is to be done more, now that the fingers tell a whole.
        mutating func step(to whole: Double, threshold: Double, at now: Duration) -> Double {
            // Fingers that move at one moment are told of one by one: the first alone parts from the other, or turns about it.
            if since == now { leftOut = nil }
            if leftOut == nil, abs(whole) >= threshold {
                leftOut = whole < 0 ? -threshold : threshold
                since = now
            }
            let wanted = leftOut.map { whole - $0 } ?? 0
            defer { done = wanted }
            return wanted - done
        }
    }

    init(_ one: Point, _ other: Point, hasBegun: Bool) {
        center = one.middle(to: other)
        distance = Self.distance(one, other)
        leastDistance = distance
        direction = Point(x: other.x - one.x, y: other.y - one.y)
        start = (center, distance)
        follows = center
        self.hasBegun = hasBegun
    }

    /// Fingers are never closer: what lies on one place has no ratio and no angle.
    private static func distance(_ one: Point, _ other: Point) -> Double { max(one.distance(to: other), 10) }

    mutating func move(_ one: Point, _ other: Point) {
        center = one.middle(to: other)
        distance = Self.distance(one, other)
        leastDistance = min(leastDistance, distance)
        let next = Point(x: other.x - one.x, y: other.y - one.y)
        guard abs(next.x) + abs(next.y) > 0, abs(direction.x) + abs(direction.y) > 0 else { return }
        let cross = direction.x * next.y - direction.y * next.x, dot = direction.x * next.x + direction.y * next.y
        turn += Libm.arcTangent(y: cross, x: dot) * 180 / .pi
        direction = next
    }

    /// How much farther apart they are than at first.
    var travel: Double { distance - start.distance }

    /// The levels that they tell.
    var levels: Double { Libm.logarithm2(distance / start.distance) }

    /// How far their middle has moved.
    var centerTravel: Double { start.center.distance(to: center) }

    /// The degrees that a way on the circle between them makes.
    func degrees(of way: Double) -> Double { way / (.pi * leastDistance) * 360 }
}

/// The last places of a pointer, for its velocity.
struct VelocityTracker {
    private var samples: [(place: Point, time: Duration)] = []

    mutating func restart() { samples.removeAll(keepingCapacity: true) }

    mutating func add(_ place: Point, at time: Duration) {
        if let last = samples.last, last.time == time { samples.removeLast() }
        samples.append((place, time))
        // A mouse sends up to 1,000 a second; the oldest are not looked at.
        if samples.count > 256 { samples.removeFirst(128) }
    }

    /// The velocity of a release, or `nil` for one at rest.
    ///
    /// It is that of the last window of the movement, whose beginning is found between samples: so it does not depend on how
    /// often a pointer is reported.
    func velocity(at release: Duration, _ settings: GestureSettings) -> GestureAction.Velocity? {
        let window = settings.velocityWindow
        guard let last = samples.last, samples.count > 1, release - last.time <= window else { return nil }
        let beginning = max(last.time - window, samples[0].time)
        var first = samples[0]
        if let next = samples.firstIndex(where: { $0.time > beginning }), next > 0 {
            let earlier = samples[next - 1], later = samples[next]
            let fraction = (beginning - earlier.time) / (later.time - earlier.time)
            first = (
                Point(
                    x: earlier.place.x + (later.place.x - earlier.place.x) * fraction,
                    y: earlier.place.y + (later.place.y - earlier.place.y) * fraction), beginning
            )
        }
        let seconds = (last.time - first.time).inSeconds
        // Shorter than a frame of 60 Hz.
        guard seconds >= 1.0 / 60.5 else { return nil }
        let velocity = GestureAction.Velocity(
            x: (last.place.x - first.place.x) / seconds, y: (last.place.y - first.place.y) / seconds)
        let speed = velocity.speed
        guard speed.isFinite, speed > settings.fling.restSpeed else { return nil }
        let factor = min(1, settings.fling.maximumSpeed / speed)
        return GestureAction.Velocity(x: velocity.x * factor, y: velocity.y * factor)
    }
}

extension GestureMachine {
    /// Moves, zooms and turns the map by what two pointers tell more than before.
    mutating func movePinch(_ actions: inout [GestureAction]) {
        guard var pinch, contacts.count == 2 else { return }
        pinch.move(contacts[0].place, contacts[1].place)
        defer { self.pinch = pinch }
        let levels = knows(.pinch) ? zoomStep(of: &pinch) : 0
        let degrees = knows(.rotate) ? turnStep(of: &pinch) : 0
        if levels != 0 || degrees != 0 || pinch.centerTravel >= dragDistance(of: contacts[0].kind) {
            pinch.hasBegun = true
        }
        guard pinch.hasBegun else { return }
        if pinch.centerTravel > settings.doubleTapDistance || levels != 0 || degrees != 0 { twoFingerTap = nil }
        if knows(.pan), pinch.follows != pinch.center {
            actions.append(.pan(x: pinch.center.x - pinch.follows.x, y: pinch.center.y - pinch.follows.y))
            pinch.follows = pinch.center
        }
        append(.zoom(levels: levels, about: pinch.center), to: &actions)
        append(.rotate(degrees: degrees, about: pinch.center), to: &actions)
    }

    private func zoomStep(of pinch: inout PinchTracker) -> Double {
        switch settings.pinch {
        case .stepped(_, _, _, let scale):
            pinch.zoom.step(to: scale.isFinite ? pinch.levels * scale : pinch.levels, threshold: 0, at: now)
        case .continuous: pinch.zoom.step(to: pinch.levels, threshold: settings.pinchThreshold, at: now)
        }
    }

    private func turnStep(of pinch: inout PinchTracker) -> Double {
        pinch.rotation.step(to: pinch.turn, threshold: pinch.degrees(of: settings.rotationThreshold), at: now)
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// A number of seconds as a duration; what is no number is none, and what is longer than 10⁹ seconds that.
    init(inSeconds seconds: Double) {
        self = seconds.isFinite ? .seconds(min(max(seconds, -1e9), 1e9)) : .zero
    }
}

import PortolanGeo
import PortolanRaster

/// The state of a two-finger gesture: the movements since its start, and the part already applied.
struct PinchTracker {
    private let start: (center: Point, distance: Double)
    private(set) var center: Point
    /// The current distance of the pointers.
    private(set) var distance: Double
    /// The smallest distance since the start.
    private var leastDistance: Double
    private var direction: Point
    /// The rotation since the start, in degrees clockwise.
    private(set) var turn = 0.0
    /// Whether the map follows the pointers.
    var hasBegun: Bool
    /// The position up to which the map has followed.
    var follows: Point
    /// The applied part of zoom and rotation.
    var zoom = Onset(), rotation = Onset()

    /// A movement that takes effect beyond a threshold.
    ///
    /// The movement up to the threshold is discarded.
    struct Onset {
        private var leftOut: Double?
        private var since: Duration?
        /// The amount applied so far.
        private(set) var done = 0.0

        /// Returns the additional amount to apply for a total movement.
        mutating func step(to whole: Double, threshold: Double, at now: Duration) -> Double {
            // Simultaneous moves of two fingers arrive as separate events, and the first event alone looks like a pinch
            // or a rotation.
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

    /// Returns the distance, at least 10 pixels: at distance zero, ratio and angle are undefined.
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

    /// The change of the distance since the start.
    var travel: Double { distance - start.distance }

    /// The zoom levels since the start.
    var levels: Double { Libm.logarithm2(distance / start.distance) }

    /// The movement of the midpoint since the start.
    var centerTravel: Double { start.center.distance(to: center) }

    /// Converts an arc length on the circle between the pointers to degrees.
    func degrees(of way: Double) -> Double { way / (.pi * leastDistance) * 360 }
}

/// The recent positions of a pointer, for its velocity.
struct VelocityTracker {
    private var samples: [(place: Point, time: Duration)] = []

    mutating func restart() { samples.removeAll(keepingCapacity: true) }

    mutating func add(_ place: Point, at time: Duration) {
        if let last = samples.last, last.time == time { samples.removeLast() }
        samples.append((place, time))
        // A mouse sends up to 1,000 events per second; the oldest are irrelevant.
        if samples.count > 256 { samples.removeFirst(128) }
    }

    /// Returns the velocity at release, or `nil` for a pointer at rest.
    ///
    /// The velocity is measured over the last part of the movement. The start of this part is interpolated between
    /// samples, so that the result does not depend on the event rate.
    func velocity(at release: Duration, _ settings: GestureMachine.Settings) -> GestureMachine.Action.Velocity? {
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
        // Shorter than a frame at 60 Hz.
        guard seconds >= 1.0 / 60.5 else { return nil }
        let velocity = GestureMachine.Action.Velocity(
            x: (last.place.x - first.place.x) / seconds, y: (last.place.y - first.place.y) / seconds)
        let speed = velocity.speed
        guard speed.isFinite, speed > settings.fling.restSpeed else { return nil }
        let factor = min(1, settings.fling.maximumSpeed / speed)
        return GestureMachine.Action.Velocity(x: velocity.x * factor, y: velocity.y * factor)
    }
}

extension GestureMachine {
    /// Applies the additional pan, zoom and rotation of two pointers.
    mutating func movePinch(_ actions: inout [GestureMachine.Action]) {
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
    /// The duration in seconds.
    var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// Creates a duration from seconds.
    ///
    /// Values that are not finite become zero; others are clamped to ±10⁹ seconds.
    init(inSeconds seconds: Double) {
        self = seconds.isFinite ? .seconds(min(max(seconds, -1e9), 1e9)) : .zero
    }
}

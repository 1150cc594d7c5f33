import PortolanGeo
public import PortolanPlan
import PortolanRaster

/// An animation from one view to another, as a function of time without a clock.
public struct ViewAnimation: Hashable, Sendable {
    /// The initial view.
    public let start: Viewport
    /// The final view.
    public let end: Viewport
    /// The start time.
    public let startTime: Duration
    /// The duration; zero for a jump.
    public let duration: Duration

    private let path: Path

    private enum Path: Hashable, Sendable {
        case ease(Curve)
        /// The duration in time constants.
        case fling(Double)
        case fly(FlightPath)
    }

    /// The easing curve.
    public enum Curve: Hashable, Sendable, CaseIterable {
        /// Starts at full speed and slows down, as a response to a gesture.
        case easeOut
        /// Starts and ends slowly.
        case easeInOut

        func progress(_ time: Double) -> Double {
            switch self {
            case .easeOut: 1 - (1 - time) * (1 - time) * (1 - time)
            case .easeInOut: time * time * (3 - 2 * time)
            }
        }
    }

    /// Returns a direct animation with a constant rate of scale change.
    ///
    /// A coordinate at the same pixel in both views stays there.
    public static func ease(
        from start: Viewport, to end: Viewport, at time: Duration, over duration: Duration, curve: Curve = .easeInOut
    ) -> ViewAnimation {
        ViewAnimation(start: start, end: end, startTime: time, duration: max(duration, .zero), path: .ease(curve))
    }

    /// Returns the motion of a map released with a velocity in view pixels per second, which slows down to rest.
    ///
    /// - Parameter end: returns the resting view for the natural end, for example within limits.
    /// - Returns: `nil` if the map is already at rest.
    public static func fling(
        from start: Viewport, velocity: GestureMachine.Action.Velocity, at time: Duration,
        settings: GestureMachine.Settings.Fling = GestureMachine.Settings.Fling(),
        landing end: ((Viewport) -> Viewport)? = nil
    ) -> ViewAnimation? {
        let speed = velocity.speed, constant = settings.timeConstant.inSeconds
        guard speed.isFinite, speed > settings.restSpeed, settings.restSpeed > 0, constant > 0 else { return nil }
        let constants = Libm.logarithm(speed / settings.restSpeed)
        let seconds = constant * (1 - settings.restSpeed / speed)
        guard let natural = try? start.panned(x: velocity.x * seconds, y: velocity.y * seconds) else { return nil }
        return ViewAnimation(
            start: start, end: end?(natural) ?? natural, startTime: time,
            duration: Duration(inSeconds: constants * constant), path: .fling(constants))
    }

    /// Returns a flight to a view: zooms out, moves and zooms in at a constant perceived speed (van Wijk and Nuij 2003,
    /// with ρ = 1.42 and 1.2 ρ-screens per second).
    ///
    /// - Returns: a jump if the flight would take longer than `longest`, or the views have different CRSs.
    public static func fly(
        from start: Viewport, to end: Viewport, at time: Duration, longest: Duration = .seconds(3)
    ) -> ViewAnimation {
        let near = end.nearestCopy(to: start)
        let unit = start.resolution.unitsPerPixel
        let width = Double(max(start.size.width, start.size.height))
        let x = (near.center.x - start.center.x) / unit, y = (near.center.y - start.center.y) / unit
        let path = FlightPath(
            from: width, to: width * near.resolution.unitsPerPixel / unit, distance: (x * x + y * y).squareRoot())
        let seconds = path.length / 1.2
        guard start.crs == end.crs, seconds.isFinite, Duration(inSeconds: seconds) <= longest else {
            return jump(from: start, to: end, at: time)
        }
        // A flight without distance may still rotate.
        let least = start.rotation == end.rotation ? 0 : 0.25
        return ViewAnimation(
            start: start, end: near, startTime: time, duration: Duration(inSeconds: max(seconds, least)),
            path: .fly(path))
    }

    /// Returns an immediate change of view.
    public static func jump(from start: Viewport, to end: Viewport, at time: Duration) -> ViewAnimation {
        ViewAnimation(start: start, end: end, startTime: time, duration: .zero, path: .ease(.easeOut))
    }

    /// The end time.
    public var endTime: Duration { startTime + duration }

    /// Returns the view at a time: the first view before the start, and the last view after the end.
    public func view(at time: Duration) -> Viewport {
        guard time < endTime else { return end }
        guard time > startTime, start.crs == end.crs else { return start }
        let part = (time - startTime) / duration
        switch path {
        case .ease(let curve): return straight(curve.progress(part))
        case .fling(let constants):
            return straight((1 - Libm.exponential(-constants * part)) / (1 - Libm.exponential(-constants)))
        case .fly(let path): return flown(path, Curve.easeInOut.progress(part))
        }
    }

    /// The rotation from the first to the last view, in the shorter direction.
    private var turn: Double {
        let turn = end.rotation - start.rotation
        return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    }

    /// Returns the view on a logarithmic spiral about the coordinate that is at the same pixel in both views.
    ///
    /// Without a change of scale or rotation, that coordinate is at infinity and the spiral is a line.
    private func straight(_ part: Double) -> Viewport {
        let ratio = end.resolution.unitsPerPixel / start.resolution.unitsPerPixel
        let angle = -turn * .pi / 180, growth = Libm.logarithm(ratio)
        let x = end.center.x - start.center.x, y = end.center.y - start.center.y
        var way = (x: x * part, y: y * part)
        if abs(angle) > 1e-9 || abs(growth) > 1e-9 {
            // With w = ratio · e^(i·angle), the fraction of the distance is (1 - w^part) / (1 - w).
            func oneMinus(_ part: Double) -> (real: Double, imaginary: Double) {
                let scale = Libm.exponential(growth * part)
                return (1 - scale * Libm.cosine(angle * part), -scale * Libm.sine(angle * part))
            }
            let above = oneMinus(part), below = oneMinus(1)
            let square = below.real * below.real + below.imaginary * below.imaginary
            let real = (above.real * below.real + above.imaginary * below.imaginary) / square
            let imaginary = (above.imaginary * below.real - above.real * below.imaginary) / square
            way = (x * real - y * imaginary, x * imaginary + y * real)
        }
        return view(way: way, scale: Libm.exponential(growth * part), part: part)
    }

    private func flown(_ path: FlightPath, _ part: Double) -> Viewport {
        let (way, width) = path.state(at: part)
        let x = end.center.x - start.center.x, y = end.center.y - start.center.y
        return view(way: (x * way, y * way), scale: width, part: part)
    }

    private func view(way: (x: Double, y: Double), scale: Double, part: Double) -> Viewport {
        let center = Coordinate(x: start.center.x + way.x, y: start.center.y + way.y)
        guard let resolution = Resolution(unitsPerPixel: start.resolution.unitsPerPixel * scale),
            let view = try? end.with(center: center, resolution: resolution, rotation: start.rotation + turn * part)
        else { return end }
        return view
    }
}

extension Viewport {
    /// Returns the view shifted by whole worlds to be nearest to another.
    func nearestCopy(to other: Viewport) -> Viewport {
        guard let world = crs.worldExtent, crs == other.crs else { return self }
        let worlds = ((other.center.x - center.x) / world.width).rounded()
        guard worlds != 0 else { return self }
        return (try? with(center: Coordinate(x: center.x + worlds * world.width, y: center.y))) ?? self
    }

    /// Returns the view rotated clockwise by degrees about a view pixel, whose coordinate stays at the same pixel.
    func turned(by degrees: Double, about pixel: Point?) throws(Viewport.InvalidError) -> Viewport {
        let turned = try with(rotation: rotation - degrees)
        guard let pixel else { return turned }
        let fixed = coordinate(at: pixel), moved = turned.coordinate(at: pixel)
        return try turned.with(
            center: Coordinate(x: turned.center.x + fixed.x - moved.x, y: turned.center.y + fixed.y - moved.y))
    }
}

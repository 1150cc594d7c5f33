import PortolanGeo
public import PortolanPlan
import PortolanRaster

/// A view that moves to another: a function of time, with no clock of its own.
public struct ViewAnimation: Hashable, Sendable {
    /// The view it begins with.
    public let start: Viewport
    /// The view it ends with.
    public let end: Viewport
    /// When it begins.
    public let startTime: Duration
    /// How long it takes; zero for a jump.
    public let duration: Duration

    private let path: Path

    private enum Path: Hashable, Sendable {
        case ease(Curve)
        /// The number of time constants that it takes.
        case fling(Double)
        case fly(FlightPath)
    }

    /// How the motion begins and ends.
    public enum Curve: Hashable, Sendable, CaseIterable {
        /// It begins at full speed and ends gently, as an answer to a gesture.
        case easeOut
        /// It begins and ends gently.
        case easeInOut

        func progress(_ time: Double) -> Double {
            switch self {
            case .easeOut: 1 - (1 - time) * (1 - time) * (1 - time)
            case .easeInOut: time * time * (3 - 2 * time)
            }
        }
    }

    /// A motion straight to a view: the scale changes evenly, and a place that both views show at one pixel stays there.
    public static func ease(
        from start: Viewport, to end: Viewport, at time: Duration, over duration: Duration, curve: Curve = .easeInOut
    ) -> ViewAnimation {
        ViewAnimation(start: start, end: end, startTime: time, duration: max(duration, .zero), path: .ease(curve))
    }

    /// The motion of a map that was let go with a velocity in view pixels a second: ever slower, until it rests.
    ///
    /// - Parameter end: where it is to rest instead of where it would by itself, as within limits.
    /// - Returns: `nil` when the map rests already.
    public static func fling(
        from start: Viewport, velocity: GestureAction.Velocity, at time: Duration,
        settings: GestureSettings.Fling = GestureSettings.Fling(), landing end: ((Viewport) -> Viewport)? = nil
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

    /// The flight to a view: out, across and in, so that the picture moves evenly (van Wijk and Nuij 2003, with ρ = 1.42 and
    /// 1.2 ρ-screens a second).
    ///
    /// - Returns: a jump when the flight would take longer than `longest`, or the views are of different systems.
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
        // A flight nowhere may still turn.
        let least = start.rotation == end.rotation ? 0 : 0.25
        return ViewAnimation(
            start: start, end: near, startTime: time, duration: Duration(inSeconds: max(seconds, least)),
            path: .fly(path))
    }

    /// A view that is shown at once.
    public static func jump(from start: Viewport, to end: Viewport, at time: Duration) -> ViewAnimation {
        ViewAnimation(start: start, end: end, startTime: time, duration: .zero, path: .ease(.easeOut))
    }

    /// When it ends.
    public var endTime: Duration { startTime + duration }

    /// The view at a time: the first before it begins, the last once it has ended.
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

    /// The turn from the first to the last rotation, the short way.
    private var turn: Double {
        let turn = end.rotation - start.rotation
        return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    }

    /// The view on a logarithmic spiral, about the place that is at the same pixel in both views; with no change of scale or
    /// rotation that place is infinitely far, and the spiral a line.
    private func straight(_ part: Double) -> Viewport {
        let ratio = end.resolution.unitsPerPixel / start.resolution.unitsPerPixel
        let angle = -turn * .pi / 180, growth = Libm.logarithm(ratio)
        let x = end.center.x - start.center.x, y = end.center.y - start.center.y
        var way = (x: x * part, y: y * part)
        if abs(angle) > 1e-9 || abs(growth) > 1e-9 {
            // With w = ratio · e^(i·angle) it is (1 - w^part) / (1 - w) of the way.
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
    /// The view shifted by whole worlds so that it is the one nearest to another.
    func nearestCopy(to other: Viewport) -> Viewport {
        guard let world = crs.worldExtent, crs == other.crs else { return self }
        let worlds = ((other.center.x - center.x) / world.width).rounded()
        guard worlds != 0 else { return self }
        return (try? with(center: Coordinate(x: center.x + worlds * world.width, y: center.y))) ?? self
    }

    /// The view with its picture turned clockwise by degrees about a view pixel, whose coordinate stays where it is.
    func turned(by degrees: Double, about pixel: Point?) throws(ViewportError) -> Viewport {
        let turned = try with(rotation: rotation - degrees)
        guard let pixel else { return turned }
        let fixed = coordinate(at: pixel), moved = turned.coordinate(at: pixel)
        return try turned.with(
            center: Coordinate(x: turned.center.x + fixed.x - moved.x, y: turned.center.y + fixed.y - moved.y))
    }
}

import PortolanGeo

/// The pages along a route: each covers as much of the rest as fits, and repeats the end of the page before it.
struct StripPages {
    /// A page.
    struct Page: Hashable {
        let center: Coordinate
        /// The bearing that points up, in degrees.
        let rotation: Double
        /// Where the route enters and leaves the page: at its edge, unless the route begins or ends on the page.
        let entry: Coordinate, exit: Coordinate
    }

    private(set) var pages: [Page] = []
    private var points: [Coordinate] = []
    /// The indices of points that begin a line.
    private var starts: Set<Int> = []
    private let width: Double
    private let height: Double
    private let isRotated: Bool

    /// The largest angle from the vertical at which a page keeps the side of the page before it up.
    private static let steep = 20 * Double.pi / 180
    /// The share of a page that stays free at each side.
    private static let free = 0.06
    /// The number of parts of a page's shorter side into which long segments are divided.
    private static let parts = 40.0
    /// The largest number of points.
    private static let largestCount = 4_000_000

    /// Covers a route with pages, or returns `nil` if that takes more than `limit`.
    ///
    /// - Parameters:
    ///   - width, height: the size of a page in units of the route.
    ///   - overlap: the share of a page's longer side along the route that the next page repeats.
    init?(
        _ lines: [[Coordinate]], width: Double, height: Double, overlap: Double, isRotated: Bool, limit: Int
    ) {
        self.width = width
        self.height = height
        self.isRotated = isRotated
        for line in lines where line.count > 1 {
            guard add(line) else { return nil }
        }
        let repeated = overlap * max(width, height)
        var first = 0
        while first + 1 < points.count {
            let (last, page) = longest(from: first)
            pages.append(page)
            guard pages.count <= limit else { return nil }
            guard last + 1 < points.count else { break }
            // The next line is too far away for this page.
            if last == first || starts.contains(last + 1) && !fits(first, last + 1) {
                first = last + 1
                continue
            }
            var next = last, length = 0.0
            while next - 1 > first + (last - first) / 2, length < repeated {
                length += Self.distance(points[next - 1], points[next])
                next -= 1
            }
            first = next
        }
    }

    /// Adds a line with long segments divided; returns whether there is room.
    private mutating func add(_ line: [Coordinate]) -> Bool {
        starts.insert(points.count)
        points.append(line[0])
        let step = min(width, height) / Self.parts
        for (one, other) in zip(line, line.dropFirst()) where one != other {
            let pieces = max((Self.distance(one, other) / step).rounded(.up), 1)
            guard pieces.isFinite, Double(points.count) + pieces < Double(Self.largestCount) else { return false }
            for piece in 1...Int(pieces) {
                let share = Double(piece) / pieces
                points.append(
                    Coordinate(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share))
            }
        }
        return true
    }

    private static func distance(_ one: Coordinate, _ other: Coordinate) -> Double {
        let x = other.x - one.x, y = other.y - one.y
        return (x * x + y * y).squareRoot()
    }

    /// Returns the last point of the longest part from a point that fits on a page, and the page.
    private func longest(from first: Int) -> (last: Int, page: Page) {
        var last = first, step = 1
        // Steps grow with the part, so that it is measured a few dozen times at most.
        while last + 1 < points.count {
            step = max((last - first) / 24, 1)
            let next = min(last + step, points.count - 1)
            if fits(first, next) {
                last = next
                continue
            }
            while last + 1 < next, fits(first, last + 1) { last += 1 }
            break
        }
        let shape = self.shape(first, last)
        return (
            last,
            Page(
                center: shape.center, rotation: shape.rotation,
                entry: crossing(from: first, by: -1, shape.center, shape.rotation),
                exit: crossing(from: last, by: 1, shape.center, shape.rotation))
        )
    }

    /// Returns the point at which the route leaves a page, followed from a point on it in one direction.
    private func crossing(from first: Int, by step: Int, _ center: Coordinate, _ rotation: Double) -> Coordinate {
        let axes = Bearing.axes(degrees: -rotation)
        /// The largest share of a half page at which a point is, beyond 1 outside.
        func share(_ point: Coordinate) -> Double {
            let x = point.x - center.x, y = point.y - center.y
            return max(
                abs(x * axes.cosine + y * axes.sine) / (width / 2),
                abs(y * axes.cosine - x * axes.sine) / (height / 2))
        }
        var inside = points[first], next = first + step
        while points.indices.contains(next) {
            let outside = points[next]
            guard share(outside) > 1 else {
                inside = outside
                next += step
                continue
            }
            // The share is convex along the segment, and thus reaches 1 once.
            var low = 0.0, high = 1.0
            func point(_ part: Double) -> Coordinate {
                Coordinate(x: inside.x + (outside.x - inside.x) * part, y: inside.y + (outside.y - inside.y) * part)
            }
            for _ in 0..<48 {
                let middle = (low + high) / 2
                if share(point(middle)) > 1 { high = middle } else { low = middle }
            }
            return point(low)
        }
        return inside
    }

    private func fits(_ first: Int, _ last: Int) -> Bool {
        let shape = shape(first, last), room = 1 - 2 * Self.free
        return shape.width <= width * room && shape.height <= height * room
    }

    /// Returns the size of a part of the route on a page, the middle of its box, and the rotation of the page.
    private func shape(
        _ first: Int, _ last: Int
    ) -> (width: Double, height: Double, center: Coordinate, rotation: Double) {
        let start = points[first], end = points[last]
        // The direction of the page's horizontal axis, counter-clockwise from east.
        var angle = 0.0
        if isRotated, Self.distance(start, end) > min(width, height) / Self.parts {
            angle = Libm.arcTangent(y: end.y - start.y, x: end.x - start.x) - (width >= height ? 0 : .pi / 2)
            // North stays up rather than down. Where a route runs north or south, both sides are as good, and the next
            // page is not turned upside down.
            angle = (angle / .pi - (angle / .pi).rounded()) * .pi
            if let before = pages.last, case let turn = -before.rotation * .pi / 180, .pi / 2 - abs(angle) < Self.steep,
                abs(angle - turn) > .pi / 2
            {
                angle -= angle > turn ? .pi : -.pi
            }
        }
        let cosine = Libm.cosine(angle), sine = Libm.sine(angle)
        var low = (x: Double.infinity, y: Double.infinity), high = (x: -Double.infinity, y: -Double.infinity)
        for index in first...last {
            let point = points[index], x = point.x - start.x, y = point.y - start.y
            let along = x * cosine + y * sine, across = y * cosine - x * sine
            low = (min(low.x, along), min(low.y, across))
            high = (max(high.x, along), max(high.y, across))
        }
        let x = (low.x + high.x) / 2, y = (low.y + high.y) / 2
        return (
            high.x - low.x, high.y - low.y,
            Coordinate(x: start.x + x * cosine - y * sine, y: start.y + x * sine + y * cosine),
            -angle * 180 / .pi
        )
    }
}

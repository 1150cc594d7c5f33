extension Path {
    /// Returns lines parallel to the subpaths at a distance to the right of their direction (y down), or to the left if
    /// it is negative.
    ///
    /// Corners are mitred up to twice the distance, and bevelled beyond. On the inside of a bend narrower than the
    /// distance the line crosses itself, as in the map styles that use offsets. Curves are replaced by straight
    /// segments.
    ///
    /// - Parameter isInside: whether the line of a closed subpath is on its inside, regardless of its direction.
    /// - Complexity: O(*n*).
    package func parallel(at distance: Double, isInside: Bool = false, omitting length: Double = 0) -> Path {
        guard distance != 0, distance.isFinite else { return self }
        var result = Path(), line: [Point] = [], index = 0
        func end(isClosed: Bool) {
            if length > 0 { Self.omitShort(&line, length) }
            let isTurned = isClosed && isInside && Self.area(line) < 0
            result.append(
                Self.parallel(to: line, isClosed: isClosed, at: isTurned ? -distance : distance), isClosed: isClosed)
            line.removeAll(keepingCapacity: true)
        }
        for verb in verbs {
            switch verb {
            case .move:
                if !line.isEmpty { end(isClosed: false) }
                line.append(points[index])
                index += 1
            case .line, .quad, .cubic:
                index += verb == .cubic ? 2 : verb == .quad ? 1 : 0
                if line.last != points[index] { line.append(points[index]) }
                index += 1
            case .close: end(isClosed: true)
            }
        }
        if !line.isEmpty { end(isClosed: false) }
        return result
    }

    /// Removes points near the previous one; the ends are kept.
    private static func omitShort(_ line: inout [Point], _ length: Double) {
        guard line.count > 2, let last = line.popLast() else { return }
        var count = 1
        for point in line.dropFirst() where point.distance(to: line[count - 1]) > length {
            line[count] = point
            count += 1
        }
        if count > 1, line[count - 1].distance(to: last) <= length { count -= 1 }
        line.removeLast(line.count - count)
        line.append(last)
    }

    /// Returns twice the signed area of a ring, positive if it is clockwise on the screen.
    private static func area(_ ring: [Point]) -> Double {
        var area = 0.0, last = ring.last ?? Point(x: 0, y: 0)
        for point in ring {
            area += last.x * point.y - point.x * last.y
            last = point
        }
        return area
    }

    private mutating func append(_ line: [Point], isClosed: Bool) {
        for (index, point) in line.enumerated() {
            if index == 0 { move(to: point) } else { self.line(to: point) }
        }
        if isClosed, !line.isEmpty { close() }
    }

    private static func parallel(to line: [Point], isClosed: Bool, at distance: Double) -> [Point] {
        var points = line
        if isClosed, points.count > 1, points.first == points.last { points.removeLast() }
        let count = points.count
        guard count > 1 else { return [] }
        let segments = isClosed ? count : count - 1
        /// The unit vectors to the right of each segment.
        let sides = (0..<segments).map { number -> Point in
            let from = points[number], to = points[(number + 1) % count]
            let x = to.x - from.x, y = to.y - from.y, length = (x * x + y * y).squareRoot()
            return length > 0 ? Point(x: -y / length, y: x / length) : Point(x: 0, y: 0)
        }
        var result: [Point] = []
        result.reserveCapacity(count + 2)
        func add(_ point: Point, _ side: Point, _ factor: Double = 1) {
            result.append(Point(x: point.x + side.x * distance * factor, y: point.y + side.y * distance * factor))
        }
        for number in 0..<count {
            let before = isClosed ? (number + segments - 1) % segments : number - 1
            guard before >= 0, number < segments else {
                add(points[number], sides[before >= 0 ? before : 0])
                continue
            }
            let first = sides[before], second = sides[number % segments]
            // Half the sum of both vectors has the cosine of half the angle as its length.
            let middle = Point(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2)
            let square = middle.x * middle.x + middle.y * middle.y
            if square >= 0.25 {
                add(points[number], middle, 1 / square)
            } else {
                add(points[number], first)
                add(points[number], second)
            }
        }
        return result
    }
}

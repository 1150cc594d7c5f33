package import PortolanRaster

extension Rectangle {
    /// The point in the middle.
    var center: Point { Point(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }

    /// Returns whether the interiors intersect; touching sides do not count.
    func overlaps(_ other: Rectangle) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// Returns whether the other rectangle is completely inside or on a side.
    func encloses(_ other: Rectangle) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// Returns the distance between the sides; 0 if the rectangles meet.
    func distance(to other: Rectangle) -> Double {
        let x = max(0, other.minX - maxX, minX - other.maxX), y = max(0, other.minY - maxY, minY - other.maxY)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the rectangle with its sides moved outwards.
    func grown(by margin: Double) -> Rectangle {
        Rectangle(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }

    /// Returns upright boxes that approximate a straight line, each around a part of about the same length.
    ///
    /// - Parameters:
    ///   - step: the largest length of a part, if no more than `limit` are needed.
    ///   - reach: the distance of the sides of a box from its part.
    static func boxes(
        from start: Point, to end: Point, step: Double, reach: Double, limit: Int = .max
    ) -> [Rectangle] {
        let count = max((MeasuredLine.distance(start, end) / step).rounded(.up), 1)
        func point(at share: Double) -> Point {
            Point(x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
        }
        return (0..<Int(min(count, Double(limit)))).map { number in
            let one = point(at: Double(number) / count), other = point(at: Double(number + 1) / count)
            return Rectangle(
                minX: min(one.x, other.x) - reach, minY: min(one.y, other.y) - reach,
                maxX: max(one.x, other.x) + reach, maxY: max(one.y, other.y) + reach)
        }
    }

    /// Returns the rectangle moved by a vector.
    package func moved(x: Double, y: Double) -> Rectangle {
        Rectangle(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// Returns the smallest rectangle that contains both.
    func union(_ other: Rectangle) -> Rectangle {
        Rectangle(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// Returns the smallest upright rectangle around this one after `transform`.
    func bounds(after transform: AffineTransform) -> Rectangle {
        let corners = [
            Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY), Point(x: minX, y: maxY),
        ].map { transform($0) }
        return corners.dropFirst().reduce(
            Rectangle(minX: corners[0].x, minY: corners[0].y, maxX: corners[0].x, maxY: corners[0].y)
        ) { $0.union(Rectangle(minX: $1.x, minY: $1.y, maxX: $1.x, maxY: $1.y)) }
    }
}

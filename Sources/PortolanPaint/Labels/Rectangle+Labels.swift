package import PortolanRaster

extension Rectangle {
    /// The point in the middle.
    var center: Point { Point(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }

    /// Whether the two have a common inside; sides that touch do not count.
    func overlaps(_ other: Rectangle) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// Whether all of the other rectangle lies inside or on a side.
    func encloses(_ other: Rectangle) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// The rectangle with its sides moved outwards.
    func grown(by margin: Double) -> Rectangle {
        Rectangle(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }

    /// The rectangle moved by a vector.
    package func moved(x: Double, y: Double) -> Rectangle {
        Rectangle(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// The smallest rectangle around both.
    func union(_ other: Rectangle) -> Rectangle {
        Rectangle(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// The smallest upright rectangle around this one after `transform`.
    func bounds(after transform: AffineTransform) -> Rectangle {
        let corners = [
            Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY), Point(x: minX, y: maxY),
        ].map { transform($0) }
        return corners.dropFirst().reduce(
            Rectangle(minX: corners[0].x, minY: corners[0].y, maxX: corners[0].x, maxY: corners[0].y)
        ) { $0.union(Rectangle(minX: $1.x, minY: $1.y, maxX: $1.x, maxY: $1.y)) }
    }
}

import PortolanGeo

extension Collection<Coordinate> {
    /// Twice the area of a ring, open or closed: positive if it is counterclockwise, 0 if it is empty.
    ///
    /// It is computed relative to the first coordinate, so that rings far from the origin lose no digits.
    package var doubledRingArea: Double {
        guard let origin = first else { return 0 }
        var sum = 0.0, previous = origin
        for next in dropFirst() {
            sum += (previous.x - origin.x) * (next.y - origin.y) - (next.x - origin.x) * (previous.y - origin.y)
            previous = next
        }
        return sum
    }
}

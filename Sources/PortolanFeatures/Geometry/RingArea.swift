import PortolanGeo

extension Collection<Coordinate> {
    /// Twice the area within a ring, closed or not: positive if it runs counter-clockwise, 0 if it is empty.
    ///
    /// It is summed up from the first coordinate, so that rings far from the origin lose no digits.
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

public import PortolanRaster

/// Cuts lines at the sides of a rectangle, after Liang and Barsky.
public enum LineClipper {
    /// The pieces of a line that lie inside a box, in order; each has at least two points.
    ///
    /// Grow the box by half the width of the stroke (and more for mitred corners), so that the cut ends stay out of
    /// sight. Segments that only touch the box at one point give no piece. At points that are not finite, or
    /// more than 10¹⁵ pixels away, the line is broken.
    /// - Complexity: O(*n*) in the points.
    public static func clip(_ line: [Point], to box: Rectangle) -> [[Point]] {
        var pieces: [[Point]] = []
        var piece: [Point] = []
        for index in line.indices.dropFirst() {
            let start = line[index - 1], end = line[index]
            guard start.isInRange, end.isInRange, let (entry, exit) = inside(start, end, box)
            else {
                finish(&piece, &pieces)
                continue
            }
            if entry > 0 || piece.isEmpty {
                finish(&piece, &pieces)
                piece.append(entry > 0 ? at(entry, start, end, box) : start)
            }
            piece.append(exit < 1 ? at(exit, start, end, box) : end)
            if exit < 1 { finish(&piece, &pieces) }
        }
        finish(&piece, &pieces)
        return pieces
    }

    private static func finish(_ piece: inout [Point], _ pieces: inout [[Point]]) {
        if piece.count > 1, piece.contains(where: { $0 != piece[0] }) { pieces.append(piece) }
        piece = []
    }

    /// Where a segment is inside, as fractions of its length, or `nil` when it is outside.
    private static func inside(_ start: Point, _ end: Point, _ box: Rectangle) -> (Double, Double)? {
        let dx = end.x - start.x, dy = end.y - start.y
        var entry = 0.0, exit = 1.0
        for (direction, room) in [
            (-dx, start.x - box.minX), (dx, box.maxX - start.x), (-dy, start.y - box.minY), (dy, box.maxY - start.y),
        ] {
            if direction == 0 {
                if room < 0 { return nil }
            } else if direction < 0 {
                entry = max(entry, room / direction)
            } else {
                exit = min(exit, room / direction)
            }
        }
        return entry <= exit ? (entry, exit) : nil
    }

    /// The place at a fraction of a segment, held inside the box against rounding.
    private static func at(_ fraction: Double, _ start: Point, _ end: Point, _ box: Rectangle) -> Point {
        Point(
            x: min(max(start.x + (end.x - start.x) * fraction, box.minX), box.maxX),
            y: min(max(start.y + (end.y - start.y) * fraction, box.minY), box.maxY))
    }
}

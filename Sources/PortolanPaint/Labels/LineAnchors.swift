import PortolanGeo
import PortolanRaster

/// The places along a line where symbols stand that do not run along it: in the middle of windows of equal length, as labels
/// have them, so that a symbol stays on its ground while the picture is moved.
struct LineAnchors {
    /// A place, the direction of the line there in degrees clockwise from the right, and how far it is from the line's
    /// middle in the row.
    struct Anchor {
        let point: Point
        let turn: Double
        let repetition: Int
    }

    private static let limit = 1_024

    /// How far apart the places are, and how long a line must be to have one, in picture pixels.
    let spacing: Double
    let leastLength: Double

    /// The places in an area.
    ///
    /// - Complexity: O(*n*) in the points, and beyond that in the part of the line in the area.
    func anchors(along points: [Point], in area: Rectangle) -> [Anchor] {
        let line = MeasuredLine(points)
        guard line.length.isFinite, line.length > 0, line.length >= leastLength else { return [] }
        // A hair more: the length of a moved line differs in its last digits.
        let count = max((line.length / max(spacing, 1) + 1e-6).rounded(.down), 1), window = line.length / count
        let reach = max(leastLength / 2, 1)
        return line.windows(of: window, count: count, in: area, limit: Self.limit).compactMap { number in
            let middle = (number + 0.5) * window
            let from = line.point(at: middle - reach), to = line.point(at: middle + reach)
            guard let direction = MeasuredLine.direction(from: from, to: to) else { return nil }
            let point = line.point(at: middle)
            guard area.contains(point) else { return nil }
            return Anchor(
                point: point, turn: Libm.arcTangent(y: direction.y, x: direction.x) * 180 / Double.pi,
                repetition: Int(min(abs(2 * number + 1 - count), 1e9)))
        }
    }
}

extension MeasuredLine {
    /// The numbers of the stretches of equal length that have a part in a box, ascending, as far as the limit goes.
    func windows(of length: Double, count: Double, in box: Rectangle, limit: Int) -> [Double] {
        var numbers: Set<Double> = []
        for segment in segments(in: box) {
            let first = max((segment.low / length).rounded(.down), 0)
            let last = min((segment.high / length).rounded(.down), count - 1)
            guard first <= last else { continue }
            for number in stride(from: first, through: last, by: 1) {
                guard numbers.count < limit else { return numbers.sorted() }
                numbers.insert(number)
            }
        }
        return numbers.sorted()
    }
}

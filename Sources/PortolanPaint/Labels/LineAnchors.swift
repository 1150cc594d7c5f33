import PortolanGeo
import PortolanRaster

/// The places along a line where symbols stand that do not run along it: in the middle of windows of equal length, as labels
/// have them, so that a symbol stays on its ground while the picture is moved; those of a style where MapLibre has them.
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
    /// How far from the start of a line the first symbol of a style begins, in picture pixels; `nil` for symbols of others.
    let styleInset: Double?

    /// The places in an area.
    ///
    /// - Complexity: O(*n*) in the points, and beyond that in the part of the line in the area.
    func anchors(along points: [Point], in area: Rectangle) -> [Anchor] {
        let line = MeasuredLine(points)
        guard line.length.isFinite, line.length > 0, line.length >= leastLength else { return [] }
        let reach = max(leastLength / 2, 1)
        return centers(of: line, in: area).compactMap { number, middle in
            let from = line.point(at: middle - reach), to = line.point(at: middle + reach)
            guard let direction = MeasuredLine.direction(from: from, to: to) else { return nil }
            let point = line.point(at: middle)
            guard area.contains(point) else { return nil }
            return Anchor(
                point: point, turn: Libm.arcTangent(y: direction.y, x: direction.x) * 180 / Double.pi,
                repetition: Int(min(number, 1e9)))
        }
    }

    /// How far along the line the symbols are, and how many lie between each and the first one to be placed.
    private func centers(of line: MeasuredLine, in area: Rectangle) -> [(number: Double, center: Double)] {
        if let styleInset {
            return line.styleCenters(of: leastLength, after: styleInset, spacing: spacing, in: area, limit: Self.limit)
                .centers
        }
        // A hair more: the length of a moved line differs in its last digits.
        let count = max((line.length / max(spacing, 1) + 1e-6).rounded(.down), 1), window = line.length / count
        return line.windows(of: window, count: count, in: area, limit: Self.limit).map { number in
            (abs(2 * number + 1 - count), (number + 0.5) * window)
        }
    }
}

extension MeasuredLine {
    /// Where MapLibre has symbols along a line, whatever the MapLibre Style Specification leaves open: the first begins an inset
    /// after the start of the line, the others follow at equal distances, and a line that is too short for that has one in its
    /// middle.
    ///
    /// - Returns: The numbers of the symbols whose windows have a part in a box, with the distances of their middles from the
    ///   start, as far as the limit goes; and how far apart they are.
    func styleCenters(
        of width: Double, after inset: Double, spacing: Double, in box: Rectangle, limit: Int
    ) -> (centers: [(number: Double, center: Double)], step: Double) {
        let step = spacing - width < spacing / 4 ? width + spacing / 4 : spacing
        guard width <= length else { return ([], step) }
        var centers: [(number: Double, center: Double)] = []
        if step.isFinite {
            let first = (width / 2 + inset).truncatingRemainder(dividingBy: step)
            let reach = first - step / 2, count = ((length - reach) / step).rounded(.up)
            for number in windows(of: step, count: max(count, 1), in: box, limit: limit) {
                let center = first + number * step
                if center >= width / 2, center + width / 2 <= length { centers.append((number, center)) }
            }
        }
        // Of a line of which only the end is in the picture others may be elsewhere.
        if centers.isEmpty, step.isInfinite || length < step + width + inset { centers = [(0, length / 2)] }
        return (centers, step)
    }

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

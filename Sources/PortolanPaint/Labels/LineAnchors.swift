import PortolanGeo
import PortolanRaster

/// The positions along a line of symbols that do not follow it: in the middle of equal windows, as for labels, so that
/// a symbol keeps its ground position while the map is panned.
///
/// For style sheets, the positions are those of MapLibre.
struct LineAnchors {
    /// A position, the direction of the line there in degrees clockwise from the right, and its rank by the distance
    /// from the line's middle.
    struct Anchor {
        let point: Point
        let turn: Double
        let repetition: Int
        /// Other points of the window, the nearest first, for symbols that are not those of a style sheet.
        var others: [Point] = []
    }

    private static let limit = 1_024
    /// The distances of other points from the middle of a window, as fractions of the spacing.
    private static let otherSpots = [-0.1, 0.1, -0.2, 0.2, -0.3, 0.3, -0.4, 0.4]

    /// The distance between positions, and the least length of a line, in picture pixels.
    let spacing: Double
    let leastLength: Double
    /// The distance of the first symbol of a style sheet from the start of a line in picture pixels, or `nil` for other
    /// symbols.
    let styleInset: Double?
    /// The tiles of the symbols, or `nil`.
    let tiles: LabelTiles?

    /// Returns the positions in an area.
    ///
    /// - Parameter cuts: points at which tiles cut lines.
    /// - Complexity: O(*n*) in the points, and in addition in the part of the line in the area.
    func anchors(along points: [Point], cuts: Set<Point> = [], in area: Rectangle) -> [Anchor] {
        let line = MeasuredLine(points)
        guard line.length.isFinite, line.length > 0, line.length >= leastLength else { return [] }
        let reach = max(leastLength / 2, 1)
        return centers(of: line, cuts, in: area).compactMap { number, middle in
            let from = line.point(at: middle - reach), to = line.point(at: middle + reach)
            guard let direction = MeasuredLine.direction(from: from, to: to) else { return nil }
            let point = line.point(at: middle)
            guard area.contains(point) else { return nil }
            let others = (styleInset == nil ? Self.otherSpots : []).map { share in
                line.point(at: min(max(middle + share * spacing, 0), line.length))
            }
            return Anchor(
                point: point, turn: Libm.arcTangent(y: direction.y, x: direction.x) * 180 / Double.pi,
                repetition: Int(min(number, 1e9)), others: others)
        }
    }

    /// The distances of the symbols along the line, and their ranks.
    private func centers(
        of line: MeasuredLine, _ cuts: Set<Point>, in area: Rectangle
    ) -> [(number: Double, center: Double)] {
        if let styleInset, let tiles {
            return line.tileCenters(
                of: leastLength, after: styleInset, spacing: spacing, cuts: line.distances(of: cuts), tiles, in: area,
                limit: Self.limit
            ).centers
        }
        if let styleInset {
            return line.styleCenters(of: leastLength, after: styleInset, spacing: spacing, in: area, limit: Self.limit)
                .centers
        }
        // Adds a tolerance, since the length of a panned line differs in its last digits.
        let count = max((line.length / max(spacing, 1) + 1e-6).rounded(.down), 1), window = line.length / count
        return line.windows(of: window, count: count, in: area, limit: Self.limit).map { number in
            (abs(2 * number + 1 - count), (number + 0.5) * window)
        }
    }
}

extension MeasuredLine {
    /// Returns the symbol positions of MapLibre along a line, which the MapLibre Style Specification leaves open: the
    /// first at an inset from the start of the line, the others at equal distances.
    ///
    /// A line that is too short has one in its middle.
    ///
    /// - Returns: The indexes of the symbols whose windows intersect a box, with the distances of their middles from
    ///   the start, up to the limit, and the distance between them.
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
        // If only the end of a line is in the picture, symbols may be elsewhere on it.
        if centers.isEmpty, step.isInfinite || length < step + width + inset { centers = [(0, length / 2)] }
        return (centers, step)
    }

    /// Returns the indexes of the windows of equal length that intersect a box, ascending, up to the limit.
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

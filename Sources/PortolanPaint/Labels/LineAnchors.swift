import PortolanGeo
import PortolanRaster

/// The positions along a line of symbols that do not follow it: in the middle of equal windows, as for labels, so that
/// a symbol keeps its ground position while the map is panned.
///
/// For style sheets, the positions are those of MapLibre.
struct LineAnchors {
    /// A position, and the direction of the line there in degrees clockwise from the right.
    struct Place {
        let point: Point
        private(set) var turn: Double

        init(_ point: Point, along direction: Point) {
            self.point = point
            turn = Libm.arcTangent(y: direction.y, x: direction.x) * 180 / Double.pi
        }

        /// The place for a symbol that is not turned.
        var upright: Place {
            var place = self
            place.turn = 0
            return place
        }
    }

    /// The positions of a symbol, the best first, and its rank by the distance from the line's middle.
    struct Anchor {
        let places: [Place]
        let repetition: Int
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
    /// The largest distance of a line from a symbol that is only where the line is straight, in picture pixels, or `nil`
    /// for symbols anywhere.
    var tolerance: Double?

    /// Returns the positions in an area.
    ///
    /// - Parameter cuts: points at which tiles cut lines.
    /// - Complexity: O(*n*) in the points, and in addition in the part of the line in the area.
    func anchors(along points: [Point], cuts: Set<Point> = [], in area: Rectangle) -> [Anchor] {
        let line = MeasuredLine(points)
        guard line.length.isFinite, line.length > 0, line.length >= leastLength else { return [] }
        let reach = max(leastLength / 2, 1)
        return centers(of: line, cuts, in: area).compactMap { number, middle in
            let places =
                tolerance.map { tolerance in
                    straightPlaces(on: line, near: middle, reach: reach, within: tolerance).filter {
                        area.contains($0.point)
                    }
                } ?? self.places(on: line, near: middle, reach: reach, in: area)
            return places.isEmpty ? nil : Anchor(places: places, repetition: Int(min(number, 1e9)))
        }
    }

    /// The place at a position in an area, and for symbols that are not those of a style sheet others nearby.
    private func places(on line: MeasuredLine, near middle: Double, reach: Double, in area: Rectangle) -> [Place] {
        let from = line.point(at: middle - reach), to = line.point(at: middle + reach)
        let point = line.point(at: middle)
        guard let direction = MeasuredLine.direction(from: from, to: to), area.contains(point) else { return [] }
        let others = (styleInset == nil ? Self.otherSpots : []).map { share in
            line.point(at: min(max(middle + share * spacing, 0), line.length))
        }
        return ([point] + others).map { Place($0, along: direction) }
    }

    /// The places around a position at which the line is straight over the length of a symbol, the nearest first.
    private func straightPlaces(
        on line: MeasuredLine, near middle: Double, reach: Double, within tolerance: Double
    ) -> [Place] {
        let step = max(reach / 3, 1), most = (min(spacing, line.length) / 2 / step).rounded(.down)
        guard most.isFinite, most < 1e4 else { return [] }
        let offsets = stride(from: 1, through: most, by: 1).flatMap { [-$0 * step, $0 * step] }
        return ([0] + offsets).compactMap { offset in
            let center = middle + offset, low = center - reach, high = center + reach
            guard low >= 0, high <= line.length else { return nil }
            let from = line.point(at: low), to = line.point(at: high)
            guard let direction = MeasuredLine.direction(from: from, to: to),
                // A line that turns back is not straight.
                MeasuredLine.distance(from, to) >= 2 * reach - tolerance
            else { return nil }
            let isStraight = line.points(between: low, and: high).allSatisfy {
                abs(($0.x - from.x) * direction.y - ($0.y - from.y) * direction.x) <= tolerance
            }
            return isStraight ? Place(line.point(at: center), along: direction) : nil
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

import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanText

/// The candidate positions of a label along a line: the text follows the line, upright, where it is straightest.
struct LinePositions {
    /// The cosine of the largest angle between a letter and the whole text: 45°, or a right angle in a style sheet, as
    /// in the MapLibre Style Specification.
    private let leastTextCosine: Double
    /// The additional length of the line beyond that of the text.
    private let excess: Double
    private let isOfStyle: Bool
    /// The tiles of the text, or `nil`.
    private let tiles: LabelTiles?
    /// The cosine of the largest angle between a letter and the next, 30° unless the style states another.
    private let leastLetterCosine: Double
    private static let repetitionLimit = 256
    /// The number of sections of a window, each with one candidate; odd, so that one is in the middle.
    private static let sectionCount = 5
    private static let probeLimit = 41
    /// The depth by which the boxes of two letters may overlap at a bend, in multiples of the letter size.
    private static let letterOverlap = 0.05

    private let text: LabelText
    /// The boxes of the letters, or none for a style sheet, whose letters may overlap as in MapLibre.
    private let inks: [Rectangle?]
    private let halo: Double
    /// The distance between the labels of a long line, in picture pixels.
    private let spacing: Double
    private var width: Double { text.width }
    /// The offset of the text from its position on the line.
    private let shift: Shift

    /// The offset of a text from its position on a line.
    struct Shift {
        /// Picture pixels along the line in reading direction, and across it, downwards.
        var along = 0.0, across = 0.0
        /// The rotation of each letter: cosine and sine.
        var turn = (cosine: 1.0, sine: 0.0)

        /// Creates an empty offset.
        init() {}

        /// Creates the offset of a text beside a line with a width in picture pixels, or on it.
        init(beside side: LabelSymbol.LineSide?, of text: LabelText, lineWidth: Double) {
            guard let side else { return }
            let distance = (text.height + lineWidth) / 2
            across = side == .above ? -distance : distance
        }

        /// Creates the offset stated by alignment, offset and rotation.
        init(_ symbol: LabelSymbol, of text: LabelText, pixelRatio: Double) {
            along = symbol.offsetX * pixelRatio
            across = symbol.offsetY * pixelRatio
            switch symbol.horizontalAlignment {
            case .left: along += text.width / 2
            case .center: break
            case .right: along -= text.width / 2
            }
            switch symbol.verticalAlignment {
            case .top: across += text.height / 2
            case .middle: break
            case .bottom: across -= text.height / 2
            }
            if symbol.rotation != 0 { turn = Bearing.axes(degrees: symbol.rotation) }
        }
    }

    /// Whether a text on a line to the left is turned upright.
    private let keepsUpright: Bool

    init(
        text: LabelText, halo: Double, spacing: Double, maximumAngle: Double? = nil, keepsUpright: Bool = true,
        isOfStyle: Bool = false, tiles: LabelTiles? = nil, shift: Shift = Shift()
    ) {
        leastTextCosine = isOfStyle ? 0 : 0.7071067811865476
        excess = isOfStyle ? 0 : text.size
        self.isOfStyle = isOfStyle
        self.tiles = tiles
        self.shift = shift
        self.keepsUpright = keepsUpright
        leastLetterCosine = maximumAngle.map { Bearing.axes(degrees: $0).cosine } ?? 0.8660254037844387
        self.text = text
        inks = isOfStyle ? [] : text.lines.first?.clusterInks ?? []
        self.halo = halo
        self.spacing = spacing
    }

    /// A label of a line: its candidate spots, the best first, and its rank by the distance from the line's middle.
    struct Label {
        let spots: [LineSpot]
        /// Whether other spots on the line of the first one follow, which are sought when they are needed.
        var hasOthers = false
        let repetition: Int
    }

    /// Returns the labels of a line in a picture.
    ///
    /// The line is divided into windows of equal length, each with one label. Windows and positions depend on the whole
    /// line only, so that a label keeps its ground position while the map is panned. A label whose best position is
    /// outside the picture is omitted, unless this leaves the line without a label. Then the next best position in the
    /// picture is used.
    ///
    /// - Complexity: O(*n*) in the points, and in addition in the part of the line in the picture.
    /// - Parameter cuts: points at which tiles cut lines.
    func labels(along points: [Point], cuts: Set<Point> = [], in picture: Rectangle) -> [Label] {
        let line = MeasuredLine(points)
        guard width > 0, line.length.isFinite, line.length >= width + excess else { return [] }
        if isOfStyle { return labels(ofStyle: line, cuts, in: picture) }
        // Adds a tolerance, since the length of a panned line differs in its last digits.
        let count = max((line.length / max(spacing, 1.5 * width) + 1e-6).rounded(.down), 1)
        let window = line.length / count
        var labels: [Label] = []
        var others: [Found] = []
        for number in line.windows(of: window, count: count, in: picture, limit: Self.repetitionLimit) {
            let part = MeasuredLine(
                LineSimplifier.simplify(
                    line.part(from: number * window, to: (number + 1) * window), tolerance: 0.1 * text.size))
            let found = places(on: part)
            guard let best = found.first else { continue }
            if isInside(best, picture) {
                let repetition = Int(min(abs(2 * number + 1 - count), 1e9))
                labels.append(Label(spots: found.map(\.spot), repetition: repetition))
            } else if labels.isEmpty {
                others += found.filter { isInside($0, picture) }
            }
        }
        guard labels.isEmpty, !others.isEmpty else { return labels.sorted { $0.repetition < $1.repetition } }
        others.sort { $0.penalty < $1.penalty }
        return [Label(spots: others.prefix(Self.sectionCount).map(\.spot), repetition: 0)]
    }

    /// The labels of a line as in MapLibre.
    ///
    /// If its position is occupied, a label may be moved along the line.
    private func labels(ofStyle line: MeasuredLine, _ cuts: Set<Point>, in picture: Rectangle) -> [Label] {
        let inset = 2 * text.size, limit = Self.repetitionLimit
        let (centers, step) =
            tiles.map { tiles in
                line.tileCenters(
                    of: width, after: inset, spacing: spacing, cuts: line.distances(of: cuts), tiles, in: picture,
                    limit: limit)
            } ?? line.styleCenters(of: width, after: inset, spacing: spacing, in: picture, limit: limit)
        return centers.compactMap { number, center in
            let low = max(center - step / 2, 0), high = min(center + step / 2, line.length)
            let part = MeasuredLine(
                LineSimplifier.simplify(line.part(from: low, to: high), tolerance: 0.1 * text.size))
            let start = max(min(center - low - width / 2, part.length - width), 0)
            let repetition = Int(min(number, 1e9))
            guard pose(on: part, at: start) == nil else {
                return Label(spots: [LineSpot(line: part, start: start)], hasOthers: true, repetition: repetition)
            }
            let spots = spots(on: part)
            return spots.isEmpty ? nil : Label(spots: spots, repetition: repetition)
        }
    }

    /// Returns the best spot of each section of a line, the best first.
    func spots(on line: MeasuredLine) -> [LineSpot] { places(on: line).map(\.spot) }

    /// Returns the position of a text that begins at a spot.
    func place(at spot: LineSpot) -> LabelPosition? {
        pose(on: spot.line, at: spot.start).map { LabelPosition(text, along: $0.pose, halo: halo) }
    }

    private func isInside(_ found: Found, _ picture: Rectangle) -> Bool {
        LabelPosition(text, along: found.pose, halo: halo).candidate.bounds.map(picture.encloses) ?? false
    }

    /// A spot and its penalty in whole millionths, so that rounding differences have no effect.
    private struct Found {
        let penalty: Double
        let spot: LineSpot
        let pose: LabelPose
    }

    /// The best spot of each section of a window, the best first.
    ///
    /// Sections keep the candidates apart, so that the alternative to an occupied one is also stable while the map is
    /// panned, rather than a pixel aside.
    private func places(on line: MeasuredLine) -> [Found] {
        let room = line.length - width
        guard room >= 0 else { return [] }
        let count = Int(min(max(room / (text.size / 2) - 1e-6, 1), Double(Self.probeLimit)).rounded(.up))
        /// A bend weighs more than the distance from the middle, except for a barely visible one.
        func penalty(_ bend: Double, from middle: Double, at fraction: Double) -> Double {
            ((4 * bend + 0.6 * abs(fraction - middle)) * 1e6).rounded()
        }
        var best: [(inSection: Double, number: Int, penalty: Double, start: Double, pose: LabelPose)?] = Array(
            repeating: nil, count: Self.sectionCount)
        for (number, section, middle) in Self.probes(count) {
            let fraction = Double(number) / Double(count)
            // Spots farther from the section's middle cannot be better, however straight the line is there.
            let least = penalty(0, from: middle, at: fraction)
            if let known = best[section], (known.inSection, known.number) < (least, number) { continue }
            let start = room * fraction
            guard let (bend, pose) = pose(on: line, at: start) else { continue }
            let inSection = penalty(bend, from: middle, at: fraction)
            if let known = best[section], (known.inSection, known.number) < (inSection, number) { continue }
            best[section] = (inSection, number, penalty(bend, from: 0.5, at: fraction), start, pose)
        }
        let found = best.compactMap { best in
            best.map { Found(penalty: $0.penalty, spot: LineSpot(line: line, start: $0.start), pose: $0.pose) }
        }.enumerated()
        return found.sorted { ($0.element.penalty, $0.offset) < ($1.element.penalty, $1.offset) }.map(\.element)
    }

    /// The probes of a window with a number of steps: the step, its section, and the section's middle; those nearest to
    /// a section's middle first.
    private static func probes(_ count: Int) -> [(number: Int, section: Int, middle: Double)] {
        let probes = (0...count).map { number in
            let section = min(Int(Double(number) / Double(count) * Double(sectionCount)), sectionCount - 1)
            return (number: number, section: section, middle: (Double(section) + 0.5) / Double(sectionCount))
        }
        return probes.sorted {
            let one = abs(Double($0.number) / Double(count) - $0.middle)
            let other = abs(Double($1.number) / Double(count) - $1.middle)
            return (one, $0.number) < (other, $1.number)
        }
    }

    /// The text set from a distance along the line, and its deviation from a straight text (0), or `nil` if it bends
    /// too sharply.
    private func pose(on line: MeasuredLine, at place: Double) -> (bend: Double, pose: LabelPose)? {
        var start = place, first = line.point(at: start), last = line.point(at: start + width)
        guard var chord = MeasuredLine.direction(from: first, to: last) else { return nil }
        // A text runs to the right, and upwards on a vertical line.
        let isReversed = keepsUpright && (abs(chord.x) < 1e-6 ? chord.y > 0 : chord.x < 0)
        if shift.along != 0 {
            start += isReversed ? -shift.along : shift.along
            guard start >= 0, start + width <= line.length else { return nil }
            (first, last) = (line.point(at: start), line.point(at: start + width))
            guard let moved = MeasuredLine.direction(from: first, to: last) else { return nil }
            chord = moved
        }
        if isReversed { chord = Point(x: -chord.x, y: -chord.y) }
        guard let setting = text.lines.first, !setting.clusters.isEmpty else {
            return turned(on: line, at: start, first, last, chord)
        }
        var transforms: [AffineTransform] = []
        transforms.reserveCapacity(setting.clusters.count)
        var least = 1.0
        var previous: Point?, letter: (ink: Rectangle, transform: AffineTransform)?
        for (number, cluster) in setting.clusters.enumerated() {
            let center = cluster.x + cluster.advance / 2
            let reach = max(cluster.advance / 2, text.size / 2)
            let before = start + (isReversed ? width - center + reach : center - reach)
            let after = start + (isReversed ? width - center - reach : center + reach)
            let from = line.point(at: before), to = line.point(at: after)
            guard let direction = MeasuredLine.direction(from: from, to: to) else { return nil }
            let cosine = direction.x * chord.x + direction.y * chord.y
            guard cosine >= leastTextCosine else { return nil }
            if let previous, direction.x * previous.x + direction.y * previous.y < leastLetterCosine { return nil }
            previous = direction
            least = min(least, cosine)
            let own = transform(
                center: center, to: Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2), direction: direction)
            transforms.append(own)
            guard inks.indices.contains(number), let ink = inks[number] else { continue }
            if let letter, overlap(letter, (ink, own)) { return nil }
            letter = (ink, own)
        }
        return (1 - least, .bent(transforms))
    }

    /// Returns whether two neighbouring letters overlap more than on a straight line.
    private func overlap(
        _ one: (ink: Rectangle, transform: AffineTransform), _ other: (ink: Rectangle, transform: AffineTransform)
    ) -> Bool {
        /// The position of a point of the picture in the coordinates of a letter.
        func local(_ point: Point, _ transform: AffineTransform) -> Point {
            let x = point.x - transform.tx, y = point.y - transform.ty
            return Point(x: x * transform.a + y * transform.b, y: x * transform.c + y * transform.d)
        }
        let allowed = max(one.ink.maxX - other.ink.minX, 0) + Self.letterOverlap * text.size
        for y in [one.ink.minY, one.ink.maxY] {
            let corner = local(one.transform(Point(x: one.ink.maxX, y: y)), other.transform)
            if corner.y > other.ink.minY, corner.y < other.ink.maxY, corner.x - other.ink.minX > allowed { return true }
        }
        for y in [other.ink.minY, other.ink.maxY] {
            let corner = local(other.transform(Point(x: other.ink.minX, y: y)), one.transform)
            if corner.y > one.ink.minY, corner.y < one.ink.maxY, one.ink.maxX - corner.x > allowed { return true }
        }
        return false
    }

    /// The text as a whole on the chord, if the line is nearly straight.
    private func turned(
        on line: MeasuredLine, at start: Double, _ first: Point, _ last: Point, _ chord: Point
    ) -> (bend: Double, pose: LabelPose)? {
        let allowed = 0.6 * text.size
        let farthest = line.points(between: start, and: start + width).reduce(0) { farthest, point in
            max(farthest, abs((point.x - first.x) * chord.y - (point.y - first.y) * chord.x))
        }
        guard farthest <= allowed, MeasuredLine.distance(first, last) >= 0.9 * width else { return nil }
        let middle = Point(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
        let transform = transform(center: width / 2, to: middle, direction: chord)
        return (farthest / allowed * 0.3, .turned(transform))
    }

    /// The transform that moves the baseline position `center` below `point`, so that the middle of the lower-case
    /// letters is on the line, or at the text's offset from it.
    private func transform(center: Double, to point: Point, direction: Point) -> AffineTransform {
        // The point on the line stays fixed when the letter is rotated.
        let fall = text.fall + shift.across
        let direction = Point(
            x: direction.x * shift.turn.cosine - direction.y * shift.turn.sine,
            y: direction.y * shift.turn.cosine + direction.x * shift.turn.sine)
        return AffineTransform(
            a: direction.x, b: direction.y, c: -direction.y, d: direction.x,
            tx: point.x - direction.x * center - direction.y * fall,
            ty: point.y - direction.y * center + direction.x * fall)
    }
}

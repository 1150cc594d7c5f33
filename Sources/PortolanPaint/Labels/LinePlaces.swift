import PortolanRaster
import PortolanText

/// The places along a line where its label may go: the text follows the line, upright, where it is straightest.
struct LinePlaces {
    /// The cosine of the largest angle between a letter and the whole text, 45°.
    private static let leastTextCosine = 0.7071067811865476
    /// The cosine of the largest angle between a letter and the next, 30°.
    private static let leastLetterCosine = 0.8660254037844387
    private static let repetitionLimit = 256
    private static let candidateLimit = 6
    private static let probeLimit = 41

    private let text: LabelText
    private let halo: Double
    /// How far apart the labels of a long line are, in picture pixels.
    private let spacing: Double
    private var width: Double { text.width }

    init(text: LabelText, halo: Double, spacing: Double) {
        self.text = text
        self.halo = halo
        self.spacing = spacing
    }

    /// The labels of a line, the one nearest its middle first, each with its places, the best first.
    func labels(along points: [Point]) -> [[LabelPlace]] {
        let line = MeasuredLine(points)
        guard width > 0, line.length.isFinite, line.length >= width + text.size else { return [] }
        let count = Int(min(max(line.length / max(spacing, 1.5 * width), 1), Double(Self.repetitionLimit)))
        let window = line.length / Double(count)
        let middle = Double(count - 1) / 2
        let numbers = (0..<count).sorted { (abs(Double($0) - middle), $0) < (abs(Double($1) - middle), $1) }
        return numbers.map { number in
            places(on: line, from: Double(number) * window, to: Double(number + 1) * window)
        }.filter { !$0.isEmpty }
    }

    private func places(on line: MeasuredLine, from low: Double, to high: Double) -> [LabelPlace] {
        let room = high - low - width
        guard room >= 0 else { return [] }
        let count = Int(min(max(room / (text.size / 2), 1), Double(Self.probeLimit)).rounded(.up))
        var found: [(penalty: Double, number: Int, place: LabelPlace)] = []
        for number in 0...count {
            let fraction = Double(number) / Double(count)
            guard let (bend, place) = place(on: line, at: low + room * fraction) else { continue }
            // A bend weighs more than the way from the middle, but a hardly seen one does not.
            found.append((4 * bend + 0.6 * abs(fraction - 0.5), number, place))
        }
        found.sort { ($0.penalty, $0.number) < ($1.penalty, $1.number) }
        return found.prefix(Self.candidateLimit).map(\.place)
    }

    /// The text set from a distance along the line, and how far it is from straight (0), or `nil` where it is bent too
    /// sharply.
    private func place(on line: MeasuredLine, at start: Double) -> (bend: Double, place: LabelPlace)? {
        let first = line.point(at: start), last = line.point(at: start + width)
        guard var chord = MeasuredLine.direction(from: first, to: last) else { return nil }
        // A text runs to the right, and on an upright line upwards.
        let isReversed = abs(chord.x) < 1e-6 ? chord.y > 0 : chord.x < 0
        if isReversed { chord = Point(x: -chord.x, y: -chord.y) }
        guard let setting = text.lines.first, !setting.clusters.isEmpty else {
            return turned(on: line, at: start, first, last, chord)
        }
        var transforms: [AffineTransform] = []
        var least = 1.0
        var previous: Point?
        for cluster in setting.clusters {
            let center = cluster.x + cluster.advance / 2
            let reach = max(cluster.advance / 2, text.size / 2)
            let before = start + (isReversed ? width - center + reach : center - reach)
            let after = start + (isReversed ? width - center - reach : center + reach)
            let from = line.point(at: before), to = line.point(at: after)
            guard let direction = MeasuredLine.direction(from: from, to: to) else { return nil }
            let cosine = direction.x * chord.x + direction.y * chord.y
            guard cosine >= Self.leastTextCosine else { return nil }
            if let previous, direction.x * previous.x + direction.y * previous.y < Self.leastLetterCosine { return nil }
            previous = direction
            least = min(least, cosine)
            transforms.append(
                transform(
                    center: center, to: Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2), direction: direction))
        }
        return (1 - least, LabelPlace(bent: text, by: transforms, halo: halo))
    }

    /// The text as a whole on the chord, where the line keeps near to that.
    private func turned(
        on line: MeasuredLine, at start: Double, _ first: Point, _ last: Point, _ chord: Point
    ) -> (bend: Double, place: LabelPlace)? {
        let allowed = 0.6 * text.size
        let farthest = line.points(between: start, and: start + width).reduce(0) { farthest, point in
            max(farthest, abs((point.x - first.x) * chord.y - (point.y - first.y) * chord.x))
        }
        guard farthest <= allowed, MeasuredLine.distance(first, last) >= 0.9 * width else { return nil }
        let middle = Point(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
        let transform = transform(center: width / 2, to: middle, direction: chord)
        return (farthest / allowed * 0.3, LabelPlace(turned: text, by: transform, halo: halo))
    }

    /// The turn and shift that bring the place `center` of the baseline below `point`, so that the small letters' middle
    /// lies on it.
    private func transform(center: Double, to point: Point, direction: Point) -> AffineTransform {
        AffineTransform(
            a: direction.x, b: direction.y, c: -direction.y, d: direction.x,
            tx: point.x - direction.x * center - direction.y * text.drop,
            ty: point.y - direction.y * center + direction.x * text.drop)
    }
}

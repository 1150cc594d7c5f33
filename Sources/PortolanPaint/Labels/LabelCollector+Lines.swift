import PortolanFeatures
import PortolanRaster
import PortolanText

// What stands on lines, or runs along them.
extension LabelCollector {
    /// How far apart the labels of a long line are, in view pixels.
    private static let repetition = 400.0

    /// Collects a text that runs along lines.
    mutating func collect(_ words: Words, along lines: [[Point]]) throws(TextError) {
        guard let setting = try setting(words, isOneLine: true) else { return }
        let places = places(of: words, along: setting)
        var hasRoom = false
        for line in lines {
            for label in places.labels(along: line, in: picture) {
                add(words, .along(label.spots), repetition: label.repetition)
                hasRoom = true
            }
        }
        if !hasRoom { noteLackOfRoom(words) }
    }

    /// The places of a text that runs along a line.
    func places(of words: Words, along setting: LabelText) -> LinePlaces {
        LinePlaces(
            text: setting, halo: words.symbol.collision == nil ? halo(of: words) : reach(of: setting, words),
            spacing: max(words.symbol.repetition ?? Self.repetition, 1) * pixelRatio
                + (words.symbol.repeatsByGap ? setting.width : 0),
            maximumAngle: words.symbol.maximumAngle, keepsUpright: words.symbol.keepsUpright,
            isOfStyle: words.symbol.collision != nil,
            shift: words.symbol.anchoring == .alongLine
                ? LinePlaces.Shift(words.symbol, of: setting, pixelRatio: pixelRatio)
                : LinePlaces.Shift(beside: words.symbol.lineSide, of: setting, lineWidth: words.lineWidth))
    }

    /// How far the boxes of a text along a line reach beyond its letters where a style has them as high as its lines.
    private func reach(of setting: LabelText, _ words: Words) -> Double {
        let ink = (setting.inks.first ?? nil)?.height ?? 0
        return max((setting.height - ink) / 2, 0) + (words.symbol.padding ?? Self.spacing) * pixelRatio
    }

    /// Collects what stands on lines without running along them: icons, and texts that stay upright.
    mutating func collectUpright(_ words: Words, along lines: [[Point]]) throws(TextError) {
        let shared = words.label
        var words = words
        // A text that runs along the line finds its own places.
        words.isIconAlone = shared.symbol.followsLine
        var least = 0.0
        if let icon = shared.symbol.icon, icon.alignment == .line {
            let markers = MarkerPainter(pixelRatio: pixelRatio)
            least = PlacedIcon(icon, at: Point(x: 0, y: 0), turn: 0, markers)?.box.width ?? 0
        }
        if !words.isIconAlone, let setting = try setting(words) { least = max(least, setting.width) }
        let anchors = LineAnchors(
            spacing: max(shared.symbol.repetition ?? Self.repetition, 1) * pixelRatio, leastLength: least)
        for line in lines {
            for anchor in anchors.anchors(along: line, in: picture.grown(by: 64 * pixelRatio)) {
                add(words, at: anchor.point, turn: anchor.turn, repetition: anchor.repetition)
            }
        }
    }

    /// The parts of a line whose lengths can be told.
    static func measurable(_ line: [Point]) -> [[Point]] {
        func isFar(_ point: Point) -> Bool { !(abs(point.x) < 1e12 && abs(point.y) < 1e12) }
        return line.split(whereSeparator: isFar).filter { $0.count > 1 }.map(Array.init)
    }
}

/// Lines that wait for others of their look and words, with which they may be one.
struct WaitingLines {
    private struct Key: Hashable {
        let look: Int
        let text: String
        let priority: Double
    }

    private var numbers: [Key: Int] = [:]
    private var all: [(words: LabelCollector.Words, lines: [[Point]])] = []

    /// Adds the lines of a feature.
    mutating func add(_ lines: [[Point]], _ words: LabelCollector.Words) {
        guard !words.text.isEmpty else { return }
        let key = Key(look: words.look, text: words.text, priority: words.priority)
        if let number = numbers[key] {
            all[number].lines += lines
        } else {
            numbers[key] = all.count
            all.append((words, lines))
        }
    }

    /// Gives away all that wait, joined, in the order in which their words were first met.
    mutating func take() -> [(words: LabelCollector.Words, lines: [[Point]])] {
        defer { self = WaitingLines() }
        return all.map { ($0.words, $0.lines.count == 1 ? $0.lines : JoinedLines($0.lines).joined) }
    }
}

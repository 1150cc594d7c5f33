import PortolanFeatures
import PortolanRaster
import PortolanText

// Symbols on lines, and texts along them.
extension LabelCollector {
    /// The distance between the labels of a long line, in view pixels.
    private static let repetition = 400.0
    /// The largest distance of a line from an icon that is only where it is straight, in view pixels.
    private static let straightness = 0.8

    /// Collects the symbols on lines, and the texts along them.
    mutating func collect(_ words: Words, onLines lines: [[Point]]) throws(TextError) {
        let symbol = words.symbol
        if symbol.icon != nil || !symbol.followsLine { try collectUpright(words, along: lines) }
        guard symbol.followsLine, words.mayHaveLetters else { return }
        try collect(words, along: lines.map { line in line.map { moved($0, by: symbol.translation) } })
    }

    /// Collects a text along lines.
    private mutating func collect(_ words: Words, along lines: [[Point]]) throws(TextError) {
        guard let setting = try setting(words, isOneLine: true) else { return }
        let places = places(of: words, along: setting)
        var hasRoom = false
        let translation = words.symbol.translation
        let isMoved = translation.x != 0 || translation.y != 0
        let cuts = isMoved ? Set(cuts.map { moved($0, by: translation) }) : cuts
        for line in lines {
            for label in places.labels(along: line, cuts: cuts, in: picture) {
                add(words, .along(label.spots, hasOthers: label.hasOthers), repetition: label.repetition)
                hasRoom = true
            }
        }
        if !hasRoom { noteLackOfRoom(words) }
    }

    /// Returns the positions of a text along a line.
    func places(of words: Words, along setting: LabelText) -> LinePositions {
        LinePositions(
            text: setting, halo: words.symbol.collision == nil ? halo(of: words) : reach(of: setting, words),
            spacing: max(words.symbol.repetition ?? Self.repetition, 1) * pixelRatio
                + (words.symbol.repeatsByGap ? setting.width : 0),
            maximumAngle: words.symbol.maximumAngle, keepsUpright: words.symbol.keepsUpright,
            isOfStyle: words.symbol.collision != nil, tiles: tiles[layer],
            shift: words.symbol.anchoring == .alongLine
                ? LinePositions.Shift(words.symbol, of: setting, pixelRatio: pixelRatio)
                : LinePositions.Shift(beside: words.symbol.lineSide, of: setting, lineWidth: words.lineWidth))
    }

    /// The extension of the boxes of a text along a line beyond its letters.
    ///
    /// Styles require boxes as high as the line height.
    private func reach(of setting: LabelText, _ words: Words) -> Double {
        let ink = (setting.inks.first ?? nil)?.height ?? 0
        return max((setting.height - ink) / 2, 0) + (words.symbol.padding ?? Self.spacing) * pixelRatio
    }

    /// Collects symbols on lines that do not follow them: icons, and upright texts.
    private mutating func collectUpright(_ words: Words, along lines: [[Point]]) throws(TextError) {
        let shared = words.label
        var words = words
        // A text along the line is placed independently.
        words.isIconAlone = shared.symbol.followsLine
        var least = 0.0
        if let icon = shared.symbol.icon, icon.alignment == .line || tiles[layer] != nil {
            let markers = MarkerPainter(pixelRatio: pixelRatio)
            least = PlacedIcon(icon, at: Point(x: 0, y: 0), turn: 0, markers)?.box.width ?? 0
        }
        if !words.isIconAlone, let setting = try setting(words) { least = max(least, setting.width) }
        var anchors = LineAnchors(
            spacing: max(shared.symbol.repetition ?? Self.repetition, 1) * pixelRatio, leastLength: least,
            styleInset: shared.symbol.collision == nil ? nil : 2 * shared.symbol.size * pixelRatio,
            tiles: tiles[layer])
        if keepsIconsStraight { anchors.tolerance = Self.straightness * pixelRatio }
        for line in lines {
            for anchor in anchors.anchors(along: line, cuts: cuts, in: picture.grown(by: 64 * pixelRatio)) {
                if keepsIconsStraight {
                    add(words, .on(anchor.places), repetition: anchor.repetition)
                } else if shared.symbol.icon == nil, anchor.places.count > 1 {
                    add(words, .on(anchor.places.map(\.upright)), repetition: anchor.repetition)
                } else if let place = anchor.places.first {
                    add(words, at: place.point, turn: place.turn, repetition: anchor.repetition)
                }
            }
        }
    }

    /// Returns the parts of a line with finite lengths.
    static func measurable(_ line: [Point]) -> [[Point]] {
        func isFar(_ point: Point) -> Bool { !(abs(point.x) < 1e12 && abs(point.y) < 1e12) }
        return line.split(whereSeparator: isFar).filter { $0.count > 1 }.map(Array.init)
    }
}

/// Lines that may be joined with others of the same text.
struct PendingLines {
    /// The common properties of lines that may be joined: the text, and the style and priority unless a style sheet
    /// draws them, because the MapLibre Style Specification joins lines by text alone.
    private struct Key: Hashable {
        let text: String
        let look: Int?
        let priority: Double?
    }

    /// Lines that may be joined, and the label of each.
    private struct Group {
        var lines: [[Point]] = []
        var words: [LabelCollector.Words] = []
        var wordNumbers: [Int32] = []

        /// The joined lines, each with the label of its first part.
        var joined: [(words: LabelCollector.Words, lines: [[Point]])] {
            guard lines.count > 1 else { return words.map { ($0, lines) } }
            var all = words.map { (words: $0, lines: [[Point]]()) }
            for (first, points) in JoinedLines(lines).joined { all[Int(wordNumbers[first])].lines.append(points) }
            return all.filter { !$0.lines.isEmpty }
        }
    }

    private var numbers: [Key: Int] = [:]
    private var groups: [Group] = []

    /// Adds the lines of a feature.
    mutating func add(_ lines: [[Point]], _ words: LabelCollector.Words) {
        guard !words.text.isEmpty else { return }
        let isOfStyle = words.symbol.collision != nil
        let key = Key(
            text: words.text, look: isOfStyle ? nil : words.look, priority: isOfStyle ? nil : words.priority)
        let number = numbers[key] ?? groups.count
        if number == groups.count {
            numbers[key] = number
            groups.append(Group())
        }
        if groups[number].words.last.map({ isOfStyle && $0.look != words.look }) ?? true {
            groups[number].words.append(words)
        }
        let wordNumber = Int32(groups[number].words.count - 1)
        groups[number].wordNumbers += lines.map { _ in wordNumber }
        groups[number].lines += lines
    }

    /// Removes and returns all lines, joined, in the order in which their texts were first added.
    mutating func take() -> [(words: LabelCollector.Words, lines: [[Point]])] {
        defer { self = PendingLines() }
        return groups.flatMap(\.joined)
    }
}

#if Text && !canImport(CoreText)
import CFriBidi

/// The embedding levels of a paragraph's scalars by the Unicode Bidirectional Algorithm (UAX #9).
package struct BidiLevels {
    /// The direction of a paragraph.
    package enum Direction: Sendable {
        case leftToRight, rightToLeft
        /// The direction of the first strong character, left to right by default (rules P2 and P3).
        case automatic
    }

    /// Empty if the whole text runs from left to right.
    private var types: [FriBidiCharType] = []
    private var levels: [FriBidiLevel] = []
    private var base = FRIBIDI_PAR_LTR

    /// Resolves the levels (rules P2 to I2).
    package init(_ scalars: [Unicode.Scalar], direction: Direction = .automatic) {
        // No character before Hebrew runs from right to left, and none before the general punctuation requests it.
        guard direction == .rightToLeft || scalars.contains(where: { $0.value >= 0x590 }) else { return }
        let text = scalars.map(\.value), count = FriBidiStrIndex(text.count)
        var types = [FriBidiCharType](repeating: FriBidiCharType(0), count: text.count)
        var brackets = [FriBidiBracketType](repeating: 0, count: text.count)
        var levels = [FriBidiLevel](repeating: 0, count: text.count)
        switch direction {
        case .leftToRight: base = FRIBIDI_PAR_LTR
        case .rightToLeft: base = FRIBIDI_PAR_RTL
        case .automatic: base = FRIBIDI_PAR_ON
        }
        unsafe fribidi_get_bidi_types(text, count, &types)
        unsafe fribidi_get_bracket_types(text, count, types, &brackets)
        // Without memory, the text stays left to right.
        guard unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &base, &levels) > 0 else { return }
        self.types = types
        self.levels = levels
    }

    /// Returns the levels of a line of the paragraph.
    ///
    /// Trailing white space has the paragraph's direction (rule L1).
    package func levels(ofLine line: Range<Int>) -> [Int] {
        guard !levels.isEmpty, !line.isEmpty else { return [Int](repeating: 0, count: line.count) }
        var lineLevels = Array(levels[line])
        // Without a text and a map, only the levels are changed.
        _ = unsafe fribidi_reorder_line(
            0, Array(types[line]), FriBidiStrIndex(line.count), 0, base, &lineLevels, nil, nil)
        return lineLevels.map { Int($0) }
    }

    /// Returns the items of a line from left to right (rule L2).
    package static func visualOrder<Item>(of items: [Item], level: (Item) -> Int) -> [Item] {
        var ordered = items
        guard let highest = items.map(level).max(), highest > 0 else { return items }
        for threshold in stride(from: highest, to: 0, by: -1) {
            var start = 0
            while start < ordered.count {
                guard level(ordered[start]) >= threshold else {
                    start += 1
                    continue
                }
                let end = ordered[start...].firstIndex { level($0) < threshold } ?? ordered.count
                ordered[start..<end].reverse()
                start = end
            }
        }
        return ordered
    }
}
#endif

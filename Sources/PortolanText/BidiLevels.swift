#if Text && !canImport(CoreText)
import CFriBidi

/// The embedding levels of a paragraph's scalars by the Unicode Bidirectional Algorithm (UAX #9).
package struct BidiLevels {
    /// Which way a paragraph runs.
    package enum Direction: Sendable {
        case leftToRight, rightToLeft
        /// As its first strong letter says, left to right where there is none (rules P2 and P3).
        case automatic
    }

    /// Empty where all runs from left to right.
    private var types: [FriBidiCharType] = []
    private var levels: [FriBidiLevel] = []
    private var base = FRIBIDI_PAR_LTR

    /// Resolves the levels (rules P2 to I2).
    package init(_ scalars: [Unicode.Scalar], direction: Direction = .automatic) {
        // Nothing before Hebrew runs right to left, and nothing before the general punctuation says so.
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
        // Without memory all stays as it is, from left to right.
        guard unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &base, &levels) > 0 else { return }
        self.types = types
        self.levels = levels
    }

    /// The levels of a line of the paragraph, whose blanks at its end run as the paragraph does (rule L1).
    package func levels(ofLine line: Range<Int>) -> [Int] {
        guard !levels.isEmpty, !line.isEmpty else { return [Int](repeating: 0, count: line.count) }
        var lineLevels = Array(levels[line])
        // Without a text and a map nothing but the levels is changed.
        _ = unsafe fribidi_reorder_line(
            0, Array(types[line]), FriBidiStrIndex(line.count), 0, base, &lineLevels, nil, nil)
        return lineLevels.map { Int($0) }
    }

    /// What stands in a line, from left to right (rule L2).
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

#if !canImport(CoreText) && canImport(CFreeType)
import CHarfBuzz

/// A stretch of a line with one font, one script and one direction.
struct TextRun {
    /// The run's scalars in the line.
    var range: Range<Int>
    let face: FontFace
    let script: hb_script_t
    /// The embedding level of UAX #9; odd levels run right to left.
    let level: Int

    var isRightToLeft: Bool { level % 2 == 1 }

    /// Whether each letter stands by itself, so that the run may follow a bent baseline.
    var hasSeparateLetters: Bool {
        [
            HB_SCRIPT_COMMON, HB_SCRIPT_LATIN, HB_SCRIPT_GREEK, HB_SCRIPT_CYRILLIC, HB_SCRIPT_ARMENIAN,
            HB_SCRIPT_GEORGIAN, HB_SCRIPT_HEBREW, HB_SCRIPT_HAN, HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA,
            HB_SCRIPT_HANGUL, HB_SCRIPT_BOPOMOFO,
        ].contains(script)
    }

    /// Whether `next`, which follows, can be set together with this run.
    func joins(_ next: TextRun) -> Bool {
        face === next.face && script == next.script && level == next.level
    }

    /// The runs from left to right (UAX #9, rule L2).
    static func visualOrder(of runs: [TextRun]) -> [TextRun] {
        var ordered = runs
        guard let highest = runs.map(\.level).max(), highest > 0 else { return runs }
        for level in stride(from: highest, to: 0, by: -1) {
            var start = 0
            while start < ordered.count {
                guard ordered[start].level >= level else {
                    start += 1
                    continue
                }
                let end = ordered[start...].firstIndex { $0.level < level } ?? ordered.count
                ordered[start..<end].reverse()
                start = end
            }
        }
        return ordered
    }
}
#endif

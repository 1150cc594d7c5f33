#if !canImport(CoreText) && canImport(CFreeType)
import CFriBidi
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

/// What a line is cut into before runs are formed: a user-perceived character and what decides its place.
struct TextCluster {
    let range: Range<Int>
    /// The script, or `HB_SCRIPT_COMMON` when the neighbours decide it.
    var script: hb_script_t
    /// The embedding level of UAX #9.
    var level = 0

    /// The line's clusters with scripts and levels resolved.
    static func clusters(of scalars: [Unicode.Scalar]) -> [TextCluster] {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        var clusters: [TextCluster] = []
        var start = 0
        for character in String(text) {
            let end = start + character.unicodeScalars.count
            clusters.append(TextCluster(range: start..<end, scalars: scalars[start..<end]))
            start = end
        }
        resolveScripts(&clusters)
        resolveLevels(&clusters, scalars)
        return clusters
    }

    private init(range: Range<Int>, scalars: ArraySlice<Unicode.Scalar>) {
        self.range = range
        let functions = unsafe hb_unicode_funcs_get_default()
        let scripts = scalars.map { unsafe hb_unicode_script(functions, $0.value) }
        script = scripts.first { !Self.isShared($0) } ?? HB_SCRIPT_COMMON
    }

    private static func isShared(_ script: hb_script_t) -> Bool {
        script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN
    }

    /// Gives clusters of no script the one before them, or at the line's beginning the one after (UAX #24, 5.1).
    private static func resolveScripts(_ clusters: inout [TextCluster]) {
        var script = clusters.first { $0.script != HB_SCRIPT_COMMON }?.script ?? HB_SCRIPT_COMMON
        for index in clusters.indices {
            if clusters[index].script == HB_SCRIPT_COMMON {
                clusters[index].script = script
            } else {
                script = clusters[index].script
            }
        }
    }

    /// Gives levels by the Unicode Bidirectional Algorithm (UAX #9, rules P2 to I2).
    private static func resolveLevels(_ clusters: inout [TextCluster], _ scalars: [Unicode.Scalar]) {
        // Nothing before Hebrew runs right to left, and nothing before the general punctuation says so.
        guard scalars.contains(where: { $0.value >= 0x590 }) else { return }
        let text = scalars.map(\.value), count = FriBidiStrIndex(text.count)
        var types = [FriBidiCharType](repeating: FriBidiCharType(0), count: text.count)
        var brackets = [FriBidiBracketType](repeating: 0, count: text.count)
        var levels = [FriBidiLevel](repeating: 0, count: text.count)
        var base = FRIBIDI_PAR_ON
        unsafe fribidi_get_bidi_types(text, count, &types)
        unsafe fribidi_get_bracket_types(text, count, types, &brackets)
        // Without memory all stays as it is, from left to right.
        guard unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &base, &levels) > 0 else { return }
        for index in clusters.indices { clusters[index].level = Int(levels[clusters[index].range.lowerBound]) }
    }
}
#endif

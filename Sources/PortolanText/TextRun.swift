#if Text && !canImport(CoreText)
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
}

/// What a line is cut into before runs are formed: a user-perceived character and what decides its place.
struct TextCluster {
    let range: Range<Int>
    /// The script, or `HB_SCRIPT_COMMON` when the neighbours decide it.
    var script: hb_script_t
    /// The embedding level of UAX #9.
    let level: Int

    /// The line's clusters with scripts resolved.
    static func clusters(of line: LineText) -> [TextCluster] {
        let scalars = line.scalars
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        var clusters: [TextCluster] = []
        var start = 0
        for character in String(text) {
            let end = start + character.unicodeScalars.count
            clusters.append(TextCluster(range: start..<end, scalars: scalars[start..<end], level: line.levels[start]))
            start = end
        }
        resolveScripts(&clusters)
        return clusters
    }

    private init(range: Range<Int>, scalars: ArraySlice<Unicode.Scalar>, level: Int) {
        self.range = range
        self.level = level
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
}

extension ArraySlice<Unicode.Scalar> {
    /// Whether the cluster is an emoji that is shown in colours (UTS #51, section 4): one that is unless told otherwise,
    /// with a tone of skin, or with a selector that asks for it; none with one that asks for text.
    var isColoredEmoji: Bool {
        guard let first else { return false }
        if contains("\u{FE0E}") { return false }
        return first.properties.isEmojiPresentation || contains("\u{FE0F}")
            || dropFirst().contains { $0.properties.isEmojiModifier }
    }
}
#endif

#if Text && !canImport(CoreText)
import CHarfBuzz

/// A part of a line with one font, one script and one direction.
struct TextRun {
    /// The range of the run's scalars in the line.
    var range: Range<Int>
    /// The face, or `nil` for characters that are drawn from glyph ranges.
    let face: FontFace?
    let script: hb_script_t
    /// The embedding level of UAX #9; odd levels run from right to left.
    let level: Int

    var isRightToLeft: Bool { level % 2 == 1 }

    /// Whether the letters are separate, so that the run can follow a curved baseline.
    var hasSeparateLetters: Bool {
        // Glyph ranges have no joined letters.
        face == nil
            || [
                HB_SCRIPT_COMMON, HB_SCRIPT_LATIN, HB_SCRIPT_GREEK, HB_SCRIPT_CYRILLIC, HB_SCRIPT_ARMENIAN,
                HB_SCRIPT_GEORGIAN, HB_SCRIPT_HEBREW, HB_SCRIPT_HAN, HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA,
                HB_SCRIPT_HANGUL, HB_SCRIPT_BOPOMOFO,
            ].contains(script)
    }

    /// Returns the range of scalars that each glyph stands for: that of its cluster for one glyph, empty for the others.
    ///
    /// The one is the first in reading order, which is the base of a letter with marks.
    func texts(of glyphs: [ShapedGlyph]) -> [Range<Int32>] {
        var texts = [Range<Int32>](repeating: 0..<0, count: glyphs.count)
        var end = range.upperBound, cluster: UInt32?
        // From the last cluster in reading order to the first.
        for index in isRightToLeft ? Array(glyphs.indices) : glyphs.indices.reversed() {
            let own = glyphs[index].cluster
            if let cluster, cluster != own { end = Int(cluster) }
            cluster = own
            let isFirst =
                isRightToLeft
                ? index + 1 == glyphs.count || glyphs[index + 1].cluster != own
                : index == 0 || glyphs[index - 1].cluster != own
            if isFirst, Int(own) < end { texts[index] = Int32(clamping: own)..<Int32(clamping: end) }
        }
        return texts
    }

    /// Returns whether the following run `next` can be merged with this one.
    func joins(_ next: TextRun) -> Bool {
        face === next.face && script == next.script && level == next.level
    }
}

/// A user-perceived character with the properties that decide about its run.
struct TextCluster {
    let range: Range<Int>
    /// The script, or `HB_SCRIPT_COMMON` if the neighbours determine it.
    var script: hb_script_t
    /// The embedding level of UAX #9.
    let level: Int

    /// Returns the clusters of the line with resolved scripts.
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

    /// Assigns clusters without a script that of the preceding one, or of the following one at the start (UAX #24,
    /// 5.1).
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
    /// Whether the cluster is shown as a colour emoji (UTS #51, section 4).
    ///
    /// That is the case for emoji with default emoji presentation, with a skin tone, or with an emoji variation
    /// selector, unless a text variation selector is present.
    var isColoredEmoji: Bool {
        guard let first else { return false }
        if contains("\u{FE0E}") { return false }
        return first.properties.isEmojiPresentation || contains("\u{FE0F}")
            || dropFirst().contains { $0.properties.isEmojiModifier }
    }
}
#endif

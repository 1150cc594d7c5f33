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

/// What a line is cut into before runs are formed: a user-perceived character and what decides its place.
struct TextCluster {
    /// What a cluster does to the direction around it; a coarse form of UAX #9's bidirectional classes.
    enum Direction { case leftToRight, rightToLeft, number, neutral }

    let range: Range<Int>
    /// The script, or `HB_SCRIPT_COMMON` when the neighbours decide it.
    var script: hb_script_t
    let direction: Direction
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
        resolveLevels(&clusters)
        return clusters
    }

    private init(range: Range<Int>, scalars: ArraySlice<Unicode.Scalar>) {
        self.range = range
        let functions = unsafe hb_unicode_funcs_get_default()
        let scripts = scalars.map { unsafe hb_unicode_script(functions, $0.value) }
        script = scripts.first { !Self.isShared($0) } ?? HB_SCRIPT_COMMON
        let isDigit = scalars.first?.properties.generalCategory == .decimalNumber
        if isDigit, script == HB_SCRIPT_COMMON || script == HB_SCRIPT_ARABIC {
            direction = .number
        } else if script == HB_SCRIPT_COMMON {
            direction = .neutral
        } else {
            let isRightToLeft = hb_script_get_horizontal_direction(script) == HB_DIRECTION_RTL
            direction = isRightToLeft ? .rightToLeft : .leftToRight
        }
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

    /// Gives levels by UAX #9's rules P2, W2, W7, N1, N2, I1 and I2, where the line has no explicit formatting.
    private static func resolveLevels(_ clusters: inout [TextCluster]) {
        let firstStrong = clusters.first { $0.direction == .rightToLeft || $0.direction == .leftToRight }?.direction
        let isLineRightToLeft = firstStrong == .rightToLeft
        let leftToRight = isLineRightToLeft ? 2 : 0
        var isContextRightToLeft = isLineRightToLeft
        // For neutrals, a number among right-to-left letters counts as one of them.
        var sides: [Bool?] = []
        for index in clusters.indices {
            switch clusters[index].direction {
            case .leftToRight:
                isContextRightToLeft = false
                clusters[index].level = leftToRight
            case .rightToLeft:
                isContextRightToLeft = true
                clusters[index].level = 1
            case .number:
                clusters[index].level = isContextRightToLeft ? 2 : leftToRight
            case .neutral:
                sides.append(nil)
                continue
            }
            sides.append(isContextRightToLeft)
        }
        var before = isLineRightToLeft
        var index = 0
        while index < sides.count {
            if let side = sides[index] {
                before = side
                index += 1
                continue
            }
            let end = sides[index...].firstIndex { $0 != nil } ?? sides.count
            let after = end < sides.count ? sides[end] ?? isLineRightToLeft : isLineRightToLeft
            let isRightToLeft = before == after ? before : isLineRightToLeft
            for neutral in index..<end { clusters[neutral].level = isRightToLeft ? 1 : leftToRight }
            index = end
        }
    }
}
#endif

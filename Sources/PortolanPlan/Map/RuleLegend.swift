import PortolanFeatures
import PortolanRaster
import PortolanStyles

/// Samples of the rules of a style, one for each rule.
///
/// A line below a narrower one of the same features is its casing, and a line around areas is their border. Neither
/// gets its own sample.
struct RuleLegend {
    /// A feature among those of all sources.
    private struct Place: Hashable {
        let source: UInt64
        let place: Int32
    }

    private struct Row {
        let rule: StyleRule
        /// The most frequent style of its features.
        var style: Style
        /// A feature with this style.
        let sample: Place
        /// For a rule that draws lines, the line style of each feature; for one that fills areas, the features.
        var strokes: [Place: LineSymbol?] = [:]
        var beneath: [LineSymbol] = []
        var isPart = false
    }

    private var rows: [Row] = []
    /// The rows that draw a line or an area at each feature, in drawing order.
    private var rowsAtPlaces: [Place: [Int]] = [:]

    /// Collects the rules of the steps of a style.
    ///
    /// - Complexity: O(features in view) for each rule that draws them.
    init(_ steps: [Scene.FeatureStep]) {
        for step in steps where step.rule?.title != "" { add(step) }
        for row in rows.indices where rows[row].rule.kind == .line { join(row) }
    }

    /// The samples: marks, then lines, then areas, each in the order of the style.
    var symbols: [Legend.Symbol] {
        var symbols: [Legend.Symbol] = [], known: Set<Legend.Symbol> = []
        let count = rows.count { !$0.isPart }, hasOne = count == 1
        for (kind, drawn) in [(.mark, .mark), (.line, .line), (.area, .area)] as [(StyleRule.Kind, Legend.Symbol.Kind)]
        {
            for row in rows where row.rule.kind == kind && !row.isPart {
                // A map with many rules is sufficiently explained by the rules.
                let samples = count <= Self.classedRuleLimit ? RuleClasses(row.rule, row.style).samples : []
                for sample in samples.isEmpty ? [RuleClasses.Sample(style: row.style)] : samples {
                    let symbol = Legend.Symbol(
                        kind: sample.kind ?? drawn, style: sample.style, text: title(of: sample, row.rule, hasOne),
                        linesBeneath: row.beneath, scale: sample.scale)
                    if known.insert(symbol).inserted { symbols.append(symbol) }
                }
            }
        }
        return symbols
    }

    /// The title of a sample: with that of its rule unless there is only one rule.
    private func title(of sample: RuleClasses.Sample, _ rule: StyleRule, _ hasOne: Bool) -> String {
        if sample.text.isEmpty { return sample.scale != nil && hasOne ? "" : rule.title }
        return hasOne ? sample.text : "\(rule.title): \(sample.text)"
    }

    /// The largest number of rules for which classes are shown.
    private static let classedRuleLimit = 8

    private mutating func add(_ step: Scene.FeatureStep) {
        guard let rule = step.rule, let look = Self.commonLook(of: step),
            let first = step.shown.first(where: { $0.look == look })
        else { return }
        func style(_ look: Int32) -> Style {
            Self.sample(step.content.looks.styles[Int(look)].default, rule)
        }
        let source = step.content.source.contentID
        if let last = rows.last, last.rule == rule, rule.kind == .area {
            // Borders of areas are drawn after all areas.
            rows[rows.count - 1].style.stroke = style(look).stroke
            return
        }
        let common = style(look)
        switch rule.kind {
        case .mark: guard common.marker != nil else { return }
        case .line: guard common.stroke != nil else { return }
        case .area: guard common.fill != nil || common.stroke != nil else { return }
        }
        var row = Row(rule: rule, style: common, sample: Place(source: source, place: first.place))
        if rule.kind != .mark {
            var strokes: [Int32: LineSymbol?] = [:]
            for shown in step.shown {
                let place = Place(source: source, place: shown.place)
                let stroke = strokes[shown.look] ?? style(shown.look).stroke
                strokes[shown.look] = .some(stroke)
                row.strokes[place] = .some(stroke)
                rowsAtPlaces[place, default: []].append(rows.count)
            }
        }
        rows.append(row)
    }

    /// The most frequent style, the first one if several are equally frequent.
    private static func commonLook(of step: Scene.FeatureStep) -> Int32? {
        var counts: [Int32: Int] = [:]
        for shown in step.shown { counts[shown.look, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// A style without the properties that do not apply to the rule, with the opacity of its layer.
    private static func sample(_ style: Style, _ rule: StyleRule) -> Style {
        var sample = Style()
        switch rule.kind {
        case .mark: sample.marker = style.marker ?? style.label?.icon?.marker
        case .line: sample.stroke = style.stroke
        case .area:
            sample.stroke = style.stroke
            sample.fill = style.fill
        }
        if let color = sample.fill?.color { sample.fill?.color = color.withOpacity(rule.opacity) }
        if let color = sample.stroke?.color { sample.stroke?.color = color.withOpacity(rule.opacity) }
        return sample
    }

    /// Makes a line rule part of other rules if they draw exactly the same features.
    private mutating func join(_ row: Int) {
        func isWhole(_ other: Int) -> Bool { rows[other].strokes.keys.allSatisfy { rows[row].strokes[$0] != nil } }
        func stroke(at place: Place) -> LineSymbol? { rows[row].strokes[place].flatMap(\.self) }
        let areas = others(of: row) { rows[$0].rule.kind == .area }
        if let areas, areas.allSatisfy({ isWhole($0) && rows[$0].style.stroke == nil }) {
            for area in areas { rows[area].style.stroke = stroke(at: rows[area].sample) }
            rows[row].isPart = true
            return
        }
        let lines = others(of: row) { $0 > row && rows[$0].rule.kind == .line }
        guard let lines, lines.allSatisfy(isWhole) else { return }
        let isWider = lines.allSatisfy { line in
            guard let own = stroke(at: rows[line].sample), let above = rows[line].style.stroke else { return false }
            return own.outerWidth > above.outerWidth
        }
        guard isWider else { return }
        for line in lines {
            rows[line].beneath += rows[row].beneath + [stroke(at: rows[line].sample)].compactMap(\.self)
        }
        rows[row].isPart = true
    }

    /// The first other rows that draw the features of a row, or `nil` if no other row draws one of them.
    private func others(of row: Int, _ counts: (Int) -> Bool) -> Set<Int>? {
        var others: Set<Int> = []
        for place in rows[row].strokes.keys {
            guard let other = rowsAtPlaces[place]?.first(where: { $0 != row && counts($0) }) else { return nil }
            others.insert(other)
        }
        return others
    }
}

extension LineSymbol {
    /// The distance between the outer edges, including the gap of a double line.
    package var outerWidth: Double { max(gapWidth > 0 ? gapWidth + 2 * width : width, casing?.width ?? 0) }
}

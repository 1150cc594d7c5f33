import PortolanFeatures
import PortolanRaster
import PortolanServices

/// Creates the legend of a plan.
struct LegendPlanner {
    /// The largest number of feature styles shown for one layer.
    private static let symbolLimit = 12

    /// The largest number of style rules shown for one layer.
    private static let ruleLimit = 48

    /// The number of features of one style that are searched for common properties.
    private static let sampleSize = 1000

    /// Returns the legend of layers.
    ///
    /// Layers are listed from the top down. Images without a legend are omitted, as are layers without a feature in
    /// view and base maps of other layers: styles, and areas or lines of one style that nobody has named.
    static func legend(of layers: [PlannedLayer]) -> Legend {
        var entries: [Legend.Entry] = []
        /// For each entry, the kind of the only sample of an unnamed layer, and whether the layer is named.
        var plain: [Legend.Symbol.Kind?] = [], areNamed: [Bool] = []
        for planned in layers.reversed() where planned.layer.isInLegend ?? true {
            if planned.layer.source is StyleSource, planned.layer.isInLegend == nil, !entries.isEmpty { continue }
            let opacity = planned.opacity * (planned.group?.opacity ?? 1)
            let steps = planned.plan.nodes.flatMap(\.featureSteps).filter { !$0.isGround }
            var (symbols, moreCount) = symbols(
                of: steps.filter { $0.rule == nil }.flatMap(\.features),
                namesPoints: planned.layer.points?.isNamed ?? false)
            for place in symbols.indices {
                symbols[place].text = planned.layer.legendTexts[symbols[place].text] ?? symbols[place].text
            }
            let rules = RuleLegend(steps.filter { $0.rule != nil }).symbols
            symbols += rules.prefix(ruleLimit)
            moreCount += max(rules.count - ruleLimit, 0)
            symbols += planned.plan.nodes.flatMap(\.pointSteps).compactMap(symbol) + planned.plan.legendSymbols
            if case .archive(let archive)? = planned.layer.tiles?.address, let style = archive.style {
                let legend = RasterLegend(style)
                symbols += legend.symbols
                moreCount += legend.moreCount
            }
            let isNamed = !planned.layer.isNameDerived || planned.layer.isInLegend == true
            if !symbols.isEmpty {
                entries.append(
                    Legend.Entry(
                        layer: planned.name, title: planned.layer.legendTitle ?? planned.name, opacity: opacity,
                        content: .symbols(symbols, moreCount: moreCount)))
                let isPlain = symbols.count == 1 && moreCount == 0 && symbols[0].text.isEmpty
                plain.append(isPlain && !isNamed ? symbols[0].kind : nil)
                areNamed.append(isNamed)
            }
            for legend in planned.layer.legends.reversed() {
                entries.append(
                    Legend.Entry(
                        layer: planned.name, title: legend.title, opacity: opacity,
                        content: legend.url.map { .image(url: $0) } ?? .titleOnly))
                plain.append(nil)
                areNamed.append(isNamed)
            }
        }
        // Areas below other layers are a base map; lines may be content as well as the other layers, unless those have names.
        let isBase = { (kind: Legend.Symbol.Kind?) in kind == .area || kind == .line && areNamed.contains(true) }
        let count = plain.count - plain.reversed().prefix { isBase($0) }.count
        return Legend(entries: count > 0 ? Array(entries.prefix(count)) : entries)
    }

    /// The features of one style.
    private struct Group {
        var symbol: Legend.Symbol
        var count = 0
        var sample: [Feature] = []
    }

    /// The distinct styles of features in the order of their first use: marks, then lines, then areas.
    ///
    /// - Parameter namesPoints: whether the layer's title says what its points are.
    private static func symbols(
        of features: [Scene.StyledFeature], namesPoints: Bool
    ) -> (symbols: [Legend.Symbol], moreCount: Int) {
        var groups: [Group] = []
        var places: [Legend.Symbol: Int] = [:]
        for styled in features {
            guard let kind = styled.feature.geometry.flatMap(kind), let symbol = symbol(of: styled, kind) else {
                continue
            }
            let place = places[symbol] ?? groups.count
            if place == groups.count {
                places[symbol] = place
                groups.append(Group(symbol: symbol))
            }
            groups[place].count += 1
            if groups[place].sample.count < sampleSize { groups[place].sample.append(styled.feature) }
        }
        var ordered = Legend.Symbol.Kind.allCases.flatMap { kind in groups.filter { $0.symbol.kind == kind } }
        let moreCount = max(ordered.count - symbolLimit, 0)
        ordered.removeLast(moreCount)
        // A single style is sufficiently explained by the layer title.
        guard ordered.count > 1 else { return (ordered.map(\.symbol), moreCount) }
        func named(_ symbols: [Legend.Symbol], _ texts: [String]) -> [Legend.Symbol] {
            zip(symbols, texts).map { symbol, text in
                var symbol = symbol
                symbol.text = text
                return symbol
            }
        }
        let symbols = ordered.map(\.symbol)
        let counts = pointCounts(of: ordered, isNamed: namesPoints)
        if let values = counts == nil ? commonValues(of: ordered) : nil {
            return (named(symbols, values), moreCount)
        }
        guard let ranges = counts ?? ranges(of: ordered) else {
            return (named(symbols, told(ordered)), moreCount)
        }
        // Ranges ascend, whichever feature comes first.
        let order = ranges.indices.sorted { (ranges[$0].low, $0) < (ranges[$1].low, $1) }
        return (named(order.map { symbols[$0] }, order.map { ranges[$0].text }), moreCount)
    }

    /// The symbol of points that are drawn as plain marks or as heat; heat has the title of its rule.
    private static func symbol(of step: Scene.PointStep) -> Legend.Symbol? {
        guard step.count > 0 else { return nil }
        return switch step.look {
        case .marks(let marker): Legend.Symbol(kind: .mark, style: Style(marker: .shape(marker)))
        case .heatmap(let heat): Legend.Symbol(kind: .heat, style: Style(), text: step.ruleTitle ?? "", heat: heat)
        }
    }

    private static func kind(of geometry: Geometry) -> Legend.Symbol.Kind? {
        switch geometry.kind {
        case .point, .multiPoint: .mark
        case .lineString, .multiLineString: .line
        case .polygon, .multiPolygon: .area
        case .collection: geometry.children.lazy.compactMap(kind).first
        }
    }

    /// The symbol of a feature, without properties that do not apply to its kind, or `nil` if nothing is drawn.
    private static func symbol(of styled: Scene.StyledFeature, _ kind: Legend.Symbol.Kind) -> Legend.Symbol? {
        let style = styled.style
        switch kind {
        case .mark:
            guard var marker = style.marker else { return nil }
            // The pointing direction belongs to the feature, not to the style.
            if case .shape(var shape) = marker {
                shape.beak = nil
                marker = .shape(shape)
            }
            return Legend.Symbol(kind: kind, style: Style(marker: marker), iconURL: styled.iconURL)
        case .line:
            guard let stroke = style.stroke else { return nil }
            return Legend.Symbol(kind: kind, style: Style(stroke: stroke))
        case .area:
            guard style.fill != nil || style.stroke != nil else { return nil }
            return Legend.Symbol(kind: kind, style: Style(stroke: style.stroke, fill: style.fill))
        case .heat, .ramp, .discs: return nil
        }
    }

    /// The values of the first property that is constant within each style and different between styles, or `nil` if
    /// there is none.
    private static func commonValues(of groups: [Group]) -> [String]? {
        let names = groups.first?.sample.first?.properties.names.prefix(50) ?? []
        let spoken = ["name", "title"].filter(names.contains)
        for name in spoken + names.filter({ !isAboutStyle($0) && !spoken.contains($0) }) {
            var values: [String] = []
            for group in groups {
                guard let value = group.sample.first?.properties[name]?.displayText, !value.isEmpty,
                    value.count <= 100, !values.contains(value),
                    group.sample.allSatisfy({ $0.properties[name]?.displayText == value })
                else { break }
                values.append(value)
            }
            if values.count == groups.count { return values }
        }
        return nil
    }

    /// The point counts of the clusters of each style, or `nil` if some features are not clusters.
    private static func pointCounts(of groups: [Group], isNamed: Bool) -> [(text: String, low: Double)]? {
        var ranges: [(text: String, low: Double)] = []
        for group in groups {
            let counts = group.sample.compactMap { $0.properties["point_count"]?.integerValue }
            guard counts.count == group.sample.count || counts.isEmpty, groups.count > 1 else { return nil }
            guard let least = counts.min(), let most = counts.max() else {
                ranges.append((isNamed ? "1" : "1 point", 1))
                continue
            }
            let range = least == most ? "\(least)" : "\(least) – \(most)"
            ranges.append((isNamed ? range : "\(range) points", Double(least)))
        }
        return ranges.contains { $0.low > 1 } ? ranges : nil
    }

    /// The ranges of the first numeric property that separates the styles, such as `10 – 25`, or `nil` if there is
    /// none.
    private static func ranges(of groups: [Group]) -> [(text: String, low: Double)]? {
        let names = groups.first?.sample.first?.properties.names.prefix(50) ?? []
        for name in names where !isAboutStyle(name) && name != "point_count" {
            var ranges: [(low: Double, high: Double)] = []
            for group in groups {
                let numbers = group.sample.compactMap { $0.properties[name]?.doubleValue }
                guard numbers.count == group.sample.count, let low = numbers.min(), let high = numbers.max() else {
                    break
                }
                ranges.append((low, high))
            }
            guard ranges.count == groups.count, groups.contains(where: { $0.sample.count > 1 }) else { continue }
            let sorted = ranges.sorted { $0.low < $1.low }
            guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.high < $1.low }) else { continue }
            return ranges.map { range in
                let low = PropertyValue.number(range.low).displayText ?? "",
                    high = PropertyValue.number(range.high).displayText ?? ""
                return (low == high ? low : "\(low) – \(high)", range.low)
            }
        }
        return nil
    }

    /// The descriptions of styles that have only their shape in common, completed by colours if they are equal.
    private static func told(_ groups: [Group]) -> [String] {
        let all = groups.map(words), colors = groups.map { color(of: $0.symbol) }
        guard Set(colors).count == colors.count else { return all }
        return zip(colors, all).map { color, text in
            guard all.count(where: { $0 == text }) > 1, let color else { return text }
            return "\(text), \(color.hexText)"
        }
    }

    private static func color(of symbol: Legend.Symbol) -> MapColor? {
        if case .shape(let shape)? = symbol.style.marker {
            return shape.fill?.color.withOpacity(1) ?? shape.stroke?.color
        }
        return symbol.style.fill?.color ?? symbol.style.stroke?.color
    }

    private static func isAboutStyle(_ name: String) -> Bool {
        ["stroke", "fill", "marker", "style", "id"].contains { name == $0 || name.hasPrefix($0 + "-") }
    }

    /// The description of a style whose features have only their shape in common.
    private static func words(for group: Group) -> String {
        if group.count == 1, let title = group.sample.first?.title, !title.isEmpty { return title }
        return switch group.symbol.kind {
        case .mark: "Points"
        case .line: "Lines"
        case .area: "Areas"
        case .heat, .ramp, .discs: "Density"
        }
    }
}

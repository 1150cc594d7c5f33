import PortolanFeatures
import PortolanRaster
import PortolanStyles
import PortolanWeb

/// The classes of one key, from the keys `classes`, `method`, `breaks`, `palette` and `no-data` and the values of its property.
struct ThematicClasses {
    /// The largest number of classes.
    private static let maximumCount = 32
    /// The colour of features without a value, and of categories without a colour of their own.
    private static let gray = MapColor(red: 0xD9, green: 0xD9, blue: 0xD9)
    private static let otherGray = MapColor(red: 0xA6, green: 0xA6, blue: 0xA6)
    /// The methods that give each value its own colour, and that interpolate colours.
    private static let categories = "categories", continuous = "continuous"

    private let specification: LayerSpecification
    private let key: String
    private let property: String

    init(_ specification: LayerSpecification, _ key: String, _ property: String) {
        self.specification = specification
        self.key = key
        self.property = property
    }

    // MARK: - Colours

    /// Returns the colours of the values.
    func colors(of all: ThematicValues, _ notes: inout [MapWarning]) throws(MapError) -> ThematicColors {
        let noData = try noDataColor()
        if let bounds = try breaks() {
            let classes = try classification(between: bounds, all[property]).withRoundBounds(for: [])
            let values = all[property], hasTexts = values?.contains { $0?.stringValue != nil } ?? false
            return ThematicColors(
                property: property, .classes(classes, try palette(classes.upperBounds.count, "ylgnbu")), noData: noData,
                readsTexts: hasTexts || !all.isWhole,
                hasGaps: !all.isWhole || values?.contains { ThematicValues.number($0) == nil } ?? true)
        }
        if specification["method"] == Self.continuous { return try ramp(of: all, noData: noData, &notes) }
        let values = try values(of: all), numbers = values.compactMap(ThematicValues.number)
        let present = values.count { $0 != nil }
        let isOfNumbers = numbers.count * 2 >= present && !numbers.isEmpty
        guard let method = try method(), method != nil || isOfNumbers else {
            return try categories(values, isWhole: all.isWhole, noData, &notes)
        }
        guard !numbers.isEmpty else {
            throw specification.invalid(key, "has no numbers to classify; add ';method=\(Self.categories)'")
        }
        notes += unreadable(present - numbers.count, of: present)
        let count = try specification.integer("classes", in: 1...Self.maximumCount) ?? 5
        guard let classes = Classification(numbers, count: count, by: method ?? .quantile) else {
            throw specification.invalid(key, "has no finite numbers")
        }
        if classes.upperBounds.count < count, method != .pretty {
            notes.append(
                MapWarning(
                    .layerKey, MapWarning.Subject(member: "classes"), effect: .note,
                    message: "\(classes.upperBounds.count) classes instead of \(count): values repeat"))
        }
        let colors = try palette(classes.upperBounds.count, "ylgnbu")
        return ThematicColors(
            property: property, .classes(method == .pretty ? classes : classes.withRoundBounds(for: numbers), colors),
            noData: noData, readsTexts: values.contains { $0?.stringValue != nil },
            hasGaps: !all.isWhole || numbers.count < values.count)
    }

    /// The colours between the smallest and the largest number.
    private func ramp(
        of all: ThematicValues, noData: MapColor, _ notes: inout [MapWarning]
    ) throws(MapError) -> ThematicColors {
        for key in ["classes", "breaks"] where specification[key] != nil {
            throw specification.invalid(key, "cannot be combined with method=\(Self.continuous)")
        }
        let values = try values(of: all), numbers = values.compactMap(ThematicValues.number).filter(\.isFinite)
        guard let low = numbers.min(), let high = numbers.max(), low < high, (high - low).isFinite else {
            throw specification.invalid(key, "needs two different numbers for method=\(Self.continuous)")
        }
        notes += unreadable(values.count { $0 != nil } - numbers.count, of: values.count { $0 != nil })
        let palette = try namedPalette() ?? ColorPalette(named: "viridis")
        guard let colors = palette?.scale else {
            throw specification.invalid(
                "palette", "has colours of categories; method=continuous needs one such as viridis")
        }
        return ThematicColors(
            property: property, .ramp(low...high, isReversed ? colors.reversed() : colors), noData: noData,
            readsTexts: values.contains { $0?.stringValue != nil },
            hasGaps: !all.isWhole || numbers.count < values.count)
    }

    /// The note about values that are not numbers.
    private func unreadable(_ count: Int, of present: Int) -> [MapWarning] {
        guard count > 0 else { return [] }
        return [
            MapWarning(
                .data, MapWarning.Subject(member: property), effect: .note,
                message: "\(count) of \(present) values are not numbers; drawn as without data")
        ]
    }

    private func categories(
        _ values: [PropertyValue?], isWhole: Bool, _ noData: MapColor, _ notes: inout [MapWarning]
    ) throws(MapError) -> ThematicColors {
        guard specification["classes"] == nil else {
            throw specification.invalid("classes", "needs numbers, and '\(property)' has categories; remove it")
        }
        var counts: [String: Int] = [:], firsts: [String: Int] = [:]
        for (place, value) in values.enumerated() {
            guard let text = value?.displayText else { continue }
            counts[text, default: 0] += 1
            firsts[text] = firsts[text] ?? place
        }
        let palette = try namedPalette() ?? ColorPalette(named: counts.count <= 8 ? "set2" : "set3")
        let limit = min(palette?.maximumCount ?? 0, 24)
        // The most frequent ones, the first ones if equally many features have them.
        let frequent = counts.keys.sorted { (counts[$1] ?? 0, firsts[$0] ?? 0) < (counts[$0] ?? 0, firsts[$1] ?? 0) }
        let kept = frequent.prefix(limit)
        let numbers = kept.compactMap(Double.init)
        let ordered =
            numbers.count == kept.count ? kept.sorted { (Double($0) ?? 0) < (Double($1) ?? 0) } : kept.sorted()
        guard var colors = palette?.colors(ordered.count) else { throw specification.invalid(key, "has no values") }
        if isReversed { colors.reverse() }
        if kept.count < counts.count {
            notes.append(
                MapWarning(
                    .data, MapWarning.Subject(member: property), effect: .note,
                    message:
                        "\(counts.count) different values; the \(kept.count) most frequent ones have colours of their own"
                ))
        }
        let others = kept.count < counts.count || !isWhole ? Self.otherGray : nil
        return ThematicColors(
            property: property, .categories(ordered, colors, others: others), noData: noData,
            hasGaps: !isWhole || values.contains { $0 == nil })
    }

    // MARK: - Sizes

    /// Returns the sizes of the numbers.
    func sizes(
        _ scale: ThematicSizes.Scale, _ sizes: ClosedRange<Double>, of all: ThematicValues
    ) throws(MapError) -> ThematicSizes {
        let values = try values(of: all), numbers = values.compactMap(ThematicValues.number).filter(\.isFinite)
        guard let low = numbers.min(), let high = numbers.max() else {
            throw specification.invalid(key, "has no numbers")
        }
        guard scale == .linear || high > 0 else {
            throw specification.invalid(key, "has no number above 0, which a disc could show")
        }
        let hasGaps = all.isWhole && numbers.count < values.count
        return ThematicSizes(
            property: property, scale, numbers: low...high, sizes: sizes,
            readsTexts: values.contains { $0?.stringValue != nil },
            noData: try hasGaps || specification["no-data"] != nil ? noDataColor() : nil)
    }

    // MARK: - Keys

    private func values(of all: ThematicValues) throws(MapError) -> [PropertyValue?] {
        if let values = all[property] { return values }
        guard all.isWhole || !all.names.isEmpty else {
            let advice =
                Self.keysOfSizes.contains(key) ? "add values by ';join=FILE.csv;on=KEY'" : "add ';breaks=NUMBER,…'"
            throw specification.invalid(key, "names a property whose values are not known before drawing; \(advice)")
        }
        let near = NearName.nearest(to: property, in: all.names)
        let listed = all.names.sorted().prefix(10).joined(separator: ", ")
        throw specification.invalid(
            key,
            (Self.keysOfSizes.contains(key)
                ? "is neither a number nor a property" : "is neither a colour nor a property")
                + " with values"
                + (near.map { "; did you mean '\($0)'?" } ?? (listed.isEmpty ? "" : "; available: \(listed)")))
    }

    private static let keysOfSizes = ["radius", "stroke-width"]

    /// The method of the key, `nil` inside for none stated, and `nil` for categories.
    private func method() throws(MapError) -> Classification.Method?? {
        guard let text = specification["method"] else { return .some(nil) }
        if text == Self.categories { return nil }
        guard let method = Classification.Method(rawValue: text) else {
            let names = Classification.Method.allCases.map(\.rawValue) + [Self.continuous, Self.categories]
            let near = NearName.nearest(to: text.lowercased(), in: names).map { "; did you mean '\($0)'?" } ?? ""
            throw specification.invalid("method", "must be one of \(names.joined(separator: ", "))\(near)")
        }
        return method
    }

    /// The bounds between classes.
    private func breaks() throws(MapError) -> [Double]? {
        guard let words = specification.list("breaks") else { return nil }
        for key in ["classes", "method"] where specification[key] != nil {
            throw specification.invalid(key, "cannot be combined with breaks")
        }
        let numbers = words.compactMap(Double.init)
        guard numbers.count == words.count, numbers.allSatisfy(\.isFinite),
            zip(numbers, numbers.dropFirst()).allSatisfy(<),
            numbers.count < Self.maximumCount
        else { throw specification.invalid("breaks", "must be ascending numbers such as 10,50,200") }
        return numbers
    }

    /// The classes between stated bounds, and on both sides of them.
    private func classification(
        between breaks: [Double], _ values: [PropertyValue?]?
    ) throws(MapError) -> Classification {
        let numbers = values?.compactMap(ThematicValues.number).filter(\.isFinite) ?? []
        let gap = breaks.count > 1 ? breaks[1] - breaks[0] : max(abs(breaks[0]), 1)
        let low = min(numbers.min() ?? breaks[0] - gap, breaks[0] - gap.ulp)
        let last = breaks[breaks.count - 1]
        let high = max(numbers.max() ?? last + gap, last + gap.ulp)
        guard let classes = Classification(bounds: [low] + breaks + [high], areStated: true) else {
            throw specification.invalid("breaks", "must be ascending numbers such as 10,50,200")
        }
        return classes
    }

    /// Returns the classes of numbers and their colours.
    func classes(of values: [Double]) throws(MapError) -> (Classification, [MapColor]) {
        let classes: Classification?
        if let bounds = try breaks() {
            classes = try classification(between: bounds, values.map { .number($0) })
        } else {
            guard let method = try method() else {
                throw specification.invalid("method", "needs categories; state colours by ';values=1:red,2:#00f'")
            }
            let count = try specification.integer("classes", in: 1...Self.maximumCount) ?? 5
            classes = Classification(values, count: count, by: method ?? .quantile)
        }
        guard let classes else { throw specification.invalid(key, "has no finite numbers") }
        return (classes, try palette(classes.upperBounds.count, "viridis"))
    }

    /// Returns the colours of a palette by its name, reversed after `-`, between which a continuous ramp lies.
    static func continuousPalette(
        _ key: String, _ text: String, _ specification: LayerSpecification
    ) throws(MapError) -> [MapColor] {
        let isReversed = text.hasPrefix("-"), name = isReversed ? String(text.dropFirst()) : text
        let palette = try palette(named: name, key, specification)
        let colors = palette.colors(min(palette.maximumCount, 33)) ?? []
        return isReversed ? colors.reversed() : colors
    }

    private var isReversed: Bool { specification["palette"]?.hasPrefix("-") ?? false }

    private func namedPalette() throws(MapError) -> ColorPalette? {
        guard let text = specification["palette"] else { return nil }
        let name = isReversed ? String(text.dropFirst()) : text
        return try Self.palette(named: name, "palette", specification)
    }

    private static func palette(
        named name: String, _ key: String, _ specification: LayerSpecification
    ) throws(MapError) -> ColorPalette {
        if let palette = ColorPalette(named: name) { return palette }
        let names = ColorPalette.all.map(\.name)
        let near = NearName.nearest(to: name.lowercased(), in: names)
        throw specification.invalid(
            key,
            "is unknown; \(near.map { "did you mean '\($0)'? " } ?? "")available, with '-' before the name reversed: "
                + names.joined(separator: ", "))
    }

    private func palette(_ count: Int, _ usual: String) throws(MapError) -> [MapColor] {
        let palette = try namedPalette() ?? ColorPalette(named: count <= 9 ? usual : "viridis")
        guard let colors = palette?.colors(count) else {
            throw specification.invalid(
                "palette",
                "has \(palette?.maximumCount ?? 0) colours for \(count) classes; viridis has as many as needed")
        }
        return isReversed ? colors.reversed() : colors
    }

    private func noDataColor() throws(MapError) -> MapColor {
        guard let text = specification["no-data"] else { return Self.gray }
        guard let color = text == "none" ? .clear : MapColor(css: text) else {
            throw specification.invalid("no-data", "must be a colour or none")
        }
        return color
    }
}

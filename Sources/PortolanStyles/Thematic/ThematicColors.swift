import PortolanFeatures
package import PortolanRaster

/// The colours of features by a property: those of classes of numbers, or those of categories.
package struct ThematicColors: Hashable, Sendable {
    /// What has colours of its own.
    package enum Groups: Hashable, Sendable {
        /// Ranges of numbers, each with a colour.
        case classes(Classification, [MapColor])
        /// Texts, each with a colour, and the colour of all other texts, or `nil` if there are none.
        case categories([String], [MapColor], others: MapColor?)
    }

    /// The property.
    package let property: String
    /// The classes or categories.
    package let groups: Groups
    /// The colour of features without a value.
    package let noData: MapColor
    /// Whether numbers are also read from texts.
    package let readsTexts: Bool
    /// Whether features may lack a value.
    package let hasGaps: Bool

    /// Creates colours by a property.
    package init(property: String, _ groups: Groups, noData: MapColor, readsTexts: Bool = false, hasGaps: Bool = true) {
        self.property = property
        self.groups = groups
        self.noData = noData
        self.readsTexts = readsTexts
        self.hasGaps = hasGaps
    }

    /// The MapLibre expression of the colour.
    var expression: PropertyValue {
        let value = ThematicValue(property: property, readsTexts: readsTexts),
            gap = PropertyValue.string(noData.cssText)
        switch groups {
        case .classes(let classes, let colors):
            var step: [PropertyValue] = ["step", value.number, .string(colors[0].cssText)]
            for (bound, color) in zip(classes.upperBounds.dropLast(), colors.dropFirst()) {
                // A stop belongs to the upper class.
                step += [.number(bound.nextUp), .string(color.cssText)]
            }
            let chosen = step.count > 3 ? PropertyValue.array(step) : .string(colors[0].cssText)
            return hasGaps || step.count <= 3 ? ["case", value.isNumber, chosen, gap] : chosen
        case .categories(let texts, let colors, let others):
            var match: [PropertyValue] = ["match", value.text]
            for (text, color) in zip(texts, colors) { match += [.string(text), .string(color.cssText)] }
            guard let others else { return .array(match + [gap]) }
            match.append(.string(others.cssText))
            return hasGaps ? ["case", value.isPresent, .array(match), gap] : .array(match)
        }
    }

    /// The titles of the values of the expression, in its order.
    func titles(_ language: LabelLanguage?) -> [String] {
        let gap = hasGaps ? ["no data"] : []
        switch groups {
        case .classes(let classes, _): return classes.titles(language) + gap
        case .categories(let texts, _, let others):
            // The last value of a `match` is that of all other texts.
            return texts + (others == nil ? [hasGaps ? "no data" : ""] : ["other"] + gap)
        }
    }
}

/// The MapLibre expressions that read a property.
struct ThematicValue {
    let property: String
    let readsTexts: Bool

    private var value: PropertyValue { ["get", .string(property)] }
    /// The number, where ``isNumber`` holds.
    var number: PropertyValue { readsTexts ? ["to-number", value, 0] : value }
    /// The text of any value.
    var text: PropertyValue { ["to-string", value] }
    /// Whether the feature has a value.
    var isPresent: PropertyValue { ["!=", text, ""] }

    /// Whether the property is a number.
    var isNumber: PropertyValue {
        let isNumber: PropertyValue = ["==", ["typeof", value], "number"]
        guard readsTexts else { return isNumber }
        // A text that is not a number gives the second argument.
        let isText: PropertyValue = ["==", ["typeof", value], "string"]
        let isReadable: PropertyValue = ["==", ["to-number", value, 0], ["to-number", value, 1]]
        return ["any", isNumber, ["all", isText, isPresent, isReadable]]
    }
}

extension Classification {
    /// The ranges in the number format of a language, with as many decimals as they need to differ.
    package func titles(_ language: LabelLanguage?) -> [String] {
        let bounds = [minimum] + upperBounds
        let gaps = zip(bounds, bounds.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        let finest = gaps.min() ?? 1
        // A hundredth of the narrowest class is not seen on a map.
        let decimals = (0...9).first { digits in
            let unit = (0..<digits).reduce(1.0) { scale, _ in scale / 10 }
            return bounds.allSatisfy { abs($0 - ($0 / unit).rounded() * unit) <= finest / 100 }
        }
        let format = DecimalFormat(
            locale: language?.tag, measure: .none, minimumFraction: nil, maximumFraction: Double(decimals ?? 9))
        let texts = bounds.map { format?.text($0) ?? ExpressionValue.number($0).text }
        return zip(texts, texts.dropFirst()).map { $0 == $1 ? $0 : "\($0) – \($1)" }
    }
}

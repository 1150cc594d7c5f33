import PortolanFeatures
package import PortolanRaster
import PortolanWeb

/// The colours of features by a property: those of classes of numbers, or those of categories.
package struct ThematicColors: Hashable, Sendable {
    /// What has colours of its own.
    package enum Groups: Hashable, Sendable {
        /// Ranges of numbers, each with a colour.
        case classes(Classification, [MapColor])
        /// Texts, each with a colour, and the colour of all other texts, or `nil` if there are none.
        case categories([String], [MapColor], others: MapColor?)
        /// Numbers between two ends, whose colours are at even distances and interpolated.
        case ramp(ClosedRange<Double>, [MapColor])
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
        let value = ThematicValue([property], readsTexts: readsTexts), gap = PropertyValue.string(noData.cssText)
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
        case .ramp(let numbers, let colors):
            var curve: [PropertyValue] = ["interpolate", ["linear"], value.number]
            for stop in Self.stops(numbers, colors) { curve += [.number(stop.number), .string(stop.color.cssText)] }
            return hasGaps ? ["case", value.isNumber, .array(curve), gap] : .array(curve)
        }
    }

    /// The stops of a ramp: its colours, and ticks at round numbers.
    private static func stops(
        _ numbers: ClosedRange<Double>, _ colors: [MapColor]
    ) -> [(number: Double, color: MapColor, isTick: Bool)] {
        let low = numbers.lowerBound, span = numbers.upperBound - low, last = Double(colors.count - 1)
        let ticks = RoundNumbers.within(numbers, count: 5)
        var stops = ticks.map { tick in
            let place = (tick - low) / span * last, below = min(max(Int(place), 0), colors.count - 2)
            return (tick, colors[below].mixed(with: colors[below + 1], at: place - Double(below)), true)
        }
        for (place, color) in colors.enumerated() {
            let number = place == colors.count - 1 ? numbers.upperBound : low + span * Double(place) / last
            guard !ticks.contains(where: { abs($0 - number) <= span * 1e-6 }) else { continue }
            stops.append((number, color, false))
        }
        return stops.sorted { $0.0 < $1.0 }.map { (number: $0, color: $1, isTick: $2) }
    }

    /// The titles of the values of the expression, in its order.
    func titles(_ language: LabelLanguage?) -> [String] {
        let noData = LegendPhrases.text(.noData, language), gap = hasGaps ? [noData] : []
        switch groups {
        case .classes(let classes, _): return classes.titles(language) + gap
        case .categories(let texts, _, let others):
            // The last value of a `match` is that of all other texts.
            return texts + (others == nil ? [hasGaps ? noData : ""] : [LegendPhrases.text(.other, language)] + gap)
        case .ramp(let numbers, let colors):
            let format = DecimalFormat(locale: language?.tag)
            return Self.stops(numbers, colors).map { $0.isTick ? format.text($0.number) : "" } + gap
        }
    }
}

extension Classification {
    /// The ranges in the number format of a language, with as many decimals as they need to differ.
    package func titles(_ language: LabelLanguage?) -> [String] {
        let bounds = [minimum] + upperBounds
        let gaps = zip(bounds, bounds.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        let finest = gaps.min() ?? 1
        // A hundredth of the narrowest class is not seen on a map; stated bounds are shown as they are.
        let decimals = (0...9).first { digits in
            let unit = (0..<digits).reduce(1.0) { scale, _ in scale / 10 }
            return bounds.indices.allSatisfy { place in
                let bound = bounds[place], isExact = isStated && place > 0 && place < bounds.count - 1
                return abs(bound - (bound / unit).rounded() * unit) <= (isExact ? abs(bound) * 1e-12 : finest / 100)
            }
        }
        let format = DecimalFormat(locale: language?.tag, decimals: 0...(decimals ?? 9))
        let texts = bounds.map(format.text)
        return zip(texts, texts.dropFirst()).map { $0 == $1 ? $0 : "\($0) – \($1)" }
    }
}

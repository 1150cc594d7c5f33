import PortolanFeatures
package import PortolanRaster
import PortolanWeb

/// The sizes of features by a property with numbers.
package struct ThematicSizes: Hashable, Sendable {
    /// How numbers become sizes.
    package enum Scale: Hashable, Sendable {
        /// The area of a disc is proportional to the number; the size is its radius.
        case area
        /// The size grows evenly from the smallest to the largest number.
        case linear
    }

    /// The property.
    package let property: String
    /// How numbers become sizes.
    package let scale: Scale
    /// The smallest and the largest number of the data.
    package let numbers: ClosedRange<Double>
    /// The smallest and the largest size in pixels.
    package let sizes: ClosedRange<Double>
    /// Whether numbers are also read from texts.
    package let readsTexts: Bool
    /// The colour of features without a number, or `nil` if there are none.
    package let noData: MapColor?

    /// Creates sizes by a property.
    package init(
        property: String, _ scale: Scale, numbers: ClosedRange<Double>, sizes: ClosedRange<Double>,
        readsTexts: Bool = false, noData: MapColor? = nil
    ) {
        self.noData = noData
        self.property = property
        self.scale = scale
        self.numbers = numbers
        self.sizes = sizes
        self.readsTexts = readsTexts
    }

    private var value: ThematicValue { ThematicValue([property], readsTexts: readsTexts) }

    /// The numbers whose sizes a legend shows.
    ///
    /// They are round: for areas the first one at or below the largest number, and smaller ones.
    private var shown: [Double] {
        guard scale == .area else {
            guard numbers.lowerBound < numbers.upperBound else { return [] }
            let round = RoundNumbers.within(numbers, count: 4)
            return round.count > 1 ? round : [numbers.lowerBound, numbers.upperBound]
        }
        let most = numbers.upperBound
        guard most > 0, most.isFinite else { return [] }
        let top = RoundNumbers.floor(most)
        return [top / 20, top / 4, top].filter { size(of: $0) > sizes.lowerBound }
    }

    /// The size of a number that is not clamped.
    private func size(of number: Double) -> Double {
        switch scale {
        case .area: sizes.upperBound * (max(number, 0) / numbers.upperBound).squareRoot()
        case .linear:
            sizes.lowerBound + (sizes.upperBound - sizes.lowerBound) * (number - numbers.lowerBound)
                / (numbers.upperBound - numbers.lowerBound)
        }
    }

    /// The numbers and sizes between which sizes are interpolated, and whether a legend shows them.
    private var stops: [(number: Double, size: Double, isShown: Bool)] {
        let shown = shown
        guard let first = shown.first, let last = shown.last else { return [] }
        var stops = shown.map { (number: $0, size: size(of: $0), isShown: true) }
        // Where a disc would be smaller than the smallest one.
        let share = sizes.lowerBound / sizes.upperBound
        let low = scale == .area ? share * share * numbers.upperBound : numbers.lowerBound
        if low < first { stops.insert((low, sizes.lowerBound, false), at: 0) }
        if last < numbers.upperBound { stops.append((numbers.upperBound, sizes.upperBound, false)) }
        return stops
    }

    /// The MapLibre expression of the size; features without a number have the smallest size.
    var expression: PropertyValue {
        let all = stops
        guard !all.isEmpty else { return .number(sizes.upperBound) }
        let input: PropertyValue = scale == .area ? ["sqrt", ["max", 0, value.number]] : value.number
        var stops: [PropertyValue] = []
        for stop in all {
            stops += [.number(scale == .area ? stop.number.squareRoot() : stop.number), .number(stop.size)]
        }
        return ["case", value.isNumber, .array(["interpolate", ["linear"], input] + stops), .number(sizes.lowerBound)]
    }

    /// The titles of the values of the expression, in its order; empty titles are not shown.
    func titles(_ language: LabelLanguage?) -> [String] {
        let format = DecimalFormat(locale: language?.tag), all = stops
        guard !all.isEmpty else { return [] }
        return all.map { $0.isShown ? format.text($0.number) : "" } + [""]
    }

    /// The colour of features: one for all with a number.
    package func paint(_ color: MapColor) -> ThematicStyle.Paint {
        noData.map { .present(color, property: property, readsTexts: readsTexts, noData: $0) } ?? .constant(color)
    }

    /// The order in which discs are drawn: the largest first, so that small ones remain visible.
    var sortKey: PropertyValue { ["case", value.isNumber, ["-", 0, value.number], 0] }
}

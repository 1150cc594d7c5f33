import Foundation
import PortolanFeatures

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

    /// Creates sizes by a property.
    package init(
        property: String, _ scale: Scale, numbers: ClosedRange<Double>, sizes: ClosedRange<Double>,
        readsTexts: Bool = false
    ) {
        self.property = property
        self.scale = scale
        self.numbers = numbers
        self.sizes = sizes
        self.readsTexts = readsTexts
    }

    private var value: ThematicValue { ThematicValue(property: property, readsTexts: readsTexts) }

    /// The numbers whose sizes a legend shows.
    ///
    /// For areas they are round numbers: the first one at or below the largest number, and smaller ones.
    private var shown: [Double] {
        guard scale == .area else {
            return numbers.lowerBound < numbers.upperBound ? [numbers.lowerBound, numbers.upperBound] : []
        }
        let most = numbers.upperBound
        guard most > 0, most.isFinite else { return [] }
        let power = pow(10, log10(most).rounded(.down)), factor = most / power
        let top = ([5, 2].first { factor >= $0 } ?? 1) * power
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

    /// The MapLibre expression of the size; features without a number have the smallest size.
    var expression: PropertyValue {
        let shown = shown
        guard let last = shown.last else { return .number(sizes.upperBound) }
        var stops: [PropertyValue]
        let input: PropertyValue
        switch scale {
        case .area:
            // Where a disc would be smaller than the smallest one.
            let share = sizes.lowerBound / sizes.upperBound
            input = ["sqrt", ["max", 0, value.number]]
            stops = [.number(share * numbers.upperBound.squareRoot()), .number(sizes.lowerBound)]
            for number in shown { stops += [.number(number.squareRoot()), .number(size(of: number))] }
            if last < numbers.upperBound {
                stops += [.number(numbers.upperBound.squareRoot()), .number(sizes.upperBound)]
            }
        case .linear:
            input = value.number
            stops = [.number(shown[0]), .number(sizes.lowerBound), .number(last), .number(sizes.upperBound)]
        }
        return ["case", value.isNumber, .array(["interpolate", ["linear"], input] + stops), .number(sizes.lowerBound)]
    }

    /// The titles of the values of the expression, in its order; empty titles are not shown.
    func titles(_ language: LabelLanguage?) -> [String] {
        let format = DecimalFormat(locale: language?.tag, measure: .none, minimumFraction: nil, maximumFraction: 9)
        let texts = shown.map { format?.text($0) ?? ExpressionValue.number($0).text }
        guard !texts.isEmpty else { return [] }
        guard scale == .area, let last = shown.last else { return texts + [""] }
        return [""] + texts + (last < numbers.upperBound ? ["", ""] : [""])
    }

    /// The order in which discs are drawn: the largest first, so that small ones remain visible.
    var sortKey: PropertyValue { ["case", value.isNumber, ["-", 0, value.number], 0] }
}

package import PortolanWeb

/// The format of a number in a text, in the notation of Python and D3: `,.0f`, `.1%`, `+,d`.
///
/// | part | effect |
/// | --- | --- |
/// | `+` | a plus sign before numbers that are not negative |
/// | `,` | separated thousands |
/// | `.2f` | two decimals; `.2~f` without trailing zeros |
/// | `d` | no decimals |
/// | `.1%` | a percentage, the number times 100, with one decimal |
///
/// Separators, signs and the place of `%` are those of a language.
package struct NumberPattern: Hashable, Sendable {
    /// The pattern as written.
    package let text: String
    /// Whether numbers that are not negative have a sign.
    package let showsPlus: Bool
    /// Whether thousands are separated.
    package let isGrouped: Bool
    /// Whether the number is written as a percentage.
    package let isPercentage: Bool
    /// The smallest and the largest number of decimals.
    package let decimals: ClosedRange<Int>

    /// Parses a pattern, or returns `nil` for an invalid one.
    package init?(_ text: some StringProtocol) {
        self.text = String(text)
        var rest = text[...]
        func takes(_ character: Character) -> Bool {
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }
        showsPlus = takes("+")
        let isGrouped = takes(",")
        var precision: Int?
        if takes(".") {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number <= 20 else { return nil }
            precision = number
            rest.removeFirst(digits.count)
        }
        let isTrimmed = takes("~")
        isPercentage = rest == "%"
        // Percentages have separated thousands in any language.
        self.isGrouped = isGrouped || isPercentage
        switch rest {
        case "f", "%":
            let most = precision ?? 6
            decimals = (isTrimmed ? 0 : most)...most
        case "d":
            guard precision == nil, !isTrimmed else { return nil }
            decimals = 0...0
        case "":
            guard precision == nil, !isTrimmed, showsPlus || isGrouped else { return nil }
            decimals = 0...9
        default: return nil
        }
    }

    /// Returns the format for a language tag; English for `nil`.
    package func format(_ language: String?) -> DecimalFormat {
        let own = DecimalFormat(locale: language, decimals: decimals, isGrouped: isGrouped)
        guard isPercentage else { return own }
        return DecimalFormat(
            locale: language, measure: .unit("percent"), minimumFraction: Double(decimals.lowerBound),
            maximumFraction: Double(decimals.upperBound)) ?? own
    }

    /// Returns a number in the format.
    func text(_ number: Double, _ format: DecimalFormat) -> String {
        let number = isPercentage ? number * 100 : number
        return (showsPlus && number >= 0 ? "+" : "") + format.text(number)
    }
}

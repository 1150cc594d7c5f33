/// A number format for display: with grouped thousands and the symbols of a language, as an amount of money or with a
/// unit.
package struct DecimalFormat: Hashable, Sendable {
    /// The unit of a number.
    package enum Measure: Hashable, Sendable {
        case none
        /// An amount in a currency with an upper-case code (ISO 4217).
        case currency(String)
        /// A unit of ECMA-402, such as `kilometer` or `kilometer-per-hour`.
        case unit(String)
    }

    private let language: NumberLanguage
    private let measure: Measure
    private let minimumFraction: Int
    private let maximumFraction: Int
    private let isGrouped: Bool

    /// Creates a format of numbers without a unit.
    ///
    /// - Parameters:
    ///   - locale: the language tag, or `nil` for English.
    ///   - decimals: the smallest and the largest number of decimals.
    ///   - isGrouped: whether thousands are separated.
    package init(locale: String?, decimals: ClosedRange<Int> = 0...9, isGrouped: Bool = true) {
        language = NumberLanguage(tag: locale)
        measure = .none
        minimumFraction = min(max(decimals.lowerBound, 0), 20)
        maximumFraction = min(max(decimals.upperBound, 0), 20)
        self.isGrouped = isGrouped
    }

    /// Creates a format of a language tag, with 0 to 3 decimals unless stated, or those of the currency for an amount.
    ///
    /// Returns `nil` for a currency code without three letters, and for an unknown unit.
    package init?(locale: String?, measure: Measure, minimumFraction: Double?, maximumFraction: Double?) {
        isGrouped = true
        language = NumberLanguage(tag: locale)
        self.measure = measure
        var usual = (least: 0, most: 3)
        switch measure {
        case .currency(let code):
            guard code.utf8.count == 3, code.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
            else { return nil }
            let decimals = NumberLanguage.decimals(of: code)
            usual = (decimals, decimals)
        case .unit(let unit): guard UnitNames.text(unit, isOne: false, language.code) != nil else { return nil }
        case .none: break
        }
        func digits(_ number: Double?) -> Int? { number.map { Int(min(max($0.isNaN ? 0 : $0, 0), 20)) } }
        let least = digits(minimumFraction)
        let most = digits(maximumFraction) ?? max(least ?? 0, usual.most)
        self.maximumFraction = most
        self.minimumFraction = min(least ?? usual.least, most)
    }

    /// The separator of thousands.
    package var groupSeparator: String { language.group }

    /// Returns the formatted number.
    package func text(_ number: Double) -> String {
        let isNegative = number.sign == .minus && !number.isNaN, digits = digits(number)
        switch measure {
        case .none: return (isNegative ? language.minus : "") + digits
        case .currency(let code): return language.amount(digits, isNegative: isNegative, currency: code)
        case .unit("percent"):
            return (isNegative ? language.minus : "") + language.percentage(digits)
        case .unit(let unit):
            return (isNegative ? language.minus : "") + digits
                + (UnitNames.text(unit, isOne: digits == "1", language.code) ?? "")
        }
    }

    /// The digits of a number without its sign.
    private func digits(_ number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : "∞" }
        let (whole, fraction) = Self.digits(number.magnitude, maximumFraction)
        var kept = fraction
        while kept.count > minimumFraction, kept.last == "0" { kept.removeLast() }
        let grouped = isGrouped ? language.grouped(whole) : String(whole)
        return grouped + (kept.isEmpty ? "" : language.point + kept)
    }

    /// The digits before and after the decimal point, rounded half away from zero.
    private static func digits(_ number: Double, _ count: Int) -> (whole: [Character], fraction: String) {
        let text = NumberText.text(number)
        let mantissaAndExponent = text.split(separator: "e")
        let sides = mantissaAndExponent[0].split(separator: ".", omittingEmptySubsequences: false)
        var whole = Array(sides[0]), fraction = sides.count > 1 ? Array(sides[1]) : []
        let exponent = mantissaAndExponent.count > 1 ? Int(mantissaAndExponent[1]) ?? 0 : 0
        for _ in 0..<max(exponent, 0) { whole.append(fraction.isEmpty ? "0" : fraction.removeFirst()) }
        for _ in 0..<max(-exponent, 0) { fraction.insert(whole.popLast() ?? "0", at: 0) }
        if whole.isEmpty { whole = ["0"] }
        var all = whole + fraction.prefix(count) + repeatElement("0", count: max(count - fraction.count, 0))
        if fraction.count > count, fraction[count] >= "5" {
            var place = all.count - 1
            while place >= 0, all[place] == "9" {
                all[place] = "0"
                place -= 1
            }
            if place < 0 {
                all.insert("1", at: 0)
            } else if let digit = all[place].wholeNumberValue {
                all[place] = Character(String(digit + 1))
            }
        }
        let split = all.count - count
        return (Array(all[..<split]), String(all[split...]))
    }
}

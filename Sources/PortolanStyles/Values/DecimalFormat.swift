/// How a number is written for people: grouped by thousands, with the signs of a language.
///
/// The signs are those of CLDR for the languages listed; others are written as in English.
struct DecimalFormat {
    private let group: String
    private let point: String
    private let minimumFraction: Int
    private let maximumFraction: Int

    private static let signs: [String: (group: String, point: String)] = {
        var signs: [String: (String, String)] = [:]
        for language in ["da", "de", "el", "es", "hr", "id", "is", "it", "nl", "pt", "ro", "sl", "sr", "tr", "vi"] {
            signs[language] = (".", ",")
        }
        for language in ["bg", "cs", "et", "fi", "hu", "lt", "lv", "nb", "no", "pl", "ru", "sk", "sv", "uk"] {
            signs[language] = ("\u{A0}", ",")
        }
        signs["fr"] = ("\u{202F}", ",")
        return signs
    }()

    /// Makes a format of a language tag; between 0 and 3 decimals unless told.
    init(locale: String?, minimumFraction: Double?, maximumFraction: Double?) {
        let language = locale?.split(separator: "-").first.map { $0.lowercased() } ?? "en"
        (group, point) = Self.signs[language] ?? (",", ".")
        func digits(_ number: Double?) -> Int? { number.map { Int(min(max($0.isNaN ? 0 : $0, 0), 20)) } }
        let least = digits(minimumFraction)
        let most = digits(maximumFraction) ?? max(least ?? 0, 3)
        self.maximumFraction = most
        self.minimumFraction = min(least ?? 0, most)
    }

    /// A number in words of digits.
    func text(_ number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-∞" : "∞" }
        let (whole, fraction) = Self.digits(number.magnitude, maximumFraction)
        var kept = fraction
        while kept.count > minimumFraction, kept.last == "0" { kept.removeLast() }
        var grouped = ""
        for (place, digit) in whole.enumerated() {
            if place > 0, (whole.count - place).isMultiple(of: 3) { grouped += group }
            grouped.append(digit)
        }
        let sign = number.sign == .minus ? "-" : ""
        return sign + grouped + (kept.isEmpty ? "" : point + kept)
    }

    /// The digits before and after the point, rounded half away from zero as they are written.
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

/// Conversions between numbers and texts that are independent of a language: those of ECMAScript, and decimals of requests.
package enum NumberText {
    /// Returns the shortest decimal representation of a number (ECMA-262, Number::toString).
    package static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number == 0 { return "0" }
        if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
        // Swift produces the same digits, but places the decimal point differently.
        let digitsAndExponent = String(describing: number.magnitude)
        let parts = digitsAndExponent.split(separator: "e")
        let sides = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = sides.joined()
        var point = sides[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.first == "0" {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == "0" { digits.removeLast() }
        let sign = number < 0 ? "-" : ""
        if point > 21 || point < -5 {
            let exponent = point - 1
            let rest = digits.dropFirst()
            return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + (exponent < 0 ? "e-" : "e+")
                + String(exponent.magnitude)
        }
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }

    /// Returns the number in a text, 0 for white space, or `nil` if it is invalid (ECMA-262, StringToNumber).
    package static func number(_ text: String) -> Double? {
        var word = text[...]
        while word.first?.isWhitespace == true { word.removeFirst() }
        while word.last?.isWhitespace == true { word.removeLast() }
        if word.isEmpty { return 0 }
        for (mark, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.lowercased().hasPrefix(mark) {
            let digits = word.dropFirst(2)
            guard digits.first?.isHexDigit == true else { return nil }
            return UInt64(digits, radix: radix).map { Double($0) }
        }
        switch word {
        case "Infinity", "+Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: break
        }
        // Swift accepts further keywords as numbers.
        guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        let padded = word.last == "." ? word + "0" : word
        return Double(padded.first == "." ? "0" + padded : padded)
    }

    /// Returns the shortest decimal text that reads back as `value`, without an exponent, independent of the locale.
    ///
    /// Minus zero is `0`. Requests are cache keys, so equal numbers must have equal texts.
    package static func decimal(_ value: Double) -> String {
        precondition(value.isFinite, "only finite numbers have a decimal text")
        if value == 0 { return "0" }
        // Swift's description has the fewest digits that identify the number, but may use an exponent.
        let description = value.description
        let isNegative = description.hasPrefix("-")
        let unsigned = isNegative ? description.dropFirst() : description[...]
        let parts = unsigned.split(separator: "e", maxSplits: 1)
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = mantissa[0]
        var fraction = mantissa.count == 2 ? mantissa[1] : ""
        if fraction == "0" { fraction = "" }

        let digits = String(whole) + String(fraction)
        let point = whole.count + exponent
        var result: String
        if point <= 0 {
            result = "0." + String(repeating: "0", count: -point) + digits
        } else if point >= digits.count {
            result = digits + String(repeating: "0", count: point - digits.count)
        } else {
            result = digits.prefix(point) + "." + digits.dropFirst(point)
        }
        if result.contains(".") {
            while result.last == "0" { result.removeLast() }
            if result.last == "." { result.removeLast() }
        }
        return isNegative ? "-" + result : result
    }
}

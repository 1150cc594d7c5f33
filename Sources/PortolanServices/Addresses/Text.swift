/// Formats numbers for requests.
package enum NumberText {
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

extension String {
    /// Returns the text without leading and trailing white space.
    package func trimmingSpace() -> String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The parts between white space.
    package var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}

extension [String] {
    /// The first twenty items, separated by commas, and the number of further ones.
    var listed: String {
        if isEmpty { return "none" }
        let shown = prefix(20).joined(separator: ", ")
        return count > 20 ? shown + " and \(count - 20) more" : shown
    }
}

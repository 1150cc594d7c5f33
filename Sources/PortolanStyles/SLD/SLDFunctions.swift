import PortolanFeatures
import PortolanWeb

/// Filter Encoding functions without a corresponding MapLibre operator: text patterns and number patterns.
enum SLDFunctions {
    /// A condition that a whole text matches a simple regular expression of letters, `.*`, and optional letters in
    /// brackets; `nil` for other patterns.
    static func matches(_ value: PropertyValue, _ pattern: String) -> PropertyValue? {
        guard let alternatives = alternatives(pattern) else { return nil }
        var tests: [PropertyValue] = ["any"]
        for pieces in alternatives {
            guard let test = SLDFilter.matching(value, pieces, ignoresCase: false) else { return nil }
            tests.append(test)
        }
        return tests.count == 2 ? tests[1] : .array(tests)
    }

    /// The alternatives of a pattern, each as pieces with anything between them.
    private static func alternatives(_ pattern: String) -> [[String]]? {
        var rest = Array(pattern)[...], found = [[""]]
        if rest.first == "^" { rest.removeFirst() }
        if rest.last == "$", rest.dropLast().last != "\\" { rest.removeLast() }
        func add(_ letters: String) { for index in found.indices { found[index][found[index].count - 1] += letters } }
        while let letter = rest.popFirst() {
            switch letter {
            case "." where rest.first == "*":
                rest.removeFirst()
                for index in found.indices { found[index].append("") }
            case "\\":
                // An escaped letter or digit denotes a character class, which is not supported.
                guard let next = rest.popFirst(), !next.isLetter, !next.isNumber else { return nil }
                add(String(next))
            case "(":
                guard let end = rest.firstIndex(of: ")"), found.count <= 8 else { return nil }
                let letters = String(rest[..<end])
                guard letters.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " }) else { return nil }
                rest = rest[(end + 1)...]
                guard rest.first == "?" else {
                    add(letters)
                    break
                }
                while rest.first == "?" { rest.removeFirst() }
                let without = found
                add(letters)
                found += without
            case ".", "*", "+", "?", "[", "]", "{", "}", "|", ")", "^", "$": return nil
            default:
                guard let next = rest.first, ["*", "+", "?", "{"].contains(next) else {
                    add(String(letter))
                    break
                }
                return nil
            }
        }
        return found
    }

    /// A number in a pattern of `#`, `0`, `,` and `.`, as formatted by Java's `DecimalFormat` in English; `nil` for
    /// other patterns.
    static func formatted(_ number: PropertyValue, _ pattern: String) -> PropertyValue? {
        let parts = pattern.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.allSatisfy({ "#,0".contains($0) }), whole.count(where: { $0 == "0" }) < 2
        else {
            return nil
        }
        let fraction = parts.count > 1 ? parts[1] : ""
        guard fraction.count <= 12, fraction.allSatisfy({ "#0".contains($0) }) else { return nil }
        let text: PropertyValue = [
            "number-format", number,
            [
                "locale": "en", "min-fraction-digits": .integer(fraction.count { $0 == "0" }),
                "max-fraction-digits": .integer(fraction.count),
            ],
        ]
        return whole.contains(",") ? text : ["join", ["split", text, ","], ""]
    }
}

import PortolanFeatures

/// Degrees in common notations: `10°14'23.4"E`, `N 49° 7.5'`, `10.15E`, `-49 7 9`.
enum DegreesText {
    /// Returns the degrees in a text, negative for south and west, or `nil` for other texts.
    static func value(of text: String) -> Double? {
        guard text.utf8.count <= 60 else { return nil }
        var sign = 1.0, hasLetter = false
        var parts: [String] = [], part = ""
        func isMark(_ character: Character) -> Bool { "°º˚'’′‘\"”″“:*".contains(character) || character.isWhitespace }
        for character in text.trimmingBlanks {
            switch character {
            case "0"..."9", ".": part.append(character)
            case ",": part.append(".")
            case "+" where parts.isEmpty && part.isEmpty: break
            case "-" where parts.isEmpty && part.isEmpty, "−" where parts.isEmpty && part.isEmpty: sign = -1
            case "N", "n", "E", "e", "S", "s", "W", "w":
                guard !hasLetter else { return nil }
                hasLetter = true
                if "SsWw".contains(character) { sign = -1 }
                if !part.isEmpty { parts.append(part) }
                part = ""
            case "d" where !part.isEmpty, "m" where !part.isEmpty, _ where isMark(character):
                if !part.isEmpty { parts.append(part) }
                part = ""
            default: return nil
            }
        }
        if !part.isEmpty { parts.append(part) }
        guard (1...3).contains(parts.count) else { return nil }
        var value = 0.0, unit = 1.0
        for (index, part) in parts.enumerated() {
            guard let number = part.decimalValue, index == 0 || number < 60 else { return nil }
            value += number / unit
            unit *= 60
        }
        return sign * value
    }
}

extension String {
    fileprivate var trimmingBlanks: Substring {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}

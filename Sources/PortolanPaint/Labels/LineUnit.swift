/// A part of a label's text that is not broken: a word, or a character of a script without spaces.
struct LineUnit {
    let text: Substring
    /// Whether a space precedes it, unless it is the first.
    let beginsWord: Bool

    /// Returns the parts of a word.
    ///
    /// As in MapLibre, lines may end after each ideograph and each Japanese letter, but not before closing or after
    /// opening punctuation.
    static func units(of word: Substring) -> [LineUnit] {
        guard word.unicodeScalars.contains(where: \.allowsBreak) else {
            return [LineUnit(text: word, beginsWord: true)]
        }
        var units: [LineUnit] = [], start = word.startIndex
        for place in word.indices {
            let next = word.index(after: place)
            guard next < word.endIndex, word[place].unicodeScalars.contains(where: \.allowsBreak),
                !openers.contains(word[place]), !closers.contains(word[next])
            else { continue }
            units.append(LineUnit(text: word[start..<next], beginsWord: start == word.startIndex))
            start = next
        }
        units.append(LineUnit(text: word[start...], beginsWord: start == word.startIndex))
        return units
    }

    private static let openers = Set("（「『【〈《［｛〔")
    private static let closers = Set("）」』】〉》］｝〕、。，．！？：；ー々)")
}

extension Unicode.Scalar {
    /// Whether a line may end after the character without a space: Chinese, Japanese and Yi, but not Korean.
    fileprivate var allowsBreak: Bool {
        switch value {
        case 0x2E80...0x312F, 0x31A0...0xA4CF, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE4F, 0xFF00...0xFFEF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}

/// How two values stand to one another.
enum ComparisonOrder {
    case before
    case same
    case after
    /// One of them is no number.
    case none

    init(_ a: Double, _ b: Double) { self = a < b ? .before : a == b ? .same : a > b ? .after : .none }

    init(_ a: String, _ b: String) {
        self = a == b ? .same : a.utf16.lexicographicallyPrecedes(b.utf16) ? .before : .after
    }
}

extension Collator {
    /// How two texts stand to one another: by their letters, then by the marks on these, then small before capital, as far as
    /// the collator looks.
    ///
    /// Letters come in the order of their characters; the orders of single languages are not known.
    func order(_ a: String, _ b: String) -> ComparisonOrder {
        let first = a.unicodeScalars.map(CollatedLetter.init), second = b.unicodeScalars.map(CollatedLetter.init)
        let letters = Self.order(first.map(\.letter), second.map(\.letter))
        if letters != .same { return letters }
        if isDiacriticSensitive {
            let marks = Self.order(first.map(\.mark), second.map(\.mark))
            if marks != .same { return marks }
        }
        guard isCaseSensitive else { return .same }
        return Self.order(first.map(\.isCapital), second.map(\.isCapital))
    }

    private static func order(_ a: [UInt32], _ b: [UInt32]) -> ComparisonOrder {
        a == b ? .same : a.lexicographicallyPrecedes(b) ? .before : .after
    }
}

/// A letter, taken apart for comparison.
private struct CollatedLetter {
    /// The letter without mark and case.
    var letter: UInt32
    /// The letter with its mark, without case; 0 where it has none.
    var mark: UInt32
    /// 1 for capitals.
    var isCapital: UInt32

    init(_ scalar: Unicode.Scalar) {
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        let folded = small.count == 1 ? small.first ?? scalar : scalar
        isCapital = folded == scalar ? 0 : 1
        let base = Self.base(of: folded)
        letter = base.value
        mark = base == folded ? 0 : folded.value
    }

    /// The letter that a letter with a mark is named after, as LATIN SMALL LETTER A WITH DIAERESIS is.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard !scalar.isASCII, let words = scalar.properties.name?.split(separator: " "),
            let place = words.firstIndex(of: "WITH"), place == 4, words[..<3] == ["LATIN", "SMALL", "LETTER"],
            words[3].count == 1, let letter = words[3].lowercased().unicodeScalars.first
        else { return scalar }
        return letter
    }
}

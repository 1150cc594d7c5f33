/// The order of two values.
enum ComparisonOrder {
    case before
    case same
    case after
    /// One of them is NaN.
    case none

    init(_ a: Double, _ b: Double) { self = a < b ? .before : a == b ? .same : a > b ? .after : .none }

    init(_ a: String, _ b: String) {
        self = a == b ? .same : a.utf16.lexicographicallyPrecedes(b.utf16) ? .before : .after
    }
}

extension ExpressionValue.Collator {
    /// Compares two texts: by letters, then by diacritics, then lower case before upper case, as far as the collator
    /// requires.
    ///
    /// Letters are ordered by character code. The known exceptions are the additional letters of single languages (å,
    /// ä, ö of Swedish and Finnish, æ, ø, å of Danish and Norwegian, ñ of Spanish), and that German equates ü with
    /// `ue`.
    func order(_ a: String, _ b: String) -> ComparisonOrder {
        let letters = Tailoring(locale)
        let first = a.unicodeScalars.flatMap(letters.letters), second = b.unicodeScalars.flatMap(letters.letters)
        let order = Self.order(first.map(\.letter), second.map(\.letter))
        if order != .same { return order }
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

/// The letter order of one language (Unicode CLDR, collations `standard` and, for German, `search`).
private struct Tailoring {
    /// Additional letters, each list after the preceding letter.
    private var own: [Unicode.Scalar: UInt32] = [:]
    /// Letters that expand to two.
    private var pairs: [Unicode.Scalar: String] = ["ß": "ss"]

    init(_ locale: String?) {
        switch locale?.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first {
        case "sv", "fi": place(["å", "ä", "ö"], after: "z")
        case "da", "nb", "nn", "no":
            place(["æ", "ø", "å"], after: "z")
            own["ä"] = own["æ"]
            own["ö"] = own["ø"]
        case "es": place(["ñ"], after: "n")
        case "de": pairs.merge(["ä": "ae", "ö": "oe", "ü": "ue"]) { $1 }
        default: break
        }
    }

    private mutating func place(_ letters: [Unicode.Scalar], after letter: Unicode.Scalar) {
        for (rank, own) in letters.enumerated() {
            self.own[own] = letter.value * CollatedLetter.step + UInt32(rank) + 1
        }
    }

    func letters(_ scalar: Unicode.Scalar) -> [CollatedLetter] {
        let letter = CollatedLetter(scalar)
        if let place = own[letter.folded] { return [CollatedLetter(letter, as: place)] }
        guard let pair = pairs[letter.folded] else { return [letter] }
        return pair.unicodeScalars.map { CollatedLetter(letter, as: $0.value * CollatedLetter.step) }
    }
}

/// A letter, decomposed for comparison.
private struct CollatedLetter {
    /// The distance between letters, which leaves room for additional letters.
    static let step: UInt32 = 8

    /// The order of the letter without diacritic and case.
    var letter: UInt32
    /// The letter with its diacritic, without case; 0 without a diacritic.
    var mark: UInt32
    /// 1 for capitals.
    var isCapital: UInt32
    /// The letter with its diacritic, without case.
    let folded: Unicode.Scalar

    /// A letter with another order.
    init(_ other: CollatedLetter, as letter: UInt32) {
        self = other
        self.letter = letter
        mark = other.folded.value
    }

    init(_ scalar: Unicode.Scalar) {
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        let folded = small.count == 1 ? small.first ?? scalar : scalar
        isCapital = folded == scalar ? 0 : 1
        let base = Self.base(of: folded)
        letter = base.value * Self.step
        self.folded = folded
        mark = base == folded ? 0 : folded.value
    }

    /// The base of a letter with a diacritic by its Unicode name, such as LATIN SMALL LETTER A WITH DIAERESIS.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard !scalar.isASCII, let words = scalar.properties.name?.split(separator: " "),
            let place = words.firstIndex(of: "WITH"), place == 4, words[..<3] == ["LATIN", "SMALL", "LETTER"],
            words[3].count == 1, let letter = words[3].lowercased().unicodeScalars.first
        else { return scalar }
        return letter
    }
}

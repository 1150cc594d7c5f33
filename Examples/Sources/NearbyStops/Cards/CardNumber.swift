/// The number of a travel card: what no message, log or picture shows.
///
/// All that describes it, also for debuggers, is its last four digits: `•••• 1234`. It is no `Codable`, so that nothing writes it
/// by chance.
struct CardNumber: Hashable, Sendable {
    /// The digits themselves, for who must have them: a service, and the file of the strip.
    let digits: String

    /// Makes a number that a ``CardValidator`` has found right.
    ///
    /// - Returns: `nil` where the text is not 8 to 32 digits.
    init?(digits: String) {
        guard (8...32).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.digits = digits
    }

    /// The last four digits behind four dots.
    var masked: String { "•••• \(digits.suffix(4))" }
}

extension CardNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The last four digits behind four dots.
    var description: String { masked }
    /// The last four digits behind four dots.
    var debugDescription: String { masked }
    /// What reflection shows: the last four digits.
    var customMirror: Mirror { Mirror(self, children: ["masked": masked]) }
}

/// Tells whether what a person typed is the number of a card: each operator has its own rule.
protocol CardValidator: Sendable {
    /// The number that a text is.
    ///
    /// - Throws: ``CardFault``, which must not tell the number.
    func number(of text: String) throws(CardFault) -> CardNumber
}

/// Why a text is not the number of a card.
enum CardFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is something else than digits, spaces and hyphens.
    case notDigits
    /// There are too few or too many digits.
    case wrongLength(expected: Int, found: Int)
    /// The last digit does not fit the others: one was mistyped.
    case wrongCheckDigit
    /// It is on the strip already.
    case isKnown

    /// What to tell the person.
    var description: String { words() }

    /// The message for the user, in Spanish or else in English.
    func words(inSpanish isSpanish: Bool = false) -> String {
        switch self {
        case .notDigits:
            isSpanish ? "El número de la tarjeta solo tiene dígitos." : "The number of a card has digits only."
        case .wrongLength(let expected, let found):
            isSpanish
                ? "El número de la tarjeta tiene \(expected) dígitos, no \(found)."
                : "The number of a card has \(expected) digits, not \(found)."
        case .wrongCheckDigit:
            isSpanish ? "El número no es correcto: revise los dígitos." : "The number is not right: check its digits."
        case .isKnown: isSpanish ? "Esta tarjeta ya está guardada." : "This card is stored already."
        }
    }
}

/// The rule of so many digits, with spaces and hyphens between them as people write them; 16 unless told.
struct DigitCountValidator: CardValidator {
    /// How many digits a number has.
    let count: Int
    /// Whether the last digit is a check digit (ISO/IEC 7812-1, annex B, the formula of Luhn).
    let hasCheckDigit: Bool

    /// Makes a rule; numbers have 8 to 32 digits.
    init(count: Int = 16, hasCheckDigit: Bool = false) {
        precondition((8...32).contains(count), "numbers of cards have 8 to 32 digits")
        self.count = count
        self.hasCheckDigit = hasCheckDigit
    }

    /// The number that a text is.
    func number(of text: String) throws(CardFault) -> CardNumber {
        guard text.utf8.count <= 256 else { throw .notDigits }
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .notDigits }
        guard digits.utf8.count == count, let number = CardNumber(digits: digits) else {
            throw .wrongLength(expected: count, found: digits.utf8.count)
        }
        guard !hasCheckDigit || Self.sum(digits) % 10 == 0 else { throw .wrongCheckDigit }
        return number
    }

    /// Every second digit from the right counts twice, of two digits their sum.
    private static func sum(_ digits: String) -> Int {
        digits.utf8.reversed().enumerated().reduce(0) { sum, item in
            let digit = Int(item.element) - 0x30
            let doubled = item.offset % 2 == 1 ? digit * 2 : digit
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
    }
}

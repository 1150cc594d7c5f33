/// The number of a travel card, which must not appear in messages, logs or pictures.
///
/// All descriptions, including those for debuggers, show the last four digits: `•••• 1234`. It is not `Codable`, so
/// that it cannot be serialised by accident.
struct CardNumber: Hashable, Sendable {
    /// The digits, only for a service and the file of the strip.
    let digits: String

    /// Creates a number that a ``CardValidator`` has accepted.
    ///
    /// - Returns: `nil` if the text is not 8 to 32 digits.
    init?(digits: String) {
        guard (8...32).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.digits = digits
    }

    /// The last four digits after four dots.
    var masked: String { "•••• \(digits.suffix(4))" }
}

extension CardNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The last four digits after four dots.
    var description: String { masked }
    /// The last four digits after four dots.
    var debugDescription: String { masked }
    /// The content for reflection: the last four digits.
    var customMirror: Mirror { Mirror(self, children: ["masked": masked]) }
}

/// Validates card numbers that users type, by the rule of an operator.
protocol CardValidator: Sendable {
    /// Returns the card number in a text.
    ///
    /// - Throws: ``CardFault``, which must not contain the number.
    func number(of text: String) throws(CardFault) -> CardNumber
}

/// The reason why a text is not a card number.
enum CardFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text contains characters other than digits, spaces and hyphens.
    case notDigits
    /// There are too few or too many digits.
    case wrongLength(expected: Int, found: Int)
    /// The check digit is wrong, because a digit was mistyped.
    case wrongCheckDigit
    /// The card is already on the strip.
    case isKnown

    /// The message for the user.
    var description: String { words() }

    /// Returns the message for the user, in Spanish or else in English.
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

/// A rule with a fixed number of digits, 16 by default, with optional spaces and hyphens.
struct DigitCountValidator: CardValidator {
    /// The number of digits.
    let count: Int
    /// Whether the last digit is a check digit (ISO/IEC 7812-1, annex B, the Luhn formula).
    let hasCheckDigit: Bool

    /// Creates a rule; numbers have 8 to 32 digits.
    init(count: Int = 16, hasCheckDigit: Bool = false) {
        precondition((8...32).contains(count), "numbers of cards have 8 to 32 digits")
        self.count = count
        self.hasCheckDigit = hasCheckDigit
    }

    /// Returns the card number in a text.
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

    /// Returns the Luhn sum: every second digit from the right is doubled, and the digits of the result are added.
    private static func sum(_ digits: String) -> Int {
        digits.utf8.reversed().enumerated().reduce(0) { sum, item in
            let digit = Int(item.element) - 0x30
            let doubled = item.offset % 2 == 1 ? digit * 2 : digit
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
    }
}

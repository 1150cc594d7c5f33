import Foundation

/// The travel cards of a person, in order, in a file that only its owner can read.
///
/// ```swift
/// var strip = try CardStrip(path: folder + "/cards.json")
/// try strip.add("1010 0000 1234 5678", named: "Tullave")
/// print(strip.cards[0].label)     // Tullave •••• 5678
/// ```
struct CardStrip: Sendable {
    /// A card.
    struct Card: Hashable, Sendable, CustomStringConvertible {
        /// The name given by the user.
        var name: String
        /// The card number.
        let number: CardNumber

        /// The display text: the name and the last four digits.
        var label: String { name.isEmpty ? number.masked : "\(name) \(number.masked)" }
        /// ``label``.
        var description: String { label }
    }

    /// The cards, in display order.
    private(set) var cards: [Card]
    private let file: OwnerFile
    private let validator: any CardValidator

    /// The maximum number of cards in a strip.
    static let maximumCount = 100
    private static let maximumNameByteCount = 200
    private static let maximumByteCount = 1 << 20

    /// Opens the strip of a file; it is empty if the file does not exist.
    ///
    /// - Parameter validator: the rule of the operator; 16 digits by default.
    /// - Throws: ``CardStripError``.
    init(path: String, validator: any CardValidator = DigitCountValidator()) throws(CardStripError) {
        file = OwnerFile(path: path)
        self.validator = validator
        cards =
            try file.read(limit: Self.maximumByteCount).map { (bytes) throws(CardStripError) in
                try Self.cards(of: bytes, path: path)
            } ?? []
    }

    /// Adds a card if its number is valid.
    ///
    /// - Throws: ``CardStripError/fault(_:)`` with the error of the number, or others if the file cannot be written.
    @discardableResult
    mutating func add(_ text: String, named name: String = "") throws(CardStripError) -> Card {
        let number: CardNumber
        do throws(CardFault) { number = try validator.number(of: text) } catch { throw .fault(error) }
        guard !cards.contains(where: { $0.number == number }) else { throw .fault(.isKnown) }
        guard cards.count < Self.maximumCount else { throw .full(limit: Self.maximumCount) }
        let card = Card(name: Self.name(name), number: number)
        try store(cards + [card])
        return card
    }

    /// Removes a card; does nothing if it is not on the strip.
    mutating func remove(_ number: CardNumber) throws(CardStripError) {
        let rest = cards.filter { $0.number != number }
        if rest.count != cards.count { try store(rest) }
    }

    private mutating func store(_ cards: [Card]) throws(CardStripError) {
        let stored = Stored(cards: cards.map { Stored.Card(name: $0.name, number: $0.number.digits) })
        guard let bytes = try? JSONEncoder().encode(stored) else { throw .unwritable(path: file.path) }
        try file.write([UInt8](bytes))
        self.cards = cards
    }

    /// The format of the file.
    private struct Stored: Codable {
        struct Card: Codable {
            var name: String?
            var number: String?
        }
        var format = "portolan-cards-1"
        var cards: [Card]
    }

    private static func name(_ text: String) -> String {
        var name = String(text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(60))
        while name.utf8.count > maximumNameByteCount { name.removeLast() }
        return name
    }

    private static func cards(of bytes: [UInt8], path: String) throws(CardStripError) -> [Card] {
        // Errors never quote the file, because it contains numbers.
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)),
            stored.format == "portolan-cards-1"
        else { throw .damaged(path: path, what: "it is not a list of cards") }
        guard stored.cards.count <= maximumCount else { throw .damaged(path: path, what: "it has too many cards") }
        var cards: [Card] = []
        for (index, card) in stored.cards.enumerated() {
            guard let number = card.number.flatMap({ CardNumber(digits: $0) }) else {
                throw .damaged(path: path, what: "card \(index + 1) has no number")
            }
            cards.append(Card(name: name(card.name ?? ""), number: number))
        }
        return cards
    }
}

/// The reason why cards cannot be read or stored.
enum CardStripError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number is invalid.
    case fault(CardFault)
    /// The strip is full.
    case full(limit: Int)
    /// The file cannot be read.
    case unreadable(path: String)
    /// The file has another content.
    case damaged(path: String, what: String)
    /// The file cannot be written.
    case unwritable(path: String)

    /// The message in one line, never with a number.
    var description: String {
        switch self {
        case .fault(let fault): "\(fault)"
        case .full(let limit): "there are \(limit) cards already"
        case .unreadable(let path): "the file of the cards cannot be read: \(path)"
        case .damaged(let path, let what): "the file of the cards is damaged: \(path): \(what)"
        case .unwritable(let path): "the file of the cards cannot be written: \(path)"
        }
    }
}

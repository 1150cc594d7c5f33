import Foundation
import PortolanFeatures

/// The travel cards that a person keeps: few, in their order, in a file that only its owner reads.
///
/// ```swift
/// var strip = try CardStrip(path: folder + "/cards.json")
/// try strip.add("1010 0000 1234 5678", named: "Tullave")
/// print(strip.cards[0].label)     // Tullave •••• 5678
/// ```
public struct CardStrip: Sendable {
    /// A card.
    public struct Card: Hashable, Sendable, CustomStringConvertible {
        /// What the person calls it.
        public var name: String
        /// Its number.
        public let number: CardNumber

        /// What is shown of it: its name and the last four digits.
        public var label: String { name.isEmpty ? number.masked : "\(name) \(number.masked)" }
        /// ``label``.
        public var description: String { label }
    }

    /// The cards, in the order in which they are shown.
    public private(set) var cards: [Card]
    private let file: OwnerFile
    private let validator: any CardValidator

    /// The most cards of a strip.
    public static let maximumCount = 100
    private static let maximumNameByteCount = 200
    private static let maximumByteCount = 1 << 20

    /// Opens the strip of a file; it is empty where there is none.
    ///
    /// - Parameter validator: the rule of the operator; 16 digits unless told.
    /// - Throws: ``CardStripError``.
    public init(path: String, validator: any CardValidator = DigitCountValidator()) throws(CardStripError) {
        file = OwnerFile(path: path)
        self.validator = validator
        cards =
            try file.read(limit: Self.maximumByteCount).map { (bytes) throws(CardStripError) in
                try Self.cards(of: bytes, path: path)
            } ?? []
    }

    /// Stores a card; one whose number is not right is not stored.
    ///
    /// - Throws: ``CardStripError/fault(_:)`` with what is wrong with the number; others where the file cannot be written.
    @discardableResult
    public mutating func add(_ text: String, named name: String = "") throws(CardStripError) -> Card {
        let number: CardNumber
        do throws(CardFault) { number = try validator.number(of: text) } catch { throw .fault(error) }
        guard !cards.contains(where: { $0.number == number }) else { throw .fault(.isKnown) }
        guard cards.count < Self.maximumCount else { throw .full(limit: Self.maximumCount) }
        let card = Card(name: Self.name(name), number: number)
        try store(cards + [card])
        return card
    }

    /// Takes a card away; nothing happens where it is not on the strip.
    public mutating func remove(_ number: CardNumber) throws(CardStripError) {
        let rest = cards.filter { $0.number != number }
        if rest.count != cards.count { try store(rest) }
    }

    private mutating func store(_ cards: [Card]) throws(CardStripError) {
        let list: [PropertyValue] = cards.map {
            ["name": .string($0.name), "number": .string($0.number.digits)]
        }
        try file.write(GeoJSONWriter.json(["format": "portolan-cards-1", "cards": .array(list)]))
        self.cards = cards
    }

    private static func name(_ text: String) -> String {
        var name = String(text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(60))
        while name.utf8.count > maximumNameByteCount { name.removeLast() }
        return name
    }

    private static func cards(of bytes: [UInt8], path: String) throws(CardStripError) -> [Card] {
        // What is wrong is told without what stands there.
        guard let members = (try? JSONReader.value(bytes: bytes))?.objectValue,
            members["format"] == "portolan-cards-1", let list = members["cards"]?.arrayValue
        else { throw .damaged(path: path, what: "it is no list of cards") }
        guard list.count <= maximumCount else { throw .damaged(path: path, what: "it has too many cards") }
        var cards: [Card] = []
        for (index, value) in list.enumerated() {
            guard let members = value.objectValue, let digits = members["number"]?.stringValue,
                let number = CardNumber(digits: digits)
            else { throw .damaged(path: path, what: "card \(index + 1) has no number") }
            cards.append(Card(name: name(members["name"]?.stringValue ?? ""), number: number))
        }
        return cards
    }
}

/// Why cards cannot be read or stored.
public enum CardStripError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number is not right.
    case fault(CardFault)
    /// There are as many cards as a strip holds.
    case full(limit: Int)
    /// The file cannot be read.
    case unreadable(path: String)
    /// The file holds something else.
    case damaged(path: String, what: String)
    /// The file cannot be written.
    case unwritable(path: String)

    /// What is wrong, in one line; never a number.
    public var description: String {
        switch self {
        case .fault(let fault): "\(fault)"
        case .full(let limit): "there are \(limit) cards already"
        case .unreadable(let path): "the file of the cards cannot be read: \(path)"
        case .damaged(let path, let what): "the file of the cards is damaged: \(path): \(what)"
        case .unwritable(let path): "the file of the cards cannot be written: \(path)"
        }
    }
}

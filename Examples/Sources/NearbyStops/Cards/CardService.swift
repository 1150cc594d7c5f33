import Foundation

/// Tells what is on a card, where an operator has a service for it.
protocol CardService: Sendable {
    /// What is on a card.
    ///
    /// - Throws: ``CardServiceError``, which must not tell the number.
    func balance(of card: CardNumber) async throws(CardServiceError) -> CardBalance
}

/// What is on a card.
struct CardBalance: Hashable, Sendable {
    /// The money, in the smallest unit of its currency, as cents; below nought what is owed.
    var amount: Int
    /// The currency (ISO 4217), as "COP".
    var currency: String
    /// When it was so.
    var time: Date

    /// Makes a balance.
    init(amount: Int, currency: String, time: Date) {
        self.amount = amount
        self.currency = currency
        self.time = time
    }
}

/// Why there is no balance.
enum CardServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operator has no such service.
    case unavailable
    /// The service does not know the card.
    case unknownCard
    /// The service cannot be asked, and why.
    case failed(String)

    /// What is wrong, in one line.
    var description: String {
        switch self {
        case .unavailable: "the operator tells no balances"
        case .unknownCard: "the operator does not know the card"
        case .failed(let what): "the balance cannot be had: \(what)"
        }
    }
}

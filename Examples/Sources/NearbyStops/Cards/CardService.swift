import Foundation

/// An operator's service that reports the balance of a card.
protocol CardService: Sendable {
    /// Returns the balance of a card.
    ///
    /// - Throws: ``CardServiceError``, which must not contain the number.
    func balance(of card: CardNumber) async throws(CardServiceError) -> CardBalance
}

/// The balance of a card.
struct CardBalance: Hashable, Sendable {
    /// The amount in the smallest unit of its currency, such as cents; negative for a debt.
    var amount: Int
    /// The currency (ISO 4217), such as "COP".
    var currency: String
    /// The time of the balance.
    var time: Date

    /// Creates a balance.
    init(amount: Int, currency: String, time: Date) {
        self.amount = amount
        self.currency = currency
        self.time = time
    }
}

/// The reason why there is no balance.
enum CardServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operator has no such service.
    case unavailable
    /// The service does not know the card.
    case unknownCard
    /// The service is unavailable, with the reason.
    case failed(String)

    /// The message in one line.
    var description: String {
        switch self {
        case .unavailable: "the operator tells no balances"
        case .unknownCard: "the operator does not know the card"
        case .failed(let what): "the balance cannot be had: \(what)"
        }
    }
}

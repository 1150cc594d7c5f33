/// The waiters of each transfer, by which equal requests share one: a state machine without side effects.
///
/// - Complexity: each event is O(1), `complete` O(waiters).
package struct JoinTable: Sendable {
    package typealias Ticket = UInt64
    package typealias Waiter = UInt64

    /// The identity of a request.
    ///
    /// Time limits are not part of it; those of the first request apply to all.
    private struct Key: Hashable {
        let url: String
        let headers: [HTTPHeader]
        let body: HTTPRequest.Body?
    }

    private struct Transfer {
        let key: Key
        let maximumBodyByteCount: Int
        /// Most transfers have one waiter, which is stored without allocation.
        var first: Waiter?
        var others: Set<Waiter> = []

        var waiters: [Waiter] { (others + (first.map { [$0] } ?? [])).sorted() }
    }

    /// The effect of a new waiter.
    package enum Admission: Equatable, Sendable {
        /// It waits for a new transfer, which must be scheduled.
        case opened(Ticket)
        /// It waits for a transfer that is running or queued.
        case joined(Ticket)
    }

    private var transfers: [Ticket: Transfer] = [:]
    /// The transfer that a new request with this key can join.
    private var joinable: [Key: Ticket] = [:]
    private var tickets: [Waiter: Ticket] = [:]
    private var lastTicket: Ticket = 0

    package init() {}

    /// Adds `waiter`, a unique identifier, to the transfer for `request`.
    ///
    /// It does not join a transfer with a lower body limit than its own, which could fail unnecessarily.
    package mutating func admit(_ request: HTTPRequest, for waiter: Waiter) -> Admission {
        let key = Key(url: request.url, headers: request.headers, body: request.body)
        if let ticket = joinable[key], let transfer = transfers[ticket],
            transfer.maximumBodyByteCount >= request.maximumBodyByteCount
        {
            transfers[ticket]?.others.insert(waiter)
            tickets[waiter] = ticket
            return .joined(ticket)
        }
        lastTicket += 1
        let ticket = lastTicket
        transfers[ticket] = Transfer(
            key: key, maximumBodyByteCount: request.maximumBodyByteCount, first: waiter)
        joinable[key] = ticket
        tickets[waiter] = ticket
        return .opened(ticket)
    }

    /// Removes a waiter that was cancelled.
    ///
    /// - Returns: the ticket of a transfer without any more waiters, which must be cancelled. No request joins it any
    ///   more.
    package mutating func leave(_ waiter: Waiter) -> Ticket? {
        guard let ticket = tickets.removeValue(forKey: waiter), let transfer = transfers[ticket] else { return nil }
        if transfer.first == waiter {
            transfers[ticket]?.first = nil
            guard transfer.others.isEmpty else { return nil }
        } else {
            transfers[ticket]?.others.remove(waiter)
            guard transfer.first == nil, transfer.others.count == 1 else { return nil }
        }
        forget(ticket, key: transfer.key)
        return ticket
    }

    /// Registers the end of a transfer, and returns its waiters in the order of their arrival.
    package mutating func complete(_ ticket: Ticket) -> [Waiter] {
        guard let transfer = transfers[ticket] else { return [] }
        forget(ticket, key: transfer.key)
        let waiters = transfer.waiters
        for waiter in waiters { tickets[waiter] = nil }
        return waiters
    }

    /// Returns whether a transfer has waiters.
    package func isWanted(_ ticket: Ticket) -> Bool { transfers[ticket] != nil }

    /// The number of waiters of all transfers.
    package var waiterCount: Int { tickets.count }

    private mutating func forget(_ ticket: Ticket, key: Key) {
        transfers[ticket] = nil
        if joinable[key] == ticket { joinable[key] = nil }
    }
}

/// The waiters of each transfer, so that equal requests in flight share one: a state machine of values only.
///
/// - Complexity: each event is O(1), `complete` O(waiters).
package struct JoinTable: Sendable {
    package typealias Ticket = UInt64
    package typealias Waiter = UInt64

    /// Requests are equal when these are; time limits are not compared, those of the first request hold for all.
    private struct Key: Hashable {
        let url: String
        let headers: [HTTPHeader]
        let question: HTTPQuestion?
    }

    private struct Transfer {
        let key: Key
        let maximumBodyByteCount: Int
        /// Most have one waiter, which takes no memory of its own.
        var first: Waiter?
        var others: Set<Waiter> = []

        var waiters: [Waiter] { (others + (first.map { [$0] } ?? [])).sorted() }
    }

    /// The effect of a new waiter.
    package enum Admission: Equatable, Sendable {
        /// It waits for a new transfer, which is to be scheduled.
        case opened(Ticket)
        /// It waits for a transfer that is already under way or queued.
        case joined(Ticket)
    }

    private var transfers: [Ticket: Transfer] = [:]
    /// The transfer that a new request with this key may join.
    private var joinable: [Key: Ticket] = [:]
    private var tickets: [Waiter: Ticket] = [:]
    private var lastTicket: Ticket = 0

    package init() {}

    /// Someone, whom `waiter` names and nobody else, wants `request`.
    ///
    /// It does not join a transfer that allows a shorter body than it does itself: that could fail where it must not.
    package mutating func admit(_ request: HTTPRequest, for waiter: Waiter) -> Admission {
        let key = Key(url: request.url, headers: request.headers, question: request.question)
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

    /// A waiter gives up.
    ///
    /// The ticket returned has no waiter left and is to be cancelled; nobody joins it any more.
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

    /// A transfer has its answer; those returned, in the order they came, are to get it.
    package mutating func complete(_ ticket: Ticket) -> [Waiter] {
        guard let transfer = transfers[ticket] else { return [] }
        forget(ticket, key: transfer.key)
        let waiters = transfer.waiters
        for waiter in waiters { tickets[waiter] = nil }
        return waiters
    }

    /// Whether anyone waits for a transfer.
    package func isWanted(_ ticket: Ticket) -> Bool { transfers[ticket] != nil }

    /// The number of waiters over all transfers.
    package var waiterCount: Int { tickets.count }

    private mutating func forget(_ ticket: Ticket, key: Key) {
        transfers[ticket] = nil
        if joinable[key] == ticket { joinable[key] = nil }
    }
}

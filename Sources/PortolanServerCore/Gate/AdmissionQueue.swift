/// Decides which renders start, which wait and which are refused: a state machine without a clock.
///
/// Clients take turns. Each client has a line in order of arrival, and a free slot goes to the first request of the client
/// whose turn it is, so that a client with hundreds of requests delays another client by one render only. A request is
/// refused if it could not be rendered within the deadline, estimated by the mean time of recent renders. If all the room is
/// taken, the client with the longest line loses its newest request to a client with fewer.
///
/// - Complexity: arrivals and departures are O(clients that wait), leaving the line O(requests of the client).
package struct AdmissionQueue: Sendable {
    /// The number of a waiting request.
    package typealias Ticket = UInt64

    /// The effect of an arrival.
    package enum Admission: Equatable, Sendable {
        /// It may start.
        case admitted
        /// It has to wait; the request that lost its room to it is refused.
        case waiting(Ticket, displacing: Ticket? = nil)
        /// It would be too late, or there is no room; the seconds after which another try makes sense.
        case refused(retryAfter: Double)
    }

    /// The requests of a client, the oldest first.
    private struct Line {
        private(set) var tickets: [Ticket] = []
        /// The index of the oldest, so that the others need not move up.
        private var head = 0

        var count: Int { tickets.count - head }

        mutating func append(_ ticket: Ticket) { tickets.append(ticket) }

        mutating func popFirst() -> Ticket? {
            guard head < tickets.count else { return nil }
            defer {
                head += 1
                if head > 64, head * 2 > tickets.count {
                    tickets.removeFirst(head)
                    head = 0
                }
            }
            return tickets[head]
        }

        mutating func popLast() -> Ticket? { count > 0 ? tickets.removeLast() : nil }

        mutating func remove(_ ticket: Ticket) -> Bool {
            guard let index = tickets[head...].firstIndex(of: ticket) else { return false }
            tickets.remove(at: index)
            return true
        }
    }

    /// The number of renders at the same time.
    package let capacity: Int
    /// The most requests that wait.
    package let room: Int
    /// Seconds that a request may take, its wait included.
    package let deadline: Double
    /// The number of renders under way.
    package private(set) var running = 0
    /// The number of requests that wait.
    package private(set) var waiting = 0
    private var lines: [String: Line] = [:]
    /// The clients that wait, the next one first.
    private var turns: [String] = []
    private var clients: [Ticket: String] = [:]
    private var lastTicket: Ticket = 0
    private var times: RecentTimes

    /// Makes a queue.
    package init(capacity: Int, room: Int, deadline: Double = .infinity) {
        self.capacity = max(capacity, 1)
        self.room = max(room, 0)
        self.deadline = deadline
        times = RecentTimes()
    }

    /// The number of clients that wait.
    package var waitingClients: Int { turns.count }

    /// The mean time of recent renders, in seconds.
    package var meanSeconds: Double { times.mean }

    /// A request arrives.
    package mutating func arrive(_ client: String) -> Admission {
        if running < capacity {
            running += 1
            return .admitted
        }
        let own = lines[client]?.count ?? 0
        // The requests that start before it: of each other client as many as have their turn before its own last one.
        let ahead = lines.reduce(0) { $0 + ($1.key == client ? own : min($1.value.count, own + 1)) }
        let end = Double(ahead + 1) * times.mean / Double(capacity) + times.mean
        guard end <= deadline else { return .refused(retryAfter: end - deadline) }
        var displaced: Ticket?
        if waiting >= room {
            guard let longest = lines.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
                longest.value.count > own + 1, let last = lines[longest.key]?.popLast()
            else { return .refused(retryAfter: Double(waiting + 1) * times.mean / Double(capacity)) }
            forget(last)
            displaced = last
        }
        lastTicket += 1
        if own == 0 { turns.append(client) }
        lines[client, default: Line()].append(lastTicket)
        clients[lastTicket] = client
        waiting += 1
        return .waiting(lastTicket, displacing: displaced)
    }

    /// A render ends.
    ///
    /// - Parameter seconds: how long it took, or `nil` if that says nothing about others.
    /// - Returns: the request that takes the slot.
    package mutating func leave(after seconds: Double? = nil) -> Ticket? {
        if let seconds { times.note(seconds) }
        guard let client = turns.first, let ticket = lines[client]?.popFirst() else {
            running -= 1
            return nil
        }
        turns.removeFirst()
        forget(ticket)
        if lines[client] != nil { turns.append(client) }
        return ticket
    }

    /// A request stops waiting.
    ///
    /// - Returns: whether it waited; if not, its render has started.
    package mutating func abandon(_ ticket: Ticket) -> Bool {
        guard let client = clients[ticket], lines[client]?.remove(ticket) == true else { return false }
        forget(ticket)
        if lines[client] == nil { turns.removeAll { $0 == client } }
        return true
    }

    /// Forgets a request that was taken out of its line, and its client if that was the last one.
    private mutating func forget(_ ticket: Ticket) {
        waiting -= 1
        guard let client = clients.removeValue(forKey: ticket), lines[client]?.count == 0 else { return }
        lines[client] = nil
    }
}

/// The times of the last renders.
private struct RecentTimes {
    private static let count = 64
    /// Assumed until renders are measured: the first ones of a map are slower than all others.
    private static let assumed = 0.02

    private var times = [Double](repeating: assumed, count: count)
    private var sum = assumed * Double(count)
    private var next = 0

    var mean: Double { max(sum, 0) / Double(Self.count) }

    mutating func note(_ seconds: Double) {
        let seconds = seconds.isFinite ? max(seconds, 0) : 0
        sum += seconds - times[next]
        times[next] = seconds
        next = (next + 1) % Self.count
        // Rounding errors do not add up.
        if next == 0 { sum = times.reduce(0, +) }
    }
}

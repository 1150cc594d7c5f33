/// Decides which renders start, wait or are refused: a state machine without a clock.
///
/// Clients take turns. Each client has a queue in order of arrival, and a free slot goes to the oldest request of the
/// next client, so that a client with hundreds of requests delays another client by one render only. A request is
/// refused if it could not be rendered within the deadline, estimated by the mean time of recent renders. If the queue
/// is full, the client with the most waiting requests loses its newest one to a client with fewer.
///
/// - Complexity: arrivals and departures are O(waiting clients), abandoning is O(requests of the client).
package struct AdmissionQueue: Sendable {
    /// The identifier of a waiting request.
    package typealias Ticket = UInt64

    /// The effect of an arrival.
    package enum Admission: Equatable, Sendable {
        /// The request may start.
        case admitted
        /// The request waits; the displaced request is refused.
        case waiting(Ticket, displacing: Ticket? = nil)
        /// The request would be too late, or the queue is full. The value is the number of seconds until a retry makes
        /// sense.
        case refused(retryAfter: Double)
    }

    /// The requests of a client, the oldest first.
    private struct Line {
        private(set) var tickets: [Ticket] = []
        /// The index of the oldest request, so that removing it moves no others.
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

    /// The maximum number of concurrent renders.
    package let capacity: Int
    /// The maximum number of waiting requests.
    package let room: Int
    /// The longest time of a request in seconds, including its wait.
    package let deadline: Double
    /// The number of running renders.
    package private(set) var running = 0
    /// The number of waiting requests.
    package private(set) var waiting = 0
    private var lines: [String: Line] = [:]
    /// The waiting clients, the next one first.
    private var turns: [String] = []
    private var clients: [Ticket: String] = [:]
    private var lastTicket: Ticket = 0
    private var times: RecentTimes

    /// Creates an empty queue.
    package init(capacity: Int, room: Int, deadline: Double = .infinity) {
        self.capacity = max(capacity, 1)
        self.room = max(room, 0)
        self.deadline = deadline
        times = RecentTimes()
    }

    /// The number of waiting clients.
    package var waitingClients: Int { turns.count }

    /// The mean time of recent renders, in seconds.
    package var meanSeconds: Double { times.mean }

    /// Registers the arrival of a request.
    package mutating func arrive(_ client: String) -> Admission {
        if running < capacity {
            running += 1
            return .admitted
        }
        let own = lines[client]?.count ?? 0
        // Counts the requests that start before this one: from each other client at most as many as precede it in its
        // own queue.
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

    /// Registers the end of a render.
    ///
    /// - Parameter seconds: the duration, or `nil` if it is not representative.
    /// - Returns: the waiting request that takes the slot.
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

    /// Removes a waiting request.
    ///
    /// - Returns: whether it was waiting; `false` if its render has already started.
    package mutating func abandon(_ ticket: Ticket) -> Bool {
        guard let client = clients[ticket], lines[client]?.remove(ticket) == true else { return false }
        forget(ticket)
        if lines[client] == nil { turns.removeAll { $0 == client } }
        return true
    }

    /// Removes the bookkeeping of a request, and of its client if that was the last one.
    private mutating func forget(_ ticket: Ticket) {
        waiting -= 1
        guard let client = clients.removeValue(forKey: ticket), lines[client]?.count == 0 else { return }
        lines[client] = nil
    }
}

/// The durations of the most recent renders.
private struct RecentTimes {
    private static let count = 64
    /// The assumed duration until renders are measured: the first renders of a map are slower than all others.
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
        // Recomputes the sum now and then, so that rounding errors do not accumulate.
        if next == 0 { sum = times.reduce(0, +) }
    }
}

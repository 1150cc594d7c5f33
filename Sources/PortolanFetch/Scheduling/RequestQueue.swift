/// The queues of transfers for hosts that each serve a limited number at a time: a state machine without clock or socket.
///
/// Every host (in the sense of ``URLParts/origin``) has its own line, in the order of ``FetchPriority``, first come, first
/// served among equals; no host waits for another. A ticket stands for one transfer, from `enqueue` to `finish` or to a
/// `cancel` while it waits.
///
/// - Complexity: each event is O(log of the host's line), amortised.
package struct RequestQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct Host {
        var runningCount = 0
        var waitingCount = 0
        var line = PriorityHeap<Ticket>()
        /// The progress of the queue: new requests stand behind those that have been served.
        var turn = 0.0
    }

    private enum Place: Equatable {
        case waiting(host: String, entry: UInt64)
        case running(host: String)
    }

    /// The effect of a cancellation on the transfer.
    package enum Cancellation: Equatable, Sendable {
        /// It had not started and is forgotten.
        case removed
        /// It runs: stop it, and report `finish` when it has stopped. Its slot stays taken until then.
        case stop
        /// No such ticket.
        case unknown
    }

    /// The most transfers of one host that run at once.
    package let maximumPerHost: Int
    private var hosts: [String: Host] = [:]
    private var places: [Ticket: Place] = [:]
    private var lastEntry: UInt64 = 0

    package init(maximumPerHost: Int) {
        precondition(maximumPerHost > 0, "a host needs at least one connection")
        self.maximumPerHost = maximumPerHost
    }

    /// Transfers that run now.
    package var runningCount: Int { hosts.values.reduce(0) { $0 + $1.runningCount } }

    /// Transfers that wait now.
    package var waitingCount: Int { hosts.values.reduce(0) { $0 + $1.waitingCount } }

    /// Transfers of a host that wait now.
    package func waitingCount(host: String) -> Int { hosts[host]?.waitingCount ?? 0 }

    /// A transfer is wanted; it waits until `startNext` names it.
    ///
    /// - Parameter isReturning: whether it has been to the head of the line before: then it goes before the others.
    package mutating func enqueue(
        _ ticket: Ticket, host: String, priority: FetchPriority = FetchPriority(), isReturning: Bool = false
    ) {
        precondition(places[ticket] == nil, "a ticket stands for one transfer")
        var state = hosts.removeValue(forKey: host) ?? Host()
        let turn = isReturning ? -Double.infinity : state.turn + Double(priority.rank)
        add(ticket, to: &state, host: host, isMargin: priority.isMargin, turn: turn)
        state.waitingCount += 1
        hosts[host] = state
    }

    /// A waiting transfer is wanted sooner, or later, than was said; one that runs is left alone.
    package mutating func setPriority(_ priority: FetchPriority, of ticket: Ticket) {
        guard case .waiting(let host, _)? = places[ticket], var state = hosts.removeValue(forKey: host) else { return }
        let turn = state.turn + Double(priority.rank)
        add(ticket, to: &state, host: host, isMargin: priority.isMargin, turn: turn)
        hosts[host] = state
    }

    /// Takes the next ticket out of a host's line, for its transfer to start; nil when none waits or no slot is free.
    package mutating func startNext(host: String) -> Ticket? {
        guard var state = hosts.removeValue(forKey: host) else { return nil }
        defer { if state.runningCount > 0 || state.waitingCount > 0 { hosts[host] = state } }
        guard state.runningCount < maximumPerHost, let (ticket, turn) = next(in: &state, host: host) else { return nil }
        // A little with each, so that requests of no view do not hold up those of one for ever.
        state.turn = max(state.turn + 1 / 16, turn)
        state.runningCount += 1
        places[ticket] = .running(host: host)
        return ticket
    }

    /// Takes all that wait out of a host's line, in their order; they are forgotten.
    package mutating func removeAllWaiting(host: String) -> [Ticket] {
        guard var state = hosts.removeValue(forKey: host) else { return [] }
        var removed: [Ticket] = []
        while let (ticket, _) = next(in: &state, host: host) {
            places[ticket] = nil
            removed.append(ticket)
        }
        if state.runningCount > 0 { hosts[host] = state }
        return removed
    }

    /// The tickets that wait in a host's line, in no order.
    ///
    /// - Complexity: O(tickets in the line).
    package func waiting(host: String) -> [Ticket] {
        (hosts[host]?.line.entries ?? [])
            .filter { places[$0.ticket] == .waiting(host: host, entry: $0.number) }.map(\.ticket)
    }

    /// A running transfer has ended, in whatever way; its host, which has a slot free now, is returned.
    @discardableResult
    package mutating func finish(_ ticket: Ticket) -> String? {
        guard case .running(let host)? = places[ticket] else { return nil }
        places[ticket] = nil
        hosts[host]?.runningCount -= 1
        if let state = hosts[host], state.runningCount == 0, state.waitingCount == 0 { hosts[host] = nil }
        return host
    }

    /// Nobody wants the transfer any more.
    package mutating func cancel(_ ticket: Ticket) -> Cancellation {
        switch places[ticket] {
        case nil: return .unknown
        case .running: return .stop
        case .waiting(let host, _):
            places[ticket] = nil
            hosts[host]?.waitingCount -= 1
            if let state = hosts[host], state.waitingCount == 0 {
                hosts[host]?.line.removeAll()
                if state.runningCount == 0 { hosts[host] = nil }
            }
            return .removed
        }
    }

    private mutating func add(
        _ ticket: Ticket, to state: inout Host, host: String, isMargin: Bool, turn: Double
    ) {
        lastEntry += 1
        places[ticket] = .waiting(host: host, entry: lastEntry)
        state.line.insert(PriorityHeap.Entry(isMargin: isMargin, turn: turn, number: lastEntry, ticket: ticket))
    }

    /// The first of the line that still waits; entries of what was cancelled or moved are passed over.
    private func next(in state: inout Host, host: String) -> (ticket: Ticket, turn: Double)? {
        while let entry = state.line.removeFirst() {
            guard places[entry.ticket] == .waiting(host: host, entry: entry.number) else { continue }
            state.waitingCount -= 1
            // What lies in a margin has turns of its own.
            return (entry.ticket, entry.isMargin ? state.turn : entry.turn)
        }
        return nil
    }
}

/// A binary heap of waiting tickets.
///
/// - Complexity: `insert` and `removeFirst` are O(log n).
struct PriorityHeap<Ticket: Sendable>: Sendable {
    struct Entry: Sendable {
        var isMargin: Bool
        var turn: Double
        /// Unlike that of any other entry; the lower came first.
        var number: UInt64
        var ticket: Ticket

        static func < (left: Entry, right: Entry) -> Bool {
            if left.isMargin != right.isMargin { return right.isMargin }
            return left.turn != right.turn ? left.turn < right.turn : left.number < right.number
        }
    }

    private(set) var entries: [Entry] = []

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child] < entries[parent] else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && entries[child] < entries[least]
            {
                least = child
            }
            guard least != parent else { return first }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    mutating func removeAll() { entries = [] }
}

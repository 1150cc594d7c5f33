/// The queues of transfers per host, with a limited number of concurrent transfers each: a state machine.
///
/// Each host (see ``URLParts/origin``) has its own queue in the order of ``Fetcher/Priority``, then first come, first
/// served; hosts do not wait for each other. A ticket identifies one transfer, from `enqueue` to `finish`, or to a
/// `cancel` while it is queued.
///
/// - Complexity: each event is O(log *n*) in the length of the host's queue, amortised.
package struct RequestQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct Host {
        var runningCount = 0
        var waitingCount = 0
        var line = PriorityHeap<Ticket>()
        /// The progress of the queue: new requests follow those that have been started.
        var turn = 0.0
    }

    private enum Place: Equatable {
        case waiting(host: String, entry: UInt64)
        case running(host: String)
    }

    /// The effect of a cancellation on the transfer.
    package enum Cancellation: Equatable, Sendable {
        /// It had not started and was removed.
        case removed
        /// It is running: stop it, and report `finish` when it has stopped. It keeps its slot until then.
        case stop
        /// The ticket is unknown.
        case unknown
    }

    /// The maximum number of concurrent transfers per host.
    package let maximumPerHost: Int
    private var hosts: [String: Host] = [:]
    private var places: [Ticket: Place] = [:]
    private var lastEntry: UInt64 = 0

    package init(maximumPerHost: Int) {
        precondition(maximumPerHost > 0, "a host needs at least one connection")
        self.maximumPerHost = maximumPerHost
    }

    /// The number of running transfers.
    package var runningCount: Int { hosts.values.reduce(0) { $0 + $1.runningCount } }

    /// The number of queued transfers.
    package var waitingCount: Int { hosts.values.reduce(0) { $0 + $1.waitingCount } }

    /// Returns the number of queued transfers of a host.
    package func waitingCount(host: String) -> Int { hosts[host]?.waitingCount ?? 0 }

    /// Adds a transfer, which is queued until `startNext` returns it.
    ///
    /// - Parameter isReturning: whether it had already been started before; if so, it precedes the others.
    package mutating func enqueue(
        _ ticket: Ticket, host: String, priority: Fetcher.Priority = Fetcher.Priority(), isReturning: Bool = false
    ) {
        precondition(places[ticket] == nil, "a ticket is used for one transfer only")
        var state = hosts.removeValue(forKey: host) ?? Host()
        let turn = isReturning ? -Double.infinity : state.turn + Double(priority.rank)
        add(ticket, to: &state, host: host, isMargin: priority.isMargin, turn: turn)
        state.waitingCount += 1
        hosts[host] = state
    }

    /// Changes the priority of a queued transfer; a running one is unchanged.
    package mutating func setPriority(_ priority: Fetcher.Priority, of ticket: Ticket) {
        guard case .waiting(let host, _)? = places[ticket], var state = hosts.removeValue(forKey: host) else { return }
        let turn = state.turn + Double(priority.rank)
        add(ticket, to: &state, host: host, isMargin: priority.isMargin, turn: turn)
        hosts[host] = state
    }

    /// Removes the next ticket from a host's queue and marks it as running, or returns `nil` if there is no ticket or
    /// free slot.
    package mutating func startNext(host: String) -> Ticket? {
        guard var state = hosts.removeValue(forKey: host) else { return nil }
        defer { if state.runningCount > 0 || state.waitingCount > 0 { hosts[host] = state } }
        guard state.runningCount < maximumPerHost, let (ticket, turn) = next(in: &state, host: host) else { return nil }
        // Advances with each start, so that requests without a view do not block those of a view forever.
        state.turn = max(state.turn + 1 / 16, turn)
        state.runningCount += 1
        places[ticket] = .running(host: host)
        return ticket
    }

    /// Removes and returns all queued tickets of a host, in order.
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

    /// Returns the queued tickets of a host, in no particular order.
    ///
    /// - Complexity: O(*n*) in the length of the queue.
    package func waiting(host: String) -> [Ticket] {
        (hosts[host]?.line.entries ?? [])
            .filter { places[$0.ticket] == .waiting(host: host, entry: $0.number) }.map(\.ticket)
    }

    /// Registers the end of a running transfer, and returns its host, which now has a free slot.
    @discardableResult
    package mutating func finish(_ ticket: Ticket) -> String? {
        guard case .running(let host)? = places[ticket] else { return nil }
        places[ticket] = nil
        hosts[host]?.runningCount -= 1
        if let state = hosts[host], state.runningCount == 0, state.waitingCount == 0 { hosts[host] = nil }
        return host
    }

    /// Cancels a transfer.
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

    /// Removes the first valid entry of a queue, skipping entries of cancelled or moved tickets.
    private func next(in state: inout Host, host: String) -> (ticket: Ticket, turn: Double)? {
        while let entry = state.line.removeFirst() {
            guard places[entry.ticket] == .waiting(host: host, entry: entry.number) else { continue }
            state.waitingCount -= 1
            // Margin requests do not advance the turn.
            return (entry.ticket, entry.isMargin ? state.turn : entry.turn)
        }
        return nil
    }
}

/// A binary heap of queued tickets.
///
/// - Complexity: `insert` and `removeFirst` are O(log *n*).
struct PriorityHeap<Ticket: Sendable>: Sendable {
    struct Entry: Sendable {
        var isMargin: Bool
        var turn: Double
        /// A unique number; lower numbers were added earlier.
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

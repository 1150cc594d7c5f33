/// Which transfer may start when each host serves only so many at a time: a state machine without clock or socket.
///
/// Every host (in the sense of ``URLParts/origin``) has its own queue, first come, first served; no host waits for
/// another. A ticket stands for one transfer, from `enqueue` to `finish` or to a `cancel` while it waits.
///
/// - Complexity: each event is O(1), amortised.
package struct RequestQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct Host {
        var runningCount = 0
        /// Waiting tickets from `first` on, in order; cancelled ones stay as holes until their turn.
        var line: [Ticket] = []
        var first = 0
        var waitingCount = 0
    }

    private enum Place {
        case waiting(host: String)
        case running(host: String)
    }

    /// What a cancellation means for the transfer.
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

    package init(maximumPerHost: Int) {
        precondition(maximumPerHost > 0, "a host needs at least one connection")
        self.maximumPerHost = maximumPerHost
    }

    /// Transfers that run now.
    package var runningCount: Int { hosts.values.reduce(0) { $0 + $1.runningCount } }

    /// Transfers that wait now.
    package var waitingCount: Int { hosts.values.reduce(0) { $0 + $1.waitingCount } }

    /// A transfer is wanted.
    ///
    /// True: start it now; false: it waits for a `finish` to name it.
    package mutating func enqueue(_ ticket: Ticket, host: String) -> Bool {
        precondition(places[ticket] == nil, "a ticket stands for one transfer")
        var state = hosts.removeValue(forKey: host) ?? Host()
        defer { hosts[host] = state }
        if state.runningCount < maximumPerHost {
            state.runningCount += 1
            places[ticket] = .running(host: host)
            return true
        }
        state.line.append(ticket)
        state.waitingCount += 1
        places[ticket] = .waiting(host: host)
        return false
    }

    /// A running transfer has ended, in whatever way; the ticket returned is to be started in its place.
    package mutating func finish(_ ticket: Ticket) -> Ticket? {
        guard case .running(let host)? = places[ticket], var state = hosts.removeValue(forKey: host) else { return nil }
        places[ticket] = nil
        state.runningCount -= 1
        var next: Ticket?
        while next == nil, state.first < state.line.count {
            let candidate = state.line[state.first]
            state.first += 1
            if case .waiting? = places[candidate] { next = candidate }
        }
        if let next {
            state.runningCount += 1
            state.waitingCount -= 1
            places[next] = .running(host: host)
        }
        if state.first > 32, state.first * 2 > state.line.count {
            state.line.removeFirst(state.first)
            state.first = 0
        }
        if state.runningCount > 0 { hosts[host] = state }
        return next
    }

    /// Nobody wants the transfer any more.
    package mutating func cancel(_ ticket: Ticket) -> Cancellation {
        switch places[ticket] {
        case nil: return .unknown
        case .running: return .stop
        case .waiting(let host):
            places[ticket] = nil
            hosts[host]?.waitingCount -= 1
            if hosts[host]?.waitingCount == 0 {
                hosts[host]?.line = []
                hosts[host]?.first = 0
            }
            return .removed
        }
    }
}

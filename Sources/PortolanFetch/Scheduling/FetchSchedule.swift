/// The scheduling of a fetcher: which transfers run, which requests share them, which are retried, and which hosts are
/// paused.
///
/// It is a state machine without a clock or sockets: every event has a time and returns the effects to carry out, in
/// order.
package struct FetchSchedule: Sendable {
    package typealias Ticket = JoinTable.Ticket
    package typealias Waiter = JoinTable.Waiter
    package typealias Reply = Result<HTTPResponse, FetchError>

    package enum Effect: Sendable, Equatable {
        /// Send a request, and report `finish`.
        case send(Ticket, HTTPRequest)
        /// Stop the transfer of the ticket, and report `finish` when it has ended.
        case stop(Ticket)
        /// Cancel the retry delay of the ticket; nothing is reported.
        case forget(Ticket)
        /// Pass the reply to a waiter, with the number of attempts.
        case answer(Waiter, Reply, attemptCount: Int)
        /// Report `wake` for the ticket after the delay.
        case delay(Ticket, Duration)
        /// Report `wake` for the host after the delay.
        case rest(host: String, Duration)
        /// The circuit breaker of a host has opened.
        case lost(host: String, reason: String)
        /// The circuit breaker of a host has closed.
        case restored(host: String)
    }

    private struct Transfer {
        enum Phase { case queued, running, delayed }

        let request: HTTPRequest
        let host: String
        var priority: Fetcher.Priority
        var phase = Phase.queued
        /// The number of attempts.
        var attemptCount = 0
        /// The time of the first request.
        let admitted: Duration
        /// The times of the first and the last attempt.
        var begun = Duration.zero
        var attemptBegun = Duration.zero
        var isProbe = false
        /// Whether the current attempt has less time than the request allows.
        var isCutShort = false
        /// The reply for waiters if no later attempt gives a more informative one.
        var reply: Reply?

        /// Returns the more informative reply: an attempt without enough time says less than the one before.
        func telling(_ new: Reply) -> Reply {
            guard isCutShort, case .failure(let error) = new, error.code == .timedOut else { return new }
            return reply ?? new
        }
    }

    private let retries: RetryPolicy
    private let breaker: RetryPolicy.CircuitBreaker
    private var table = JoinTable()
    private(set) var queue: RequestQueue<Ticket>
    private var transfers: [Ticket: Transfer] = [:]
    private var health: [String: HostHealth] = [:]
    /// The time of the next check of each paused host.
    private var rests: [String: Duration] = [:]

    package init(maximumPerHost: Int, retries: RetryPolicy, breaker: RetryPolicy.CircuitBreaker) {
        queue = RequestQueue(maximumPerHost: maximumPerHost)
        self.retries = retries
        self.breaker = breaker
    }

    /// The number of transfers waiting for a retry.
    package var delayedCount: Int { transfers.values.count { $0.phase == .delayed } }

    /// Admits a request of a waiter to a host (see ``URLParts/origin``).
    ///
    /// - Parameter fields: header fields to send that do not distinguish the request from equal ones.
    /// - Returns: whether it shares a transfer, and the effects.
    package mutating func admit(
        _ request: HTTPRequest, for waiter: Waiter, adding fields: [HTTPHeader] = [], host: String,
        priority: Fetcher.Priority, at now: Duration
    ) -> (isShared: Bool, effects: [Effect]) {
        switch table.admit(request, for: waiter) {
        case .joined(let ticket):
            if let transfer = transfers[ticket], priority.isSooner(than: transfer.priority) {
                transfers[ticket]?.priority = priority
                queue.setPriority(priority, of: ticket)
            }
            return (true, [])
        case .opened(let ticket):
            var sent = request
            sent.headers += fields
            transfers[ticket] = Transfer(request: sent, host: host, priority: priority, admitted: now)
            queue.enqueue(ticket, host: host, priority: priority)
            return (false, advance(host, newcomer: ticket, at: now))
        }
    }

    /// Removes a waiter that was cancelled.
    package mutating func leave(_ waiter: Waiter, at now: Duration) -> [Effect] {
        guard let ticket = table.leave(waiter), let transfer = transfers[ticket] else { return [] }
        switch transfer.phase {
        case .queued:
            _ = queue.cancel(ticket)
            transfers[ticket] = nil
            return []
        case .running:
            return [.stop(ticket)]
        case .delayed:
            transfers[ticket] = nil
            return [.forget(ticket)]
        }
    }

    /// Registers the end of a transfer.
    ///
    /// - Parameter random: a random number in 0..<1.
    package mutating func finish(
        _ ticket: Ticket, with reply: Reply, at now: Duration, calendarSeconds: Int64, random: Double
    ) -> [Effect] {
        guard var transfer = transfers[ticket], let host = queue.finish(ticket) else { return [] }
        let retryAfter = (try? reply.get()).flatMap { RetryAfter.delay(of: $0, now: calendarSeconds) }
        var effects: [Effect] = []
        let wasLost = health[host]?.isOpen ?? false
        if note(reply, of: transfer, retryAfter: retryAfter, at: now, random: random) { effects += failDelayed(host) }
        if let record = health[host], record.isOpen != wasLost {
            effects.append(record.isOpen ? .lost(host: host, reason: record.lastFailure) : .restored(host: host))
        }
        let told = transfer.telling(reply)
        transfer.reply = told
        transfer.isProbe = false
        if table.isWanted(ticket),
            let delay = delay(of: transfer, reply: reply, retryAfter: retryAfter, at: now, random: random)
        {
            transfer.phase = .delayed
            transfers[ticket] = transfer
            effects.append(.delay(ticket, delay))
        } else {
            effects += complete(ticket, with: told)
        }
        return effects + advance(host, at: now)
    }

    /// Registers the end of a ticket's retry delay.
    package mutating func wake(_ ticket: Ticket, at now: Duration) -> [Effect] {
        guard var transfer = transfers[ticket], transfer.phase == .delayed else { return [] }
        transfer.phase = .queued
        transfers[ticket] = transfer
        queue.enqueue(ticket, host: transfer.host, priority: transfer.priority, isReturning: true)
        return advance(transfer.host, at: now)
    }

    /// Registers the end of a host's pause, unless it was extended.
    package mutating func wake(host: String, at now: Duration) -> [Effect] {
        rests[host] = nil
        return advance(host, at: now)
    }

    /// Starts, delays or refuses the queued transfers of a host.
    ///
    /// - Parameter newcomer: the ticket just admitted, if that is the only change.
    private mutating func advance(_ host: String, newcomer: Ticket? = nil, at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        while queue.waitingCount(host: host) > 0 {
            let permission = health[host]?.permission(at: now) ?? .go
            switch permission {
            case .go, .probe:
                guard let ticket = queue.startNext(host: host) else { return effects }
                effects += start(ticket, isProbe: permission == .probe, at: now)
            case .hold:
                return effects
            case .wait(let end):
                effects += refuseImpatient(host, newcomer: newcomer, until: end, at: now)
                guard queue.waitingCount(host: host) > 0 else { continue }
                // One scheduled check is enough; a check that comes too early schedules the next one.
                if let planned = rests[host], planned <= end { return effects }
                rests[host] = end
                return effects + [.rest(host: host, end - now)]
            case .unavailable(let wait):
                effects += refuse(host, with: .hostUnavailable, retryIn: wait)
            case .busy(let wait):
                effects += refuse(host, with: .hostBusy, retryIn: wait)
            }
        }
        if health[host]?.isUnremarkable(at: now) == true { health[host] = nil }
        return effects
    }

    private mutating func start(_ ticket: Ticket, isProbe: Bool, at now: Duration) -> [Effect] {
        guard var transfer = transfers[ticket] else { return [] }
        let rest = transfer.begun + retries.totalTime - now
        // The retry window expired while the request was queued.
        if let reply = transfer.reply, rest <= .zero {
            _ = queue.finish(ticket)
            return complete(ticket, with: reply)
        }
        if transfer.attemptCount == 0 { transfer.begun = now }
        transfer.attemptCount += 1
        transfer.attemptBegun = now
        transfer.phase = .running
        transfer.isProbe = isProbe
        if isProbe { health[transfer.host]?.beginProbe() }
        transfers[ticket] = transfer
        var request = transfer.request
        if transfer.attemptCount > 1 {
            transfers[ticket]?.isCutShort = rest < request.timeouts.total
            request.timeouts.total = min(request.timeouts.total, rest)
        }
        return [.send(ticket, request)]
    }

    /// Refuses the requests that would wait longer for the host than the retry window.
    private mutating func refuseImpatient(
        _ host: String, newcomer: Ticket?, until end: Duration, at now: Duration
    ) -> [Effect] {
        let limit = end - retries.totalTime
        // Thousands may be admitted in sequence: with a newcomer, the others have been checked before.
        let late = (newcomer.map { [$0] } ?? queue.waiting(host: host)).filter { ticket in
            transfers[ticket].map { $0.admitted < limit } ?? false
        }.sorted()
        guard !late.isEmpty else { return [] }
        for ticket in late { _ = queue.cancel(ticket) }
        return refuse(late, of: host, with: .hostBusy, retryIn: end - now)
    }

    private mutating func refuse(_ host: String, with code: FetchError.Code, retryIn wait: Duration) -> [Effect] {
        refuse(queue.removeAllWaiting(host: host), of: host, with: code, retryIn: wait)
    }

    private mutating func refuse(
        _ tickets: [Ticket], of host: String, with code: FetchError.Code, retryIn wait: Duration
    ) -> [Effect] {
        let record = health[host]
        return tickets.flatMap { ticket -> [Effect] in
            guard let transfer = transfers[ticket] else { return [] }
            // The reply of the request's own attempt is more informative than the failures of others.
            if let reply = transfer.reply { return complete(ticket, with: reply) }
            let again = "next retry in \(wait.secondsText)"
            let detail =
                code == .hostBusy
                ? "\(host) asked for a pause; \(again)"
                : "\(record?.failureCount ?? 0) connections to \(host) failed in a row "
                    + "(\(record?.lastFailure ?? "")); \(again)"
            return complete(ticket, with: .failure(FetchError(code, url: transfer.request.url, detail: detail)))
        }
    }

    /// Ends all retry delays of a host whose circuit breaker has opened, with the replies so far.
    private mutating func failDelayed(_ host: String) -> [Effect] {
        let tickets = transfers.filter { $0.value.phase == .delayed && $0.value.host == host }.keys.sorted()
        return tickets.flatMap { ticket -> [Effect] in
            guard let reply = transfers[ticket]?.reply else { return [] }
            return [.forget(ticket)] + complete(ticket, with: reply)
        }
    }

    private mutating func complete(_ ticket: Ticket, with reply: Reply) -> [Effect] {
        let attemptCount = transfers.removeValue(forKey: ticket)?.attemptCount ?? 0
        return table.complete(ticket).map { .answer($0, reply, attemptCount: attemptCount) }
    }
}

extension FetchSchedule {
    /// The errors that show that the host responds.
    private static let signsOfLife: Set<FetchError.Code> = [
        .tls, .malformedResponse, .bodyTooLarge, .headerTooLarge, .tooManyRedirects,
    ]

    /// Updates the health of a host with an outcome.
    ///
    /// Returns `true` if its circuit breaker opened.
    private mutating func note(
        _ reply: Reply, of transfer: Transfer, retryAfter: Duration?, at now: Duration, random: Double
    ) -> Bool {
        // A success needs no record for a host without known problems.
        if health[transfer.host] == nil, case .success = reply, retryAfter == nil, !RetryPolicy.canPass(reply) {
            return false
        }
        var record = health[transfer.host] ?? HostHealth(retries: retries, breaker: breaker)
        defer { health[transfer.host] = record }
        switch reply {
        case .success(let response):
            record.answered(isGood: !RetryPolicy.canPass(reply))
            if let retryAfter, response.status == 429 || response.status == 503 {
                record.wantsPeace(for: retryAfter, at: now)
            }
        case .failure(let error) where error.isConnectionFailure:
            let words = "\(error.code.words): \(error.detail)"
            return record.failed(words, begunAt: transfer.attemptBegun, at: now, random: random)
        case .failure(let error) where FetchSchedule.signsOfLife.contains(error.code):
            record.answered(isGood: false)
        case .failure:
            if transfer.isProbe { record.abandonProbe(at: now) }
        }
        return false
    }

    /// Returns the delay before a retry, or `nil` if it is not retried.
    private mutating func delay(
        of transfer: Transfer, reply: Reply, retryAfter: Duration?, at now: Duration, random: Double
    ) -> Duration? {
        guard transfer.attemptCount <= retries.maximumCount, RetryPolicy.canPass(reply) else { return nil }
        var delay = retries.delay(before: transfer.attemptCount, random: random)
        if let retryAfter {
            guard retryAfter <= retries.longestRetryAfter else { return nil }
            delay = max(delay, retryAfter)
        }
        guard now + delay < transfer.begun + retries.totalTime else { return nil }
        switch health[transfer.host]?.permission(at: now) {
        case .unavailable, .busy: return nil
        default: break
        }
        // Failures to connect are limited by the circuit breaker: a short network failure must not use up the budget.
        if case .success = reply { return health[transfer.host]?.takeRetry(at: now) == true ? delay : nil }
        return delay
    }
}

extension Fetcher.Priority {
    fileprivate func isSooner(than other: Fetcher.Priority) -> Bool {
        isMargin != other.isMargin ? !isMargin : rank < other.rank
    }
}

/// The health of one host, and the requests it may be sent: a state machine without clock or socket.
///
/// - Complexity: each event is O(1).
package struct HostHealth: Sendable {
    /// The permission to send requests to the host.
    package enum Permission: Equatable, Sendable {
        case go
        /// None starts before then.
        case wait(until: Duration)
        /// One may start, to see whether the host is back.
        case probe
        /// One that was let through is under way; the others wait for its outcome.
        case hold
        /// The breaker is open: requests fail until the next is let through.
        case unavailable(retryIn: Duration)
        /// The server wants to be left in peace: they fail.
        case busy(retryIn: Duration)
    }

    private enum Breaker: Equatable {
        case closed
        case open(until: Duration)
        case probing
    }

    private let retries: RetryPolicy
    private let policy: CircuitBreakerPolicy
    private var breaker = Breaker.closed
    private var probeDelay: Duration
    /// Failures in a row; those under way together count once.
    package private(set) var failureCount = 0
    /// The last failure, for a person.
    package private(set) var lastFailure = ""
    /// Attempts begun by then belong to a failure that has been counted.
    private var countedUntil: Duration?
    /// The pause after a failure; an answer ends it.
    private var pausedUntil = Duration.zero
    /// The pause the server asked for.
    private var peaceUntil = Duration.zero
    private var busyUntil = Duration.zero
    /// In tenths of a try.
    private var budget: Int
    private let fullBudget: Int
    private var budgetTime = Duration.zero

    package init(retries: RetryPolicy, breaker policy: CircuitBreakerPolicy) {
        self.retries = retries
        self.policy = policy
        probeDelay = policy.firstProbeDelay
        // More than this is no bound; it leaves room for sums.
        fullBudget = min(max(retries.budgetPerHost, 0), 1_000_000_000) * 10
        budget = fullBudget
    }

    /// Whether nothing is known that a new record would not know.
    package func isUnremarkable(at now: Duration) -> Bool {
        breaker == .closed && failureCount == 0 && max(pausedUntil, peaceUntil, busyUntil) <= now
            && budget >= fullBudget
    }

    /// Whether the breaker is open, or a probe under way.
    package var isOpen: Bool { breaker != .closed }

    /// The permission now.
    package func permission(at now: Duration) -> Permission {
        switch breaker {
        case .open(let until) where until > now: .unavailable(retryIn: until - now)
        case .open: .probe
        case .probing: .hold
        case .closed where busyUntil > now: .busy(retryIn: busyUntil - now)
        case .closed: max(pausedUntil, peaceUntil) > now ? .wait(until: max(pausedUntil, peaceUntil)) : .go
        }
    }

    /// The one request let through has begun.
    package mutating func beginProbe() { breaker = .probing }

    /// The request let through ended without an outcome: it was cancelled.
    package mutating func abandonProbe(at now: Duration) {
        if breaker == .probing { breaker = .open(until: now) }
    }

    /// An answer came, whatever its status.
    ///
    /// - Parameter isGood: whether it earns a part of a try again.
    package mutating func answered(isGood: Bool) {
        breaker = .closed
        failureCount = 0
        countedUntil = nil
        probeDelay = policy.firstProbeDelay
        pausedUntil = .zero
        if isGood { budget = min(budget + 1, fullBudget) }
    }

    /// No answer came to an attempt that began at `start`; `words` say why, `random` is in 0..<1.
    ///
    /// - Returns: whether the breaker opened.
    package mutating func failed(
        _ words: String, begunAt start: Duration, at now: Duration, random: Double
    ) -> Bool {
        lastFailure = words
        if breaker == .probing {
            probeDelay = min(probeDelay * 2, policy.longestProbeDelay)
            failureCount += 1
            breaker = .open(until: now + probeDelay)
            return true
        }
        guard breaker == .closed, countedUntil.map({ start > $0 }) ?? true else { return false }
        failureCount += 1
        countedUntil = now
        if failureCount >= policy.failureThreshold {
            breaker = .open(until: now + probeDelay)
            return true
        }
        if retries.maximumCount > 0 {
            pausedUntil = max(pausedUntil, now + retries.delay(before: failureCount, random: random))
        }
        return false
    }

    /// The server asks to wait before any further request: who tries again waits, who does not is refused until then.
    package mutating func wantsPeace(for delay: Duration, at now: Duration) {
        if delay <= retries.longestRetryAfter, retries.maximumCount > 0 {
            peaceUntil = max(peaceUntil, now + delay)
        } else {
            // Nobody waits for longer; an hour is the most that one header can do.
            busyUntil = max(busyUntil, now + min(delay, .seconds(3600)))
        }
    }

    /// Takes a try again from the budget; false when it is used up.
    package mutating func takeRetry(at now: Duration) -> Bool {
        let earned = (now - budgetTime).components.seconds
        if earned > 0 {
            budget = min(budget + Int(min(earned, Int64(fullBudget))), fullBudget)
            budgetTime = now
        }
        guard budget >= 10 else { return false }
        budget -= 10
        return true
    }
}

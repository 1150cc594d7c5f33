/// The health of a host, which decides about requests to it: a state machine without a clock or sockets.
///
/// - Complexity: each event is O(1).
package struct HostHealth: Sendable {
    /// The permission to send requests to the host.
    package enum Permission: Equatable, Sendable {
        case go
        /// No request starts before this time.
        case wait(until: Duration)
        /// One request may start, to test whether the host responds again.
        case probe
        /// A test request is in progress, and others wait for its outcome.
        case hold
        /// The circuit breaker is open: requests fail until the next test request.
        case unavailable(retryIn: Duration)
        /// The server has asked for a pause: requests fail.
        case busy(retryIn: Duration)
    }

    private enum Breaker: Equatable {
        case closed
        case open(until: Duration)
        case probing
    }

    private let retries: RetryPolicy
    private let policy: RetryPolicy.CircuitBreaker
    private var breaker = Breaker.closed
    private var probeDelay: Duration
    /// The number of consecutive failures; concurrent ones count once.
    package private(set) var failureCount = 0
    /// The message of the last failure.
    package private(set) var lastFailure = ""
    /// The time of the last counted failure.
    ///
    /// Attempts that began before it belong to that failure.
    private var countedUntil: Duration?
    /// The end of the pause after a failure; a response ends it earlier.
    private var pausedUntil = Duration.zero
    /// The end of the pause that the server requested.
    private var peaceUntil = Duration.zero
    private var busyUntil = Duration.zero
    /// The retry budget in tenths of a retry.
    private var budget: Int
    private let fullBudget: Int
    private var budgetTime = Duration.zero

    package init(retries: RetryPolicy, breaker policy: RetryPolicy.CircuitBreaker) {
        self.retries = retries
        self.policy = policy
        probeDelay = policy.firstProbeDelay
        // Higher values mean no limit; the bound leaves headroom for sums.
        fullBudget = min(max(retries.budgetPerHost, 0), 1_000_000_000) * 10
        budget = fullBudget
    }

    /// Returns whether the record equals a new one.
    package func isUnremarkable(at now: Duration) -> Bool {
        breaker == .closed && failureCount == 0 && max(pausedUntil, peaceUntil, busyUntil) <= now
            && budget >= fullBudget
    }

    /// Whether the circuit breaker is open, or a test request is in progress.
    package var isOpen: Bool { breaker != .closed }

    /// Returns the current permission.
    package func permission(at now: Duration) -> Permission {
        switch breaker {
        case .open(let until) where until > now: .unavailable(retryIn: until - now)
        case .open: .probe
        case .probing: .hold
        case .closed where busyUntil > now: .busy(retryIn: busyUntil - now)
        case .closed: max(pausedUntil, peaceUntil) > now ? .wait(until: max(pausedUntil, peaceUntil)) : .go
        }
    }

    /// Registers the start of a test request.
    package mutating func beginProbe() { breaker = .probing }

    /// Registers that the test request was cancelled, without an outcome.
    package mutating func abandonProbe(at now: Duration) {
        if breaker == .probing { breaker = .open(until: now) }
    }

    /// Registers a response, regardless of its status.
    ///
    /// - Parameter isGood: whether it adds a part of a retry to the budget.
    package mutating func answered(isGood: Bool) {
        breaker = .closed
        failureCount = 0
        countedUntil = nil
        probeDelay = policy.firstProbeDelay
        pausedUntil = .zero
        if isGood { budget = min(budget + 1, fullBudget) }
    }

    /// Registers a failed attempt that began at `start`, with the message `words` and a random number in 0..<1.
    ///
    /// - Returns: whether the circuit breaker opened.
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

    /// Registers the pause that the server requests.
    ///
    /// If the retry policy permits the delay, requests wait; otherwise they are refused until then.
    package mutating func wantsPeace(for delay: Duration, at now: Duration) {
        if delay <= retries.longestRetryAfter, retries.maximumCount > 0 {
            peaceUntil = max(peaceUntil, now + delay)
        } else {
            // No request waits longer than this. One header can block the host for at most an hour.
            busyUntil = max(busyUntil, now + min(delay, .seconds(3600)))
        }
    }

    /// Takes a retry from the budget.
    ///
    /// Returns `false` if it is used up.
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

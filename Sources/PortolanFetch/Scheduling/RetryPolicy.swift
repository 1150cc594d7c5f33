import PortolanWeb

/// The rules for retrying failed requests.
///
/// Only temporary failures are retried: failed connections, and the statuses 408, 425, 429, 500, 502, 503 and 504 (RFC
/// 9110, section 15.5 and 15.6; RFC 6585; RFC 8470). A 500 whose body is a service exception is a final response. The
/// delay doubles with each retry, with random variation so that many clients do not retry at the same moment. A longer
/// `Retry-After` of the server is respected (RFC 9110, section 10.2.3).
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of retries; 2 by default.
    public var maximumCount: Int

    /// The maximum delay before the first retry; the actual delay is randomly up to half shorter.
    ///
    /// 250 ms by default. A host whose connection failed is paused for the same time, for all requests.
    public var firstDelay: Duration

    /// The maximum of the doubled delays; 10 s by default.
    public var longestDelay: Duration

    /// The longest `Retry-After` that is waited for; 30 s by default.
    ///
    /// If a busy server (429, 503) asks for a longer time, or retries are disabled, its response is final, and until
    /// that time requests to it fail with ``FetchError/Code/hostBusy``. The same applies to queued requests that would
    /// wait longer than ``totalTime``.
    public var longestRetryAfter: Duration

    /// The time limit for all attempts of a request and the delays between them; 60 s by default.
    public var totalTime: Duration

    /// The maximum number of consecutive retries after responses of one scheme, host and port; 10 by default.
    ///
    /// Failures without a response are limited by ``RetryPolicy/CircuitBreaker`` instead. Ten successful requests, or ten
    /// seconds, add one retry to the budget up to this number.
    public var budgetPerHost: Int

    /// Creates a policy; negative values count as zero.
    public init(
        maximumCount: Int = 2, firstDelay: Duration = .milliseconds(250), longestDelay: Duration = .seconds(10),
        longestRetryAfter: Duration = .seconds(30), totalTime: Duration = .seconds(60), budgetPerHost: Int = 10
    ) {
        self.maximumCount = max(maximumCount, 0)
        self.firstDelay = max(firstDelay, .zero)
        self.longestDelay = max(longestDelay, .zero)
        self.longestRetryAfter = max(longestRetryAfter, .zero)
        self.totalTime = max(totalTime, .zero)
        self.budgetPerHost = max(budgetPerHost, 0)
    }

    /// No retries.
    public static let none = RetryPolicy(maximumCount: 0)
}

extension RetryPolicy {
    /// Returns the delay before retry `number`, counted from 1, with a random number in 0..<1.
    package func delay(before number: Int, random: Double) -> Duration {
        let doubled = firstDelay * (1 << min(max(number - 1, 0), 20))
        return min(doubled, longestDelay) * (1 - min(max(random, 0), 1) / 2)
    }
}

extension RetryPolicy {
    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Returns whether the same request can have another outcome later.
    package static func canPass(_ reply: Result<HTTPResponse, FetchError>) -> Bool {
        switch reply {
        case .failure(let error): error.isConnectionFailure
        case .success(let response): passingStatuses.contains(response.status) && !isAnswer(response)
        }
    }

    /// Returns whether a response with status 500 is a service exception about the request, not a server failure.
    ///
    /// Some services send exceptions with this status; a retry would return the same.
    private static func isAnswer(_ response: HTTPResponse) -> Bool {
        guard response.status == 500 else { return false }
        if response.header("Content-Type")?.lowercased().hasPrefix("application/vnd.ogc.se") == true { return true }
        let start = response.body.prefix(2048)
        guard ContentKind(recognizing: Array(start)) == .markup else { return false }
        return ["ServiceException", "ExceptionReport"].contains { start.contains($0) }
    }
}

extension FetchError {
    /// Whether the host is unreachable, or is not contacted because it was.
    package var isConnectionLoss: Bool { isConnectionFailure || code == .hostUnavailable }

    /// Whether no response was received: refused, lost, timed out, or unresolved.
    package var isConnectionFailure: Bool {
        [.cannotConnect, .cannotResolveHost, .connectionLost, .timedOut].contains(code)
    }
}

extension RetryPolicy {
    /// The rules by which an unreachable host is not contacted, and tested until it responds again.
    ///
    /// Failures count if no response was received: refused, lost, timed out, or unresolved. Concurrent failures count once.
    /// Any response, regardless of its status, resets the count.
    public struct CircuitBreaker: Hashable, Sendable {
        /// The number of consecutive failures after which requests fail immediately with
        /// ``FetchError/Code/hostUnavailable``; 5 by default.
        public var failureThreshold: Int

        /// The time until the first test request; 1 s by default.
        public var firstProbeDelay: Duration

        /// The maximum time until a test request; it doubles with each failed one.
        ///
        /// 60 s by default.
        public var longestProbeDelay: Duration

        /// Creates a policy; the threshold is at least 1.
        public init(
            failureThreshold: Int = 5, firstProbeDelay: Duration = .seconds(1),
            longestProbeDelay: Duration = .seconds(60)
        ) {
            self.failureThreshold = max(failureThreshold, 1)
            self.firstProbeDelay = max(firstProbeDelay, .zero)
            self.longestProbeDelay = max(longestProbeDelay, firstProbeDelay, .zero)
        }

        /// All requests are sent, however often the host has failed.
        public static let none = RetryPolicy.CircuitBreaker(failureThreshold: .max)
    }
}

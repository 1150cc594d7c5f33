import PortolanWeb

/// The rules by which a failed request is retried.
///
/// Only what can succeed is tried again: connections that failed, and the statuses 408, 425, 429, 500, 502, 503 and 504
/// (RFC 9110, section 15.5 and 15.6; RFC 6585; RFC 8470). A 500 whose body is an exception of the service is an answer.
/// The wait doubles from try to try, with chance in it so that many clients do not come back at the same moment, and is
/// as long as the server's `Retry-After` says when that is longer (RFC 9110, section 10.2.3).
public struct RetryPolicy: Hashable, Sendable {
    /// The most tries after the first; 2 by default.
    public var maximumCount: Int

    /// The longest wait before the first try again; it is this or up to half less, by chance.
    ///
    /// 250 ms by default. A host whose connection failed is left in peace for as long, all its requests together.
    public var firstDelay: Duration

    /// The wait stops doubling here; 10 s by default.
    public var longestDelay: Duration

    /// The longest `Retry-After` that is waited for; 30 s by default.
    ///
    /// When a server that is busy (429, 503) asks for more, or nothing is tried again at all, its answer stands, and until its
    /// time has come it is asked nothing: requests fail with ``FetchError/Code/hostBusy``. So do those that have waited for a
    /// place, and would wait for longer than ``totalTime``.
    public var longestRetryAfter: Duration

    /// Time for all tries of a request and the waits between them; 60 s by default.
    public var totalTime: Duration

    /// The tries again that answers of one scheme, host and port may cost in a row; 10 by default.
    ///
    /// Where no answer comes at all, ``CircuitBreakerPolicy`` is the bound.
    ///
    /// Ten requests answered well give one back, and so do ten seconds, until the number is reached again.
    public var budgetPerHost: Int

    /// Makes a policy; what is negative counts as nothing.
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

    /// Every request is made once.
    public static let none = RetryPolicy(maximumCount: 0)
}

extension RetryPolicy {
    /// The wait before try `number` after the first, 1 for the next; `random` is in 0..<1.
    package func delay(before number: Int, random: Double) -> Duration {
        let doubled = firstDelay * (1 << min(max(number - 1, 0), 20))
        return min(doubled, longestDelay) * (1 - min(max(random, 0), 1) / 2)
    }
}

extension RetryPolicy {
    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Whether the same request can have another outcome in a while.
    package static func canPass(_ reply: Result<HTTPResponse, FetchError>) -> Bool {
        switch reply {
        case .failure(let error): error.isConnectionFailure
        case .success(let response): passingStatuses.contains(response.status) && !isAnswer(response)
        }
    }

    /// Whether a response with status 500 is what the service has to say about the request, not a fault of the server.
    ///
    /// Some services send their exceptions so; asking again brings the same.
    private static func isAnswer(_ response: HTTPResponse) -> Bool {
        guard response.status == 500 else { return false }
        if response.header("Content-Type")?.lowercased().hasPrefix("application/vnd.ogc.se") == true { return true }
        let start = response.body.prefix(2048)
        guard ContentKind(recognizing: Array(start)) == .markup else { return false }
        return ["ServiceException", "ExceptionReport"].contains { start.firstRange(of: Array($0.utf8)) != nil }
    }
}

extension FetchError {
    /// Whether the host is out of reach, or was and is left alone.
    package var isConnectionLoss: Bool { isConnectionFailure || code == .hostUnavailable }

    /// Whether no answer came: refused, lost, out of time, or no such name.
    package var isConnectionFailure: Bool {
        [.cannotConnect, .cannotResolveHost, .connectionLost, .timedOut].contains(code)
    }
}

/// The rules by which a host that cannot be reached is left alone and probed until it is back.
///
/// Failures count when no answer came: refused, lost, out of time, no such name. Those that were under way at the same
/// time count once. Any answer, whatever its status, starts the count anew.
public struct CircuitBreakerPolicy: Hashable, Sendable {
    /// Failures in a row after which requests fail at once, with ``FetchError/Code/hostUnavailable``; 5 by default.
    public var failureThreshold: Int

    /// How long after that one request is let through to see; 1 s by default.
    public var firstProbeDelay: Duration

    /// The delay doubles while such requests fail, up to this; 60 s by default.
    public var longestProbeDelay: Duration

    /// Makes a policy; the threshold is at least 1.
    public init(
        failureThreshold: Int = 5, firstProbeDelay: Duration = .seconds(1), longestProbeDelay: Duration = .seconds(60)
    ) {
        self.failureThreshold = max(failureThreshold, 1)
        self.firstProbeDelay = max(firstProbeDelay, .zero)
        self.longestProbeDelay = max(longestProbeDelay, firstProbeDelay, .zero)
    }

    /// Every host is asked, however often it has failed.
    public static let none = CircuitBreakerPolicy(failureThreshold: .max)
}

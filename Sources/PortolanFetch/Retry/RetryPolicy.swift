/// When a request that failed is made again, and when not.
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
    /// When a server that is busy (429, 503) asks for more, its answer stands, and until its time has come it is asked
    /// nothing: requests fail with ``FetchError/Code/hostBusy``.
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
    /// How long to wait before try `number` after the first, 1 for the next; `random` is in 0..<1.
    package func delay(before number: Int, random: Double) -> Duration {
        let doubled = firstDelay * (1 << min(max(number - 1, 0), 20))
        return min(doubled, longestDelay) * (1 - min(max(random, 0), 1) / 2)
    }
}

/// When a host that cannot be reached is no longer asked, and how it is tried whether it is back.
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

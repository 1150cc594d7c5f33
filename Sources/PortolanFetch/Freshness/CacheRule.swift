/// How long answers of one layer or host are used again, where that differs from what the server says.
public struct CacheRule: Hashable, Sendable {
    /// Whether anything is looked up and kept at all.
    public var isEnabled = true

    /// Whether the server's directives are passed over, so that ``defaultLifetime`` holds for all answers.
    public var ignoresServer = false

    /// Seconds that an answer is fresh about which the server says nothing; 3600.
    ///
    /// One with a `Last-Modified` is fresh for a tenth of its age instead, if that is longer, but for a week at most.
    public var defaultLifetime = 3600

    /// The least seconds that an answer is fresh, against `no-cache` and a shorter `max-age`; 0.
    public var minimumLifetime = 0

    /// The most seconds that an answer is fresh, or `nil` for as long as the server says.
    public var maximumLifetime: Int?

    /// Seconds for which an answer that is out of date may stand in for one that cannot be had; 30 days.
    ///
    /// The server's `stale-if-error` comes before it, and its `must-revalidate` or `no-cache` rules it out, unless
    /// ``ignoresServer`` is set.
    public var staleLifetime = 30 * 86_400

    /// Seconds for which it is remembered that there is nothing at an address (404, 410 and 204); 60.
    public var negativeLifetime = 60

    /// Makes the standard rule.
    public init() {}

    /// The rule with all times within what sums of seconds can hold; "for ever" is about 68 years.
    var clamped: CacheRule {
        func clamp(_ seconds: Int) -> Int { min(max(seconds, 0), CacheDirectives.longestSeconds) }
        var rule = self
        rule.defaultLifetime = clamp(defaultLifetime)
        rule.minimumLifetime = clamp(minimumLifetime)
        rule.maximumLifetime = maximumLifetime.map(clamp)
        rule.staleLifetime = clamp(staleLifetime)
        rule.negativeLifetime = clamp(negativeLifetime)
        return rule
    }

    /// The rule that keeps nothing and looks nothing up.
    public static var disabled: CacheRule {
        var rule = CacheRule()
        rule.isEnabled = false
        return rule
    }
}

/// Rate limits per client: a token bucket for each client, which fills at a steady rate.
package struct TokenBuckets: Sendable {
    /// A rate limit.
    package struct Rate: Hashable, Sendable {
        /// The sustained rate in requests per second; greater than zero.
        package let perSecond: Double
        /// The number of requests allowed in a burst.
        package let burst: Int

        /// Creates a rate, or returns `nil` if it would admit no request.
        package init?(perSecond: Double, burst: Int) {
            guard perSecond > 0, perSecond.isFinite, burst > 0 else { return nil }
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    private struct Bucket {
        var tokens: Double
        var time: Double
    }

    /// The rate limit of each client.
    package let rate: Rate
    private let maximumCount: Int
    private var buckets: [String: Bucket] = [:]

    /// Creates the buckets.
    ///
    /// - Parameter maximumCount: the maximum number of clients that are tracked.
    package init(_ rate: Rate, maximumCount: Int = 10_000) {
        self.rate = rate
        self.maximumCount = max(maximumCount, 1)
    }

    /// Takes a token.
    ///
    /// - Parameter time: a monotonic time in seconds.
    /// - Returns: `nil`, or the number of whole seconds until a token is available.
    /// - Complexity: amortised O(1); a call that exceeds `maximumCount` is O(clients).
    package mutating func take(_ client: String, at time: Double) -> Int? {
        if buckets[client] == nil, buckets.count >= maximumCount { forget(at: time) }
        var bucket = buckets[client] ?? Bucket(tokens: Double(rate.burst), time: time)
        bucket.tokens = min(bucket.tokens + max(time - bucket.time, 0) * rate.perSecond, Double(rate.burst))
        bucket.time = time
        defer { buckets[client] = bucket }
        guard bucket.tokens >= 1 else {
            return max(Int(((1 - bucket.tokens) / rate.perSecond).rounded(.up)), 1)
        }
        bucket.tokens -= 1
        return nil
    }

    /// Removes the clients with a full bucket, or all clients if no bucket is full.
    ///
    /// A flood from many addresses gains one burst each.
    private mutating func forget(at time: Double) {
        let rate = rate
        buckets = buckets.filter {
            $0.value.tokens + (time - $0.value.time) * rate.perSecond < Double(rate.burst)
        }
        if buckets.count >= maximumCount { buckets = [:] }
    }
}

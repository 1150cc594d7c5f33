/// How often each client may ask: a bucket of tokens for each, which fills at a steady rate.
package struct TokenBuckets: Sendable {
    /// How often a client may ask.
    package struct Rate: Hashable, Sendable {
        /// Requests a second in the long run; more than zero.
        package let perSecond: Double
        /// How many may come at once.
        package let burst: Int

        /// Makes a rate, or `nil` where it lets nobody in.
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

    /// How often a client may ask.
    package let rate: Rate
    private let maximumCount: Int
    private var buckets: [String: Bucket] = [:]

    /// Makes the buckets.
    ///
    /// - Parameter maximumCount: of how many clients something is known at the most.
    package init(_ rate: Rate, maximumCount: Int = 10_000) {
        self.rate = rate
        self.maximumCount = max(maximumCount, 1)
    }

    /// Takes a token.
    ///
    /// - Parameter time: seconds that only grow.
    /// - Returns: `nil`, or after how many whole seconds there will be one.
    /// - Complexity: O(1); O(clients) where there are too many of them, once in so many requests as there are of these.
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

    /// Forgets those whose bucket is full again, and where that are none, all: who floods with addresses gains a burst each.
    private mutating func forget(at time: Double) {
        let rate = rate
        buckets = buckets.filter {
            $0.value.tokens + (time - $0.value.time) * rate.perSecond < Double(rate.burst)
        }
        if buckets.count >= maximumCount { buckets = [:] }
    }
}

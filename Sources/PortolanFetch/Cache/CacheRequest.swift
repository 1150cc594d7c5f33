/// A request to a ``ResponseCache``: the HTTP request, its reader and its cache rule.
package struct CacheRequest<Value: Sendable, Failure: Error>: Sendable {
    /// The request to send on a cache miss.
    package var request: HTTPRequest
    /// The rule for reusing responses.
    package var rule: CacheRule
    /// Whether to contact the server even if the store has a fresh response.
    package var reloads: Bool
    /// The position in the host's queue, if the request is sent.
    package var turn: FetchTurn
    /// Returns west, south, east and north of the content in degrees; called only when the response is stored.
    package var bounds: @Sendable () -> [Double]?
    /// The statuses besides 200 that are stored as long as a successful response.
    package var goodStatuses: Set<Int>
    /// Reads the response, or throws if it is invalid.
    package var reading: @Sendable (HTTPResponse) throws(Failure) -> Value
    /// Converts the error of a failed transfer.
    package var missing: @Sendable (FetchError) -> Failure

    package init(
        request: HTTPRequest, rule: CacheRule, reloads: Bool = false, turn: FetchTurn = FetchTurn(),
        bounds: @escaping @Sendable () -> [Double]? = { nil }, goodStatuses: Set<Int> = [],
        missing: @escaping @Sendable (FetchError) -> Failure,
        reading: @escaping @Sendable (HTTPResponse) throws(Failure) -> Value
    ) {
        self.request = request
        self.rule = rule
        self.reloads = reloads
        self.turn = turn
        self.bounds = bounds
        self.goodStatuses = goodStatuses
        self.missing = missing
        self.reading = reading
    }
}

extension ResponseCache {
    /// The user whose credentials a host receives, as far as the cache knows.
    package enum Identity: Hashable, Sendable {
        /// The host receives no credentials other than those of the request.
        case anonymous
        /// The host receives these credentials, or their renewal for the same user.
        case account(Credential)
        /// The host receives credentials that were added later. Nothing is stored, because the user is unknown.
        case unknown
    }
}

/// A value from a ``ResponseCache``, with its origin.
package struct CachedAnswer<Value: Sendable>: Sendable {
    /// The origin of a value.
    package enum Origin: Hashable, Sendable {
        /// It was transferred from the server.
        case network
        /// It was stored, and is fresh or was revalidated by the server.
        case store
        /// It was stored and is stale, and no newer response is available for this reason, such as an unreachable
        /// server.
        case stale(reason: String, isConnectionLost: Bool = false)
    }

    /// The value.
    package let value: Value
    /// The origin of the value.
    package let origin: Origin
    /// The time until which it is fresh, in seconds since 1970.
    package let freshUntil: Int
    /// Whether it may be reused without revalidation.
    ///
    /// The server or the rule may forbid that.
    package let mayReuse: Bool
    /// Whether it may still be shown when it is stale and no newer response is available.
    package let mayStandIn: Bool

    package init(value: Value, origin: Origin, freshUntil: Int, mayReuse: Bool = true, mayStandIn: Bool = true) {
        self.value = value
        self.origin = origin
        self.freshUntil = freshUntil
        self.mayReuse = mayReuse
        self.mayStandIn = mayStandIn
    }
}

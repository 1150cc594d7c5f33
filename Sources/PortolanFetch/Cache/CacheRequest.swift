/// A request to a ``ResponseCache``: what to fetch, how it is read and how long it may be kept.
package struct CacheRequest<Value: Sendable, Failure: Error>: Sendable {
    /// The request to send where the store has no answer.
    package var request: HTTPRequest
    /// The time for which an answer may be used again.
    package var rule: CacheRule
    /// Whether the server is asked even if the store has a fresh answer.
    package var reloads: Bool
    /// The place in the queue of its host, if it is sent.
    package var turn: FetchTurn
    /// West, south, east and north of its place in degrees; called only when the answer is kept.
    package var bounds: @Sendable () -> [Double]?
    /// The statuses beside 200 that are as good an answer, so that it is kept as long as any other.
    package var goodStatuses: Set<Int>
    /// Reads the answer, or says what is wrong with it.
    package var reading: @Sendable (HTTPResponse) throws(Failure) -> Value
    /// The failure of an answer that does not come.
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
    /// The user that a host answers, as far as the cache knows.
    package enum Identity: Hashable, Sendable {
        /// The host is sent no credentials but those of the request itself.
        case anonymous
        /// The host is sent these credentials, or what has replaced them for the same user.
        case account(Credential)
        /// The host is sent credentials that came later: nothing is kept, since the user is not known here.
        case unknown
    }
}

/// The value read from an answer that a ``ResponseCache`` gave, and the answer's origin.
package struct CachedAnswer<Value: Sendable>: Sendable {
    /// The origin of an answer.
    package enum Origin: Hashable, Sendable {
        /// It was transferred.
        case network
        /// It was kept, and is fresh or was confirmed by the server.
        case store
        /// It was kept, is out of date, and stands in for a newer one, for this reason; the server may be out of reach.
        case stale(reason: String, isConnectionLost: Bool = false)
    }

    /// The value that was read.
    package let value: Value
    /// The origin of the answer.
    package let origin: Origin
    /// The time when it ceases to be fresh, in seconds since 1970.
    package let freshUntil: Int
    /// Whether it may be used again without asking; not when the server or the rule says that nothing is kept.
    package let mayReuse: Bool
    /// Whether it may be shown after that when nothing newer can be had.
    package let mayStandIn: Bool

    package init(value: Value, origin: Origin, freshUntil: Int, mayReuse: Bool = true, mayStandIn: Bool = true) {
        self.value = value
        self.origin = origin
        self.freshUntil = freshUntil
        self.mayReuse = mayReuse
        self.mayStandIn = mayStandIn
    }
}

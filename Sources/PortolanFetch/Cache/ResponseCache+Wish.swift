extension ResponseCache {
    /// What one answer is wanted for.
    package struct Wish<Value: Sendable, Failure: Error>: Sendable {
        /// What is asked for.
        package var request: HTTPRequest
        /// How long it may be used again.
        package var rule: CacheRule
        /// Whether the server is asked even if the store has a fresh answer.
        package var reloads: Bool
        /// Its place among other requests, if it comes to one.
        package var turn: FetchTurn
        /// Where on earth it belongs, in degrees; asked for only when it is kept.
        package var bounds: @Sendable () -> [Double]?
        /// Reads the answer, or says what is wrong with it.
        package var reading: @Sendable (HTTPResponse) throws(Failure) -> Value
        /// The failure of an answer that does not come.
        package var missing: @Sendable (FetchError) -> Failure

        package init(
            request: HTTPRequest, rule: CacheRule, reloads: Bool = false, turn: FetchTurn = FetchTurn(),
            bounds: @escaping @Sendable () -> [Double]? = { nil },
            missing: @escaping @Sendable (FetchError) -> Failure,
            reading: @escaping @Sendable (HTTPResponse) throws(Failure) -> Value
        ) {
            self.request = request
            self.rule = rule
            self.reloads = reloads
            self.turn = turn
            self.bounds = bounds
            self.missing = missing
            self.reading = reading
        }
    }

    /// Who a host thinks it answers.
    package enum Asker: Hashable, Sendable {
        /// It is told nothing, but for what a request itself says.
        case anyone
        /// It is told this, or what has come in its place for the same user.
        case account(Credential)
        /// Someone who has made himself known since: nothing is kept for him, since his name is not known here.
        case someone
    }
}

/// What a ``MapObserver`` is told; more may be added.
public enum MapObservation: Sendable {
    /// A request over HTTP begins; it may have to wait for its turn.
    case requestBegan(ObservedRequest)
    /// It has ended.
    case requestEnded(ObservedRequest, RequestOutcome)
    /// An answer was used again.
    case cacheAnswered(ObservedRequest, CacheOrigin)
    /// A host cannot be reached and is asked no more for a while (``CircuitBreakerPolicy``).
    case hostLost(host: String, reason: String)
    /// A host that could not be reached answers again.
    case hostRestored(host: String)
    /// The store of answers failed; maps are drawn without it.
    case storeFailed(StoreError)
    /// A drawing has ended.
    case drawingEnded(DrawingOutcome)

    /// Where an answer that is used again came from.
    public enum CacheOrigin: String, Hashable, Sendable {
        /// A decoded image in memory.
        case memory
        /// The store, where it was fresh or the server has confirmed it.
        case store
        /// It is out of date, and stands in for what could not be had.
        case stale
    }
}

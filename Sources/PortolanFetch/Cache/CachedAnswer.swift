/// What a ``ResponseCache`` gives: a value read of an answer, and where that came from.
package struct CachedAnswer<Value: Sendable>: Sendable {
    /// Where an answer came from.
    package enum Origin: Hashable, Sendable {
        /// It was transferred.
        case network
        /// It was kept, and is fresh or was confirmed by the server.
        case store
        /// It was kept, is out of date, and stands in for a newer one, for this reason; the server may be out of reach.
        case stale(reason: String, isConnectionLost: Bool = false)
    }

    /// What was read.
    package let value: Value
    /// Where it came from.
    package let origin: Origin
    /// When it ceases to be fresh, in seconds since 1970.
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

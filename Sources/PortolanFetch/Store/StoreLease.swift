/// The right to fetch what a store does not have, while others who want the same wait for it.
public struct StoreLease: Sendable {
    private let ending: @Sendable () async -> Void

    /// Makes a lease.
    ///
    /// - Parameter ending: gives the right back.
    public init(ending: @escaping @Sendable () async -> Void = {}) { self.ending = ending }

    /// Gives the right back: after the entry has been put in, or when there will be none.
    ///
    /// Whoever gets a lease ends it, once.
    public func end() async { await ending() }
}

/// What a ``ResponseStore`` holds.
public struct StoreStatistics: Hashable, Sendable {
    /// Entries.
    public var count: Int
    /// Bytes that they take on disk, with all that belongs to them.
    public var byteCount: Int
    /// The most bytes that they may take.
    public var byteBudget: Int

    /// Makes statistics.
    public init(count: Int, byteCount: Int, byteBudget: Int) {
        self.count = count
        self.byteCount = byteCount
        self.byteBudget = byteBudget
    }
}

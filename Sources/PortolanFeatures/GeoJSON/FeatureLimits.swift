public import PortolanRaster

/// How much a document with features may hold before reading it is refused.
public struct FeatureLimits: Hashable, Sendable {
    /// The longest document, in bytes; 1 GiB by default.
    public var maximumByteCount: Int
    /// How many objects and arrays may be open at once; 64 by default, and never more than 128.
    ///
    /// Each takes stack, of which threads of apps have half a megabyte.
    public var maximumDepth: Int
    /// The most features; ten million by default.
    public var maximumFeatureCount: Int
    /// The most coordinates in the whole document; a hundred million by default.
    public var maximumCoordinateCount: Int
    /// How many warnings are kept; 100 by default.
    ///
    /// One more then says how many were not.
    public var maximumWarningCount: Int
    /// The budget that the features are charged to, for as long as their collection or a source of it is held, and the
    /// document while it is read; `nil` by default, for none.
    public var memory: MemoryBudget?

    /// Makes limits.
    public init(
        maximumByteCount: Int = 1 << 30, maximumDepth: Int = 64, maximumFeatureCount: Int = 10_000_000,
        maximumCoordinateCount: Int = 100_000_000, maximumWarningCount: Int = 100, memory: MemoryBudget? = nil
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumDepth = min(maximumDepth, 128)
        self.maximumFeatureCount = maximumFeatureCount
        self.maximumCoordinateCount = maximumCoordinateCount
        self.maximumWarningCount = maximumWarningCount
        self.memory = memory
    }
}

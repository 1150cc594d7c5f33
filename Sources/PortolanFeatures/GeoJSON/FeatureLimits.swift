public import PortolanRaster

/// The limits of a feature document.
///
/// A document beyond them is rejected.
public struct FeatureLimits: Hashable, Sendable {
    /// The maximum size of the document in bytes.
    ///
    /// Default: 1 GiB.
    public var maximumByteCount: Int
    /// The maximum nesting depth of objects and arrays.
    ///
    /// Default: 64, and never more than 128.
    ///
    /// Each level needs stack space, of which threads of apps have half a megabyte.
    public var maximumDepth: Int
    /// The maximum number of features.
    ///
    /// Default: ten million.
    public var maximumFeatureCount: Int
    /// The maximum number of coordinates.
    ///
    /// Default: a hundred million.
    public var maximumCoordinateCount: Int
    /// The maximum number of warnings.
    ///
    /// Default: 100.
    ///
    /// One more warning then states how many were dropped.
    public var maximumWarningCount: Int
    /// The memory budget of the features while their collection is in use, and of the document during reading.
    ///
    /// Default: `nil`, for no budget.
    public var memory: MemoryBudget?

    /// Creates limits.
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

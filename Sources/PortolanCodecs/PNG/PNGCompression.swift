/// How much work a PNG is compressed with; the pixels are the same in all cases.
public enum PNGCompression: String, Hashable, Sendable, CaseIterable {
    /// Least time, for pictures that are used at once.
    case fast
    /// A good size in little more time.
    case balanced
    /// The smaller of two thorough attempts, taking tens of times as long.
    case small
}

/// How much work a PNG is compressed with; the pixels are the same in all cases.
public enum PNGCompression: String, Hashable, Sendable, CaseIterable {
    /// Least time, for pictures that are used at once.
    case fast
    /// A good size in about twice the time of ``fast``.
    case balanced
    /// The smaller of two thorough attempts, taking tens of times as long.
    case small
}

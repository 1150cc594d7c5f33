/// The extent to which borders and lines are simplified.
public enum Simplification: Hashable, Sendable {
    /// Removes vertices that are at most a number of metres from the new line.
    case meters(Double)
    /// Keeps a share, 0 to 1, of the vertices that can be removed, of those the ones farthest from the line without them.
    case share(Double)
}

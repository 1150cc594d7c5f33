/// How the corners of a line look.
public enum LineJoin: Sendable, Hashable {
    /// The outer sides go on until they meet, unless that is beyond the miter limit; then as `bevel`.
    case miter
    /// A circle around the corner.
    case round
    /// The corner is cut off straight.
    case bevel
}

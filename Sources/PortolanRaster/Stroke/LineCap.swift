/// How the ends of an open line look.
public enum LineCap: Sendable, Hashable {
    /// Cut off at the end point.
    case butt
    /// A half circle around the end point.
    case round
    /// Cut off half a width beyond the end point.
    case square
}

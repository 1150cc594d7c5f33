/// The mark drawn at a point.
public enum MarkerSymbol: Hashable, Sendable {
    /// A drawn shape.
    case shape(ShapeMarker)
    /// A picture.
    case icon(IconMarker)
}

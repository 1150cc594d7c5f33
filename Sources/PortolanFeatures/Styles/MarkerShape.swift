/// The drawn shapes that a marker may have.
///
/// All but the pin are centred on the point and lie within the circle about it that the marker's radius gives.
public enum MarkerShape: Hashable, Sendable, CaseIterable {
    /// A disc.
    case circle
    /// A square with sides of twice the radius, parallel to the picture's.
    case square
    /// A triangle that points up.
    case triangle
    /// A star of five points, one of them up.
    case star
    /// An upright cross.
    case cross
    /// A cross on its side.
    case x
    /// A drop that stands on the point: the tip is the point, and the centre of the round head, whose radius is the
    /// marker's, lies two radii above it.
    case pin
}

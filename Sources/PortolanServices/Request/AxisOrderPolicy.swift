/// In which order a WMS is told the sides of a bounding box.
public enum AxisOrderPolicy: String, Hashable, Sendable, CaseIterable {
    /// As the standard has it: in version 1.3.0 the order of the CRS's axes, before it always x first.
    case auto
    /// Always easting or longitude first, for servers that overlook the rule of version 1.3.0.
    case xy
    /// Always northing or latitude first.
    case yx
}

import PortolanRaster

/// How the letters of a label stand in one of its places.
enum LabelPose {
    /// Upright lines whose baselines begin at these points.
    case upright([Point])
    /// One line, turned as a whole.
    case turned(AffineTransform)
    /// One line whose parts are moved one by one.
    case bent([AffineTransform])
}

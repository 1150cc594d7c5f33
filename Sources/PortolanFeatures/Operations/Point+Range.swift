internal import PortolanRaster

extension Point {
    /// Whether the arithmetic of clipping is safe with this point: both numbers finite and not absurdly large.
    var isInRange: Bool { abs(x) <= 1e15 && abs(y) <= 1e15 }
}

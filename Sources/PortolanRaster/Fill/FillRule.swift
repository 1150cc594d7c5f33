/// Which places a path's subpaths enclose.
public enum FillRule: Sendable, Hashable {
    /// Inside is where the subpaths go around a different number of times clockwise and anticlockwise.
    case nonZero
    /// Inside is where the subpaths go around an odd number of times.
    case evenOdd

    /// The covered part of a pixel, 0 to 255, from the sum of its signed areas in units of 2⁻³².
    ///
    /// Exact but for rounding where inside the pixel no two enclosed areas overlap.
    @inline(__always)
    func coverage(_ signedArea: Int64) -> UInt32 {
        let one: Int64 = 1 << 32
        let sign = signedArea &>> 63
        var area = (signedArea ^ sign) &- sign
        switch self {
        case .nonZero: area = min(area, one)
        case .evenOdd:
            area &= 2 * one - 1
            area = min(area, 2 * one &- area)
        }
        // Halves go up also where the sum fell short of one by rounding, so that mirrored shapes look mirrored.
        return UInt32(truncatingIfNeeded: ((area &<< 8) &- area &+ (one / 2 + 16 * 255)) &>> 32)
    }
}

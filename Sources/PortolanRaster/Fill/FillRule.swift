/// Which places a path's subpaths enclose.
public enum FillRule: Sendable, Hashable {
    /// Inside is where the subpaths go around a different number of times clockwise and anticlockwise.
    case nonZero
    /// Inside is where the subpaths go around an odd number of times.
    case evenOdd

    /// The covered part of a pixel, 0 to 255, from the sum of its signed areas.
    ///
    /// Exact but for rounding where inside the pixel no two enclosed areas overlap.
    func coverage(_ signedArea: Double) -> UInt32 {
        var area = abs(signedArea)
        switch self {
        case .nonZero: area = min(area, 1)
        case .evenOdd:
            // Beyond 2³¹ windings the area has lost its fraction long before.
            area = area < 2_147_483_648 ? area - Double(Int(area) & ~1) : 0
            if area > 1 { area = 2 - area }
        }
        // Halves go up also where the sum fell short of one by rounding, so that mirrored shapes look mirrored.
        return UInt32(area * 255 + 0.500_000_001)
    }
}

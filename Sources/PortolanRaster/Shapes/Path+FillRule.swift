extension Path {
    /// The rule for the points that a path's subpaths enclose.
    public enum FillRule: Sendable, Hashable {
        /// Points with a non-zero winding number.
        case nonZero
        /// Points with an odd winding number.
        case evenOdd
        /// Like `evenOdd`, for opaque areas with common borders: coverage is doubled up to full coverage, so that the
        /// background does not show between neighbours.
        case evenOddJoined
        /// Like `evenOdd`, without antialiasing: a pixel is covered from a third on, so that one of three neighbours covers
        /// it.
        case evenOddSharp

        /// Returns the covered part of a pixel, 0 to 255, from the sum of its signed areas in units of 2⁻³².
        ///
        /// It is exact except for rounding if no two enclosed areas overlap inside the pixel.
        @inline(__always)
        func coverage(_ signedArea: Int64) -> UInt32 {
            let one: Int64 = 1 << 32
            let sign = signedArea &>> 63
            var area = (signedArea ^ sign) &- sign
            switch self {
            case .nonZero: area = min(area, one)
            case .evenOdd, .evenOddJoined, .evenOddSharp:
                area &= 2 * one - 1
                area = min(area, 2 * one &- area)
            }
            switch self {
            case .nonZero, .evenOdd: break
            case .evenOddJoined: area = min(2 &* area, one)
            // Slightly less, for the rounding error of the sum of areas.
            case .evenOddSharp: area = area >= one / 3 - 1 << 12 ? one : 0
            }
            // Halves are rounded up even if the sum is too low by a rounding error, so that mirrored shapes look mirrored.
            return UInt32(truncatingIfNeeded: ((area &<< 8) &- area &+ (one / 2 + 16 * 255)) &>> 32)
        }

        /// Returns the covered parts of four pixels.
        @inline(__always)
        func coverage(_ signedAreas: SIMD4<Int64>) -> SIMD4<UInt32> {
            // The whole pixels and the rest of each area. The complement drops the sign, with an error of one unit.
            var whole = SIMD4<Int32>(truncatingIfNeeded: signedAreas.upperHalves)
            let sign = whole &>> SIMD4(repeating: 31)
            whole ^= sign
            var part = signedAreas.lowerHalves ^ SIMD4<UInt32>(truncatingIfNeeded: sign)
            switch self {
            case .nonZero: break
            case .evenOdd, .evenOddJoined, .evenOddSharp:
                // From one to two the covered part falls again.
                let isOdd = SIMD4<Int32>() &- (whole & SIMD4(repeating: 1))
                part ^= SIMD4<UInt32>(truncatingIfNeeded: isOdd)
                whole = SIMD4()
            }
            switch self {
            case .nonZero, .evenOdd: break
            case .evenOddJoined:
                whole = SIMD4<Int32>(truncatingIfNeeded: part &>> SIMD4(repeating: 31))
                part = part &<< SIMD4(repeating: 1)
            case .evenOddSharp:
                let isCovered = part .>= SIMD4(repeating: UInt32((1 << 32) / 3 - 1 << 12))
                return SIMD4<UInt32>(repeating: 0).replacing(with: 255, where: isCovered)
            }
            // 255 / 256 of the part, rounded like the single area.
            let product = part &- part &>> SIMD4(repeating: 8)
            let share = (product &+ SIMD4(repeating: 1 << 23 + 16)) &>> SIMD4(repeating: 24)
            // All ones where the whole pixel is covered.
            let isFull = (SIMD4<Int32>() &- whole) &>> SIMD4(repeating: 31)
            return share | SIMD4<UInt32>(truncatingIfNeeded: isFull) &>> SIMD4(repeating: 24)
        }
    }
}

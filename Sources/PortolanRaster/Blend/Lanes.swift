// Conversions between lanes of different widths as rearrangements, which become single machine instructions; the
// standard library's go lane by lane where they are not inlined. Lanes lie in memory lowest byte first on all machines
// that Swift is made for.

extension SIMD8<UInt16> {
    /// The same numbers in 32 bits.
    @inline(__always)
    var widened: SIMD8<UInt32> {
        var lanes = SIMD16<UInt16>()
        lanes.evenHalf = self
        return unsafe unsafeBitCast(lanes, to: SIMD8<UInt32>.self)
    }
}

extension SIMD16<UInt8> {
    /// The same numbers in 16 bits.
    @inline(__always)
    var widened: SIMD16<UInt16> {
        var lanes = SIMD32<UInt8>()
        lanes.evenHalf = self
        return unsafe unsafeBitCast(lanes, to: SIMD16<UInt16>.self)
    }
}

extension SIMD8<UInt32> {
    /// The lower halves.
    @inline(__always)
    var narrowed: SIMD8<UInt16> { unsafe unsafeBitCast(self, to: SIMD16<UInt16>.self).evenHalf }
}

extension SIMD16<UInt16> {
    /// The lower halves.
    @inline(__always)
    var narrowed: SIMD16<UInt8> { unsafe unsafeBitCast(self, to: SIMD32<UInt8>.self).evenHalf }
}

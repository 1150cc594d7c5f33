/// Operations on four premultiplied pixels at a time, with the exact rounding of ``SourceOver``.
enum PixelQuad {
    /// Returns red and blue of four pixels in 16 bits each.
    @inline(__always)
    static func redBlue(_ pixels: SIMD4<UInt32>) -> SIMD8<UInt16> {
        unsafe unsafeBitCast(pixels & SIMD4(repeating: 0x00ff_00ff), to: SIMD8<UInt16>.self)
    }

    /// Returns green and alpha of four pixels in 16 bits each.
    @inline(__always)
    static func greenAlpha(_ pixels: SIMD4<UInt32>) -> SIMD8<UInt16> {
        unsafe unsafeBitCast(pixels, to: SIMD8<UInt16>.self) &>> SIMD8(repeating: 8)
    }

    /// Combines the channels to pixels.
    @inline(__always)
    static func join(_ redBlue: SIMD8<UInt16>, _ greenAlpha: SIMD8<UInt16>) -> SIMD4<UInt32> {
        unsafe unsafeBitCast(redBlue | greenAlpha &<< SIMD8(repeating: 8), to: SIMD4<UInt32>.self)
    }

    /// Returns `round(value * factor / 255)` for values from 0 through 255.
    @inline(__always)
    static func scale(_ values: SIMD8<UInt16>, _ factors: SIMD8<UInt16>) -> SIMD8<UInt16> {
        let product = values &* factors &+ SIMD8(repeating: 128)
        return (product &+ product &>> SIMD8(repeating: 8)) &>> SIMD8(repeating: 8)
    }

    /// Scales all channels by factors of 0 through 255, one for each pixel's pair of channels.
    @inline(__always)
    static func scale(_ pixels: SIMD4<UInt32>, by factors: SIMD8<UInt16>) -> SIMD4<UInt32> {
        join(scale(redBlue(pixels), factors), scale(greenAlpha(pixels), factors))
    }

    /// Returns `source + destination · (255 - alpha of source) / 255`.
    @inline(__always)
    static func blend(_ source: SIMD4<UInt32>, over destination: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let rest = SIMD4<UInt32>(repeating: 255) &- source &>> 24
        return unsafe source
            &+ scale(destination, by: unsafeBitCast(rest | rest &<< 16, to: SIMD8<UInt16>.self))
    }
}

// Conversions between lane widths as shuffles, which become single machine instructions; those of the standard library
// work lane by lane unless they are inlined. Lanes are stored lowest byte first on all machines that Swift supports.

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

extension SIMD4<Int64> {
    /// The lower halves.
    @inline(__always)
    var lowerHalves: SIMD4<UInt32> { unsafe unsafeBitCast(self, to: SIMD8<UInt32>.self).evenHalf }

    /// The upper halves.
    @inline(__always)
    var upperHalves: SIMD4<UInt32> { unsafe unsafeBitCast(self, to: SIMD8<UInt32>.self).oddHalf }
}

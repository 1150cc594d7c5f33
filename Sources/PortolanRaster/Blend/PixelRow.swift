/// Work on runs of pixels by pointer, four at a time: the caller vouches that `count` pixels are there.
enum PixelRow {
    /// Draws pixels, scaled by `opacity` of 255, over as many others.
    @inline(__always)
    static func draw(
        _ source: UnsafePointer<UInt32>, over pixels: UnsafeMutablePointer<UInt32>, _ count: Int, opacity: UInt32
    ) {
        if opacity == 255 {
            if unsafe isOpaque(source, count) { return unsafe pixels.update(from: source, count: count) }
            unsafe draw(source, over: pixels, count) { $0 }
        } else {
            let factors = SIMD8(repeating: UInt16(truncatingIfNeeded: opacity))
            unsafe draw(source, over: pixels, count) { PixelQuad.scale($0, by: factors) }
        }
    }

    @inline(__always)
    private static func draw(
        _ source: UnsafePointer<UInt32>, over pixels: UnsafeMutablePointer<UInt32>, _ count: Int,
        _ fade: (SIMD4<UInt32>) -> SIMD4<UInt32>
    ) {
        var index = 0
        while index &+ 4 <= count {
            let above = unsafe fade(UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<UInt32>.self))
            let memory = unsafe UnsafeMutableRawPointer(pixels + index)
            let below = unsafe memory.loadUnaligned(as: SIMD4<UInt32>.self)
            unsafe memory.storeBytes(of: PixelQuad.blend(above, over: below), as: SIMD4<UInt32>.self)
            index &+= 4
        }
        while index < count {
            let above = unsafe fade(SIMD4(repeating: source[index]))
            let result = unsafe PixelQuad.blend(above, over: SIMD4(repeating: pixels[index]))
            unsafe pixels[index] = result[0]
            index &+= 1
        }
    }

    private static func isOpaque(_ source: UnsafePointer<UInt32>, _ count: Int) -> Bool {
        var all = UInt32.max, index = 0
        while index < count {
            unsafe all &= source[index]
            index &+= 1
        }
        return all &>> 24 == 255
    }
}

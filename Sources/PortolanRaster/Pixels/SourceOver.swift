/// Premultiplied source-over on packed pixels, with every product rounded exactly.
enum SourceOver {
    /// Returns `round(channel * factor / 255)` for the four channels; `factor` is 0 through 255.
    @inline(__always)
    static func scale(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        // Two channels at a time; 255 · 255 + 128 and its carry stay within a channel's 16 bits.
        var redBlue = (pixel & 0x00ff_00ff) &* factor &+ 0x0080_0080
        redBlue = ((redBlue &+ ((redBlue &>> 8) & 0x00ff_00ff)) &>> 8) & 0x00ff_00ff
        var greenAlpha = ((pixel &>> 8) & 0x00ff_00ff) &* factor &+ 0x0080_0080
        greenAlpha = (greenAlpha &+ ((greenAlpha &>> 8) & 0x00ff_00ff)) & 0xff00_ff00
        return redBlue | greenAlpha
    }

    /// Returns `source + destination · (255 - alpha of source) / 255`.
    @inline(__always)
    static func blend(_ source: UInt32, over destination: UInt32) -> UInt32 {
        source &+ scale(destination, by: 255 &- source &>> 24)
    }
}

/// An opacity in 255ths.
struct Opacity: Sendable {
    let factor: UInt32

    /// Rounds an opacity, clamped to 0 through 1.
    init(_ opacity: Double) { factor = opacity >= 0 ? UInt32(min(opacity, 1) * 255 + 0.5) : 0 }

    /// The opacity, 0 through 1, which rounds to the same value again.
    var share: Double { Double(factor) / 255 }

    /// Whether it is fully transparent.
    var isClear: Bool { factor == 0 }
}

/// Operations on runs of pixels by pointer, four at a time: the caller guarantees that `count` pixels exist.
enum PixelRow {
    /// Draws pixels, scaled by an opacity in 255ths, over as many others.
    @inline(__always)
    static func draw(
        _ source: UnsafePointer<UInt32>, over pixels: UnsafeMutablePointer<UInt32>, _ count: Int, opacity: UInt32
    ) {
        if opacity == 255 {
            if unsafe isOpaque(source, count) { return unsafe pixels.update(from: source, count: count) }
            unsafe blend(source, over: pixels, count)
        } else {
            let factors = SIMD8(repeating: UInt16(truncatingIfNeeded: opacity))
            unsafe draw(source, over: pixels, count) { PixelQuad.scale($0, by: factors) }
        }
    }

    /// Draws pixels over as many others.
    @inline(__always)
    static func blend(_ source: UnsafePointer<UInt32>, over pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
        unsafe draw(source, over: pixels, count) { $0 }
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

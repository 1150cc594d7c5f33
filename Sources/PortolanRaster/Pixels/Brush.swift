/// Paints one colour through coverage, four pixels at a time.
///
/// Pixels are accessed by pointer: the caller guarantees that the requested number exists.
struct Brush {
    private let bits: UInt32
    private let isOpaque: Bool
    /// Red and blue, and green and alpha, in 16 bits each.
    private let redBlue: SIMD8<UInt16>
    private let greenAlpha: SIMD8<UInt16>

    init(_ pixel: Pixel) {
        bits = pixel.bits
        isOpaque = pixel.alpha == 255
        let four = SIMD4(repeating: bits)
        redBlue = PixelQuad.redBlue(four)
        greenAlpha = PixelQuad.greenAlpha(four)
    }

    /// Paints four pixels, each with its coverage of 0 through 255.
    @inline(__always)
    func paint(_ pixels: UnsafeMutablePointer<UInt32>, coverage: SIMD4<UInt32>) {
        // Full and zero coverage have no special cases, because their branches would be mispredicted too often.
        let memory = UnsafeMutableRawPointer(pixels)
        let factor = unsafe unsafeBitCast(coverage | coverage &<< 16, to: SIMD8<UInt16>.self)
        let source = PixelQuad.join(PixelQuad.scale(redBlue, factor), PixelQuad.scale(greenAlpha, factor))
        let below = unsafe memory.loadUnaligned(as: SIMD4<UInt32>.self)
        let result =
            // An opaque colour leaves of the pixel below what it does not cover.
            isOpaque
            ? source &+ PixelQuad.scale(below, by: SIMD8(repeating: 255) &- factor)
            : PixelQuad.blend(source, over: below)
        unsafe memory.storeBytes(of: result, as: SIMD4<UInt32>.self)
    }

    /// Paints `count` pixels with the same coverage of 1 through 255.
    @inline(__always)
    func paint(_ pixels: UnsafeMutablePointer<UInt32>, _ count: Int, coverage: UInt32) {
        let source = coverage == 255 ? bits : SourceOver.scale(bits, by: coverage)
        if source &>> 24 == 255 {
            unsafe pixels.update(repeating: source, count: count)
        } else if source != 0 {
            unsafe Self.blend(source, over: pixels, count)
        }
    }

    private static func blend(_ source: UInt32, over pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
        let four = SIMD4(repeating: source), factor = 255 &- source &>> 24
        let rest = SIMD8(repeating: UInt16(truncatingIfNeeded: factor))
        var index = 0
        while index &+ 4 <= count {
            let memory = unsafe UnsafeMutableRawPointer(pixels + index)
            let below = unsafe memory.loadUnaligned(as: SIMD4<UInt32>.self)
            unsafe memory.storeBytes(of: four &+ PixelQuad.scale(below, by: rest), as: SIMD4<UInt32>.self)
            index &+= 4
        }
        while index < count {
            unsafe pixels[index] = source &+ SourceOver.scale(pixels[index], by: factor)
            index &+= 1
        }
    }
}

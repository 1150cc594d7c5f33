/// Reads a picture between its pixels' centres, bilinearly and premultiplied, in exact integers.
///
/// Weights are multiples of 1/256 in each direction and sum to one, so a picture of one colour gives that colour.
struct ImageSampler {
    /// How far outside a place may be that still counts as on the edge; between pictures side by side, rounding
    /// must not open a gap.
    private static let slack = 1e-6

    let width: Int
    let height: Int
    let edges: ImageEdges
    private let minX: Double
    private let minY: Double
    private let maxX: Double
    private let maxY: Double

    init(size: ImageSize, edges: ImageEdges) {
        width = size.width
        height = size.height
        self.edges = edges
        let margin = edges == .smooth ? 0.5 : Self.slack
        minX = -margin
        minY = -margin
        maxX = Double(width) + margin
        maxY = Double(height) + margin
    }

    /// Whether an x is on the picture.
    @inline(__always)
    func isOnColumns(_ x: Double) -> Bool { x >= minX && x <= maxX }

    /// Whether a y is on the picture.
    @inline(__always)
    func isOnRows(_ y: Double) -> Bool { y >= minY && y <= maxY }

    /// A place on the picture in 256ths of a pixel, from the first pixel's centre.
    @inline(__always)
    static func fixed(_ place: Double) -> Int {
        // 2 pixels more keep the truncated number positive.
        Int((place + 1.5) * 256 + 0.5) &- 512
    }

    /// The colour at a place in pixel coordinates of the picture, or `nil` outside.
    @inline(__always)
    func sample(_ pixels: Span<UInt32>, x: Double, y: Double) -> UInt32? {
        guard isOnColumns(x), isOnRows(y) else { return nil }
        let fixedX = Self.fixed(x), fixedY = Self.fixed(y)
        let column = fixedX &>> 8, row = fixedY &>> 8
        let fx = UInt64(truncatingIfNeeded: fixedX & 255), fy = UInt64(truncatingIfNeeded: fixedY & 255)
        let p00 = pixel(pixels, column, row), p10 = pixel(pixels, column &+ 1, row)
        let p01 = pixel(pixels, column, row &+ 1), p11 = pixel(pixels, column &+ 1, row &+ 1)
        if p00 == p10, p00 == p01, p00 == p11 { return p00 }
        let w11 = fx &* fy, w10 = (fx &<< 8) &- w11, w01 = (fy &<< 8) &- w11
        let w00 = 65536 &- w10 &- w01 &- w11
        // Two channels in the halves of 64 bits, first red and blue, then green and alpha.
        @inline(__always)
        func spread(_ pixel: UInt32) -> UInt64 {
            UInt64(pixel & 0xff) | UInt64(pixel & 0xff_0000) &<< 16
        }
        @inline(__always)
        func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
            let sum =
                spread(a) &* w00 &+ spread(b) &* w10 &+ spread(c) &* w01 &+ spread(d) &* w11 &+ 0x0000_8000_0000_8000
            return UInt32(truncatingIfNeeded: (sum &>> 16) & 0xff | (sum &>> 32) & 0xff_0000)
        }
        return mean(p00, p10, p01, p11) | mean(p00 &>> 8, p10 &>> 8, p01 &>> 8, p11 &>> 8) &<< 8
    }

    @inline(__always)
    private func pixel(_ pixels: Span<UInt32>, _ column: Int, _ row: Int) -> UInt32 {
        if edges == .smooth, column < 0 || row < 0 || column >= width || row >= height { return 0 }
        return pixels[min(max(row, 0), height &- 1) &* width &+ min(max(column, 0), width &- 1)]
    }
}

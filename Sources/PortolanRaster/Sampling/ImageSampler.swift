/// Samples a picture bilinearly in premultiplied colours with exact integers.
///
/// Weights are multiples of 1/256 in each direction and sum to one, so a picture of one colour gives that colour.
///
/// Pixels are accessed by pointer. Memory safety: each call receives the address from ``ImageWindow/withTexels(_:)``,
/// and only pixels in the window's columns and rows are read.
struct ImageSampler {
    /// The distance outside the picture that still counts as on the edge; between adjacent pictures, rounding must not
    /// open a gap.
    private static let slack = 1e-6

    private let width: Int
    private let height: Int
    private let edges: PaintImage.Edges
    private let resampling: ImageResampling
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// The number of pixels from a row to the next in memory.
    private let stride: Int
    private let minX: Double
    private let minY: Double
    private let maxX: Double
    private let maxY: Double

    init(_ window: ImageWindow, edges: PaintImage.Edges) {
        width = window.size.width
        height = window.size.height
        columns = window.columns
        rows = window.rows
        stride = columns.count
        resampling = window.resampling
        self.edges = edges
        let margin = edges == .smooth ? 0.5 : Self.slack
        minX = -margin
        minY = -margin
        maxX = Double(width) + margin
        maxY = Double(height) + margin
    }

    /// Returns whether an x is on the picture.
    @inline(__always)
    func isOnColumns(_ x: Double) -> Bool { x >= minX && x <= maxX }

    /// Returns whether a y is on the picture.
    @inline(__always)
    func isOnRows(_ y: Double) -> Bool { y >= minY && y <= maxY }

    /// Returns whether all four pixels around a position are in the window.
    @inline(__always)
    func isInside(_ place: Point) -> Bool {
        guard isOnColumns(place.x), isOnRows(place.y) else { return false }
        let column = Self.fixed(place.x) &>> 8, row = Self.fixed(place.y) &>> 8
        return column >= columns.lowerBound && column &+ 1 < columns.upperBound && row >= rows.lowerBound
            && row &+ 1 < rows.upperBound
    }

    /// Returns a position in 256ths of a pixel, relative to the first pixel's centre.
    @inline(__always)
    static func fixed(_ place: Double) -> Int {
        // Two more pixels keep the truncated number positive.
        Int((place + 1.5) * 256 + 0.5) &- 512
    }

    /// Samples the colours at `count` positions, transparent outside the picture.
    ///
    /// Memory safety: `samples` has room for `count` pixels, and `place` is called for 0 up to `count`. The x and y of
    /// the results are each monotonic, so that all positions between two inside the picture are inside as well.
    @inline(__always)
    func sample(
        _ texels: UnsafePointer<UInt32>, _ count: Int, into samples: UnsafeMutablePointer<UInt32>,
        _ place: (Int) -> Point
    ) {
        guard count > 0 else { return }
        guard resampling == .bilinear else {
            for index in 0..<count { unsafe samples[index] = resampled(texels, place(index)) }
            return
        }
        // All positions between two inside the picture are inside as well.
        let isInside = isInside(place(0)) && isInside(place(count &- 1))
        var index = 0
        while index &+ 4 <= count {
            if isInside || (self.isInside(place(index)) && self.isInside(place(index &+ 3))) {
                let first = unsafe sum(texels, place(index)), second = unsafe sum(texels, place(index &+ 1))
                let third = unsafe sum(texels, place(index &+ 2)), fourth = unsafe sum(texels, place(index &+ 3))
                let four = SIMD16(
                    lowHalf: SIMD8(lowHalf: first, highHalf: second).narrowed,
                    highHalf: SIMD8(lowHalf: third, highHalf: fourth).narrowed
                ).narrowed
                unsafe UnsafeMutableRawPointer(samples + index).storeBytes(of: four, as: SIMD16<UInt8>.self)
            } else {
                for index in index..<(index &+ 4) { unsafe samples[index] = sample(texels, place(index)) }
            }
            index &+= 4
        }
        while index < count {
            unsafe samples[index] = sample(texels, place(index))
            index &+= 1
        }
    }

    /// Returns the channels at a position inside the picture.
    @inline(__always)
    private func sum(_ texels: UnsafePointer<UInt32>, _ place: Point) -> SIMD4<UInt32> {
        let x = Self.fixed(place.x), y = Self.fixed(place.y)
        let above = unsafe texels + ((y &>> 8) &* stride &+ x &>> 8), below = unsafe above + stride
        let fx = UInt16(truncatingIfNeeded: x & 255), fy = UInt16(truncatingIfNeeded: y & 255)
        let pairs = unsafe SIMD16(
            lowHalf: UnsafeRawPointer(above).loadUnaligned(as: SIMD8<UInt8>.self),
            highHalf: UnsafeRawPointer(below).loadUnaligned(as: SIMD8<UInt8>.self)
        ).widened
        let column = pairs.lowHalf &* SIMD8(repeating: 256 &- fy) &+ pairs.highHalf &* SIMD8(repeating: fy)
        let weights = SIMD8<UInt16>(lowHalf: SIMD4(repeating: 256 &- fx), highHalf: SIMD4(repeating: fx))
        let product = column.widened &* weights.widened
        return (product.lowHalf &+ product.highHalf &+ SIMD4(repeating: 32768)) &>> 16
    }

    /// Returns the colour at a position in the picture's pixel coordinates, transparent outside.
    @inline(__always)
    func sample(_ texels: UnsafePointer<UInt32>, _ place: Point) -> UInt32 {
        guard isOnColumns(place.x), isOnRows(place.y) else { return 0 }
        let fixedX = Self.fixed(place.x), fixedY = Self.fixed(place.y)
        let column = fixedX &>> 8, row = fixedY &>> 8
        let fx = UInt64(truncatingIfNeeded: fixedX & 255), fy = UInt64(truncatingIfNeeded: fixedY & 255)
        let p00 = unsafe pixel(texels, column, row), p10 = unsafe pixel(texels, column &+ 1, row)
        let p01 = unsafe pixel(texels, column, row &+ 1), p11 = unsafe pixel(texels, column &+ 1, row &+ 1)
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

    /// Returns the nearest colour or the cubic convolution at a position, transparent outside.
    private func resampled(_ texels: UnsafePointer<UInt32>, _ place: Point) -> UInt32 {
        guard isOnColumns(place.x), isOnRows(place.y) else { return 0 }
        guard resampling == .cubic else {
            return unsafe pixel(texels, Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        }
        let x = place.x - 0.5, y = place.y - 0.5, column = x.rounded(.down), row = y.rounded(.down)
        let across = Self.cubicWeights(Float(x - column)), down = Self.cubicWeights(Float(y - row))
        var sum = SIMD4<Float>.zero
        for line in 0..<4 {
            var part = SIMD4<Float>.zero
            for step in 0..<4 {
                let bits = unsafe pixel(texels, Int(column) + step - 1, Int(row) + line - 1)
                let channels = SIMD4<Float>(
                    Float(bits & 0xFF), Float(bits >> 8 & 0xFF), Float(bits >> 16 & 0xFF), Float(bits >> 24))
                part += channels * across[step]
            }
            sum += part * down[line]
        }
        // Premultiplied channels stay at or below the opacity.
        let opacity = min(max(sum.w.rounded(), 0), 255)
        let bytes = SIMD4<UInt32>(
            sum.rounded(.toNearestOrAwayFromZero).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: opacity)))
        return UInt32(opacity) << 24 | bytes.z << 16 | bytes.y << 8 | bytes.x
    }

    /// Returns the weights of four pixels in a row (Keys, 1981).
    private static func cubicWeights(_ share: Float) -> SIMD4<Float> {
        let distances = SIMD4(1 + share, share, 1 - share, 2 - share), a: Float = -0.5
        func near(_ d: Float) -> Float { ((a + 2) * d - (a + 3)) * d * d + 1 }
        func far(_ d: Float) -> Float { ((a * d - 5 * a) * d + 8 * a) * d - 4 * a }
        return SIMD4(far(distances.x), near(distances.y), near(distances.z), far(distances.w))
    }

    @inline(__always)
    private func pixel(_ texels: UnsafePointer<UInt32>, _ column: Int, _ row: Int) -> UInt32 {
        if edges == .smooth, column < 0 || row < 0 || column >= width || row >= height { return 0 }
        let x = min(max(column, columns.lowerBound), columns.upperBound &- 1)
        return unsafe texels[min(max(row, rows.lowerBound), rows.upperBound &- 1) &* stride &+ x]
    }
}

extension ImageWindow {
    /// Calls `body` with the pixels.
    ///
    /// The argument is the address of the whole picture's first pixel if its rows had the part's length. Only pixels of
    /// the part may be read.
    @inline(__always)
    func withTexels(_ body: (UnsafePointer<UInt32>) -> Void) {
        unsafe pixels.pixels.withUnsafeBufferPointer { texels in
            guard let first = texels.baseAddress else { return }
            unsafe body(first - (rows.lowerBound &* pixels.width &+ columns.lowerBound))
        }
    }
}

extension PaintImage {
    /// The treatment of the edges of a picture that is scaled, rotated or drawn between pixels.
    public enum Edges: Sendable, Hashable {
        /// A pixel is painted if its centre is on the picture, with the outermost pixels' colour up to the edge.
        ///
        /// Adjacent pictures, such as map tiles, have no gaps.
        case clamped
        /// The picture is transparent outside, so that its edge is antialiased: suitable for symbols.
        case smooth
    }
}

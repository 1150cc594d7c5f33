/// Some rows of a picture, lent to be painted on.
///
/// The bound: from `first` on lie `size.width · range.count` pixels, those of the rows in `range`; they are lent for
/// as long as the closure works that was given these rows.
@safe struct PixelRows {
    private let first: UnsafeMutablePointer<UInt32>
    /// Width and height of the whole picture in pixels.
    let size: ImageSize
    /// The numbers of the rows, from the picture's top.
    let range: Range<Int>

    init(_ first: UnsafeMutablePointer<UInt32>, of size: ImageSize, _ range: Range<Int>) {
        unsafe self.first = first
        self.size = size
        self.range = range
    }

    /// The first pixel of a row in `range`; there are `size.width` of them.
    @inline(__always)
    func row(_ number: Int) -> UnsafeMutablePointer<UInt32> {
        unsafe first + (number &- range.lowerBound) &* size.width
    }

    /// Those of the rows that are in a part of `range`.
    func part(_ part: Range<Int>) -> PixelRows {
        precondition(range.contains(part.lowerBound) && part.upperBound <= range.upperBound, "the rows are there")
        return unsafe PixelRows(row(part.lowerBound), of: size, part)
    }

    /// Those of the rows on which something between two ys may lie.
    func part(within extent: ClosedRange<Double>) -> PixelRows {
        let low = Double(range.lowerBound), high = Double(range.upperBound)
        let top = Int(min(max(extent.lowerBound.rounded(.down), low), high))
        let bottom = Int(min(max(extent.upperBound.rounded(.up), Double(top)), high))
        return unsafe PixelRows(row(top), of: size, top..<bottom)
    }

    /// Gives every pixel the same value.
    func fill(_ pixel: Pixel) {
        let count = size.width * range.count, start = min(count, 2048)
        unsafe first.update(repeating: pixel.bits, count: start)
        // Copies of what is still in the nearest cache.
        var filled = start
        while filled < count {
            let piece = min(start, count - filled)
            unsafe (first + filled).update(from: first, count: piece)
            filled += piece
        }
    }

    /// Lends clear rows in the place of these for as long as `body` works.
    func withSheet(_ body: (PixelRows) -> Void) {
        var pixels = [UInt32](repeating: 0, count: size.width * range.count)
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            if let start = pixels.baseAddress { unsafe body(PixelRows(start, of: size, range)) }
        }
    }
}

extension PixelBuffer {
    /// Lends all rows for as long as `body` works.
    mutating func withRows(_ body: (PixelRows) -> Void) {
        let size = size
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            if let start = pixels.baseAddress { unsafe body(PixelRows(start, of: size, 0..<size.height)) }
        }
    }
}

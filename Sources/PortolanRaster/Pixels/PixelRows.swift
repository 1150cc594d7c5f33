import CPrefetch
import Dispatch

/// A range of rows of a picture, borrowed for painting.
///
/// Memory safety: at `first` there are `size.width · range.count` pixels, those of the rows in `range`; they are valid
/// for the duration of the closure that receives the rows.
@safe struct PixelRows {
    private let first: UnsafeMutablePointer<UInt32>
    /// The width and height of the whole picture in pixels.
    let size: ImageSize
    /// The row numbers, from the top of the picture.
    let range: Range<Int>

    init(_ first: UnsafeMutablePointer<UInt32>, of size: ImageSize, _ range: Range<Int>) {
        unsafe self.first = first
        self.size = size
        self.range = range
    }

    /// Returns a pointer to the first pixel of a row in `range`; there are `size.width` of them.
    @inline(__always)
    func row(_ number: Int) -> UnsafeMutablePointer<UInt32> {
        unsafe first + (number &- range.lowerBound) &* size.width
    }

    /// Prefetches the pixels near a column, for those of the rows that are in the range.
    @inline(__always)
    func prefetch(_ rows: Range<Int>, column: Int) {
        for row in rows.clamped(to: range) { unsafe prefetch_to_write(self.row(row) + column) }
    }

    /// Returns the rows of a subrange of `range`.
    func part(_ part: Range<Int>) -> PixelRows {
        precondition(range.contains(part.lowerBound) && part.upperBound <= range.upperBound, "the rows are there")
        return unsafe PixelRows(row(part.lowerBound), of: size, part)
    }

    /// Returns the rows that intersect a vertical range.
    func part(within extent: ClosedRange<Double>) -> PixelRows {
        let low = Double(range.lowerBound), high = Double(range.upperBound)
        let top = Int(min(max(extent.lowerBound.rounded(.down), low), high))
        let bottom = Int(min(max(extent.upperBound.rounded(.up), Double(top)), high))
        return unsafe PixelRows(row(top), of: size, top..<bottom)
    }

    /// Sets every pixel to a value.
    func fill(_ pixel: Pixel) {
        let count = size.width * range.count, start = min(count, 2048)
        unsafe first.update(repeating: pixel.bits, count: start)
        // Copies from the beginning, which is still in the nearest cache.
        var filled = start
        while filled < count {
            let piece = min(start, count - filled)
            unsafe (first + filled).update(from: first, count: piece)
            filled += piece
        }
    }

    /// Calls `body` with transparent rows of the same range.
    func withSheet(_ body: (PixelRows) -> Void) {
        var pixels = [UInt32](repeating: 0, count: size.width * range.count)
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            if let start = pixels.baseAddress { unsafe body(PixelRows(start, of: size, range)) }
        }
    }
}

extension PixelBuffer {
    /// Calls `body` with all rows, which are those of a picture starting at a row.
    mutating func withRows(of picture: ImageSize, from first: Int, _ body: (PixelRows) -> Void) {
        precondition(picture.width == width && first >= 0 && first + height <= picture.height, "rows of the picture")
        let range = first..<first + height
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            if let start = pixels.baseAddress { unsafe body(PixelRows(start, of: picture, range)) }
        }
    }
}

extension PixelRows {
    /// Lets each worker paint a part of the rows, concurrently if there are several.
    ///
    /// - Parameter bounds: the rows at which the parts begin and end, at most one more than there are workers.
    func share<Worker>(
        among workers: inout [Worker], at bounds: [Int], _ body: @Sendable (inout Worker, PixelRows) -> Void
    ) {
        let count = bounds.count - 1
        precondition(count > 0 && count <= workers.count, "each part has its worker")
        guard count > 1 else { return body(&workers[0], part(bounds[0]..<bounds[1])) }
        unsafe workers.withUnsafeMutableBufferPointer { workers in
            // Each thread accesses only its own worker and the rows of its part; no two parts share a row.
            nonisolated(unsafe) let rows = self, workers = unsafe workers
            DispatchQueue.concurrentPerform(iterations: count) { index in
                guard bounds[index] < bounds[index + 1] else { return }
                unsafe body(&workers[index], rows.part(bounds[index]..<bounds[index + 1]))
            }
        }
    }
}

extension PixelBuffer {
    /// An image at a position of a larger one.
    package struct Piece: Sendable {
        /// The image.
        package let image: PixelBuffer
        /// The column of its left edge, and the row of its top edge.
        package let x: Int, y: Int

        /// Creates a piece; one that is outside the picture is ignored when it is stitched.
        package init(image: PixelBuffer, x: Int, y: Int) {
            self.image = image
            self.x = x
            self.y = y
        }

        /// Replaces the pixels on a range of rows by the image.
        fileprivate func copy(to rows: PixelRows) {
            let range = (y..<y + image.height).clamped(to: rows.range)
            let columns = max(x, 0)..<min(x + image.width, rows.size.width)
            guard !range.isEmpty else { return }
            unsafe image.pixels.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress else { return }
                for row in range {
                    unsafe (rows.row(row) + columns.lowerBound).update(
                        from: source + ((row - y) * image.width + columns.lowerBound - x), count: columns.count)
                }
            }
        }
    }

    /// Stitches a picture from pieces on up to `threads` threads; later pieces replace earlier ones, and uncovered
    /// pixels are transparent.
    ///
    /// - Complexity: O(pixels + pieces · threads).
    package init(size: ImageSize, stitching pieces: [Piece], threads: Int = 1) {
        // The comparisons also bound the positions, so that no sum below can overflow.
        let pieces = pieces.filter {
            $0.x < size.width && $0.y < size.height && $0.x > -$0.image.width && $0.y > -$0.image.height
        }
        self.size = size
        pixels = unsafe [UInt32](unsafeUninitializedCapacity: size.pixelCount) { room, count in
            count = size.pixelCount
            guard let start = room.baseAddress else { return }
            let parts = max(min(threads, size.height / 64), 1)
            var workers = [Int](repeating: 0, count: parts)
            let rows = unsafe PixelRows(start, of: size, 0..<size.height)
            rows.share(among: &workers, at: (0...parts).map { size.height * $0 / parts }) { _, rows in
                // A few rows at a time, which are still in the nearest caches when the pieces are copied to them.
                for first in stride(from: rows.range.lowerBound, to: rows.range.upperBound, by: 16) {
                    let range = first..<min(first + 16, rows.range.upperBound)
                    unsafe rows.row(first).initialize(repeating: 0, count: size.width * range.count)
                    for piece in pieces { piece.copy(to: rows.part(range)) }
                }
            }
        }
    }
}

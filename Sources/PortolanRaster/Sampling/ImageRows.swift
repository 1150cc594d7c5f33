/// Bilinear rows of a picture that is scaled and shifted but not turned: first down its columns, then along the row.
///
/// The results are those of ``ImageSampler``, to the last bit.
///
/// Pixels are reached by pointer. The bound: `ImageAxis` gives places from 0 through side + 1, where 1 is the first
/// column, so a place and the next one are within the side + 3 places of `blended`.
struct ImageRows: Sendable {
    var columns = ImageAxis()
    var rows = ImageAxis()
    /// For each of the picture's columns, with one more to the left and two to the right: red and blue, then green
    /// and alpha, each times 256 plus 128 in 32 bits.
    private var blended: [UInt64] = []
    private var result: [UInt32] = []

    /// Gives each row in turn, with its number on the canvas and as many pixels as there are columns.
    mutating func forEach(of image: PixelBuffer, edges: ImageEdges, _ body: (Int, UnsafePointer<UInt32>) -> Void) {
        guard let first = columns.places.first, let last = columns.places.last, !rows.places.isEmpty else { return }
        let width = image.width, height = image.height
        precondition(min(first, last) >= 0 && max(first, last) >> 8 <= width + 1, "places are on the picture")
        if blended.count < (width + 3) * 2 { blended = [UInt64](repeating: 0, count: (width + 3) * 2) }
        if result.count < columns.places.count { result = [UInt32](repeating: 0, count: columns.places.count) }
        // The picture's columns that are needed.
        let low = max(min(first, last) >> 8 - 1, 0), high = min(max(first, last) >> 8 + 1, width)
        let places = columns.places, count = places.count
        unsafe blended.withUnsafeMutableBufferPointer { blended in
            unsafe result.withUnsafeMutableBufferPointer { result in
                unsafe places.withUnsafeBufferPointer { places in
                    unsafe image.pixels.withUnsafeBufferPointer { pixels in
                        guard let blended = blended.baseAddress, let result = result.baseAddress,
                            let places = places.baseAddress, let pixels = pixels.baseAddress
                        else { return }
                        for (row, place) in zip(rows.range, rows.places) {
                            let above = place >> 8 - 1, below = above + 1
                            var belowWeight = place & 255, aboveWeight = 256 - belowWeight
                            if edges == .smooth {
                                if above < 0 || above >= height { aboveWeight = 0 }
                                if below < 0 || below >= height { belowWeight = 0 }
                            }
                            unsafe Self.blend(
                                pixels + min(max(above, 0), height - 1) * width,
                                pixels + min(max(below, 0), height - 1) * width, UInt64(aboveWeight),
                                UInt64(belowWeight), low..<high, into: blended)
                            unsafe Self.pad(blended, width, edges)
                            unsafe Self.sample(blended, places, count, into: result)
                            unsafe body(row, UnsafePointer(result))
                        }
                    }
                }
            }
        }
    }

    /// Blends two of the picture's rows, column by column.
    @inline(__always)
    private static func blend(
        _ above: UnsafePointer<UInt32>, _ below: UnsafePointer<UInt32>, _ aboveWeight: UInt64, _ belowWeight: UInt64,
        _ columns: Range<Int>, into blended: UnsafeMutablePointer<UInt64>
    ) {
        var column = columns.lowerBound
        while column < columns.upperBound {
            let a = unsafe above[column], b = unsafe below[column]
            let target = unsafe blended + (column &+ 1) &* 2
            unsafe target[0] = spread(a) &* aboveWeight &+ spread(b) &* belowWeight &+ half
            unsafe target[1] = spread(a &>> 8) &* aboveWeight &+ spread(b &>> 8) &* belowWeight &+ half
            column &+= 1
        }
    }

    /// Fills the places beside the picture.
    private static func pad(_ blended: UnsafeMutablePointer<UInt64>, _ width: Int, _ edges: ImageEdges) {
        for half in 0..<2 {
            unsafe blended[half] = edges == .smooth ? Self.half : blended[2 + half]
            unsafe blended[(width + 1) * 2 + half] = edges == .smooth ? Self.half : blended[width * 2 + half]
            unsafe blended[(width + 2) * 2 + half] = blended[(width + 1) * 2 + half]
        }
    }

    /// Blends each place's two columns.
    @inline(__always)
    private static func sample(
        _ blended: UnsafePointer<UInt64>, _ places: UnsafePointer<Int>, _ count: Int,
        into result: UnsafeMutablePointer<UInt32>
    ) {
        var index = 0
        while index < count {
            let place = unsafe places[index]
            let pair = unsafe blended + (place &>> 8) &* 2
            let weight = UInt64(truncatingIfNeeded: place & 255)
            // Left times (256 - weight) plus right times weight, in both halves of 64 bits.
            let redBlue = unsafe pair[0] &<< 8 &+ (pair[2] &- pair[0]) &* weight
            let greenAlpha = unsafe pair[1] &<< 8 &+ (pair[3] &- pair[1]) &* weight
            let both = (redBlue &>> 16) & 0x0000_00ff_0000_00ff | (greenAlpha &>> 8) & 0x0000_ff00_0000_ff00
            unsafe result[index] = UInt32(truncatingIfNeeded: both | both &>> 16)
            index &+= 1
        }
    }

    private static let half: UInt64 = 0x0000_0080_0000_0080

    /// A pixel's first and third channel in the halves of 64 bits.
    @inline(__always)
    private static func spread(_ pixel: UInt32) -> UInt64 {
        UInt64(pixel & 0xff) | UInt64(pixel & 0xff_0000) &<< 16
    }
}

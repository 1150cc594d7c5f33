/// Samples the rows of a scaled and shifted picture bilinearly: first down its columns, then along the row.
///
/// The results are identical to those of ``ImageSampler``.
///
/// Pixels are accessed by pointer, four at a time. Memory safety: a position found by `ImageAxis` is from 0 through
/// side + 1, where 1 is the first column, so a position and the next one are within the side + 3 elements of `blended`;
/// the lists of positions and results are padded to multiples of four.
struct ImageRows: Sendable {
    var columns = ImageAxis()
    var rows = ImageAxis()
    /// For each column of the picture, with one more to the left and two to the right: the four channels, each times
    /// 256 plus 128.
    private var blended: [SIMD4<UInt16>] = []
    /// For each column of the canvas, the index of the picture's column to the left of it.
    private var places: [Int] = []
    /// For each column of the canvas, the weights in 256ths of the four channels to the left and to the right of it.
    private var weights: [SIMD8<UInt16>] = []
    private var result: [UInt32] = []

    /// Calls `body` with each row: its number on the canvas, and as many pixels as there are columns.
    mutating func forEach(of image: ImageWindow, edges: PaintImage.Edges, _ body: (Int, UnsafePointer<UInt32>) -> Void)
    {
        guard let first = columns.places.first, let last = columns.places.last, let top = rows.places.first,
            let bottom = rows.places.last
        else { return }
        let width = image.size.width, height = image.size.height, stride = image.columns.count
        let low = min(first, last) >> 8, high = max(first, last) >> 8
        precondition(low >= 0 && high <= width + 1, "places are on the picture")
        prepare(width)
        let used = max(low - 1, 0)..<min(high + 1, width), count = places.count
        let above = min(max(min(top, bottom) >> 8 - 1, 0), height - 1)
        let below = min(max(max(top, bottom) >> 8, 0), height - 1)
        precondition(
            (used.isEmpty || used.clamped(to: image.columns) == used) && image.rows.contains(above)
                && image.rows.contains(below), "all that is sampled is in the window")
        unsafe blended.withUnsafeMutableBufferPointer { blended in
            unsafe result.withUnsafeMutableBufferPointer { result in
                unsafe places.withUnsafeBufferPointer { places in
                    unsafe weights.withUnsafeBufferPointer { weights in
                        unsafe image.withTexels { pixels in
                            guard let blended = blended.baseAddress, let result = result.baseAddress,
                                let places = places.baseAddress, let weights = weights.baseAddress
                            else { return }
                            for (row, place) in zip(rows.range, rows.places) {
                                let above = place >> 8 - 1, below = above + 1
                                var belowWeight = place & 255, aboveWeight = 256 - belowWeight
                                if edges == .smooth {
                                    if above < 0 || above >= height { aboveWeight = 0 }
                                    if below < 0 || below >= height { belowWeight = 0 }
                                }
                                unsafe Self.blend(
                                    pixels + min(max(above, 0), height - 1) * stride,
                                    pixels + min(max(below, 0), height - 1) * stride,
                                    UInt16(aboveWeight), UInt16(belowWeight), used, into: blended + 1)
                                let isSmooth = edges == .smooth, clear = SIMD4<UInt16>(repeating: Self.half)
                                unsafe blended[0] = isSmooth ? clear : blended[1]
                                unsafe blended[width + 1] = isSmooth ? clear : blended[width]
                                unsafe blended[width + 2] = blended[width + 1]
                                unsafe Self.sample(blended, places, weights, count, into: result)
                                unsafe body(row, UnsafePointer(result))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Allocates memory, and computes the positions and weights of the columns.
    private mutating func prepare(_ width: Int) {
        if blended.count < width + 3 { blended = [SIMD4<UInt16>](repeating: SIMD4(), count: width + 3) }
        places.removeAll(keepingCapacity: true)
        weights.removeAll(keepingCapacity: true)
        for place in columns.places {
            let weight = UInt16(place & 255)
            places.append(place >> 8)
            weights.append(
                SIMD8(lowHalf: SIMD4(repeating: 256 - weight), highHalf: SIMD4(repeating: weight)))
        }
        while !places.count.isMultiple(of: 4) {
            places.append(places[places.count - 1])
            weights.append(weights[weights.count - 1])
        }
        if result.count < places.count { result = [UInt32](repeating: 0, count: places.count) }
    }

    /// Blends two rows of the picture, column by column.
    @inline(__always)
    private static func blend(
        _ above: UnsafePointer<UInt32>, _ below: UnsafePointer<UInt32>, _ aboveWeight: UInt16, _ belowWeight: UInt16,
        _ columns: Range<Int>, into blended: UnsafeMutablePointer<SIMD4<UInt16>>
    ) {
        let aboveWeights = SIMD16(repeating: aboveWeight), belowWeights = SIMD16(repeating: belowWeight)
        var column = columns.lowerBound
        while column &+ 4 <= columns.upperBound {
            let a = unsafe UnsafeRawPointer(above + column).loadUnaligned(as: SIMD16<UInt8>.self)
            let b = unsafe UnsafeRawPointer(below + column).loadUnaligned(as: SIMD16<UInt8>.self)
            let sum =
                a.widened &* aboveWeights &+ b.widened &* belowWeights &+ SIMD16(repeating: half)
            unsafe UnsafeMutableRawPointer(blended + column).storeBytes(of: sum, as: SIMD16<UInt16>.self)
            column &+= 4
        }
        while column < columns.upperBound {
            let a = unsafe unsafeBitCast(above[column], to: SIMD4<UInt8>.self)
            let b = unsafe unsafeBitCast(below[column], to: SIMD4<UInt8>.self)
            unsafe blended[column] =
                SIMD4<UInt16>(truncatingIfNeeded: a) &* aboveWeights.lowHalf.lowHalf
                &+ SIMD4<UInt16>(truncatingIfNeeded: b) &* belowWeights.lowHalf.lowHalf &+ SIMD4(repeating: half)
            column &+= 1
        }
    }

    /// Blends the two columns of each position.
    @inline(__always)
    private static func sample(
        _ blended: UnsafePointer<SIMD4<UInt16>>, _ places: UnsafePointer<Int>,
        _ weights: UnsafePointer<SIMD8<UInt16>>, _ count: Int, into result: UnsafeMutablePointer<UInt32>
    ) {
        // The added halves, with weights of 256 in sum, round the result.
        @inline(__always)
        func sum(_ index: Int) -> SIMD4<UInt32> {
            let pair = unsafe UnsafeRawPointer(blended + places[index]).loadUnaligned(as: SIMD8<UInt16>.self)
            let product = unsafe pair.widened &* weights[index].widened
            return (product.lowHalf &+ product.highHalf) &>> 16
        }
        var index = 0
        while index < count {
            let two = SIMD8(lowHalf: sum(index), highHalf: sum(index &+ 1)).narrowed
            let others = SIMD8(lowHalf: sum(index &+ 2), highHalf: sum(index &+ 3)).narrowed
            let four = SIMD16(lowHalf: two, highHalf: others).narrowed
            unsafe UnsafeMutableRawPointer(result + index).storeBytes(of: four, as: SIMD16<UInt8>.self)
            index &+= 4
        }
    }

    private static let half: UInt16 = 128
}

/// The positions of the canvas's columns or rows on a scaled and shifted picture.
struct ImageAxis: Sendable {
    /// The contiguous range of columns whose centres are on the picture.
    private(set) var range = 0..<0
    /// For each of them, 256 · (1 + the picture's column to the left) + the fraction toward the next one in 256ths.
    private(set) var places: [Int] = []

    /// Computes the positions of those `candidates` whose position `scale · (column + 1/2) + offset` is on the picture.
    mutating func locate(
        _ candidates: Range<Int>, scale: Double, offset: Double, isOnPicture: (Double) -> Bool
    ) {
        places.removeAll(keepingCapacity: true)
        var start = candidates.lowerBound
        for column in candidates {
            let position = scale * (Double(column) + 0.5) + offset
            if isOnPicture(position) {
                places.append(ImageSampler.fixed(position) + 256)
            } else if places.isEmpty {
                start = column + 1
            } else {
                break
            }
        }
        range = start..<(start + places.count)
    }
}

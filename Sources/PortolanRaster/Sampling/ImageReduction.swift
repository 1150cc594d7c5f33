/// Reduces a picture row by row, so that it is never in memory as a whole.
///
/// Each pixel is the exactly rounded mean of the corresponding area.
package struct ImageReduction: Sendable {
    /// The size of the original picture.
    package let size: ImageSize
    /// The size of the reduced picture.
    package let target: ImageSize
    private var pixels: [UInt32] = []
    /// The sums of channel times width for the last row, and of channel times area for the current target row.
    ///
    /// The units are 1/(target width) and 1/(target width · target height) of a pixel; the values are at most 255 ·
    /// 2²⁸.
    private var row: [SIMD4<UInt64>]
    private var sums: [SIMD4<UInt64>]
    private var rowCount = 0

    /// Creates a reduction of a picture to a size that is not larger in any direction.
    package init(of size: ImageSize, to target: ImageSize) {
        precondition(target.width <= size.width && target.height <= size.height, "a reduction does not enlarge")
        self.size = size
        self.target = target
        pixels.reserveCapacity(target.pixelCount)
        row = [SIMD4<UInt64>](repeating: .zero, count: target.width)
        sums = row
    }

    /// Returns the size to which to reduce a picture that is shown in a smaller area: about twice the area's size, by
    /// an integer factor.
    ///
    /// Returns `nil` if the picture is less than four times as large in some direction.
    package static func target(for size: ImageSize, shownIn place: ImageSize) -> ImageSize? {
        let factor = min(size.width / (2 * place.width), size.height / (2 * place.height))
        return factor < 2 ? nil : ImageSize(width: size.width / factor, height: size.height / factor)
    }

    /// Adds the next row, with as many premultiplied pixels as the picture is wide.
    ///
    /// - Complexity: O(pixels of the row).
    package mutating func add(_ pixels: ArraySlice<UInt32>) {
        precondition(pixels.count == size.width && rowCount < size.height, "a row of the picture")
        sumUp(pixels)
        let low = rowCount * target.height, high = low + target.height, cell = low / size.height
        // A row may belong to two rows of the target.
        let border = min(high, (cell + 1) * size.height)
        add(weight: border - low)
        if border == (cell + 1) * size.height { endRow() }
        if border < high { add(weight: high - border) }
        rowCount += 1
    }

    /// Returns the reduced picture after all rows were added.
    package func finish() -> PixelBuffer {
        guard let picture = PixelBuffer(size: target, pixels: pixels) else { preconditionFailure("rows are missing") }
        return picture
    }

    private mutating func sumUp(_ pixels: ArraySlice<UInt32>) {
        let pixels = pixels.span
        func channels(_ index: Int) -> SIMD4<UInt32> {
            let pixel = pixels[index]
            return SIMD4(pixel & 0xFF, pixel &>> 8 & 0xFF, pixel &>> 16 & 0xFF, pixel &>> 24)
        }
        for column in 0..<target.width {
            let low = column * size.width, high = low + size.width
            let first = low / target.width, last = (high - 1) / target.width
            if first == last {
                row[column] = SIMD4(truncatingIfNeeded: channels(first)) &* UInt64(high - low)
                continue
            }
            var whole = SIMD4<UInt32>.zero
            for index in (first + 1)..<max(last, first + 1) { whole &+= channels(index) }
            let before = UInt64((first + 1) * target.width - low), after = UInt64(high - last * target.width)
            row[column] =
                SIMD4(truncatingIfNeeded: channels(first)) &* before
                &+ SIMD4(truncatingIfNeeded: whole) &* UInt64(target.width)
                &+ SIMD4(truncatingIfNeeded: channels(last)) &* after
        }
    }

    private mutating func add(weight: Int) {
        for column in row.indices { sums[column] &+= row[column] &* UInt64(weight) }
    }

    private mutating func endRow() {
        let total = UInt64(size.pixelCount)
        for column in sums.indices {
            let mean = (sums[column] &+ total / 2) / total
            pixels.append(UInt32(mean.x | mean.y << 8 | mean.z << 16 | mean.w << 24))
            sums[column] = .zero
        }
    }
}

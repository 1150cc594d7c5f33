extension PixelBuffer {
    /// The picture shrunk to a size no larger in either direction; each pixel is the exactly rounded mean of the area
    /// it stands for.
    ///
    /// - Complexity: O(pixels of this picture).
    package func reduced(to target: ImageSize) -> PixelBuffer {
        precondition(target.width <= width && target.height <= height, "a reduction does not enlarge")
        guard target != size else { return self }
        var result = PixelBuffer(size: target)
        // Sums of channel times area, in units of 1/(target width · target height) of a pixel; at most 255 · 2²⁸.
        var sums = [UInt64](repeating: 0, count: target.width * 4)
        let total = UInt64(size.pixelCount)
        for row in 0..<target.height {
            for index in sums.indices { sums[index] = 0 }
            for (sourceRow, rowWeight) in Self.parts(of: row, from: height, to: target.height) {
                for column in 0..<target.width {
                    for (sourceColumn, columnWeight) in Self.parts(of: column, from: width, to: target.width) {
                        let pixel = pixels[sourceRow * width + sourceColumn], weight = rowWeight * columnWeight
                        for channel in 0..<4 {
                            sums[column * 4 + channel] += UInt64(pixel >> UInt32(channel * 8) & 0xff) * weight
                        }
                    }
                }
            }
            for column in 0..<target.width {
                var pixel: UInt32 = 0
                for channel in 0..<4 {
                    let mean = (sums[column * 4 + channel] + total / 2) / total
                    pixel |= UInt32(truncatingIfNeeded: mean) << UInt32(channel * 8)
                }
                result.pixels[row * target.width + column] = pixel
            }
        }
        return result
    }

    /// The source cells that a target cell overlaps, with the overlaps in units of 1/`target` of a source cell.
    private static func parts(
        of cell: Int, from source: Int, to target: Int
    ) -> some Sequence<(index: Int, weight: UInt64)> {
        let low = cell * source, high = low + source
        return (low / target..<(high + target - 1) / target).lazy.map { index in
            (index, UInt64(min(high, (index + 1) * target) - max(low, index * target)))
        }
    }

    /// The size to which the picture is reduced before it is sampled with steps of this many of its pixels: whole
    /// factors that leave steps of at least one pixel, and none below a step of two.
    func sizeForSampling(stepX: Double, stepY: Double) -> ImageSize {
        func side(_ length: Int, _ step: Double) -> Int {
            guard step >= 2 else { return length }
            let factor = step < Double(length) ? Int(step) : length
            return (length + factor - 1) / factor
        }
        return ImageSize(width: side(width, stepX), height: side(height, stepY)) ?? size
    }
}

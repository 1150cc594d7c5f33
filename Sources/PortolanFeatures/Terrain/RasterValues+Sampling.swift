package import PortolanRaster

extension RasterValues {
    /// The approximate memory in bytes.
    package var byteCount: Int { values.count * MemoryLayout<Float>.stride }

    /// Returns the value of a sample, or NaN outside of the grid.
    package func value(_ x: Int, _ y: Int) -> Float {
        x >= 0 && y >= 0 && x < width && y < height ? values[y * width + x] : .nan
    }

    /// Returns the value at a position, interpolated between the four samples around it; NaN if none of them has data.
    ///
    /// The centre of the first sample is at 0, 0. Within half a sample beyond the outermost centres the nearest values
    /// are used. Samples without data are left out of the mean.
    package func value(atX x: Double, y: Double) -> Double {
        guard x >= -0.5, y >= -0.5, x <= Double(width) - 0.5, y <= Double(height) - 0.5 else { return .nan }
        let left = min(max(x, 0), Double(width - 1)), top = min(max(y, 0), Double(height - 1))
        let column = min(Int(left), max(width - 2, 0)), row = min(Int(top), max(height - 2, 0))
        let shareX = left - Double(column), shareY = top - Double(row)
        var sum = 0.0, weights = 0.0
        for (down, weightY) in [(0, 1 - shareY), (1, shareY)] where weightY > 0 {
            for (right, weightX) in [(0, 1 - shareX), (1, shareX)] where weightX > 0 {
                let value = value(column + right, row + down)
                guard !value.isNaN else { continue }
                sum += Double(value) * weightX * weightY
                weights += weightX * weightY
            }
        }
        return weights > 0 ? sum / weights : .nan
    }

    /// The lowest and the highest value, or `nil` without data.
    package var range: ClosedRange<Float>? {
        var low = Float.infinity, high = -Float.infinity
        for value in values where value.isFinite {
            low = min(low, value)
            high = max(high, value)
        }
        return low <= high ? low...high : nil
    }
}

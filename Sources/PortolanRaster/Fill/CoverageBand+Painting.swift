extension CoverageBand.Rows {
    /// Paints a row with one colour through the coverage gathered for it, and clears the row.
    ///
    /// - Parameters:
    ///   - row: the row in the band.
    ///   - rule: which places are inside.
    ///   - used: the words among which are all set bits.
    ///   - brush: the colour.
    ///   - pixels: the first of the picture row's pixels; there are `width` of them.
    ///   - width: the picture's width, at most two less than the cells in a row.
    @inline(__always)
    func paint(
        _ row: Int, _ rule: FillRule, words used: ClosedRange<Int>, _ brush: Brush,
        _ pixels: UnsafeMutablePointer<UInt32>, width: Int
    ) {
        let cells = unsafe self.cells + row &* stride, touched = unsafe self.touched + row &* words
        var area: Int64 = 0, painted = 0
        var word = used.lowerBound
        while word <= used.upperBound {
            var bits = unsafe touched[word]
            if bits != 0 { unsafe touched[word] = 0 }
            while bits != 0 {
                let column = (word &<< 6 &+ bits.trailingZeroBitCount) &<< 2
                bits &= bits &- 1
                if painted < column {
                    // Between touched blocks the coverage stays the same.
                    let coverage = rule.coverage(area)
                    if coverage != 0 {
                        unsafe brush.paint(pixels + painted, min(column, width) &- painted, coverage: coverage)
                    }
                }
                let cell = unsafe cells + column
                let area0 = unsafe area &+ cell[0]
                let area1 = unsafe area0 &+ cell[1]
                let area2 = unsafe area1 &+ cell[2]
                area = unsafe area2 &+ cell[3]
                unsafe cell[0] = 0
                unsafe cell[1] = 0
                unsafe cell[2] = 0
                unsafe cell[3] = 0
                let four = SIMD4(
                    rule.coverage(area0), rule.coverage(area1), rule.coverage(area2), rule.coverage(area))
                if column &+ 4 <= width {
                    unsafe brush.paint(pixels + column, coverage: four)
                } else {
                    for index in 0..<max(width &- column, 0) {
                        unsafe brush.paint(pixels + (column &+ index), 1, coverage: four[index])
                    }
                }
                painted = column &+ 4
            }
            word &+= 1
        }
        let coverage = rule.coverage(area)
        if painted < width, coverage != 0 {
            unsafe brush.paint(pixels + painted, width &- painted, coverage: coverage)
        }
    }
}

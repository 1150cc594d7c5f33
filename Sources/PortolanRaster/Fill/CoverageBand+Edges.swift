extension CoverageBand.Rows {
    /// Adds the part of an edge that is above `bottom`, and tells whether something is left below.
    ///
    /// - Parameters:
    ///   - edge: an edge that begins in the band; its upper end moves to where the rest begins.
    ///   - top: the band's first row.
    ///   - bottom: the y below the band's last row.
    @inline(__always)
    func add(_ edge: inout Edge, top: Int, bottom: Int64) -> Bool {
        let direction = Int64(edge.direction)
        var row = Int(truncatingIfNeeded: edge.y0 &>> Edge.yBits) &- top
        var boundary = ((edge.y0 &>> Edge.yBits) &+ 1) &<< Edge.yBits
        if edge.y1 <= boundary {
            addPiece(row, edge.x0, edge.x1, (edge.y1 &- edge.y0) &* direction, inverse: 0)
            return false
        }
        var x = edge.x0
        if !edge.isEntered {
            x = edge.enter(boundary)
            addPiece(row, edge.x0, x, (boundary &- edge.y0) &* direction, inverse: 0)
            row &+= 1
        } else {
            boundary = edge.y0
        }
        let last = min(bottom, edge.y1 & ~(Edge.rowHeight - 1))
        if boundary < last {
            let step = edge.step, height = Edge.rowHeight &* direction
            let inverse = step == 0 ? 0 : 1 / Double(abs(step))
            while boundary < last {
                addPiece(row, x, x &+ step, height, inverse: inverse)
                x = x &+ step
                row &+= 1
                boundary = boundary &+ Edge.rowHeight
            }
        }
        if boundary == bottom, edge.y1 > bottom {
            edge.x0 = x
            edge.y0 = bottom
            return true
        }
        if edge.y1 > boundary { addPiece(row, x, edge.x1, (edge.y1 &- boundary) &* direction, inverse: 0) }
        return false
    }

    /// Adds what an edge crosses of one row.
    ///
    /// - Parameters:
    ///   - xa: one end's x.
    ///   - xb: the other end's x.
    ///   - height: how much of the row's height the piece crosses, negative for an upward edge.
    ///   - inverse: 1 over the distance of the two x, or 0 when it is not known.
    @inline(__always)
    private func addPiece(_ row: Int, _ xa: Int64, _ xb: Int64, _ height: Int64, inverse: Double) {
        let left = min(xa, xb), right = max(xa, xb)
        let first = Int(truncatingIfNeeded: left &>> Edge.xBits), last = Int(truncatingIfNeeded: right &>> Edge.xBits)
        let cell = unsafe cells + (row &* stride &+ first)
        if first == last {
            // Twice the mean distance from the cell's left side, to 2⁻³¹ of a pixel.
            let part = (left &+ right &- Int64(truncatingIfNeeded: first) &<< (Edge.xBits + 1)) &>> 11
            let beyond = (height &* part) &>> 30
            unsafe cell[0] &+= height &- beyond
            unsafe cell[1] &+= beyond
        } else {
            let boundary = Int64(truncatingIfNeeded: first &+ 1) &<< Edge.xBits
            let slope = Double(height) * (inverse == 0 ? 1 / Double(right &- left) : inverse)
            let before = Double(boundary &- left)
            let after = Double(right &- Int64(truncatingIfNeeded: last) &<< Edge.xBits)
            let firstArea = Int64(slope * before * before * (0.5 / Double(Edge.pixelWidth)))
            let lastArea = Int64(slope * after * after * (0.5 / Double(Edge.pixelWidth)))
            unsafe cell[0] &+= firstArea
            let count = last &- first
            if count == 1 {
                unsafe cell[1] &+= height &- firstArea &- lastArea
                unsafe cell[2] &+= lastArea
            } else {
                let second = Int64(slope * (before + Double(Edge.pixelWidth / 2)))
                let each = Int64(slope * Double(Edge.pixelWidth))
                unsafe cell[1] &+= second &- firstArea
                var index = 2
                while index < count {
                    unsafe cell[index] &+= each
                    index &+= 1
                }
                unsafe cell[count] &+= height &- lastArea &- second &- each &* Int64(truncatingIfNeeded: count &- 2)
                unsafe cell[count &+ 1] &+= lastArea
            }
        }
        let words = unsafe touched + row &* words
        var block = first &>> 2
        let lastBlock = (last &+ 1) &>> 2
        unsafe words[block &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: block & 63)
        while block < lastBlock {
            block &+= 1
            unsafe words[block &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: block & 63)
        }
    }
}

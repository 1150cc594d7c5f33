import Dispatch

extension PixelRows {
    /// Paints the operations, in their order, with each painter on rows of its own.
    func paint(_ drawing: Drawing, with painters: inout [RowPainter]) {
        let count = painters.count
        unsafe painters.withUnsafeMutableBufferPointer { painters in
            // Each thread reaches only its own painter and the rows of its part; no two parts have a row in common.
            nonisolated(unsafe) let rows = self, painters = unsafe painters
            DispatchQueue.concurrentPerform(iterations: count) { index in
                let all = unsafe rows, start = all.range.lowerBound, height = all.range.count
                let part = start + height * index / count..<start + height * (index + 1) / count
                unsafe painters[index].paint(drawing, on: all.part(part))
            }
        }
    }
}

import Dispatch
import Synchronization

extension Canvas {
    /// The fewest rows for which another thread is worth its while.
    private static let minimumRows = 16

    /// Paints recorded operations on up to `threads` threads; the bytes do not depend on their number.
    ///
    /// Each thread paints the operations, in their order, on some rows of the picture. It works on a copy of them, so
    /// another picture's worth of memory is taken while several threads paint.
    public mutating func paint(_ drawing: Drawing, threads: Int = 1) {
        let count = min(threads, size.height / Self.minimumRows)
        guard count > 1 else { return drawing.operations.forEach { paint($0.operation) } }
        for part in parts(drawing, count) {
            buffer.replaceRows(from: part.rows.lowerBound - rows.lowerBound, with: part.buffer)
        }
    }

    /// Paints all parts of the picture at the same time.
    private func parts(_ drawing: Drawing, _ count: Int) -> [Canvas] {
        let done = Mutex<[Canvas]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let first = rows.count * index / count, end = rows.count * (index + 1) / count
            guard let copy = buffer.rows(first..<end) else { return }
            var part = Canvas(copy, size: size, firstRow: rows.lowerBound + first)
            let top = Double(part.rows.lowerBound), bottom = Double(part.rows.upperBound)
            for (operation, extent) in drawing.operations {
                if let extent, extent.upperBound < top || extent.lowerBound > bottom { continue }
                part.paint(operation)
            }
            done.withLock { [part] in $0.append(part) }
        }
        return done.withLock { $0 }
    }

    private mutating func paint(_ operation: Drawing.Operation) {
        switch operation {
        case .clear(let color): clear(to: color)
        case .fill(let path, let rule, let color): fill(path, rule: rule, color: color)
        case .stroke(let path, let style, let color): stroke(path, style: style, color: color)
        case .draw(let image, let x, let y, let opacity): draw(image, atX: x, y: y, opacity: opacity)
        case .copy(let image, let x, let y): copy(image, atX: x, y: y)
        case .transform(let image, let transform, let opacity, let edges):
            draw(image, transform: transform, opacity: opacity, edges: edges)
        case .warp(let image, let mesh, let opacity): draw(image, through: mesh, opacity: opacity)
        }
    }
}

extension PixelBuffer {
    /// Some of the rows as a picture of their own, or `nil` when there are none.
    func rows(_ range: Range<Int>) -> PixelBuffer? {
        guard let size = ImageSize(width: width, height: range.count) else { return nil }
        return PixelBuffer(
            size: size, pixels: Array(pixels[(range.lowerBound * width)..<(range.upperBound * width)]))
    }

    /// Puts another picture's rows, as wide as this one's, in place of those from `first` on.
    mutating func replaceRows(from first: Int, with part: PixelBuffer) {
        precondition(part.width == width && first >= 0 && first + part.height <= height, "the rows are there")
        copyMemory(of: part, toPixel: first * width)
    }
}

/// The importance of the vertices of lines and rings: the squared tolerance of Douglas–Peucker below which a vertex is
/// kept.
///
/// It is computed once and serves all zoom levels. A vertex has the same importance whatever part of its line is
/// visible.
struct LineImportance {
    /// The number of vertices after which one is always kept, which bounds the quadratic worst case.
    private static let pieceLength = 1024

    private var stack: [(first: Int, last: Int, limit: Float)] = []

    /// Computes the importance of the vertices in a range: infinite at both ends.
    mutating func compute(_ x: [Double], _ y: [Double], _ range: Range<Int>, into importance: inout [Float]) {
        guard let first = range.first, let last = range.last else { return }
        importance[first] = .infinity
        importance[last] = .infinity
        var start = first
        while start < last {
            let end = min(start + Self.pieceLength, last)
            importance[end] = .infinity
            stack.append((start, end, .infinity))
            split(x, y, &importance)
            start = end
        }
    }

    private mutating func split(_ x: [Double], _ y: [Double], _ importance: inout [Float]) {
        let xs = x.span, ys = y.span
        var result = importance.mutableSpan
        while let (first, last, limit) = stack.popLast() {
            guard last - first > 1 else { continue }
            let ax = xs[first], ay = ys[first], dx = xs[last] - ax, dy = ys[last] - ay
            let length = dx * dx + dy * dy, inverse = length > 0 ? 1 / length : 0
            var farthest = first + 1, greatest = -1.0
            for index in (first + 1)..<last {
                let px = xs[index] - ax, py = ys[index] - ay
                let along = px * dx + py * dy
                var distance: Double
                if along <= 0 {
                    distance = px * px + py * py
                } else if along >= length {
                    let qx = px - dx, qy = py - dy
                    distance = qx * qx + qy * qy
                } else {
                    let across = px * dy - py * dx
                    distance = across * across * inverse
                }
                // Coordinates that are not finite are kept.
                if !distance.isFinite { distance = .greatestFiniteMagnitude }
                if distance > greatest {
                    greatest = distance
                    farthest = index
                }
            }
            // No vertex is kept without those that led to it.
            let own = min(Float(greatest), limit)
            result[farthest] = own
            stack.append((farthest, last, own))
            stack.append((first, farthest, own))
        }
    }
}

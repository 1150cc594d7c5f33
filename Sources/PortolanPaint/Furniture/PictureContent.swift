import PortolanRaster

/// The parts of a picture that marks, lines and areas of its layers take, from which furniture keeps away.
package struct PictureContent: Sendable {
    /// What a part of a picture contains.
    enum Kind: UInt8, Comparable {
        case nothing, area, line, mark

        static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }

        /// The loss if furniture covers a cell of it.
        fileprivate var weight: Double {
            switch self {
            case .nothing: 0
            // A panel over land or sea alone is no loss, but over land it is a little worse.
            case .area: 0.05
            case .line: 1
            case .mark: 4
            }
        }
    }

    /// The least side of a cell in view pixels.
    static let cell = 4.0

    /// The side of a cell in picture pixels.
    let side: Double
    private let columns: Int, rows: Int
    /// The sums of the weights left of and above each corner of a cell.
    private let weights: [Double]
    /// The numbers of cells with marks left of and above each corner of a cell.
    private let marks: [Int32]
    /// The box of all that is not empty in picture pixels, or `nil` if everything is.
    let extent: Rectangle?

    /// Creates the content from the kinds of its cells, row by row.
    init(_ cells: [Kind], columns: Int, side: Double) {
        self.side = side
        self.columns = columns
        rows = columns == 0 ? 0 : cells.count / columns
        let stride = columns + 1
        var weights = [Double](repeating: 0, count: stride * (rows + 1))
        var marks = [Int32](repeating: 0, count: stride * (rows + 1))
        var (left, right, top, bottom) = (columns, -1, rows, -1)
        for row in 0..<rows {
            var sum = 0.0, count: Int32 = 0
            for column in 0..<columns {
                let kind = cells[row * columns + column]
                if kind > .nothing {
                    (left, right) = (min(left, column), max(right, column))
                    (top, bottom) = (min(top, row), row)
                }
                sum += kind.weight
                if kind == .mark { count += 1 }
                marks[(row + 1) * stride + column + 1] = marks[row * stride + column + 1] + count
                weights[(row + 1) * stride + column + 1] = weights[row * stride + column + 1] + sum
            }
        }
        extent =
            right < left
            ? nil
            : Rectangle(
                minX: Double(left) * side, minY: Double(top) * side, maxX: Double(right + 1) * side,
                maxY: Double(bottom + 1) * side)
        self.weights = weights
        self.marks = marks
    }

    /// Returns the loss if furniture covers a box in picture pixels.
    func weight(in box: Rectangle) -> Double { sum(of: weights, in: box) ?? 0 }

    /// Returns the number of cells with marks in a box in picture pixels.
    func markCount(in box: Rectangle) -> Int { Int(sum(of: marks, in: box) ?? 0) }

    private func sum<Value: SignedNumeric>(of sums: [Value], in box: Rectangle) -> Value? {
        func clamped(_ value: Double, _ limit: Int) -> Int { Int(min(max(value / side, 0), Double(limit))) }
        let left = clamped(box.minX, columns), top = clamped(box.minY, rows)
        let right = clamped((box.maxX + side).nextDown, columns), bottom = clamped((box.maxY + side).nextDown, rows)
        guard left < right, top < bottom else { return nil }
        let stride = columns + 1
        return sums[bottom * stride + right] - sums[top * stride + right] - sums[bottom * stride + left]
            + sums[top * stride + left]
    }

    /// Returns the loss if furniture covers a length of the edge of the map's world in picture pixels.
    func weight(ofEdge length: Double) -> Double { length / side * Kind.mark.weight }

    /// Returns whether furniture in a box covers at most a trace of land or a coast.
    func isNearlyEmpty(in box: Rectangle) -> Bool {
        weight(in: box) <= box.width * box.height / (side * side) * Self.emptyShare
    }

    /// The weight of a cell up to which a box counts as empty.
    private static let emptyShare = 0.004

    /// Returns the index of the position with the least loss; the first one unless another is clearly better.
    static func choice(of weights: [Double]) -> Int {
        guard let first = weights.first, let least = weights.min(), let place = weights.firstIndex(of: least),
            first - least > slightLoss, least < first * 0.6
        else { return 0 }
        return place
    }

    /// Returns the place that covers the fewest marks; the first one unless another covers far fewer.
    static func clearest<Place>(_ places: [Place], _ markCount: (Place) -> Int) -> Place {
        let counts = places.map(markCount)
        guard let least = counts.min(), let index = counts.firstIndex(of: least), least * 2 <= counts[0] else {
            return places[0]
        }
        return places[index]
    }

    /// The difference in weight that is not worth an unusual position.
    static let slightLoss = 20.0
}

package import PortolanGeo

/// Finds the boxes that intersect an extent without a search through all of them.
///
/// It is a packed R-tree: the boxes are sorted along a Hilbert curve, sixteen per node, with all levels in flat arrays.
/// It is immutable.
package struct SpatialIndex: Sendable {
    private static let nodeSize = 16

    /// The number of items, including those without a box.
    package let itemCount: Int

    /// The numbers of the items with a box, in the order of the curve.
    private let items: [Int]

    /// The boxes of the items in that order, followed by those of the nodes level by level, the root last.
    private let boxes: [BoundingBox]

    /// The start index of each level in `boxes`, followed by the total count.
    private let levelStarts: [Int]

    /// Creates an index over boxes.
    ///
    /// Items without a box are never found.
    ///
    /// - Complexity: O(*n* log *n*).
    package init(_ itemBoxes: [BoundingBox?]) {
        itemCount = itemBoxes.count
        var whole: BoundingBox?
        var present: [(item: Int, box: BoundingBox)] = []
        for (item, box) in itemBoxes.enumerated() {
            guard let box else { continue }
            present.append((item, box))
            whole = whole?.union(box) ?? box
        }
        let orders = present.map { entry in whole.map { Self.order(of: entry.box, in: $0) } ?? 0 }
        let sorted = present.indices.sorted {
            orders[$0] == orders[$1] ? present[$0].item < present[$1].item : orders[$0] < orders[$1]
        }
        items = sorted.map { present[$0].item }
        var boxes = sorted.map { present[$0].box }
        var starts = [0]
        while boxes.count - starts[starts.count - 1] > 1 {
            let levelStart = starts[starts.count - 1]
            let levelEnd = boxes.count
            starts.append(levelEnd)
            var first = levelStart
            while first < levelEnd {
                var box = boxes[first]
                for index in (first + 1)..<max(min(first + Self.nodeSize, levelEnd), first + 1) {
                    box = box.union(boxes[index])
                }
                boxes.append(box)
                first += Self.nodeSize
            }
        }
        starts.append(boxes.count)
        self.boxes = boxes
        levelStarts = starts
    }

    /// Creates an index over the geometries of features.
    ///
    /// Features without a geometry are never found.
    package init(_ features: [Feature]) {
        self.init(features.map { $0.geometry?.boundingBox })
    }

    /// Returns the numbers of the items whose boxes intersect an extent, including its border, in ascending order.
    ///
    /// - Complexity: O(log *n* + *k* log *k*) for *k* items found, as a rule, and O(*n* / 64 + *k*) for many.
    package func items(touching extent: Extent) -> [Int] { items(touching: BoundingBox(extent)) }

    /// Returns the numbers of the items whose boxes intersect a box, including its border, in ascending order.
    ///
    /// - Complexity: as for extents.
    package func items(touching box: BoundingBox) -> [Int] {
        guard !items.isEmpty else { return [] }
        var found: [Int] = []
        var stack = [(level: levelStarts.count - 2, index: boxes.count - 1)]
        while let (level, index) = stack.popLast() {
            let own = boxes[index]
            guard own.minX <= box.maxX, own.maxX >= box.minX, own.minY <= box.maxY, own.maxY >= box.minY else {
                continue
            }
            if level == 0 {
                found.append(items[index])
                continue
            }
            let below = levelStarts[level - 1]
            let first = below + (index - levelStarts[level]) * Self.nodeSize
            for child in first..<min(first + Self.nodeSize, levelStarts[level]) { stack.append((level - 1, child)) }
        }
        return ascending(found)
    }

    /// Sorts item numbers.
    ///
    /// Many items are marked in a bit set, which is faster than sorting.
    private func ascending(_ found: [Int]) -> [Int] {
        guard found.count > 64, found.count > itemCount / 256 else { return found.sorted() }
        var marks = [UInt64](repeating: 0, count: itemCount / 64 + 1), sorted: [Int] = []
        for item in found { marks[item >> 6] |= 1 << UInt64(item & 63) }
        sorted.reserveCapacity(found.count)
        for word in marks.indices {
            var bits = marks[word]
            while bits != 0 {
                sorted.append(word << 6 + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
        return sorted
    }

    /// Returns the position of the middle of a box on a Hilbert curve through the box of all.
    package static func order(of box: BoundingBox, in whole: BoundingBox) -> UInt32 {
        HilbertCurve.order(
            x: cell(box.center.x, whole.minX, whole.maxX), y: cell(box.center.y, whole.minY, whole.maxY))
    }

    private static func cell(_ value: Double, _ low: Double, _ high: Double) -> UInt32 {
        // Halves keep the difference of huge numbers finite.
        let fraction = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0
        return UInt32(min(max(fraction, 0), 1) * 65535)
    }
}

/// The order of cells along the Hilbert curve.
///
/// Neighbours on the curve are close on the ground.
package enum HilbertCurve {
    /// Returns the position on the curve through 2¹⁶ × 2¹⁶ cells of the cell at column `x` and row `y`.
    package static func order(x: UInt32, y: UInt32) -> UInt32 {
        var x = x & 0xFFFF, y = y & 0xFFFF
        var order: UInt32 = 0
        var side: UInt32 = 1 << 15
        while side > 0 {
            let right: UInt32 = x & side > 0 ? 1 : 0
            let upper: UInt32 = y & side > 0 ? 1 : 0
            order += side &* side &* ((3 * right) ^ upper)
            if upper == 0 {
                if right == 1 {
                    x = 0xFFFF - x
                    y = 0xFFFF - y
                }
                swap(&x, &y)
            }
            side >>= 1
        }
        return order
    }
}

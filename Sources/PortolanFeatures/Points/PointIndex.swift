package import PortolanGeo

/// A spatial index of points: sorted along a Hilbert curve, with boxes around each 64 points, around each 16 boxes, and
/// so on.
package struct PointIndex: Sendable {
    private static let leafSize = 64
    private static let nodeSize = 16

    /// The row of each point in the order of the curve.
    package let rows: [Int32]
    private let count: Int
    /// The boxes of the leaves, followed by those of the nodes level by level, the root last.
    private let boxes: [Box]
    /// The start index of each level in `boxes`, followed by the total count.
    private let levelStarts: [Int]

    /// A bounding box, initially empty.
    private struct Box {
        var minX = Double.infinity
        var minY = Double.infinity
        var maxX = -Double.infinity
        var maxY = -Double.infinity

        mutating func grow(_ x: Double, _ y: Double) {
            minX = min(minX, x)
            minY = min(minY, y)
            maxX = max(maxX, x)
            maxY = max(maxY, y)
        }

        func touches(_ extent: Extent) -> Bool {
            minX <= extent.maxX && maxX >= extent.minX && minY <= extent.maxY && maxY >= extent.minY
        }

        func isWithin(_ extent: Extent) -> Bool {
            minX >= extent.minX && maxX <= extent.maxX && minY >= extent.minY && maxY <= extent.maxY
        }
    }

    /// Consecutive points along the curve.
    package struct Run: Hashable, Sendable {
        package var range: Range<Int>
        /// Whether all of them are within the requested extent.
        package var isWithin: Bool
    }

    /// Sorts points.
    ///
    /// - Returns: the index, and the ordinates in its order.
    /// - Complexity: O(points).
    static func sorting(_ x: [Double], _ y: [Double]) -> (index: PointIndex, x: [Double], y: [Double]) {
        var whole = Box()
        for index in x.indices { whole.grow(x[index], y[index]) }
        // Halves keep the difference of huge numbers finite.
        let width = whole.maxX / 2 - whole.minX / 2, height = whole.maxY / 2 - whole.minY / 2
        let scaleX = width > 0 ? 32767.5 / width : 0, scaleY = height > 0 ? 32767.5 / height : 0
        let keys = x.indices.map { index -> UInt64 in
            let column = UInt32(min((x[index] / 2 - whole.minX / 2) * scaleX * 2, 65535))
            let row = UInt32(min((y[index] / 2 - whole.minY / 2) * scaleY * 2, 65535))
            return UInt64(HilbertCurve.order(x: column, y: row)) << 32 | UInt64(index)
        }
        let rows = sorted(keys).map { Int32(truncatingIfNeeded: $0 & 0xFFFF_FFFF) }
        let sortedX = rows.map { x[Int($0)] }, sortedY = rows.map { y[Int($0)] }
        return (PointIndex(rows, sortedX, sortedY), sortedX, sortedY)
    }

    private init(_ rows: [Int32], _ x: [Double], _ y: [Double]) {
        self.rows = rows
        count = rows.count
        var boxes: [Box] = [], starts = [0]
        for start in stride(from: 0, to: rows.count, by: Self.leafSize) {
            var box = Box()
            for index in start..<min(start + Self.leafSize, rows.count) { box.grow(x[index], y[index]) }
            boxes.append(box)
        }
        while boxes.count - starts[starts.count - 1] > 1 {
            let start = starts[starts.count - 1], end = boxes.count
            starts.append(end)
            for first in stride(from: start, to: end, by: Self.nodeSize) {
                var box = Box()
                for child in boxes[first..<min(first + Self.nodeSize, end)] {
                    box.grow(child.minX, child.minY)
                    box.grow(child.maxX, child.maxY)
                }
                boxes.append(box)
            }
        }
        starts.append(boxes.count)
        self.boxes = boxes
        levelStarts = starts
    }

    /// Returns numbers in stable order of their upper halves.
    private static func sorted(_ keys: [UInt64]) -> [UInt64] {
        var from = keys, to = [UInt64](repeating: 0, count: keys.count)
        for shift in [32, 43, 54] as [UInt64] {
            var ends = [Int](repeating: 0, count: 2048)
            for key in from { ends[Int(key >> shift & 2047)] += 1 }
            var sum = 0
            for bucket in ends.indices { (ends[bucket], sum) = (sum, sum + ends[bucket]) }
            for key in from {
                let bucket = Int(key >> shift & 2047)
                to[ends[bucket]] = key
                ends[bucket] += 1
            }
            swap(&from, &to)
        }
        return from
    }

    /// Returns an index with the same order for the points in another CRS.
    ///
    /// - Parameter x: NaN for an invalid point, which is in no extent.
    func moved(_ x: [Double], _ y: [Double]) -> PointIndex { PointIndex(rows, x, y) }

    /// Returns the runs of points that may be in any of several extents, each point once.
    package func runs(in extents: [Extent]) -> [Run] {
        guard extents.count > 1 else { return extents.first.map { runs(in: $0) } ?? [] }
        var set = RangeSet<Int>()
        for extent in extents { for run in runs(in: extent) { set.insert(contentsOf: run.range) } }
        return set.ranges.map { Run(range: $0, isWithin: false) }
    }

    /// The bounding box of all points, or `nil` if there are no points.
    package var boundingBox: BoundingBox? {
        boxes.last.flatMap { BoundingBox(minX: $0.minX, minY: $0.minY, maxX: $0.maxX, maxY: $0.maxY) }
    }

    /// Returns the runs that may be in an extent, in the order of the curve.
    ///
    /// - Complexity: O(log points + runs), as a rule.
    package func runs(in extent: Extent) -> [Run] {
        guard count > 0 else { return [] }
        var runs: [Run] = []
        var stack = [(level: levelStarts.count - 2, index: boxes.count - 1)]
        while let (level, index) = stack.popLast() {
            let box = boxes[index]
            guard box.touches(extent) else { continue }
            let isWithin = box.isWithin(extent)
            let number = index - levelStarts[level]
            if isWithin || level == 0 {
                var size = Self.leafSize
                for _ in 0..<level { size *= Self.nodeSize }
                let range = number * size..<min((number + 1) * size, count)
                if let last = runs.last, last.range.upperBound == range.lowerBound, last.isWithin == isWithin {
                    runs[runs.count - 1].range = last.range.lowerBound..<range.upperBound
                } else {
                    runs.append(Run(range: range, isWithin: isWithin))
                }
                continue
            }
            let first = levelStarts[level - 1] + number * Self.nodeSize
            // The stack returns the last child first.
            for child in (first..<min(first + Self.nodeSize, levelStarts[level])).reversed() {
                stack.append((level - 1, child))
            }
        }
        return runs
    }
}

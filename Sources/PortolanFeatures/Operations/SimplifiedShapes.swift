package import PortolanRaster
import Synchronization

/// The visible coordinates of lines and rings at some map scales, kept between pictures next to the projected shapes.
///
/// Only one picture at a time uses the results for a scale; others start without. The results do not depend on this.
package final class SimplifiedShapes: Sendable {
    /// The maximum number of scales.
    private static let maximumCount = 4

    private let budget: ByteAllowance
    /// The results by scale, the least recently used first.
    private let known = Mutex<[SimplifiedParts]>([])

    init(within budget: ByteAllowance) { self.budget = budget }

    deinit { budget.giveBack(known.withLock { $0.reduce(0) { $0 + $1.byteCount } }) }

    /// Removes and returns the results for a scale.
    ///
    /// - Parameters:
    ///   - scale: units of the map's CRS per pixel.
    ///   - partCount: the number of parts of the shapes.
    package func take(scale: Double, partCount: Int) -> SimplifiedParts {
        let found = known.withLock { known in
            known.firstIndex { $0.scale == scale }.map { known.remove(at: $0) }
        }
        budget.giveBack(found?.byteCount ?? 0)
        return found ?? SimplifiedParts(scale: scale, partCount: partCount)
    }

    /// Returns the results for a scale and merges them with those of other pictures.
    ///
    /// The least recently used scales are evicted.
    package func giveBack(_ given: SimplifiedParts) {
        var parts = given
        let other = known.withLock { known in
            known.firstIndex { $0.scale == given.scale }.map { known.remove(at: $0) }
        }
        if let other {
            budget.giveBack(other.byteCount)
            parts.add(other)
        }
        while !budget.take(parts.byteCount) {
            guard let old = known.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            budget.giveBack(old.byteCount)
        }
        let gone = known.withLock { known in
            var gone = known.filter { $0.scale == parts.scale }
            known.removeAll { $0.scale == parts.scale }
            known.append(parts)
            if known.count > Self.maximumCount { gone.append(known.removeFirst()) }
            return gone
        }
        budget.giveBack(gone.reduce(0) { $0 + $1.byteCount })
    }
}

/// The simplified parts of shapes at one map scale.
package struct SimplifiedParts: Sendable {
    /// One simplified part.
    package struct Part: Sendable {
        /// The bounding box of all its coordinates, in the map's CRS.
        package let minX: Double, minY: Double, maxX: Double, maxY: Double
        fileprivate let start: Int32, end: Int32

        /// The range of its coordinates in ``SimplifiedParts/indices``.
        package var range: Range<Int> { Int(start)..<Int(end) }
    }

    private static let unknown: Int32 = -1
    /// Marks a part whose coordinates must be processed each time.
    private static let unfit: Int32 = -2

    /// Units of the map's CRS per pixel.
    let scale: Double
    private var numbers: [Int32]
    private var parts: [Part] = []
    /// The indices of the kept coordinates, part by part.
    package private(set) var indices: [Int32] = []

    init(scale: Double, partCount: Int) {
        self.scale = scale
        numbers = [Int32](repeating: Self.unknown, count: partCount)
    }

    /// The approximate size in bytes.
    var byteCount: Int { numbers.count * 4 + parts.count * 40 + indices.count * 4 + 128 }

    /// Adds results from another picture for parts that are unknown here.
    fileprivate mutating func add(_ other: SimplifiedParts) {
        for number in numbers.indices where numbers[number] == Self.unknown {
            numbers[number] = other.numbers[number]
            guard numbers[number] >= 0 else { continue }
            let part = other.parts[Int(numbers[number])], start = Int32(indices.count)
            indices += other.indices[part.range]
            numbers[number] = Int32(parts.count)
            parts.append(
                Part(
                    minX: part.minX, minY: part.minY, maxX: part.maxX, maxY: part.maxY, start: start,
                    end: Int32(indices.count)))
        }
    }

    /// Returns a simplified part, or `nil` if it must be computed for each picture: if a coordinate is missing, if long
    /// segments may be divided, or if almost nothing remains.
    ///
    /// - Parameters:
    ///   - isRing: whether the part is closed, and its interior matters.
    ///   - tolerance: the maximum deviation from the line in pixels.
    ///   - longSide: the length in pixels from which on a segment may be divided.
    ///   - simplified: a buffer, like `points`, that is reused for the next part.
    /// - Complexity: O(coordinates of the part) the first time.
    package mutating func part(
        _ number: Int, of shapes: ProjectedShapes, isRing: Bool, tolerance: Double, longSide: Double,
        _ simplified: inout SimplifiedLine, _ points: inout [Point]
    ) -> Part? {
        if numbers[number] == Self.unknown {
            numbers[number] = Self.unfit
            thin(
                number, of: shapes, isRing: isRing, tolerance: tolerance, longSide: longSide, &simplified, &points)
        }
        return numbers[number] >= 0 ? parts[Int(numbers[number])] : nil
    }

    private mutating func thin(
        _ number: Int, of shapes: ProjectedShapes, isRing: Bool, tolerance: Double, longSide: Double,
        _ simplified: inout SimplifiedLine, _ points: inout [Point]
    ) {
        let range = shapes.columns.range(ofPart: number)
        guard range.count > 1, range.count < 1 << 14, shapes.bends[number].isFinite else { return }
        let eastings = shapes.x, northings = shapes.y
        let xs = eastings.span, ys = northings.span
        let x = xs[range.lowerBound], y = ys[range.lowerBound]
        guard !isRing || x == xs[range.upperBound - 1] && y == ys[range.upperBound - 1] else { return }
        var minX = x, maxX = x, minY = y, maxY = y, last = Point(x: 0, y: 0)
        points.removeAll(keepingCapacity: true)
        for index in range {
            // Relative to the start of the part, so that the result does not depend on the centre of the picture.
            let point = Point(x: (xs[index] - x) / scale, y: (y - ys[index]) / scale)
            let dx = point.x - last.x, dy = point.y - last.y
            guard dx * dx + dy * dy < 0.99 * longSide * longSide else { return }
            minX = min(minX, xs[index])
            maxX = max(maxX, xs[index])
            minY = min(minY, ys[index])
            maxY = max(maxY, ys[index])
            points.append(point)
            last = point
        }
        guard minX < maxX || minY < maxY else { return }
        if isRing {
            simplified.simplifyRing(points, points.indices, tolerance: tolerance)
        } else {
            simplified.simplify(points, points.indices, tolerance: tolerance)
        }
        guard simplified.points.count > 1 else { return }
        numbers[number] = Int32(parts.count)
        let start = Int32(indices.count)
        // The result is in the order of the input.
        var place = 0
        for point in simplified.points {
            while points[place] != point { place += 1 }
            indices.append(Int32(range.lowerBound + place))
            place += 1
        }
        parts.append(
            Part(minX: minX, minY: minY, maxX: maxX, maxY: maxY, start: start, end: Int32(indices.count)))
    }
}

/// An allowance of bytes that several owners share.
final class ByteAllowance: Sendable {
    private let limit: Int
    private let taken = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// The number of bytes in use.
    var takenCount: Int { taken.load(ordering: .relaxed) }

    /// Takes bytes, or returns `false` if too few remain.
    func take(_ count: Int) -> Bool {
        guard taken.add(count, ordering: .relaxed).newValue <= limit else {
            giveBack(count)
            return false
        }
        return true
    }

    func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

package import PortolanRaster
import Synchronization

/// Which coordinates of lines and rings make a visible difference in maps of some scales, kept from picture to picture beside the
/// projected shapes.
///
/// One picture at a time has what is known of a scale, others begin with nothing: what is found does not depend on it.
package final class SimplifiedShapes: Sendable {
    /// For how many scales something is kept.
    private static let maximumCount = 4

    private let budget: ByteAllowance
    /// What is known, what was used longest ago first.
    private let known = Mutex<[SimplifiedParts]>([])

    init(within budget: ByteAllowance) { self.budget = budget }

    deinit { budget.giveBack(known.withLock { $0.reduce(0) { $0 + $1.byteCount } }) }

    /// Takes out what is known of a scale.
    ///
    /// - Parameters:
    ///   - scale: units of the map's system a pixel.
    ///   - partCount: how many parts the shapes have.
    package func take(scale: Double, partCount: Int) -> SimplifiedParts {
        let found = known.withLock { known in
            known.firstIndex { $0.scale == scale }.map { known.remove(at: $0) }
        }
        budget.giveBack(found?.byteCount ?? 0)
        return found ?? SimplifiedParts(scale: scale, partCount: partCount)
    }

    /// Keeps what is known of a scale, beside what others have found meanwhile; scales that were shown longest ago give way.
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

/// What is left of the parts of some shapes in maps of one scale.
package struct SimplifiedParts: Sendable {
    /// What is left of one part.
    package struct Part: Sendable {
        /// The box around all of its coordinates, in the map's system.
        package let minX: Double, minY: Double, maxX: Double, maxY: Double
        fileprivate let start: Int32, end: Int32

        /// The places of its coordinates in ``SimplifiedParts/indices``.
        package var range: Range<Int> { Int(start)..<Int(end) }
    }

    private static let unknown: Int32 = -1
    /// Of such a part the coordinates have to be looked at each time.
    private static let unfit: Int32 = -2

    /// Units of the map's system a pixel.
    let scale: Double
    private var numbers: [Int32]
    private var parts: [Part] = []
    /// The numbers of the coordinates that are left, part by part.
    package private(set) var indices: [Int32] = []

    init(scale: Double, partCount: Int) {
        self.scale = scale
        numbers = [Int32](repeating: Self.unknown, count: partCount)
    }

    /// About how many bytes it takes.
    var byteCount: Int { numbers.count * 4 + parts.count * 40 + indices.count * 4 + 128 }

    /// Takes over what others know of parts that are not known here.
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

    /// What is left of a part, or `nil` where that cannot be told beforehand: where something is missing, where long segments
    /// may be parted, and where next to nothing is left.
    ///
    /// - Parameters:
    ///   - isRing: whether the part is closed, and its inside counts.
    ///   - tolerance: how far a line may be from the line given, in pixels.
    ///   - longSide: from how many pixels on a segment may be parted.
    ///   - simplified: working memory, as `points` is, that one part leaves for the next.
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
        let xs = shapes.x.span, ys = shapes.y.span
        let x = xs[range.lowerBound], y = ys[range.lowerBound]
        guard !isRing || x == xs[range.upperBound - 1] && y == ys[range.upperBound - 1] else { return }
        var minX = x, maxX = x, minY = y, maxY = y, last = Point(x: 0, y: 0)
        points.removeAll(keepingCapacity: true)
        for index in range {
            // About its beginning: wherever the picture's middle lies, the same is left.
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
        // What is left is in the order of what was given.
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

/// So many bytes that several may take of, and no more.
final class ByteAllowance: Sendable {
    private let limit: Int
    private let taken = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// How many bytes are taken.
    var takenCount: Int { taken.load(ordering: .relaxed) }

    /// Takes bytes, or tells that there are not so many left.
    func take(_ count: Int) -> Bool {
        guard taken.add(count, ordering: .relaxed).newValue <= limit else {
            giveBack(count)
            return false
        }
        return true
    }

    func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

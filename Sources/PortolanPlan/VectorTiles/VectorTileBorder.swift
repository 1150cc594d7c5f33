import PortolanGeo

/// A line between columns or rows of squares.
struct VectorTileBorder: Hashable {
    let isVertical: Bool
    /// The column to the right of it, or the row below it.
    let index: Int
}

/// An end of a line at a border.
struct VectorTileEnd {
    let border: VectorTileBorder
    /// Whether it belongs to the square to the left or above.
    let isBefore: Bool
    /// The position along the border.
    let position: Double
    /// The index of the feature group.
    let group: Int
    /// The index of the line.
    let line: Int
    /// Whether it is the first point of the line.
    let isStart: Bool
}

extension VectorTileFrame {
    /// Returns the border at a point, and whether the square is the one before it.
    func border(at point: Coordinate) -> (border: VectorTileBorder, isBefore: Bool)? {
        if point.x == minX, sides.contains(.left) {
            return (VectorTileBorder(isVertical: true, index: column), false)
        }
        if point.x == maxX, sides.contains(.right) {
            return (VectorTileBorder(isVertical: true, index: column + 1), true)
        }
        if point.y == minY, sides.contains(.top) { return (VectorTileBorder(isVertical: false, index: row), false) }
        if point.y == maxY, sides.contains(.bottom) {
            return (VectorTileBorder(isVertical: false, index: row + 1), true)
        }
        return nil
    }

    /// Returns the border along which an edge runs.
    func border(along start: Coordinate, _ end: Coordinate) -> (border: VectorTileBorder, isBefore: Bool)? {
        if start.x == end.x {
            if start.x == minX, sides.contains(.left) {
                return (VectorTileBorder(isVertical: true, index: column), false)
            }
            if start.x == maxX, sides.contains(.right) {
                return (VectorTileBorder(isVertical: true, index: column + 1), true)
            }
        }
        if start.y == end.y {
            if start.y == minY, sides.contains(.top) { return (VectorTileBorder(isVertical: false, index: row), false) }
            if start.y == maxY, sides.contains(.bottom) {
                return (VectorTileBorder(isVertical: false, index: row + 1), true)
            }
        }
        return nil
    }
}

/// The matching of line ends across borders.
struct VectorTileMatches {
    /// The matching end, by twice the line index, plus 1 for the last point; -1 for none.
    private(set) var partners: [Int]

    /// Pairs the line ends on both sides of a border, the nearest first.
    ///
    /// - Parameter mayTurn: whether lines of opposite directions are joined if there are no others.
    /// - Complexity: O(*n* log *n*) for ends that are spread out.
    init(_ ends: [VectorTileEnd], lineCount: Int, mayTurn: Bool) {
        partners = [Int](repeating: -1, count: 2 * lineCount)
        let sorted = ends.sorted { left, right in
            (left.group, left.border.isVertical ? 1 : 0, left.border.index, left.position, left.line)
                < (right.group, right.border.isVertical ? 1 : 0, right.border.index, right.position, right.line)
        }
        pair(sorted, turned: false)
        if mayTurn { pair(sorted, turned: true) }
    }

    private static func number(_ end: VectorTileEnd) -> Int { 2 * end.line + (end.isStart ? 0 : 1) }

    private mutating func pair(_ ends: [VectorTileEnd], turned: Bool) {
        for index in ends.indices where partners[Self.number(ends[index])] < 0 {
            let end = ends[index]
            var best: (distance: Double, index: Int)?
            // More than a few ends within a pixel are noise.
            for other in index + 1..<min(index + 33, ends.count) {
                let candidate = ends[other]
                guard candidate.group == end.group, candidate.border == end.border else { break }
                let distance = candidate.position - end.position
                guard distance <= best?.distance ?? VectorTileJoiner.tolerance else { break }
                guard candidate.isBefore != end.isBefore, (candidate.isStart != end.isStart) != turned,
                    partners[Self.number(candidate)] < 0, candidate.line != end.line
                else { continue }
                if best.map({ distance < $0.distance }) ?? true { best = (distance, other) }
            }
            guard let best else { continue }
            partners[Self.number(end)] = Self.number(ends[best.index])
            partners[Self.number(ends[best.index])] = Self.number(end)
        }
    }

    /// Returns the lines that result from joining, and whether each is a ring.
    func chains(_ numbers: [Int], of lines: [[Coordinate]]) -> [(points: [Coordinate], isRing: Bool)] {
        var isUsed: Set<Int> = [], chains: [(points: [Coordinate], isRing: Bool)] = []
        func follow(_ line: Int, _ fromStart: Bool) -> (points: [Coordinate], isRing: Bool) {
            var points: [Coordinate] = [], line = line, isForward = fromStart
            while isUsed.insert(line).inserted {
                let own = isForward ? lines[line] : lines[line].reversed()
                // Both halves contain the point on the border.
                points += points.isEmpty ? own[...] : own.dropFirst()
                let partner = partners[2 * line + (isForward ? 1 : 0)]
                guard partner >= 0 else { return (points, false) }
                line = partner / 2
                isForward = partner % 2 == 0
            }
            return (points, true)
        }
        // Lines in drawing direction begin at an unmatched start. The rest are lines between two unmatched ends of
        // other kinds, and rings.
        for line in numbers where !isUsed.contains(line) && partners[2 * line] < 0 { chains.append(follow(line, true)) }
        for line in numbers where !isUsed.contains(line) && partners[2 * line + 1] < 0 {
            chains.append(follow(line, false))
        }
        for line in numbers where !isUsed.contains(line) { chains.append(follow(line, true)) }
        return chains
    }
}

/// Disjoint sets that can be joined.
struct JoinedSets {
    private var parents: [Int] = []

    mutating func add() { parents.append(parents.count) }

    mutating func root(of number: Int) -> Int {
        var root = number
        while parents[root] != root { root = parents[root] }
        var next = number
        while parents[next] != root { (parents[next], next) = (root, parents[next]) }
        return root
    }

    /// Joins two sets, which are then represented by the smaller number.
    mutating func join(_ one: Int, _ other: Int) {
        let first = root(of: one), second = root(of: other)
        parents[max(first, second)] = min(first, second)
    }
}

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
        if point.x == minX { return (VectorTileBorder(isVertical: true, index: column), false) }
        if point.x == maxX { return (VectorTileBorder(isVertical: true, index: column + 1), true) }
        if point.y == minY { return (VectorTileBorder(isVertical: false, index: row), false) }
        if point.y == maxY { return (VectorTileBorder(isVertical: false, index: row + 1), true) }
        return nil
    }

    /// Returns the border along which an edge runs.
    func border(along start: Coordinate, _ end: Coordinate) -> (border: VectorTileBorder, isBefore: Bool)? {
        if start.x == end.x {
            if start.x == minX { return (VectorTileBorder(isVertical: true, index: column), false) }
            if start.x == maxX { return (VectorTileBorder(isVertical: true, index: column + 1), true) }
        }
        if start.y == end.y {
            if start.y == minY { return (VectorTileBorder(isVertical: false, index: row), false) }
            if start.y == maxY { return (VectorTileBorder(isVertical: false, index: row + 1), true) }
        }
        return nil
    }
}

/// The matching of line ends across borders.
struct VectorTileMatches {
    /// The matching end, by twice the line index, plus 1 for the last point; -1 for none.
    private(set) var partners: [Int]
    /// Whether each end is on a border, by the same index.
    private var areCut: [Bool]

    /// Pairs the line ends on both sides of a border, the nearest first.
    ///
    /// - Parameter mayTurn: whether lines of opposite directions are joined if there are no others.
    /// - Complexity: O(*n* log *n*) for ends that are spread out.
    init(_ ends: [VectorTileEnd], lineCount: Int, mayTurn: Bool) {
        partners = [Int](repeating: -1, count: 2 * lineCount)
        areCut = [Bool](repeating: false, count: 2 * lineCount)
        for end in ends { areCut[Self.number(end)] = true }
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

    /// Returns the lines that result from joining.
    func chains(_ numbers: [Int], of lines: [[Coordinate]]) -> [VectorTileChain] {
        var isUsed: Set<Int> = [], chains: [VectorTileChain] = []
        func follow(_ line: Int, _ fromStart: Bool) -> VectorTileChain {
            var chain = VectorTileChain(), line = line, isForward = fromStart
            while isUsed.insert(line).inserted {
                let (first, last) = isForward ? (2 * line, 2 * line + 1) : (2 * line + 1, 2 * line)
                chain.add(
                    isForward ? lines[line] : lines[line].reversed(), startsAtCut: areCut[first],
                    endsAtCut: areCut[last])
                let partner = partners[last]
                guard partner >= 0 else { return chain }
                line = partner / 2
                isForward = partner % 2 == 0
            }
            chain.isRing = true
            return chain
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

/// A line joined over borders.
struct VectorTileChain {
    private(set) var points: [Coordinate] = []
    /// The indexes of the points on borders, ascending.
    private(set) var cuts: [Int] = []
    var isRing = false

    /// Creates an empty line.
    fileprivate init() {}

    /// Creates a line without points on borders.
    init(_ points: [Coordinate]) { self.points = points }

    /// Adds the points of the next line.
    ///
    /// Both halves have a point on the border, of which one is kept.
    fileprivate mutating func add(_ line: [Coordinate], startsAtCut: Bool, endsAtCut: Bool) {
        if startsAtCut { add(cut: max(points.count - 1, 0)) }
        points += points.isEmpty ? line[...] : line.dropFirst()
        if endsAtCut { add(cut: points.count - 1) }
    }

    private mutating func add(cut: Int) {
        if cuts.last != cut { cuts.append(cut) }
    }

    /// Closes a ring: its last point is the first one, as it lies on the other side of the same border.
    mutating func close() {
        guard let first = points.first, points.count > 1 else { return }
        points[points.count - 1] = first
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

import PortolanGeo

/// A position on an integer grid, with coordinates of at most ±2²⁸.
package struct GridPoint: Hashable, Comparable {
    /// The maximum coordinate.
    package static let most = 1 << 28

    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// Sorts from south to north, then from west to east.
    package static func < (one: GridPoint, other: GridPoint) -> Bool {
        one.y == other.y ? one.x < other.x : one.y < other.y
    }

    /// Returns twice the area of the triangle with two other positions, positive if it is counterclockwise.
    @inline(__always)
    func turn(_ one: GridPoint, _ other: GridPoint) -> Int {
        (one.x - x) * (other.y - y) - (other.x - x) * (one.y - y)
    }
}

/// The union of closed paths, as rings that do not cross.
///
/// Paths are split where they cross, on an integer grid, so that every decision is exact. Edges between inside and
/// outside form the border.
package struct WindingUnion {
    /// The rule that defines the inside.
    package enum Rule {
        /// Positions around which paths wind more often counterclockwise than clockwise.
        case positive
        /// Positions around which paths wind an odd number of times.
        case evenOdd
        /// Positions around which both the paths and those of the mask wind more often counterclockwise than clockwise.
        case masked

        func isInside(_ winding: SIMD2<Int>) -> Bool {
            switch self {
            case .positive: winding.x > 0
            case .evenOdd: winding.x & 1 == 1
            case .masked: winding.x > 0 && winding.y > 0
            }
        }
    }

    /// The rings of an area.
    package struct Outcome {
        /// The rings, open, with the area to their left.
        package var rings: [[GridPoint]]
        /// Whether edges were split, so that rings may have new vertices.
        package var hasCuts: Bool
    }

    private struct Edge {
        /// The lower end.
        var from: GridPoint
        var to: GridPoint
        /// The number of paths that go up along the edge, minus those that go down, and that of paths of the mask.
        var count: SIMD2<Int>
        /// Whether it has not yet been compared with all others.
        var isNew = true

        static func precedes(_ one: Edge, _ other: Edge) -> Bool {
            one.from == other.from ? one.to < other.to : one.from < other.from
        }
    }

    /// The edges, sorted and without duplicates.
    private var edges: [Edge] = []
    private var hasCuts = false
    /// Whether no edges cross.
    private var isSettled = true

    /// The limits of the computation.
    package struct Effort {
        /// The maximum number of comparisons of edges.
        var looks = 20_000_000
        /// The maximum number of cuts of edges.
        var cuts = 500_000
        /// The maximum number of steps to find the areas beside the edges.
        var meetings = 20_000_000
    }

    /// The maximum number of edges in all rows, which limits the memory.
    private static let mostMembers = 20_000_000
    private var effort: Effort

    /// Returns the rings around the area that the paths enclose, with that area to their left.
    ///
    /// They are open, and each visits a position only once.
    ///
    /// Returns `nil` if the paths cross so often, some millions of times, that the union would take too long.
    ///
    /// - Complexity: O(*n* log *n*) as a rule in the edges and their crossings.
    package static func rings(_ paths: [[GridPoint]], _ rule: Rule = .positive) -> [[GridPoint]]? {
        var effort = Effort()
        return rings(paths, rule, within: &effort)
    }

    /// Returns the rings within the remaining limits.
    static func rings(_ paths: [[GridPoint]], _ rule: Rule, within effort: inout Effort) -> [[GridPoint]]? {
        outcome(paths, mask: [], rule, within: &effort)?.rings
    }

    /// Returns the rings around the area that paths enclose, within a mask if the rule is ``Rule/masked``.
    static func outcome(
        _ paths: [[GridPoint]], mask: [[GridPoint]], _ rule: Rule, within effort: inout Effort
    ) -> Outcome? {
        var union = WindingUnion(effort: effort)
        defer { effort = union.effort }
        union.add(paths, SIMD2(1, 0))
        union.add(mask, SIMD2(0, 1))
        guard union.takeApart(), let border = union.border(rule) else { return nil }
        return Outcome(rings: Self.rings(border), hasCuts: union.hasCuts)
    }

    private init(effort: Effort) { self.effort = effort }

    private mutating func add(_ paths: [[GridPoint]], _ count: SIMD2<Int>) {
        for path in paths {
            guard var previous = path.last else { continue }
            for place in path {
                if place != previous {
                    edges.append(
                        previous < place
                            ? Edge(from: previous, to: place, count: count)
                            : Edge(from: place, to: previous, count: SIMD2() &- count))
                }
                previous = place
            }
        }
    }

    // MARK: Decomposition

    /// Merges edges between the same positions, and removes those that cancel.
    private mutating func merge() {
        edges.sort(by: Edge.precedes)
        var merged: [Edge] = []
        merged.reserveCapacity(edges.count)
        for edge in edges {
            if let last = merged.last, last.from == edge.from, last.to == edge.to {
                merged[merged.count - 1].count &+= edge.count
                if !edge.isNew { merged[merged.count - 1].isNew = false }
            } else {
                if merged.last?.count == SIMD2() { merged.removeLast() }
                merged.append(edge)
            }
        }
        if merged.last?.count == SIMD2() { merged.removeLast() }
        edges = merged
    }

    /// Splits edges where they cross or touch.
    ///
    /// Returns whether the limits were observed.
    ///
    /// A crossing is moved to the nearest grid position, which bends its edges. In rare cases that causes further
    /// crossings.
    private mutating func takeApart() -> Bool {
        for _ in 0..<20 {
            merge()
            guard var cuts = crossings() else { return false }
            guard !cuts.isEmpty else { return true }
            hasCuts = true
            cuts.sort { $0.edge == $1.edge ? $0.place < $1.place : $0.edge < $1.edge }
            var parted: [Edge] = [], next = 0
            for index in edges.indices {
                let edge = edges[index]
                guard next < cuts.count, cuts[next].edge == index else {
                    parted.append(edge)
                    parted[parted.count - 1].isNew = false
                    continue
                }
                var from = edge.from
                while next < cuts.count, cuts[next].edge == index {
                    let place = cuts[next].place
                    // Rounding preserves the order of positions on an edge, except for almost horizontal edges.
                    if place != from, place != edge.to {
                        parted.append(
                            from < place
                                ? Edge(from: from, to: place, count: edge.count)
                                : Edge(from: place, to: from, count: SIMD2() &- edge.count))
                        from = place
                    }
                    next += 1
                }
                if from != edge.to {
                    parted.append(
                        from < edge.to
                            ? Edge(from: from, to: edge.to, count: edge.count)
                            : Edge(from: edge.to, to: from, count: SIMD2() &- edge.count))
                }
            }
            edges = parted
        }
        merge()
        isSettled = false
        return true
    }

    private mutating func crossings() -> [(edge: Int, place: GridPoint)]? {
        var cuts: [(edge: Int, place: GridPoint)] = []
        let cells = EdgeCells(edges.lazy.map { ($0.from, $0.to) })
        for cell in 0..<cells.count {
            let members = cells[cell], end = members.endIndex
            guard members.contains(where: { edges[$0].isNew }) else { continue }
            var position = members.startIndex
            while position < end {
                guard effort.looks > 0, cuts.count < effort.cuts else { return nil }
                let first = members[position], a = edges[first].from, b = edges[first].to
                let west = min(a.x, b.x), east = max(a.x, b.x), isNew = edges[first].isNew
                position += 1
                var other = position
                while other < end {
                    let second = members[other], c = edges[second].from
                    // The members of a cell are sorted by their lower ends.
                    if c.y > b.y { break }
                    other += 1
                    guard isNew || edges[second].isNew else { continue }
                    effort.looks -= 1
                    let d = edges[second].to
                    guard c.x <= east || d.x <= east, c.x >= west || d.x >= west else { continue }
                    let ofC = a.turn(b, c), ofD = a.turn(b, d)
                    if ofC > 0 && ofD > 0 || ofC < 0 && ofD < 0 { continue }
                    let ofA = c.turn(d, a), ofB = c.turn(d, b)
                    if ofC != 0, ofD != 0, ofA < 0 && ofB > 0 || ofA > 0 && ofB < 0 {
                        let share = Double(ofC) / (Double(ofC) - Double(ofD))
                        let place = GridPoint(
                            x: c.x + Int((Double(d.x - c.x) * share).rounded()),
                            y: c.y + Int((Double(d.y - c.y) * share).rounded()))
                        if place != a, place != b { cuts.append((first, place)) }
                        if place != c, place != d { cuts.append((second, place)) }
                        continue
                    }
                    // An end of one edge is on the other.
                    if ofC == 0, Self.isWithin(c, a, b) { cuts.append((first, c)) }
                    if ofD == 0, Self.isWithin(d, a, b) { cuts.append((first, d)) }
                    if ofA == 0, Self.isWithin(a, c, d) { cuts.append((second, a)) }
                    if ofB == 0, Self.isWithin(b, c, d) { cuts.append((second, b)) }
                }
            }
        }
        effort.cuts -= cuts.count
        return cuts
    }

    /// Returns whether a position on the line of an edge is between its ends.
    private static func isWithin(_ place: GridPoint, _ from: GridPoint, _ to: GridPoint) -> Bool {
        from < place && place < to
    }

    // MARK: The border

    /// Returns the edges of the border, with the enclosed area to their left, or `nil` if the limit is exceeded.
    ///
    /// A line sweeps from south to north over the edges, which do not cross, and keeps those that it meets from west to
    /// east. The winding west of an edge is that east of its neighbour. Of positions at one height, the line meets the
    /// western one first, so that horizontal edges need no special treatment.
    private mutating func border(_ rule: Rule) -> [(from: GridPoint, to: GridPoint)]? {
        guard !edges.isEmpty else { return [] }
        guard isSettled else { return borderByRays(rule) }
        let ends = edges.indices.sorted { edges[$0].to < edges[$1].to }
        var met: [Int] = [], west = [SIMD2<Int>](repeating: SIMD2(), count: edges.count)
        /// The number of edges that are not to the east of a position.
        func countWest(of place: GridPoint) -> Int {
            var low = 0, high = met.count
            while low < high {
                let middle = (low + high) / 2, edge = edges[met[middle]]
                if edge.from.turn(edge.to, place) > 0 { high = middle } else { low = middle + 1 }
            }
            return low
        }
        var start = 0, end = 0
        while start < edges.count {
            let place = edges[start].from
            while end < ends.count, edges[ends[end]].to <= place {
                let edge = ends[end]
                // Edges that end at one position are neighbours.
                var index = countWest(of: edges[edge].to) - 1, tries = 16
                while index >= 0, met[index] != edge, tries > 0 { (index, tries) = (index - 1, tries - 1) }
                if index >= 0, met[index] == edge {
                    met.remove(at: index)
                } else if let index = met.firstIndex(of: edge) {
                    met.remove(at: index)
                }
                end += 1
            }
            var next = start + 1
            while next < edges.count, edges[next].from == place { next += 1 }
            let position = countWest(of: place)
            var fan = Array(start..<next)
            if fan.count > 1 { fan.sort { place.turn(edges[$0].to, edges[$1].to) < 0 } }
            var winding = position > 0 ? west[met[position - 1]] &- edges[met[position - 1]].count : SIMD2()
            for edge in fan {
                west[edge] = winding
                winding = winding &- edges[edge].count
            }
            met.insert(contentsOf: fan, at: position)
            effort.meetings -= met.count / 64 + 1
            guard effort.meetings >= 0 else { return nil }
            start = next
        }
        var border: [(from: GridPoint, to: GridPoint)] = []
        for (index, edge) in edges.enumerated() {
            let isWestInside = rule.isInside(west[index])
            guard isWestInside != rule.isInside(west[index] &- edge.count) else { continue }
            border.append(isWestInside ? (edge.from, edge.to) : (edge.to, edge.from))
        }
        return border
    }

    /// Returns the edges of the border of edges that may still cross, or `nil` if there are too many long ones.
    ///
    /// The winding beside each edge is counted along a ray, so that a remaining crossing has no effect elsewhere.
    private mutating func borderByRays(_ rule: Rule) -> [(from: GridPoint, to: GridPoint)]? {
        // Rays to the east only meet edges of their row. Rows start with about the same number of edges.
        var bounds: [Int] = []
        for index in stride(from: 0, to: edges.count, by: 16) where bounds.last != edges[index].from.y {
            bounds.append(edges[index].from.y)
        }
        func row(_ y: Int) -> Int {
            var low = 0, high = bounds.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if bounds[middle] <= y { low = middle } else { high = middle }
            }
            return low
        }
        var starts = [Int](repeating: 0, count: bounds.count + 1), total = 0
        for edge in edges where edge.from.y < edge.to.y {
            let rows = row(edge.from.y)...row(edge.to.y)
            total += rows.count
            guard total <= min(effort.meetings, Self.mostMembers) else { return nil }
            for row in rows { starts[row + 1] += 1 }
        }
        for row in starts.indices.dropFirst() { starts[row] += starts[row - 1] }
        var ends = starts, members = [Int](repeating: 0, count: starts[starts.count - 1])
        for (index, edge) in edges.enumerated() where edge.from.y < edge.to.y {
            for row in row(edge.from.y)...row(edge.to.y) {
                members[ends[row]] = index
                ends[row] += 1
            }
        }
        var border: [(from: GridPoint, to: GridPoint)] = []
        for edge in edges {
            // Coordinates are doubled to make the midpoint an integer. A ray from a horizontal edge is slightly above
            // it.
            let middle = GridPoint(x: edge.from.x + edge.to.x, y: edge.from.y + edge.to.y)
            var winding = SIMD2<Int>()
            let row = row(middle.y >> 1)
            effort.meetings -= starts[row + 1] - starts[row]
            guard effort.meetings >= 0 else { return nil }
            for member in members[starts[row]..<starts[row + 1]] {
                let other = edges[member]
                guard other.from.y * 2 <= middle.y, middle.y < other.to.y * 2 else { continue }
                let from = GridPoint(x: other.from.x * 2, y: other.from.y * 2)
                if from.turn(GridPoint(x: other.to.x * 2, y: other.to.y * 2), middle) > 0 { winding &+= other.count }
            }
            let isLevel = edge.from.y == edge.to.y
            let left = isLevel ? winding : winding &+ edge.count, right = isLevel ? winding &- edge.count : winding
            guard rule.isInside(left) != rule.isInside(right) else { continue }
            border.append(rule.isInside(left) ? (edge.from, edge.to) : (edge.to, edge.from))
        }
        return border
    }

    /// Returns the rings of the edges.
    ///
    /// A ring that visits a position twice is split. Where several edges begin, a ring continues along the border of the
    /// same corner of the area, so that areas that meet at a position have rings of their own.
    private static func rings(_ border: [(from: GridPoint, to: GridPoint)]) -> [[GridPoint]] {
        let border = border.sorted { $0.from == $1.from ? $0.to < $1.to : $0.from < $1.from }
        var next: [GridPoint: Range<Int>] = [:]
        for (index, edge) in border.enumerated() {
            next[edge.from] = (next[edge.from]?.lowerBound ?? index)..<index + 1
        }
        var isUsed = [Bool](repeating: false, count: border.count)
        /// The edge to follow after one from `previous` to `place`.
        func following(_ previous: GridPoint?, _ place: GridPoint) -> Int? {
            guard let choice = next[place] else { return nil }
            if choice.count == 1 { return isUsed[choice.lowerBound] ? nil : choice.lowerBound }
            var best: Int?
            for index in choice where !isUsed[index] {
                guard let previous, let known = best else {
                    best = index
                    continue
                }
                if isClockwise(from: previous, around: place, border[index].to, before: border[known].to) {
                    best = index
                }
            }
            return best
        }
        var rings: [[GridPoint]] = []
        for index in border.indices where !isUsed[index] {
            var path: [GridPoint] = [], places: [GridPoint: Int] = [:], place = border[index].from
            var previous: GridPoint?
            while let edge = path.isEmpty && previous == nil ? index : following(previous, place) {
                isUsed[edge] = true
                places[place] = path.count
                path.append(place)
                previous = place
                place = border[edge].to
                if let start = places[place] {
                    if path.count - start > 2 { rings.append(Array(path[start...])) }
                    for place in path[start...] { places[place] = nil }
                    path.removeSubrange(start...)
                }
            }
        }
        return rings
    }

    /// Returns whether a clockwise turn from the direction of `start` around a centre meets one position before another.
    private static func isClockwise(
        from start: GridPoint, around center: GridPoint, _ one: GridPoint, before other: GridPoint
    ) -> Bool {
        func half(_ place: GridPoint) -> Int {
            let turn = center.turn(start, place)
            return turn < 0 ? 0 : turn == 0 ? 1 : 2
        }
        let (first, second) = (half(one), half(other))
        return first == second ? center.turn(one, other) < 0 : first < second
    }
}

/// The edges by the grid cells that they may intersect.
private struct EdgeCells {
    private var starts: [Int] = [0]
    private var members: [Int] = []

    var count: Int { starts.count - 1 }

    subscript(cell: Int) -> ArraySlice<Int> { members[starts[cell]..<starts[cell + 1]] }

    init(_ edges: some Collection<(GridPoint, GridPoint)>) {
        var low = GridPoint(x: .max, y: .max), high = GridPoint(x: .min, y: .min), span = 0
        for (from, to) in edges {
            low = GridPoint(x: min(low.x, from.x, to.x), y: min(low.y, from.y))
            high = GridPoint(x: max(high.x, from.x, to.x), y: max(high.y, to.y))
            span += abs(to.x - from.x) + to.y - from.y
        }
        guard !edges.isEmpty else { return }
        let width = Double(high.x - low.x + 1), height = Double(high.y - low.y + 1)
        // Cells are about as long as edges, and not many more than edges.
        var side = max(span / edges.count, Int((width * height / Double(edges.count * 2)).squareRoot()), 1)
        while true {
            let columns = (high.x - low.x) / side + 1, rows = (high.y - low.y) / side + 1
            func cells(_ from: GridPoint, _ to: GridPoint, _ body: (Int) -> Void) {
                let west = (min(from.x, to.x) - low.x) / side, east = (max(from.x, to.x) - low.x) / side
                for row in (from.y - low.y) / side...(to.y - low.y) / side {
                    for column in west...east { body(row * columns + column) }
                }
            }
            starts = [Int](repeating: 0, count: columns * rows + 1)
            var total = 0
            for (from, to) in edges where total <= edges.count * 16 + 64 {
                cells(from, to) { cell in
                    starts[cell + 1] += 1
                    total += 1
                }
            }
            guard total <= edges.count * 16 + 64 || columns * rows == 1 else {
                side *= 2
                continue
            }
            for cell in starts.indices.dropFirst() { starts[cell] += starts[cell - 1] }
            var ends = starts
            members = [Int](repeating: 0, count: total)
            for (index, (from, to)) in edges.enumerated() {
                cells(from, to) { cell in
                    members[ends[cell]] = index
                    ends[cell] += 1
                }
            }
            return
        }
    }
}

import PortolanGeo

/// The vertices of arcs that are kept for a tolerance, so that rings neither cross nor swallow one another.
///
/// Where borders without the vertices below the tolerance would cross, touch or pass over another ring, the most
/// important vertices between are kept as well.
struct ArcSimplifier {
    /// Two consecutive kept vertices of an arc.
    private struct Segment {
        let first: Int
        let last: Int
        let arc: Int
        var isSplittable: Bool { last - first > 1 }
    }

    /// The number of rounds after which all vertices between are kept, so that spirals do not take one round each.
    private static let mostRounds = 40
    /// The largest number of vertices times rings for which a segment is tested whether it passes over a ring.
    private static let mostPassings = 100_000_000

    private let topology: ArcTopology
    private let ranks: [Double]
    /// Whether each vertex is kept.
    private(set) var isKept: [Bool]
    /// The group of connected borders of each arc.
    private var groups: [Int] = []
    /// One kept position of each group, and the group.
    private var marks: [(place: Coordinate, group: Int)] = []

    /// Chooses the vertices farther than a tolerance from the line without them.
    ///
    /// - Complexity: O(*n* log *n*) as a rule.
    init(_ topology: ArcTopology, _ ranks: ArcRanks, tolerance: Double) {
        self.topology = topology
        self.ranks = ranks.meters
        isKept = ranks.meters.map { $0 > tolerance }
        findGroups()
        untangle()
    }

    private mutating func findGroups() {
        var parents = Array(topology.arcs.indices)
        func root(_ arc: Int) -> Int {
            var arc = arc
            while parents[arc] != arc {
                parents[arc] = parents[parents[arc]]
                arc = parents[arc]
            }
            return arc
        }
        var arcsOfNodes: [Int32: Int] = [:]
        for (number, arc) in topology.arcs.enumerated() where arc.isBorder {
            for vertex in [arc.range.lowerBound, arc.range.upperBound - 1] {
                let node = topology.vertices[vertex]
                if let other = arcsOfNodes[node] {
                    parents[root(number)] = root(other)
                } else {
                    arcsOfNodes[node] = number
                }
            }
        }
        groups = topology.arcs.indices.map(root)
        for (number, arc) in topology.arcs.enumerated() where arc.isBorder && groups[number] == number {
            marks.append((topology.place(arc.range.lowerBound), number))
        }
    }

    private mutating func untangle() {
        // The first vertices of segments that have not been compared with the others.
        var isNew = [Bool](repeating: true, count: isKept.count)
        let markIndex = SpatialIndex(marks.map { BoundingBox($0.place) })
        // Valid borders meet few others; if all cross all, they stay as they are.
        var effort = 50_000_000 + isKept.count * 200
        for round in 0... {
            let segments = borderSegments
            let boxes = segments.map { BoundingBox([topology.place($0.first), topology.place($0.last)]) }
            let index = SpatialIndex(boxes)
            var isSplit = [Bool](repeating: false, count: segments.count)
            for (number, segment) in segments.enumerated() where isNew[segment.first] {
                guard let box = boxes[number] else { continue }
                let (from, to) = (topology.place(segment.first), topology.place(segment.last))
                let others = index.items(touching: box)
                effort -= others.count + 1
                guard effort > 0 else { return keepBorders() }
                for other in others where other != number {
                    let second = segments[other]
                    guard segment.isSplittable || second.isSplittable else { continue }
                    guard
                        SegmentCrossing.exists(from, to, topology.place(second.first), topology.place(second.last))
                    else { continue }
                    isSplit[number] = segment.isSplittable || isSplit[number]
                    isSplit[other] = second.isSplittable || isSplit[other]
                }
                if segment.isSplittable, !isSplit[number], marks.count > 1 {
                    isSplit[number] = passesOver(segment, markIndex)
                }
            }
            guard isSplit.contains(true) else { return }
            for index in isNew.indices { isNew[index] = false }
            for (number, segment) in segments.enumerated() where isSplit[number] {
                guard round < Self.mostRounds else {
                    for vertex in segment.first...segment.last { (isKept[vertex], isNew[vertex]) = (true, true) }
                    continue
                }
                let middle = ((segment.first + 1)..<segment.last).max { ranks[$0] < ranks[$1] } ?? segment.first
                isKept[middle] = true
                isNew[segment.first] = true
                isNew[middle] = true
            }
        }
    }

    /// Keeps all vertices of rings.
    private mutating func keepBorders() {
        for arc in topology.arcs where arc.isBorder {
            for vertex in arc.range { isKept[vertex] = true }
        }
    }

    /// The segments of all borders between kept vertices.
    private var borderSegments: [Segment] {
        var segments: [Segment] = []
        for (number, arc) in topology.arcs.enumerated() where arc.isBorder {
            var first = arc.range.lowerBound
            for vertex in arc.range.dropFirst() where isKept[vertex] {
                segments.append(Segment(first: first, last: vertex, arc: number))
                first = vertex
            }
        }
        return segments
    }

    /// Returns whether another group of borders is between a segment and the vertices that it replaces.
    private func passesOver(_ segment: Segment, _ markIndex: SpatialIndex) -> Bool {
        let chain = (segment.first...segment.last).map { topology.place($0) }
        guard let box = BoundingBox(chain) else { return false }
        let near = markIndex.items(touching: box)
        if near.count * chain.count > Self.mostPassings { return true }
        return near.contains { mark in
            marks[mark].group != groups[segment.arc] && Self.contains(marks[mark].place, chain)
        }
    }

    private static func contains(_ place: Coordinate, _ ring: [Coordinate]) -> Bool {
        var isInside = false
        guard var last = ring.last else { return false }
        for next in ring {
            if (next.y > place.y) != (last.y > place.y),
                place.x < last.x + (place.y - last.y) / (next.y - last.y) * (next.x - last.x)
            {
                isInside.toggle()
            }
            last = next
        }
        return isInside
    }
}

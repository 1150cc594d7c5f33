import PortolanGeo

/// Lines and rings, cut into arcs where they part, as in TopoJSON: a border between two areas is one arc.
///
/// Borders are shared if they have the same vertices.
struct ArcTopology {
    /// A line, or a ring that is closed or open.
    struct Path {
        let coordinates: ArraySlice<Coordinate>
        let isRing: Bool
    }

    /// Consecutive vertices, of which only the first and the last may belong to further arcs.
    struct Arc {
        /// The vertices in ``ArcTopology/vertices``.
        let range: Range<Int>
        /// Whether the last vertex is the first one.
        let isClosed: Bool
        /// Whether it belongs to a ring.
        var isBorder: Bool
    }

    /// The positions, each once.
    private(set) var places: [Coordinate] = []
    /// The positions of the vertices of all arcs.
    private(set) var vertices: [Int32] = []
    private(set) var arcs: [Arc] = []
    /// The arcs of all paths in order; those in reverse as the complement of their number.
    private var references: [Int32] = []
    private var pathEnds: [Int] = []
    /// The arcs by their first two vertices.
    private var known: [UInt64: Int32] = [:]

    /// Cuts lines and rings into arcs.
    ///
    /// Lines of one position, and rings of fewer than three, have no arcs.
    ///
    /// - Complexity: O(*n*) in the coordinates.
    init(_ paths: [Path]) {
        var ids: [Int32] = [], ends: [Int] = []
        ids.reserveCapacity(paths.reduce(0) { $0 + $1.coordinates.count })
        var numbers: [Coordinate: Int32] = [:]
        numbers.reserveCapacity(ids.capacity)
        for path in paths {
            let start = ids.count
            for coordinate in path.coordinates where coordinate.isFinite {
                let id: Int32
                if let number = numbers[coordinate] {
                    id = number
                } else {
                    id = Int32(places.count)
                    numbers[coordinate] = id
                    places.append(coordinate)
                }
                if ids.count == start || ids[ids.count - 1] != id { ids.append(id) }
            }
            if path.isRing, ids.count - start > 1, ids[start] == ids[ids.count - 1] { ids.removeLast() }
            ends.append(ids.count)
        }
        numbers = [:]
        let isNode = Self.nodes(paths, ids, ends, count: places.count)
        var start = 0
        for (path, end) in zip(paths, ends) {
            add(ids[start..<end], isRing: path.isRing, isNode)
            pathEnds.append(references.count)
            start = end
        }
        known = [:]
    }

    /// Returns which positions are the ends of lines, or have different neighbours in different paths.
    private static func nodes(_ paths: [Path], _ ids: [Int32], _ ends: [Int], count: Int) -> [Bool] {
        var isNode = [Bool](repeating: false, count: count)
        var neighbors = [SIMD2<Int32>](repeating: SIMD2(-1, -1), count: count)
        var start = 0
        for (path, end) in zip(paths, ends) {
            defer { start = end }
            guard end > start else { continue }
            for index in start..<end {
                let id = Int(ids[index])
                if !path.isRing, index == start || index == end - 1 {
                    isNode[id] = true
                    continue
                }
                let before = ids[index == start ? end - 1 : index - 1],
                    after = ids[index == end - 1 ? start : index + 1]
                let pair = SIMD2(min(before, after), max(before, after))
                if neighbors[id].x < 0 { neighbors[id] = pair } else if neighbors[id] != pair { isNode[id] = true }
            }
        }
        return isNode
    }

    private mutating func add(_ path: ArraySlice<Int32>, isRing: Bool, _ isNode: [Bool]) {
        guard path.count >= (isRing ? 3 : 2) else { return }
        guard isRing else { return addArcs(Array(path), isRing: false, isNode) }
        // A ring begins at a node, or else at its southernmost vertex, which is a corner of every similar ring.
        let first =
            path.firstIndex { isNode[Int($0)] }
            ?? path.indices.min { one, other in
                let (a, b) = (places[Int(path[one])], places[Int(path[other])])
                return a.y == b.y ? a.x < b.x : a.y < b.y
            } ?? path.startIndex
        addArcs(path[first...] + path[..<first] + [path[first]], isRing: true, isNode)
    }

    private mutating func addArcs(_ path: [Int32], isRing: Bool, _ isNode: [Bool]) {
        var start = 0
        for index in 1..<path.count where index == path.count - 1 || isNode[Int(path[index])] {
            addArc(path[start...index], isBorder: isRing)
            start = index
        }
    }

    private mutating func addArc(_ path: ArraySlice<Int32>, isBorder: Bool) {
        func key(_ one: Int32, _ other: Int32) -> UInt64 { UInt64(UInt32(one)) << 32 | UInt64(UInt32(other)) }
        let (start, end) = (path.startIndex, path.endIndex - 1)
        let forward = key(path[start], path[start + 1]), backward = key(path[end], path[end - 1])
        if let arc = known[forward] {
            references.append(arc)
            arcs[Int(arc)].isBorder = arcs[Int(arc)].isBorder || isBorder
        } else if let arc = known[backward] {
            references.append(~arc)
            arcs[Int(arc)].isBorder = arcs[Int(arc)].isBorder || isBorder
        } else {
            let arc = Int32(arcs.count)
            known[forward] = arc
            references.append(arc)
            let first = vertices.count
            vertices += path
            arcs.append(
                Arc(range: first..<vertices.count, isClosed: path[start] == path[end], isBorder: isBorder))
        }
    }

    /// The position of a vertex.
    func place(_ vertex: Int) -> Coordinate { places[Int(vertices[vertex])] }

    /// Returns the kept vertices of a path, or `nil` if it has no arcs.
    func path(_ index: Int, keeping isKept: [Bool]) -> [Coordinate]? {
        let range = (index == 0 ? 0 : pathEnds[index - 1])..<pathEnds[index]
        guard !range.isEmpty else { return nil }
        var path: [Coordinate] = []
        for reference in references[range] {
            let arc = arcs[Int(reference < 0 ? ~reference : reference)].range
            // An arc begins where the one before ends.
            if !path.isEmpty { path.removeLast() }
            if reference < 0 {
                for vertex in arc.reversed() where isKept[vertex] { path.append(place(vertex)) }
            } else {
                for vertex in arc where isKept[vertex] { path.append(place(vertex)) }
            }
        }
        return path
    }
}

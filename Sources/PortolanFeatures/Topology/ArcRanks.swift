import PortolanGeo

/// The distance of each vertex from the line without it, by the Douglas–Peucker algorithm.
///
/// A vertex is at most as important as those by which it is reached, so that the vertices above any tolerance form the
/// line that the algorithm finds for it.
struct ArcRanks {
    /// The depth beyond which lines are halved, which bounds the cost of spirals.
    private static let deepest = 40

    /// The distance in metres of each vertex of the topology; infinite for vertices that are always kept.
    private(set) var meters: [Double]
    private let topology: ArcTopology
    private var stack: [(first: Int, last: Int, most: Double, depth: Int)] = []
    /// The length of a unit of x in units of y, by position.
    private let narrowing: [Double]
    private let metersPerUnit: Double

    /// Measures the vertices of all arcs.
    ///
    /// - Complexity: O(*n* log *n*), at worst some forty times more.
    init(_ topology: ArcTopology, in crs: CRS) {
        self.topology = topology
        metersPerUnit = crs.metersPerUnit
        narrowing =
            crs.isGeographic
            ? topology.places.map { max(Libm.cosine(min(abs($0.y), 90) * .pi / 180), 0) } : []
        meters = [Double](repeating: 0, count: topology.vertices.count)
        for arc in topology.arcs { measure(arc) }
    }

    private mutating func measure(_ arc: ArcTopology.Arc) {
        let (first, last) = (arc.range.lowerBound, arc.range.upperBound - 1)
        meters[first] = .infinity
        meters[last] = .infinity
        stack.append((first, last, .infinity, 0))
        var isFirst = true
        while let part = stack.popLast() {
            guard part.last - part.first > 1 else { continue }
            var (farthest, square) = farthest(part.first, part.last)
            if part.depth > Self.deepest { farthest = (part.first + part.last) / 2 }
            // A closed arc begins as a line to its farthest vertex and back.
            let own = min(part.most, arc.isClosed && isFirst ? .infinity : square.squareRoot() * metersPerUnit)
            isFirst = false
            meters[farthest] = own
            stack.append((part.first, farthest, own, part.depth + 1))
            stack.append((farthest, part.last, own, part.depth + 1))
        }
        guard arc.isClosed else { return }
        // A ring has three corners.
        let third = arc.range.filter { meters[$0] < .infinity }.max { meters[$0] < meters[$1] }
        if let third { meters[third] = .infinity }
    }

    /// Returns the vertex between two others that is farthest from their segment, and the square of its distance in
    /// units of y.
    private func farthest(_ first: Int, _ last: Int) -> (vertex: Int, square: Double) {
        let (from, to) = (topology.place(first), topology.place(last))
        var best = (vertex: first + 1, square: -1.0)
        for vertex in (first + 1)..<last {
            let id = Int(topology.vertices[vertex]), place = topology.places[id]
            let narrow = narrowing.isEmpty ? 1 : narrowing[id]
            let (dx, dy) = ((to.x - from.x) * narrow, to.y - from.y)
            let (px, py) = ((place.x - from.x) * narrow, place.y - from.y)
            let length = dx * dx + dy * dy
            let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
            let (ox, oy) = (px - dx * share, py - dy * share), square = ox * ox + oy * oy
            if square > best.square { best = (vertex, square) }
        }
        return best
    }

    /// Returns the distance above which a share of the vertices is that are not always kept.
    func tolerance(keeping share: Double) -> Double {
        let removable = meters.filter { $0 < .infinity }.sorted(by: >)
        let count = Int((Double(removable.count) * share).rounded())
        return count >= removable.count ? -1 : removable[count]
    }
}

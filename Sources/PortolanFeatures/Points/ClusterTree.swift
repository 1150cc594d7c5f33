/// Points and the clusters that they become zoom by zoom, in columns: each says from which zoom to which it is there.
struct ClusterTree: Sendable {
    /// Clusters in columns.
    private struct Clusters {
        var x: [Double] = []
        var y: [Double] = []
        var counts: [Int32] = []
        var ids: [Int] = []
        /// The number of the point that each began with.
        var rows: [Int32] = []
        var madeAt: [Int8] = []
        var takenAt: [Int8] = []
        /// What each was made of, the first of them first; empty where nobody asks.
        var parts: [[Int32]] = []
    }

    /// What there is at the coarsest zoom that has been asked for.
    private struct Frontier {
        var zoom: Int
        /// Points and clusters as they follow one another along the curve.
        var nodes: [Int32]
        /// Their places in `nodes`, in the order in which they are gone through.
        var order: [Int32]
    }

    /// What is there at every zoom.
    private static let never: Int8 = -1
    /// What is there at none.
    private static let always: Int8 = .max
    /// How many pixels a world is wide at zoom 0.
    private static let extent = 512.0
    /// Radii below it, in pixels, gather nothing.
    private static let leastRadius = 1e-6

    private let options: PointClusters.Options
    // Points by their places on the curve: ordinates of Web Mercator, 0 to 1, y down, and in which order they were read.
    private let x: [Double]
    private let y: [Double]
    private let rows: [Int32]
    /// At which zoom each point was taken into a cluster.
    private var takenAt: [Int8]
    /// The largest zoom at which each point may have a neighbour; at those above it nobody looks for one.
    private let wakesAt: [Int8]
    private var clusters = Clusters()
    private var frontier: Frontier

    /// Begins with points.
    ///
    /// - Parameters:
    ///   - x: not a number where a point has no place.
    ///   - order: the places of the points in the order in which they were read.
    init(_ x: [Double], _ y: [Double], rows: [Int32], order: [Int32], _ options: PointClusters.Options) {
        (self.x, self.y, self.rows, self.options) = (x, y, rows, options)
        takenAt = x.map { $0.isNaN ? Self.always : Self.never }
        var nodes: [Int32] = [], numbers = [Int32](repeating: -1, count: x.count)
        nodes.reserveCapacity(x.count)
        for place in x.indices where !x[place].isNaN {
            numbers[place] = Int32(nodes.count)
            nodes.append(Int32(place))
        }
        wakesAt = Self.wakingZooms(x, y, nodes, options)
        frontier = Frontier(
            zoom: options.maximumZoom + 1, nodes: nodes, order: order.map { numbers[Int($0)] }.filter { $0 >= 0 })
    }

    private static func radius(at zoom: Int, _ options: PointClusters.Options) -> Double {
        options.radius / (extent * Double(sign: .plus, exponent: zoom, significand: 1))
    }

    /// The largest zoom at which each point may have a neighbour.
    ///
    /// A cluster lies less than a radius from the point that it began with: at the zoom where it is made it has moved by that
    /// zoom's radius at the most, which is half of the next one's, by a quarter before, and so on. A point without another
    /// within two radii is alone, whatever became of the others.
    private static func wakingZooms(
        _ x: [Double], _ y: [Double], _ nodes: [Int32], _ options: PointClusters.Options
    ) -> [Int8] {
        var box = (minX: Double.infinity, minY: Double.infinity, maxX: -Double.infinity, maxY: -Double.infinity)
        for node in nodes {
            box = (
                min(box.minX, x[Int(node)]), min(box.minY, y[Int(node)]), max(box.maxX, x[Int(node)]),
                max(box.maxY, y[Int(node)])
            )
        }
        let area = (box.maxX - box.minX) * (box.maxY - box.minY)
        // From where on many are alone, if they are spread evenly.
        var zoom = 0
        while zoom <= options.maximumZoom, 4 * radius(at: zoom, options) > (area / Double(nodes.count)).squareRoot() {
            zoom += 1
        }
        var wakes = [Int8](repeating: Int8(zoom - 1), count: x.count), left = nodes
        while zoom <= options.maximumZoom, options.radius >= leastRadius, !left.isEmpty {
            let grid = PointGrid(
                left.map { x[Int($0)] }, left.map { y[Int($0)] }, side: 2.001 * radius(at: zoom, options))
            left = left.indices.filter { grid.hasNeighbor($0) }.map { left[$0] }
            for node in left { wakes[Int(node)] = Int8(zoom) }
            zoom += 1
        }
        return wakes
    }

    /// Gathers down to a zoom.
    mutating func gather(to zoom: Int) {
        while frontier.zoom > max(zoom, 0) { gatherNext() }
    }

    /// The points and clusters of a zoom within one of some boxes, in the order in which they were read.
    ///
    /// - Complexity: O(points + clusters), but for a zoom that was not gathered before.
    mutating func items(at zoom: Int, in boxes: [PointClusters.Box]) -> [PointClusters.Item] {
        gather(to: zoom)
        var found: [(row: Int32, node: Int)] = []
        let level = Int8(min(max(zoom, 0), 100))
        func isWanted(_ x: Double, _ y: Double) -> Bool { boxes.contains { $0.contains(x, y) } }
        for place in x.indices where takenAt[place] < level && isWanted(x[place], y[place]) {
            found.append((rows[place], place))
        }
        for index in clusters.x.indices where clusters.takenAt[index] < level && clusters.madeAt[index] >= level {
            if isWanted(clusters.x[index], clusters.y[index]) { found.append((clusters.rows[index], x.count + index)) }
        }
        found.sort { $0.row < $1.row }
        return found.map { item(Int($0.node)) }
    }

    private func item(_ node: Int) -> PointClusters.Item {
        guard node >= x.count else {
            return PointClusters.Item(x: x[node], y: y[node], count: 1, id: node, node: node)
        }
        let index = node - x.count
        return PointClusters.Item(
            x: clusters.x[index], y: clusters.y[index], count: Int(clusters.counts[index]), id: clusters.ids[index],
            node: node)
    }

    /// What is gathered of the points of a node, joined in the order of the scheme.
    func gathered<Value>(_ node: Int, of point: (Int) -> Value, _ join: (Value, Value) -> Value) -> Value? {
        guard node >= x.count else { return point(node) }
        guard clusters.parts.indices.contains(node - x.count) else { return nil }
        var all: Value?
        for part in clusters.parts[node - x.count] {
            guard let own = gathered(Int(part), of: point, join) else { continue }
            all = all.map { join($0, own) } ?? own
        }
        return all
    }

    private func count(_ node: Int32) -> Int32 {
        let index = Int(node) - x.count
        return index < 0 ? 1 : clusters.counts[index]
    }

    private func row(_ node: Int32) -> Int32 {
        let index = Int(node) - x.count
        return index < 0 ? rows[Int(node)] : clusters.rows[index]
    }

    private mutating func take(_ node: Int32, at zoom: Int) {
        let index = Int(node) - x.count
        if index < 0 { takenAt[Int(node)] = Int8(zoom) } else { clusters.takenAt[index] = Int8(zoom) }
    }

    private mutating func gatherNext() {
        let zoom = frontier.zoom - 1
        frontier.zoom = zoom
        guard options.radius >= Self.leastRadius else { return }
        let nodes = frontier.nodes, order = frontier.order
        // Neighbours on the ground lie beside each other in memory.
        var x: [Double] = [], y: [Double] = [], awake: [Int32] = []
        for (place, node) in nodes.enumerated() {
            let index = Int(node) - self.x.count
            guard index >= 0 || Int(wakesAt[Int(node)]) >= zoom else { continue }
            x.append(index < 0 ? self.x[Int(node)] : clusters.x[index])
            y.append(index < 0 ? self.y[Int(node)] : clusters.y[index])
            awake.append(Int32(place))
        }
        let grid = PointGrid(x, y, side: Self.radius(at: zoom, options))
        /// The numbers in the grid of those that have neighbours.
        var numbers = [Int32](repeating: -1, count: nodes.count)
        for index in awake.indices where grid.hasNeighbor(index) { numbers[Int(awake[index])] = Int32(index) }
        guard numbers.contains(where: { $0 >= 0 }) else { return }
        /// What has become of each: itself, a cluster, or nothing any more.
        var became = [Int32](repeating: Self.undecided, count: nodes.count)
        var next: [Int32] = [], near: [Int] = []
        next.reserveCapacity(order.count)
        for (number, place) in order.enumerated() where became[Int(place)] == Self.undecided {
            let first = Int(place)
            became[first] = nodes[first]
            next.append(place)
            let index = Int(numbers[first])
            if index < 0 { continue }
            near.removeAll(keepingCapacity: true)
            grid.forEachNeighbor(of: index) { other in
                if became[Int(awake[other])] == Self.undecided { near.append(other) }
            }
            guard !near.isEmpty else { continue }
            var sum = Int(count(nodes[first]))
            for other in near { sum += Int(count(nodes[Int(awake[other])])) }
            guard sum >= options.minimumPointCount else {
                for other in near {
                    became[Int(awake[other])] = nodes[Int(awake[other])]
                    next.append(awake[other])
                }
                continue
            }
            var sumX = x[index] * Double(count(nodes[first])), sumY = y[index] * Double(count(nodes[first]))
            for other in near {
                let node = nodes[Int(awake[other])], weight = Double(count(node))
                sumX += x[other] * weight
                sumY += y[other] * weight
                take(node, at: zoom)
                became[Int(awake[other])] = Self.gone
            }
            take(nodes[first], at: zoom)
            if options.keepsParts { clusters.parts.append([nodes[first]] + near.map { nodes[Int(awake[$0])] }) }
            became[first] = Int32(self.x.count + clusters.x.count)
            clusters.x.append(sumX / Double(sum))
            clusters.y.append(sumY / Double(sum))
            clusters.counts.append(Int32(sum))
            clusters.ids.append(number << 5 + (zoom + 1) + rows.count)
            clusters.rows.append(row(nodes[first]))
            clusters.madeAt.append(Int8(zoom))
            clusters.takenAt.append(Self.never)
        }
        advance(became, next)
    }

    private static let undecided: Int32 = -2
    private static let gone: Int32 = -1

    private mutating func advance(_ became: [Int32], _ next: [Int32]) {
        var nodes: [Int32] = [], numbers = [Int32](repeating: 0, count: became.count)
        nodes.reserveCapacity(next.count)
        for place in became.indices where became[place] >= 0 {
            numbers[place] = Int32(nodes.count)
            nodes.append(became[place])
        }
        frontier.nodes = nodes
        frontier.order = next.map { numbers[Int($0)] }
    }
}

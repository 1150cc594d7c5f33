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

    private let options: PointClusters.Options
    // Points by their places on the curve: ordinates of Web Mercator, 0 to 1, y down, and in which order they were read.
    private let x: [Double]
    private let y: [Double]
    private let rows: [Int32]
    /// At which zoom each point was taken into a cluster.
    private var takenAt: [Int8]
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
        frontier = Frontier(
            zoom: options.maximumZoom + 1, nodes: nodes, order: order.map { numbers[Int($0)] }.filter { $0 >= 0 })
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
        guard node >= x.count else { return PointClusters.Item(x: x[node], y: y[node], count: 1, id: node) }
        let index = node - x.count
        return PointClusters.Item(
            x: clusters.x[index], y: clusters.y[index], count: Int(clusters.counts[index]), id: clusters.ids[index])
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
        let radius = options.radius / (Self.extent * Double(sign: .plus, exponent: zoom, significand: 1))
        guard options.radius >= 1e-6 else { return }
        let nodes = frontier.nodes, order = frontier.order
        // Neighbours on the ground lie beside each other in memory.
        var x: [Double] = [], y: [Double] = []
        x.reserveCapacity(nodes.count)
        y.reserveCapacity(nodes.count)
        for node in nodes {
            let index = Int(node) - self.x.count
            x.append(index < 0 ? self.x[Int(node)] : clusters.x[index])
            y.append(index < 0 ? self.y[Int(node)] : clusters.y[index])
        }
        let grid = PointGrid(x, y, side: radius)
        let alone = x.indices.map { !grid.hasNeighbor($0) }
        guard alone.contains(false) else { return }
        /// What has become of each: itself, a cluster, or nothing any more.
        var became = [Int32](repeating: Self.undecided, count: nodes.count)
        var next: [Int32] = [], near: [Int] = []
        next.reserveCapacity(order.count)
        for (number, place) in order.enumerated() where became[Int(place)] == Self.undecided {
            let first = Int(place)
            became[first] = nodes[first]
            next.append(place)
            if alone[first] { continue }
            near.removeAll(keepingCapacity: true)
            grid.forEachNeighbor(of: first) { if became[$0] == Self.undecided { near.append($0) } }
            guard !near.isEmpty else { continue }
            var sum = Int(count(nodes[first]))
            for other in near { sum += Int(count(nodes[other])) }
            guard sum >= options.minimumPointCount else {
                for other in near {
                    became[other] = nodes[other]
                    next.append(Int32(other))
                }
                continue
            }
            var sumX = x[first] * Double(count(nodes[first])), sumY = y[first] * Double(count(nodes[first]))
            for other in near {
                let weight = Double(count(nodes[other]))
                sumX += x[other] * weight
                sumY += y[other] * weight
                take(nodes[other], at: zoom)
                became[other] = Self.gone
            }
            take(nodes[first], at: zoom)
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

/// Points in square cells, for finding what lies within a cell's side of one.
struct PointGrid {
    private let x: [Double]
    private let y: [Double]
    private let side: Double
    private let perSide: Double
    /// The points cell by cell, and where the cells of a hash value begin.
    private var items: [Int32]
    private var starts: [Int32]
    private let mask: UInt64

    init(_ x: [Double], _ y: [Double], side: Double) {
        self.x = x
        self.y = y
        self.side = side
        perSide = 1 / side
        var size: UInt64 = 16
        while size < UInt64(x.count) { size *= 2 }
        mask = size - 1
        starts = [Int32](repeating: 0, count: Int(size) + 1)
        items = [Int32](repeating: 0, count: x.count)
        var slots = [Int32](repeating: 0, count: x.count)
        for place in x.indices {
            let slot = slot(cell(x[place]), cell(y[place]))
            slots[place] = Int32(slot)
            starts[slot + 1] += 1
        }
        for slot in 0..<Int(size) { starts[slot + 1] += starts[slot] }
        // Each start moves to the end of its cell, which is where the next begins.
        for place in x.indices.reversed() {
            let slot = Int(slots[place])
            starts[slot + 1] -= 1
            items[Int(starts[slot + 1])] = Int32(place)
        }
        starts.removeFirst()
        starts.append(Int32(x.count))
    }

    /// Beyond the last cells all lie in them.
    private func cell(_ value: Double) -> Int64 { Int64(min(max(value * perSide, -0x1p60), 0x1p60)) }

    private func slot(_ column: Int64, _ row: Int64) -> Int {
        // Columns beside each other lie beside each other, so that three of them are one look.
        let hash = UInt64(bitPattern: row) &* 0x9E37_79B9_7F4A_7C15
        return Int((UInt64(bitPattern: column) &+ (hash >> 20)) & mask)
    }

    /// Calls `body` with what lies in the cells of three columns of a row, and perhaps with others, until it says that it is enough.
    @inline(__always)
    private func isFound(_ column: Int64, _ row: Int64, _ body: (Int) -> Bool) -> Bool {
        let first = slot(column - 1, row)
        if first + 2 <= Int(mask) {
            for index in Int(starts[first])..<Int(starts[first + 3]) where body(Int(items[index])) { return true }
            return false
        }
        for offset in 0...2 {
            let slot = (first + offset) & Int(mask)
            for index in Int(starts[slot])..<Int(starts[slot + 1]) where body(Int(items[index])) { return true }
        }
        return false
    }

    /// Whether another point lies within a side of one.
    func hasNeighbor(_ place: Int) -> Bool {
        let x0 = x[place], y0 = y[place], limit = side * side, column = cell(x0), row = cell(y0)
        for row in row - 1...row + 1 {
            let isNear = isFound(column, row) { other in
                let dx = x[other] - x0, dy = y[other] - y0
                return dx * dx + dy * dy <= limit && other != place
            }
            if isNear { return true }
        }
        return false
    }

    /// Calls `body` with each other point within a side of one.
    func forEachNeighbor(of place: Int, _ body: (Int) -> Void) {
        let x0 = x[place], y0 = y[place], limit = side * side, column = cell(x0), row = cell(y0)
        for row in row - 1...row + 1 {
            _ = isFound(column, row) { other in
                let dx = x[other] - x0, dy = y[other] - y0
                // Those of other rows that share cells come in their own.
                if dx * dx + dy * dy <= limit, other != place, cell(y[other]) == row { body(other) }
                return false
            }
        }
    }
}

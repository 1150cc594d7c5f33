/// The clusters, and the points with neighbours, at a zoom level during clustering from level to level.
struct ClusterGathering {
    private let options: PointClusters.Options
    // Web Mercator ordinates of the points, 0 to 1, y down; NaN for invalid points.
    private let pointX: [Double]
    private let pointY: [Double]
    /// The maximum zoom level at which each point may have a neighbour.
    ///
    /// Above it, the point is not processed.
    private let wakesAt: [Int8]
    /// The number of points that become active at each zoom level.
    private var wakingCounts: [Int]
    // The clusters and active points along the curve: the index of the first point of each, and its number in the tree.
    private var places: [Int32] = []
    private var nodes: [Int32] = []
    private var x: [Double] = []
    private var y: [Double] = []
    private var counts: [Int32] = []
    private var order: ClusterOrder

    /// Starts with points along the curve.
    init(_ x: [Double], _ y: [Double], rows: [Int32], _ options: PointClusters.Options) {
        (self.options, pointX, pointY) = (options, x, y)
        order = ClusterOrder(ranks: rows, without: { x[$0].isNaN }, keepsList: options.minimumPointCount > 2)
        wakesAt = NeighborZooms(options).zooms(x, y)
        wakingCounts = [Int](repeating: 0, count: options.maximumZoom + 1)
        for zoom in wakesAt where zoom >= 0 { wakingCounts[Int(zoom)] += 1 }
    }

    /// Adds the points that become active at a zoom level.
    private mutating func wake(at zoom: Int) {
        guard wakingCounts[zoom] > 0 else { return }
        var woken: [Int32] = []
        woken.reserveCapacity(wakingCounts[zoom])
        for place in wakesAt.indices where wakesAt[place] == Int8(zoom) { woken.append(Int32(place)) }
        let count = places.count + woken.count
        let (oldPlaces, oldNodes, oldX, oldY, oldCounts) = (places, nodes, x, y, counts)
        places = [Int32](repeating: 0, count: count)
        nodes = places
        counts = [Int32](repeating: 1, count: count)
        x = [Double](repeating: 0, count: count)
        y = x
        var old = 0, new = 0
        for index in 0..<count {
            if new == woken.count || old < oldPlaces.count && oldPlaces[old] < woken[new] {
                (places[index], nodes[index], counts[index]) = (oldPlaces[old], oldNodes[old], oldCounts[old])
                (x[index], y[index]) = (oldX[old], oldY[old])
                old += 1
            } else {
                let place = woken[new]
                (places[index], nodes[index]) = (place, place)
                (x[index], y[index]) = (pointX[Int(place)], pointY[Int(place)])
                new += 1
            }
        }
    }

    /// Clusters the items of the next level for a zoom level, and adds the clusters to a tree.
    mutating func gather(at zoom: Int, into tree: inout ClusterTree) {
        wake(at: zoom)
        guard places.count > 1 else { return }
        let grid = PointGrid(x, y, side: options.reach(at: zoom)), ranks = order.ranks
        let firsts = grid.firsts(grid.sorted(places.map { ranks[Int($0)] }))
        let sums = Sums(grid, grid.sorted(counts), firsts)
        let keepsMembers = options.minimumPointCount > 2 || options.keepsParts
        let members = keepsMembers ? grid.members(firsts) : ([], [])
        let (gridPlaces, gridNodes) = keepsMembers ? (grid.sorted(places), grid.sorted(nodes)) : ([], [])
        var numbers = [Int32]()
        if options.minimumPointCount > 2 {
            numbers = [Int32](repeating: -1, count: pointX.count)
            for (index, place) in places.enumerated() { numbers[Int(place)] = grid.numbers[index] }
        }
        let parts = options.keepsParts ? (members.0, members.1.map { gridNodes[Int($0)] }) : ([], [])
        emit(grid.numbers, firsts, sums, parts, zoom, &tree)
        let followers = options.minimumPointCount > 2 ? members.1.map { gridPlaces[Int($0)] } : []
        order.advance { place in
            let number = Int(numbers[Int(place)])
            guard number >= 0 else { return [] }
            // Clustered items are removed. A remaining item that is not its own first item was left over.
            guard Int(firsts[number]) == number else { return nil }
            return Int(sums.counts[number]) < options.minimumPointCount
                ? followers[Int(members.0[number])..<Int(members.0[number + 1])] : []
        }
    }

    /// Continues with the items after a zoom level.
    private mutating func emit(
        _ gridNumbers: [Int32], _ firsts: [Int32], _ sums: Sums, _ parts: ([Int32], [Int32]), _ zoom: Int,
        _ tree: inout ClusterTree
    ) {
        var numbers = gridNumbers
        let (kept, gone) = part(gridNumbers, firsts, sums.counts)
        tree.note(gone.map { nodes[Int($0)] }, takenAt: zoom)
        order.remove(gone.map { places[Int($0)] })
        Self.keep(kept, of: &places)
        Self.keep(kept, of: &nodes)
        Self.keep(kept, of: &counts)
        Self.keep(kept, of: &x)
        Self.keep(kept, of: &y)
        Self.keep(kept, of: &numbers)
        for index in places.indices {
            let number = Int(numbers[index]), sum = sums.counts[number], place = places[index]
            guard sum > counts[index], Int(sum) >= options.minimumPointCount else { continue }
            tree.note(CollectionOfOne(nodes[index]), takenAt: zoom)
            if options.keepsParts {
                tree.appendParts(nodes[index], parts.1[Int(parts.0[number])..<Int(parts.0[number + 1])])
            }
            (x[index], y[index]) = (sums.points[number].x / Double(sum), sums.points[number].y / Double(sum))
            counts[index] = sum
            nodes[index] = tree.append(x[index], y[index], count: sum, place: place, number: order.number(place))
        }
    }

    /// Separates items into those that remain and those that are clustered.
    private func part(
        _ numbers: [Int32], _ firsts: [Int32], _ sums: [Int32]
    ) -> (kept: ArraySlice<Int32>, gone: ArraySlice<Int32>) {
        var all = [Int32](repeating: 0, count: numbers.count), others = all
        var keptCount = 0, goneCount = 0
        do {
            var kept = all.mutableSpan, gone = others.mutableSpan
            let numbers = numbers.span, firsts = firsts.span, sums = sums.span
            let least = Int32(clamping: options.minimumPointCount)
            // Every index is written to both outputs, and only the end of the matching output advances, which avoids a
            // branch.
            for index in 0..<numbers.count {
                let number = numbers[index], first = firsts[Int(number)]
                let isGone = first != number && sums[Int(first)] >= least
                kept[keptCount] = Int32(truncatingIfNeeded: index)
                gone[goneCount] = Int32(truncatingIfNeeded: index)
                keptCount &+= isGone ? 0 : 1
                goneCount &+= isGone ? 1 : 0
            }
        }
        return (all[..<keptCount], others[..<goneCount])
    }

    /// Moves the kept values of a column to its start, in their order, and removes the others.
    private static func keep<Value>(_ kept: ArraySlice<Int32>, of column: inout [Value]) {
        var values = column.mutableSpan, end = 0
        for index in kept {
            values[end] = values[Int(index)]
            end &+= 1
        }
        column.removeLast(column.count - end)
    }

    /// The accumulated items: the sums of point positions, and the numbers of points.
    private struct Sums {
        private(set) var points: [SIMD2<Double>]
        private(set) var counts: [Int32]

        init(_ grid: PointGrid, _ own: [Int32], _ firsts: [Int32]) {
            (points, counts) = (grid.points, own)
            for number in own.indices { points[number] *= Double(own[number]) }
            for number in firsts.indices where Int(firsts[number]) != number {
                let first = Int(firsts[number])
                counts[first] &+= own[number]
                points[first] += points[number]
            }
        }
    }
}

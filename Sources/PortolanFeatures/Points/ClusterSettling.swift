extension PointGrid {
    /// The state of an item: its rank, and the number of the item that clusters it.
    private struct Settled {
        let rank: Int32
        var by = Int32.max
        var first: Int32 = -1
    }

    /// Returns the number of the first item of each item's cluster, by their numbers in the grid.
    ///
    /// An unclustered item is its own first item.
    ///
    /// The algorithm visits items by rank: each unclustered item clusters the unclustered items around it. The result
    /// for an item only depends on earlier items around it. Therefore items are processed in spatial order, each as
    /// soon as all earlier items around it are settled. This gives the same result and stays in the processor's cache.
    ///
    /// - Complexity: O(points), however dense: items that cluster others are more than a side apart, and so is every
    ///   second one of those that wait for each other.
    func firsts(_ ranks: [Int32]) -> [Int32] {
        var nodes = ranks.map { Settled(rank: $0) }
        var settled = nodes.mutableSpan
        var space = [Int32](repeating: 0, count: ranks.count), near = space.mutableSpan
        var waiting: [Int32] = []
        for start in 0..<settled.count where settled[start].by == .max {
            var number = start
            while true {
                // The first of the unsettled items around it, which include itself.
                let count = neighbors(of: number, &near), rank = settled[number].rank
                var lowest = rank, before = number
                for index in 0..<count {
                    let other = Int(near[index]), node = settled[other]
                    let isLower = node.by == .max && node.rank < lowest
                    lowest = isLower ? node.rank : lowest
                    before = isLower ? other : before
                }
                if before != number {
                    waiting.append(Int32(truncatingIfNeeded: number))
                    number = before
                    continue
                }
                for index in 0..<count {
                    let other = Int(near[index]), isLower = rank < settled[other].by
                    settled[other].by = isLower ? rank : settled[other].by
                    settled[other].first = isLower ? Int32(truncatingIfNeeded: number) : settled[other].first
                }
                while let last = waiting.last, settled[Int(last)].by != .max { waiting.removeLast() }
                guard let last = waiting.popLast() else { break }
                number = Int(last)
            }
        }
        return nodes.map(\.first)
    }

    /// Returns the items of each cluster, cell by cell, and the start index for each number.
    func members(_ firsts: [Int32]) -> (starts: [Int32], numbers: [Int32]) {
        var starts: [Int32] = [], members: [Int32] = []
        starts.reserveCapacity(firsts.count + 1)
        var space = [Int32](repeating: 0, count: firsts.count), near = space.mutableSpan
        for number in firsts.indices {
            starts.append(Int32(members.count))
            guard Int(firsts[number]) == number else { continue }
            for index in 0..<neighbors(of: number, &near) {
                let other = Int(near[index])
                if other != number, Int(firsts[other]) == number { members.append(Int32(other)) }
            }
        }
        starts.append(Int32(members.count))
        return (starts, members)
    }
}

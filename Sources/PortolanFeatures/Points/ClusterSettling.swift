extension PointGrid {
    /// What has become of one: the rank and the number of the one that gathers it.
    private struct Settled {
        let rank: Int32
        var by = Int32.max
        var first: Int32 = -1
    }

    /// Which one each is gathered by, all by their numbers in the grid: one that nobody gathers by itself.
    ///
    /// The scheme goes through them by their ranks: each that is not gathered yet gathers those around it that are not. What
    /// becomes of one depends on those around it alone that come before it. So they are gone through as they lie on the
    /// ground, each once all before it around it are settled, which gives the same and stays in the processor's cache.
    ///
    /// - Complexity: O(points), however dense: those that gather others lie more than a side from each other, and so does
    ///   every second one of those that wait for each other.
    func firsts(_ ranks: [Int32]) -> [Int32] {
        var nodes = ranks.map { Settled(rank: $0) }
        var settled = nodes.mutableSpan
        var space = [Int32](repeating: 0, count: ranks.count), near = space.mutableSpan
        var waiting: [Int32] = []
        for start in 0..<settled.count where settled[start].by == .max {
            var number = start
            while true {
                // The first of those around it that are not settled; it is one of them.
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

    /// Those that each gathers: where those of each number begin, and they themselves, cell by cell.
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

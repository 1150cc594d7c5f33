extension TourSearch {
    /// Or-3opt: applies the first exchange of two adjacent parts that shortens the tour and gives the node a nearer
    /// predecessor or successor.
    ///
    /// Returns `false` if no exchange does. The time is O(near neighbours × nodes).
    mutating func improveDirected(around node: Int) -> Bool { follow(node) || lead(node) }

    /// Tries to give the node a nearer successor.
    private mutating func follow(_ node: Int) -> Bool {
        let next = tour.next(after: node)
        let present = cost(node, next)
        for index in node * nearCount..<(node + 1) * nearCount {
            let other = Int(near[index])
            let gain = present - cost(node, other)
            guard gain > 0 else { return false }
            if join(node, next, to: other, gain: gain) { return true }
        }
        return false
    }

    /// Tries to give the node a nearer predecessor.
    private mutating func lead(_ node: Int) -> Bool {
        let previous = tour.previous(before: node)
        let present = cost(previous, node)
        for index in node * nearCount..<(node + 1) * nearCount {
            let other = Int(nearBefore[index])
            let gain = present - cost(other, node)
            guard gain > 0 else { return false }
            let after = tour.next(after: other)
            // The new edge from `other` to the node connects the end of the first part with the third cut of `join`.
            if join(other, after, to: node, gain: cost(other, after) - cost(other, node)) { return true }
        }
        return false
    }

    /// Connects `node` with `other`, the best end after `other` with `next` (the former successor of `node`), and the
    /// predecessor of `other` with the successor of that end.
    private mutating func join(_ node: Int, _ next: Int, to other: Int, gain: Int) -> Bool {
        guard other != next, other != node else { return false }
        let count = tour.count
        let first = tour.place(of: next)
        var partLength = tour.place(of: other) - first
        if partLength < 0 { partLength += count }
        let before = tour.previous(before: other)
        let open = gain + cost(before, other)
        var (bestChange, bestLength) = (0, 0)
        var place = tour.place(of: other)
        var end = other
        for length in 1..<count - partLength {
            place = place + 1 == count ? 0 : place + 1
            let after = tour.node(at: place)
            let change = open + cost(end, after) - cost(end, next) - cost(before, after)
            if change > bestChange { (bestChange, bestLength) = (change, length) }
            end = after
        }
        guard bestLength > 0 else { return false }
        apply(first: first, lengths: (partLength, bestLength))
        return true
    }
}

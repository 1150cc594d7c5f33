import PortolanGeo

/// A local search for short closed tours: it applies improving exchanges, then repeatedly perturbs one spot, improves
/// it, and keeps the result if it is not longer.
///
/// Symmetric matrices use 2-opt and Or-opt. Others use Or-3opt, which keeps the direction of all parts, because
/// reversing a part would change its costs. Only exchanges that bring a near neighbour next to a node are tried, and
/// only around nodes whose neighbours have changed. Equal matrices, starts and seeds give equal results.
struct TourSearch: ~Copyable {
    let matrix: CostMatrix
    let isSymmetric: Bool
    var tour: ClosedTour
    var length: Int

    /// The near neighbours by the cost to them, and by the cost from them if that differs.
    let near: [Int32]
    let nearBefore: [Int32]
    let nearCount: Int

    // The queue of nodes around which an exchange may be an improvement.
    private var waiting: [Int32] = []
    private var waitingStart = 0
    private var isWaiting: [Bool]
    var spare: [Int32] = []
    private var numbers: SeededNumbers

    /// Prepares a search from a start tour.
    init(_ matrix: CostMatrix, start: [Int], seed: UInt64) {
        self.matrix = matrix
        isSymmetric = matrix.isSymmetric
        tour = ClosedTour(start)
        length = matrix.length(of: start)
        nearCount = min(isSymmetric ? 10 : 12, matrix.count - 1)
        near = matrix.nearest(nearCount)
        nearBefore = isSymmetric ? near : matrix.nearest(nearCount, reversed: true)
        isWaiting = [Bool](repeating: false, count: matrix.count)
        numbers = SeededNumbers(seed: seed)
    }

    /// The initial tolerance for longer tours, as a fraction of the mean edge.
    private static let heat = 0.4

    /// Returns the cost of an edge.
    func cost(_ a: Int, _ b: Int) -> Int { Int(matrix[a, b]) }

    /// Improves the tour, then applies a number of perturbations.
    ///
    /// - Parameter goOn: a closure called every 256 perturbations; returning `false` ends the search.
    mutating func run(shakes: Int, goOn: () -> Bool = { true }) {
        guard matrix.count > 3 else { return }
        for place in 0..<tour.count { wait(tour.node(at: place)) }
        settle()
        guard matrix.count > 7 else { return }
        var (kept, best, bestLength) = (tour, tour, length)
        let start = meanWay() * Self.heat
        for shake in 0..<shakes {
            if shake & 255 == 255, !goOn() { break }
            let before = length
            self.shake()
            settle()
            // Slightly longer tours are accepted with decreasing tolerance, to leave local minima.
            let heat = start * Double(shakes - shake) / Double(shakes)
            let chance = Double(numbers.next() >> 11) / Double(1 << 53)
            if Double(length - before) > -heat * Libm.logarithm(chance + 1e-9) {
                tour.copy(kept)
                length = before
            } else {
                kept.copy(tour)
                if length < bestLength {
                    best.copy(tour)
                    bestLength = length
                }
            }
        }
        tour.copy(best)
        length = bestLength
    }

    /// Returns the mean cost of the existing edges of the tour.
    private func meanWay() -> Double {
        var (sum, count) = (0, 0)
        for place in 0..<tour.count {
            let way = cost(tour.node(at: place), tour.node(at: place + 1 == tour.count ? 0 : place + 1))
            guard way < CostMatrix.forbidden else { continue }
            sum += way
            count += 1
        }
        return Double(sum) / Double(max(1, count))
    }

    /// Exchanges short adjacent parts at a random position: two of them for symmetric matrices.
    ///
    /// For others three parts are reversed in order (a double bridge), because a single Or-3opt would undo an exchange
    /// of two.
    private mutating func shake() {
        let count = tour.count
        let longest = max(1, min(50, (count - 2) / 3))
        let lengths = (1 + numbers.below(longest), 1 + numbers.below(longest))
        let first = numbers.below(count)
        apply(first: first, lengths: lengths)
        if !isSymmetric {
            let both = lengths.0 + lengths.1
            apply(first: first, lengths: (both, 1 + numbers.below(max(1, min(longest, count - both - 1)))))
        }
    }

    /// Exchanges two parts, updates the length and marks the six nodes at the cuts.
    mutating func apply(first: Int, lengths: (Int, Int)) {
        let count = tour.count
        func at(_ place: Int) -> Int { tour.node(at: place >= count ? place - count : place) }
        let (a, b) = (at(first + count - 1), at(first))
        let (c, d) = (at(first + lengths.0 - 1), at(first + lengths.0))
        let (e, f) = (at(first + lengths.0 + lengths.1 - 1), at(first + lengths.0 + lengths.1))
        length += cost(a, d) + cost(e, b) + cost(c, f) - cost(a, b) - cost(c, d) - cost(e, f)
        tour.exchange(from: first, lengths: lengths, spare: &spare)
        for node in [a, b, c, d, e, f] { wait(node) }
    }

    /// Marks a node around which an exchange may be an improvement.
    mutating func wait(_ node: Int) {
        guard !isWaiting[node] else { return }
        isWaiting[node] = true
        waiting.append(Int32(node))
    }

    /// Tries exchanges around marked nodes until none are left.
    private mutating func settle() {
        while waitingStart < waiting.count {
            let node = Int(waiting[waitingStart])
            waitingStart += 1
            if waitingStart == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                waitingStart = 0
            }
            isWaiting[node] = false
            while isSymmetric ? improve(around: node) : improveDirected(around: node) {}
        }
    }

    /// Applies the first exchange that shortens the tour and gives the node a nearer neighbour.
    ///
    /// Returns `false` if no exchange does.
    private mutating func improve(around node: Int) -> Bool {
        turn(around: node, forward: true) || turn(around: node, forward: false) || move(from: node)
    }

    private func step(_ node: Int, _ forward: Bool) -> Int {
        forward ? tour.next(after: node) : tour.previous(before: node)
    }

    /// 2-opt: replaces two edges and reverses the part between them.
    private mutating func turn(around node: Int, forward: Bool) -> Bool {
        let neighbour = step(node, forward)
        let present = cost(node, neighbour)
        for index in node * nearCount..<(node + 1) * nearCount {
            let other = Int(near[index])
            let gain = present - cost(node, other)
            guard gain > 0 else { return false }
            let beyond = step(other, forward)
            let change = gain + cost(other, beyond) - cost(neighbour, beyond)
            guard change > 0, beyond != node else { continue }
            if forward {
                tour.reverse(from: tour.place(of: neighbour), to: tour.place(of: other))
            } else {
                tour.reverse(from: tour.place(of: other), to: tour.place(of: neighbour))
            }
            length -= change
            for end in [node, neighbour, other, beyond] { wait(end) }
            return true
        }
        return false
    }

    /// Or-opt: moves a part of one to three nodes, beginning with the node, between two others in either direction.
    private mutating func move(from node: Int) -> Bool {
        for forward in [true, false] {
            var end = node
            for partLength in 1...3 {
                if partLength > 1 { end = step(end, forward) }
                let before = step(node, !forward)
                let after = step(end, forward)
                // The tour must have enough other nodes.
                guard partLength + 3 <= tour.count, before != after else { break }
                let removed = cost(before, node) + cost(end, after) - cost(before, after)
                guard removed > 0 else { continue }
                for index in node * nearCount..<(node + 1) * nearCount {
                    let other = Int(near[index])
                    guard cost(node, other) < removed else { break }
                    guard !isPart(other, of: node, partLength, forward) else { continue }
                    for side in [true, false] {
                        let beyond = step(other, side)
                        guard !isPart(beyond, of: node, partLength, forward) else { continue }
                        let added = cost(other, node) + cost(end, beyond) - cost(other, beyond)
                        guard removed > added else { continue }
                        place(from: node, to: end, partLength, forward, beside: other, beyond, side)
                        length -= removed - added
                        for cut in [before, node, end, after, other, beyond] { wait(cut) }
                        return true
                    }
                }
            }
        }
        return false
    }

    private func isPart(_ other: Int, of node: Int, _ partLength: Int, _ forward: Bool) -> Bool {
        var distance = tour.place(of: other) - tour.place(of: node)
        if !forward { distance = -distance }
        if distance < 0 { distance += tour.count }
        return distance < partLength
    }

    /// Moves a part between two adjacent nodes, with its first node next to `other`, by reversing parts.
    private mutating func place(
        from node: Int, to end: Int, _ partLength: Int, _ forward: Bool, beside other: Int, _ beyond: Int, _ side: Bool
    ) {
        // In tour direction, the part runs from `first` to `last` and moves between `left` and `right`.
        let (first, last) = forward ? (node, end) : (end, node)
        let (left, right) = side ? (other, beyond) : (beyond, other)
        // The first node of the part is next to `other`: directly after `left` or directly before `right`.
        let isTurned = (left == other) != (first == node)
        let firstPlace = tour.place(of: first)
        var gap = tour.place(of: right) - firstPlace
        if gap < 0 { gap += tour.count }
        tour.exchange(from: firstPlace, lengths: (partLength, gap - partLength), spare: &spare)
        if isTurned {
            let (a, b) = (tour.place(of: first), tour.place(of: last))
            tour.reverse(from: a, to: b)
        }
    }
}

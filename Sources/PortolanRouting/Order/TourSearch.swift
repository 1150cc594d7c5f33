import PortolanGeo

/// Looks for a short closed tour: improves one as far as exchanges can, shakes it at one spot, improves that spot, and
/// keeps what is no longer than before.
///
/// Where both directions cost the same, 2-opt and Or-opt improve; else parts change places and keep their direction
/// (Or-3opt), as turning a part around would change what each of its ways costs. Only exchanges that bring a near
/// neighbour beside a node are tried, and only around nodes whose neighbours have changed. The result is the same for
/// the same matrix, start and seed.
struct TourSearch: ~Copyable {
    let matrix: CostMatrix
    let isSymmetric: Bool
    var tour: ClosedTour
    var length: Int

    /// Near neighbours by the way to them; by the way from them where that is another.
    let near: [Int32]
    let nearBefore: [Int32]
    let nearCount: Int

    // The nodes around which an exchange may now pay, first in, first out.
    private var waiting: [Int32] = []
    private var waitingStart = 0
    private var isWaiting: [Bool]
    var spare: [Int32] = []
    private var numbers: SeededNumbers

    /// Prepares a search from a start.
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

    /// How much longer a tour may become by a shake, as a part of its mean way, when the search begins.
    private static let heat = 0.4

    /// The cost of a way.
    func cost(_ a: Int, _ b: Int) -> Int { Int(matrix[a, b]) }

    /// Improves the tour, then shakes it so many times.
    ///
    /// - Parameter goOn: asked every 256 shakes; `false` ends the search.
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
            // A somewhat longer tour may pass, ever less as the search goes on: else it stays where shakes do not lead out.
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

    /// The mean of the ways of the tour that are ways.
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

    /// Short parts that follow one another somewhere change places: two where turns improve the tour, else three in
    /// opposite order (a double bridge), since one Or-3opt would undo the change of two.
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

    /// Lets two parts change places, reckons the new length and marks the six nodes at the cuts.
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

    /// Marks a node as one around which an exchange may pay.
    mutating func wait(_ node: Int) {
        guard !isWaiting[node] else { return }
        isWaiting[node] = true
        waiting.append(Int32(node))
    }

    /// Tries exchanges around marked nodes until none is left.
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

    /// Makes the first exchange that shortens the tour and gives the node a nearer neighbour; `false` when none does.
    private mutating func improve(around node: Int) -> Bool {
        turn(around: node, forward: true) || turn(around: node, forward: false) || move(from: node)
    }

    private func step(_ node: Int, _ forward: Bool) -> Int {
        forward ? tour.next(after: node) : tour.previous(before: node)
    }

    /// 2-opt: two ways are replaced, and what lies between them is gone the other way round.
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

    /// Or-opt: a part of one to three nodes that begins with the node goes between two others, either way round.
    private mutating func move(from node: Int) -> Bool {
        for forward in [true, false] {
            var end = node
            for partLength in 1...3 {
                if partLength > 1 { end = step(end, forward) }
                let before = step(node, !forward)
                let after = step(end, forward)
                // The part and its two neighbours must leave a way to go to.
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

    /// Puts a part between two nodes that follow one another, its first node beside `other`, by turning parts around.
    private mutating func place(
        from node: Int, to end: Int, _ partLength: Int, _ forward: Bool, beside other: Int, _ beyond: Int, _ side: Bool
    ) {
        // In the direction of the tour the part runs from `first` to `last`, and goes between `left` and `right`.
        let (first, last) = forward ? (node, end) : (end, node)
        let (left, right) = side ? (other, beyond) : (beyond, other)
        // The first node of the part stands beside `other`: right after `left`, or right before `right`.
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

/// A closed tour with fast lookup of nodes by position and positions by node.
struct ClosedTour: Sendable {
    /// The nodes in tour order.
    private(set) var nodes: [Int32]

    /// The position of each node.
    private(set) var places: [Int32]

    /// The number of nodes.
    var count: Int { nodes.count }

    /// Creates a tour from a permutation of the node numbers from 0.
    init(_ order: [Int]) {
        nodes = order.map(Int32.init)
        places = [Int32](repeating: 0, count: order.count)
        for (place, node) in order.enumerated() { places[node] = Int32(place) }
    }

    func node(at place: Int) -> Int { Int(nodes[place]) }
    func place(of node: Int) -> Int { Int(places[node]) }

    func next(after node: Int) -> Int {
        let place = Int(places[node]) + 1
        return Int(nodes[place == nodes.count ? 0 : place])
    }

    func previous(before node: Int) -> Int {
        let place = Int(places[node])
        return Int(nodes[place == 0 ? nodes.count - 1 : place - 1])
    }

    /// Reverses the part between two positions, or the remaining part if that is shorter.
    ///
    /// Both give the same closed tour if directions don't matter.
    mutating func reverse(from first: Int, to last: Int) {
        let inner = last >= first ? last - first + 1 : last - first + 1 + count
        var (left, right, swaps) = (first, last, inner / 2)
        if inner * 2 > count {
            left = last + 1 == count ? 0 : last + 1
            right = first == 0 ? count - 1 : first - 1
            swaps = (count - inner) / 2
        }
        while swaps > 0 {
            let (a, b) = (nodes[left], nodes[right])
            nodes[left] = b
            places[Int(b)] = Int32(left)
            nodes[right] = a
            places[Int(a)] = Int32(right)
            left = left + 1 == count ? 0 : left + 1
            right = right == 0 ? count - 1 : right - 1
            swaps -= 1
        }
    }

    /// Exchanges two adjacent parts, which keep their directions.
    ///
    /// - Parameters:
    ///   - first: the position at which the first part begins.
    ///   - lengths: the number of nodes in the first and second part, together fewer than all.
    ///   - spare: a reusable buffer.
    mutating func exchange(from first: Int, lengths: (Int, Int), spare: inout [Int32]) {
        // In a closed tour of three parts, exchanging any two gives the same result, so the two shortest are exchanged.
        let rest = count - lengths.0 - lengths.1
        var (start, a, b) = (first, lengths.0, lengths.1)
        if a >= b, a > rest {
            (start, a, b) = (wrapped(first + a), lengths.1, rest)
        } else if b > rest {
            (start, a, b) = (wrapped(first + lengths.0 + lengths.1), rest, lengths.0)
        }
        spare.removeAll(keepingCapacity: true)
        var place = start
        for _ in 0..<a {
            spare.append(nodes[place])
            place = place + 1 == count ? 0 : place + 1
        }
        var target = start
        for _ in 0..<b {
            put(nodes[place], at: target)
            place = place + 1 == count ? 0 : place + 1
            target = target + 1 == count ? 0 : target + 1
        }
        for node in spare {
            put(node, at: target)
            target = target + 1 == count ? 0 : target + 1
        }
    }

    private func wrapped(_ place: Int) -> Int { place >= count ? place - count : place }

    private mutating func put(_ node: Int32, at place: Int) {
        nodes[place] = node
        places[Int(node)] = Int32(place)
    }

    /// Copies the order of another tour of the same nodes without allocating memory.
    mutating func copy(_ other: ClosedTour) {
        for place in nodes.indices {
            nodes[place] = other.nodes[place]
            places[place] = other.places[place]
        }
    }

    /// Returns the order starting at a node.
    func order(from node: Int) -> [Int] {
        let place = place(of: node)
        return (nodes[place...] + nodes[..<place]).map(Int.init)
    }
}

/// A closed tour that can be cut and joined again: which node stands where, and where each node stands.
struct ClosedTour: Sendable {
    /// The nodes in order.
    private(set) var nodes: [Int32]

    /// Where each node stands.
    private(set) var places: [Int32]

    /// The number of nodes.
    var count: Int { nodes.count }

    /// A tour through nodes that are numbered from 0 on, each once.
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

    /// Turns the part from one place to another around, or the rest where that is shorter: the same closed tour where
    /// directions do not matter.
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

    /// Lets two parts that follow one another change places; both keep their direction.
    ///
    /// - Parameters:
    ///   - first: the place where the first part begins.
    ///   - lengths: how many nodes the first and the second part have, together fewer than all.
    ///   - spare: a list that is used and left with any contents.
    mutating func exchange(from first: Int, lengths: (Int, Int), spare: inout [Int32]) {
        // A closed tour in three parts is the same whichever two of them change places: the two shortest do.
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

    /// Takes another tour's order of the same nodes without new memory.
    mutating func copy(_ other: ClosedTour) {
        for place in nodes.indices {
            nodes[place] = other.nodes[place]
            places[place] = other.places[place]
        }
    }

    /// The order, from a node on.
    func order(from node: Int) -> [Int] {
        let place = place(of: node)
        return (nodes[place...] + nodes[..<place]).map(Int.init)
    }
}

/// The processing order of points and clusters, each identified by the index of its first point.
struct ClusterOrder {
    /// The rank of each index, in ascending order.
    private(set) var ranks: [Int32]
    /// A bit for each existing rank, and the number of bits before each group of 64.
    private var bits: [UInt64]
    private var sums: [Int32] = []
    /// The bits of the ranks that remain at the next level.
    private var rest: [UInt64]
    /// All items in order, if the order changes between zoom levels; otherwise the order is that of the ranks.
    private var list: [Int32] = []
    private let keepsList: Bool

    /// Starts with points.
    ///
    /// - Parameters:
    ///   - none: returns whether there is no point at an index.
    ///   - keepsList: whether items may follow others later.
    init(ranks: [Int32], without none: (Int) -> Bool, keepsList: Bool) {
        self.ranks = ranks
        self.keepsList = keepsList
        bits = [UInt64](repeating: 0, count: ranks.count / 64 + 1)
        for place in ranks.indices where !none(place) { bits[Int(ranks[place]) >> 6] |= 1 << UInt64(ranks[place] & 63) }
        rest = bits
        if keepsList {
            list = [Int32](repeating: 0, count: ranks.count)
            for (place, rank) in ranks.enumerated() { list[Int(rank)] = Int32(place) }
            list.removeAll { none(Int($0)) }
        }
        sum()
    }

    private mutating func sum() {
        var sum: Int32 = 0
        sums = bits.map { bits in
            defer { sum += Int32(bits.nonzeroBitCount) }
            return sum
        }
    }

    /// Returns the number of items before one.
    func number(_ place: Int32) -> Int {
        let rank = Int(ranks[Int(place)]), word = rank >> 6
        return Int(sums[word]) + (bits[word] & (1 << UInt64(rank & 63) - 1)).nonzeroBitCount
    }

    /// Removes items that do not exist at the next zoom level.
    mutating func remove(_ places: [Int32]) {
        let ranks = ranks
        var rest = rest.mutableSpan
        for place in places {
            let rank = ranks[Int(place)]
            rest[Int(rank) >> 6] &= ~(1 << UInt64(rank & 63))
        }
    }

    /// Advances to the next zoom level.
    ///
    /// - Parameter followers: returns the items that follow one; `nil` for an item that follows another.
    mutating func advance(_ followers: (Int32) -> ArraySlice<Int32>?) {
        if keepsList {
            var next: [Int32] = []
            next.reserveCapacity(list.count)
            for place in list {
                let rank = ranks[Int(place)]
                guard rest[Int(rank) >> 6] >> UInt64(rank & 63) & 1 == 1, let own = followers(place) else { continue }
                next.append(place)
                next += own
            }
            list = next
            for (rank, place) in list.enumerated() { ranks[Int(place)] = Int32(rank) }
            for word in rest.indices {
                let count = min(max(list.count - 64 * word, 0), 64)
                rest[word] = count == 64 ? ~0 : 1 << UInt64(count) - 1
            }
        }
        bits = rest
        sum()
    }
}

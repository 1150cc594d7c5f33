/// A binary heap of waiting tickets.
///
/// - Complexity: `insert` and `removeFirst` are O(log n).
struct PriorityHeap<Ticket: Sendable>: Sendable {
    struct Entry: Sendable {
        var isMargin: Bool
        var turn: Double
        /// Unlike that of any other entry; the lower came first.
        var number: UInt64
        var ticket: Ticket

        static func < (left: Entry, right: Entry) -> Bool {
            if left.isMargin != right.isMargin { return right.isMargin }
            return left.turn != right.turn ? left.turn < right.turn : left.number < right.number
        }
    }

    private var entries: [Entry] = []

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child] < entries[parent] else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && entries[child] < entries[least]
            {
                least = child
            }
            guard least != parent else { return first }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    mutating func removeAll() { entries = [] }
}

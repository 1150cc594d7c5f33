/// What of an answer or a recording could not be read, and was left out.
public struct FeedLosses: Hashable, Sendable, CustomStringConvertible {
    /// How many entities or lines were left out.
    public var count: Int
    /// The first of the faults, at most ``mostFaults``.
    public var faults: [FeedError]

    /// The most faults that are kept: 20.
    public static let mostFaults = 20

    /// Makes losses.
    public init(count: Int = 0, faults: [FeedError] = []) {
        self.count = max(count, faults.count)
        self.faults = Array(faults.prefix(Self.mostFaults))
    }

    /// Counts a fault.
    mutating func add(_ fault: FeedError) {
        count += 1
        if faults.count < Self.mostFaults { faults.append(fault) }
    }

    /// Adds what was lost elsewhere, or later.
    public mutating func add(_ others: FeedLosses) {
        count += others.count
        faults += others.faults.prefix(Self.mostFaults - faults.count)
    }

    /// How many entities are left out, and the first three faults.
    public var description: String {
        let named = faults.prefix(3).map { fault in
            [fault.place, fault.reason].compactMap(\.self).joined(separator: ": ")
        }
        let rest = count > named.count && !named.isEmpty ? "; and \(count - named.count) more" : ""
        return "\(count) \(count == 1 ? "entry is" : "entries are") left out"
            + (named.isEmpty ? "" : ": " + named.joined(separator: "; ") + rest)
    }
}

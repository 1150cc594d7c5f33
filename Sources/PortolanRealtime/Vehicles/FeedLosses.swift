import PortolanWeb
/// The parts of a response or a recording that were omitted because they were invalid.
public struct FeedLosses: Hashable, Sendable, CustomStringConvertible {
    /// The number of omitted entities or lines.
    public var count: Int
    /// The first errors, at most ``mostFaults``.
    public var faults: [FeedError]

    /// The maximum number of errors that are kept: 20.
    public static let mostFaults = 20

    /// Creates a value from a count and errors.
    public init(count: Int = 0, faults: [FeedError] = []) {
        self.count = max(count, faults.count)
        self.faults = Array(faults.prefix(Self.mostFaults))
    }

    /// Counts an error.
    mutating func add(_ fault: FeedError) {
        count += 1
        if faults.count < Self.mostFaults { faults.append(fault) }
    }

    /// Adds the losses of another part.
    public mutating func add(_ others: FeedLosses) {
        count += others.count
        faults += others.faults.prefix(Self.mostFaults - faults.count)
    }

    /// The number of omitted entities and the first three errors.
    public var description: String {
        let named = faults.prefix(3).map { fault in
            [fault.place, fault.reason].compactMap(\.self).joined(separator: ": ")
        }
        let rest = count > named.count && !named.isEmpty ? "; and \(count - named.count) more" : ""
        return "\(PhraseText.counted(count, "entry is|entries are")) left out"
            + (named.isEmpty ? "" : ": " + named.joined(separator: "; ") + rest)
    }
}

import Synchronization

/// Someone who pins entries of a ``MemoryCache``: a view, a render under way.
///
/// Every owner made is a different one; copies are the same.
public struct PinOwner: Hashable, Sendable {
    private static let lastNumber = Atomic<UInt64>(0)
    private let number: UInt64

    /// Makes an owner unlike all others of the process.
    public init() {
        number = PinOwner.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

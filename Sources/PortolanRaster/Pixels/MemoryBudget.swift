import Synchronization

/// A limit of the memory for images and features, over all renders that share the budget.
///
/// Network data can be small in transfer and large in memory: a kilobyte may decode to an image of a gigabyte.
/// Therefore decoded pixels, features and label glyphs are charged before memory is allocated, and a resource that
/// exceeds the budget fails with a typed error while the rest is drawn. A charge is held as long as its resource. The
/// picture itself, its encoding and working memory of a fixed size, together about 100 MB for a picture of ordinary
/// size, are not included. Of a picture of more than 16 million pixels only some rows are in memory at a time, and the
/// files of its tiles are charged instead of their pixels.
///
/// Several renderers can share a budget by sharing the object; it can be used by many tasks.
public final class MemoryBudget: Sendable {
    /// The default budget: 384 MiB.
    public static let standardByteLimit = 384 << 20

    private struct State {
        var limit: Int
        var count = 0
        var highest = 0
        var ownByteCount = 0
    }

    private let state: Mutex<State>
    /// Whether the limit is fixed, whatever files the user opens.
    private let isFixed: Bool

    /// Creates a budget with a limit in bytes.
    public init(byteLimit: Int = MemoryBudget.standardByteLimit) {
        state = Mutex(State(limit: max(byteLimit, 0)))
        isFixed = false
    }

    /// Creates a budget that ``makeRoom(forOwnFile:)`` does not increase.
    package init(fixedAt byteLimit: Int) {
        state = Mutex(State(limit: max(byteLimit, 0)))
        isFixed = true
    }

    /// The maximum number of bytes charged at the same time.
    public var byteLimit: Int { state.withLock(\.limit) }

    /// The number of bytes charged.
    public var byteCount: Int { state.withLock(\.count) }

    /// The highest number of bytes charged at the same time so far.
    public var highestByteCount: Int { state.withLock(\.highest) }

    /// Charges bytes for as long as the charge is held.
    ///
    /// - Throws: ``MemoryBudget/ExceededError`` if there is not enough memory left.
    package func charge(_ byteCount: Int) throws(MemoryBudget.ExceededError) -> MemoryCharge {
        let charge = MemoryCharge(self)
        try charge.grow(by: byteCount)
        return charge
    }

    /// Increases the budget for a local file of known size.
    ///
    /// The limit becomes at least eight times the total size of such files, which is the memory of small features,
    /// unless the budget is fixed.
    package func makeRoom(forOwnFile byteCount: Int) {
        guard !isFixed else { return }
        state.withLock { state in
            state.ownByteCount += max(byteCount, 0)
            state.limit = max(state.limit, state.ownByteCount * 8)
        }
    }

    fileprivate func take(_ byteCount: Int) throws(MemoryBudget.ExceededError) {
        try state.withLock { (state) throws(MemoryBudget.ExceededError) in
            let rest = max(state.limit - state.count, 0)
            guard byteCount <= rest else {
                throw MemoryBudget.ExceededError(
                    neededByteCount: byteCount, freeByteCount: rest, byteLimit: state.limit)
            }
            state.count += byteCount
            state.highest = max(state.highest, state.count)
        }
    }

    fileprivate func giveBack(_ byteCount: Int) { state.withLock { $0.count -= byteCount } }
}

extension MemoryBudget: Hashable {
    /// Returns whether the budgets are identical.
    public static func == (left: MemoryBudget, right: MemoryBudget) -> Bool { left === right }

    /// Hashes the identity of the budget.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MemoryBudget {
    /// The error of a ``MemoryBudget`` without enough memory.
    public struct ExceededError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The number of bytes requested.
        public let neededByteCount: Int
        /// The number of bytes available.
        public let freeByteCount: Int
        /// The limit of the budget in bytes.
        public let byteLimit: Int

        /// The message in one line.
        public var description: String {
            "\(Self.megabytes(neededByteCount)) of memory needed; \(Self.megabytes(freeByteCount)) of the limit of "
                + "\(Self.megabytes(byteLimit)) are left"
        }

        private static func megabytes(_ count: Int) -> String {
            count < 1 << 20 ? "\((count + 1023) >> 10) KiB" : "\(((count >> 19) + 1) >> 1) MiB"
        }
    }
}

/// Charged bytes of a ``MemoryBudget``, released when the charge is deallocated.
package final class MemoryCharge: Sendable {
    private let budget: MemoryBudget
    private let count = Mutex(0)

    fileprivate init(_ budget: MemoryBudget) { self.budget = budget }

    deinit { budget.giveBack(count.withLock(\.self)) }

    /// The number of bytes charged.
    package var byteCount: Int { count.withLock(\.self) }

    /// Charges more bytes.
    ///
    /// - Throws: ``MemoryBudget/ExceededError`` if there is not enough memory left; the charge is then unchanged.
    package func grow(by byteCount: Int) throws(MemoryBudget.ExceededError) {
        let more = max(byteCount, 0)
        try budget.take(more)
        count.withLock { $0 += more }
    }

    /// Releases bytes, at most all of them, before the charge is deallocated.
    package func shrink(by byteCount: Int) {
        let less = count.withLock { count in
            let less = min(max(byteCount, 0), count)
            count -= less
            return less
        }
        budget.giveBack(less)
    }
}

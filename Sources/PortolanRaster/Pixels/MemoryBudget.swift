import Synchronization

/// How much memory images and features may take at the same time, over all drawings that share the budget.
///
/// What comes from afar is small on the way and large in memory: a kilobyte may be an image of a gigabyte. So decoded pixels,
/// features and the letters of labels are charged before memory is taken, and what finds no room is a typed failure of that
/// resource, while the rest is drawn. A charge is held as long as what it was made for. The picture itself, its encoding and
/// working memory of a fixed size, together some 100 MB for a picture of ordinary size, come on top. Of a picture of more than 16
/// million pixels some rows are in memory at a time, and the files of its tiles are charged in place of their pixels.
///
/// Several renderers share a budget by sharing the object; it may be used by many tasks.
public final class MemoryBudget: Sendable {
    /// The budget unless another is given: 384 MiB.
    public static let standardByteLimit = 384 << 20

    private struct State {
        var limit: Int
        var count = 0
        var highest = 0
        var ownByteCount = 0
    }

    private let state: Mutex<State>
    /// Whether the budget stays as it is, whatever files the user has.
    private let isFixed: Bool

    /// Makes a budget of some bytes.
    public init(byteLimit: Int = MemoryBudget.standardByteLimit) {
        state = Mutex(State(limit: max(byteLimit, 0)))
        isFixed = false
    }

    /// Makes a budget that ``makeRoom(forOwnFile:)`` does not raise.
    package init(fixedAt byteLimit: Int) {
        state = Mutex(State(limit: max(byteLimit, 0)))
        isFixed = true
    }

    /// The most bytes that may be charged at the same time.
    public var byteLimit: Int { state.withLock(\.limit) }

    /// How many bytes are charged.
    public var byteCount: Int { state.withLock(\.count) }

    /// The most bytes that were charged at the same time so far.
    public var highestByteCount: Int { state.withLock(\.highest) }

    /// Charges bytes, for as long as the charge is held.
    ///
    /// - Throws: ``MemoryError`` when there are fewer left.
    package func charge(_ byteCount: Int) throws(MemoryError) -> MemoryCharge {
        let charge = MemoryCharge(self)
        try charge.grow(by: byteCount)
        return charge
    }

    /// Makes room for a file of the user's own, whose size is known: in all for eight times the size of such files, which is what
    /// small features take, where that is more than the budget and the budget is not fixed.
    package func makeRoom(forOwnFile byteCount: Int) {
        guard !isFixed else { return }
        state.withLock { state in
            state.ownByteCount += max(byteCount, 0)
            state.limit = max(state.limit, state.ownByteCount * 8)
        }
    }

    fileprivate func take(_ byteCount: Int) throws(MemoryError) {
        try state.withLock { (state) throws(MemoryError) in
            let rest = max(state.limit - state.count, 0)
            guard byteCount <= rest else {
                throw MemoryError(neededByteCount: byteCount, freeByteCount: rest, byteLimit: state.limit)
            }
            state.count += byteCount
            state.highest = max(state.highest, state.count)
        }
    }

    fileprivate func giveBack(_ byteCount: Int) { state.withLock { $0.count -= byteCount } }
}

extension MemoryBudget: Hashable {
    /// Whether two are the same budget.
    public static func == (left: MemoryBudget, right: MemoryBudget) -> Bool { left === right }

    /// Hashes which budget it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// That a ``MemoryBudget`` has no room.
public struct MemoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many bytes were wanted.
    public let neededByteCount: Int
    /// How many were left.
    public let freeByteCount: Int
    /// The budget.
    public let byteLimit: Int

    /// The failure in one line.
    public var description: String {
        "it takes \(Self.megabytes(neededByteCount)) of memory; \(Self.megabytes(freeByteCount)) of the budget of "
            + "\(Self.megabytes(byteLimit)) are left"
    }

    private static func megabytes(_ count: Int) -> String {
        count < 1 << 20 ? "\((count + 1023) >> 10) KiB" : "\(((count >> 19) + 1) >> 1) MiB"
    }
}

/// Bytes of a ``MemoryBudget`` that are taken; they are free again when nobody holds the charge any more.
package final class MemoryCharge: Sendable {
    private let budget: MemoryBudget
    private let count = Mutex(0)

    fileprivate init(_ budget: MemoryBudget) { self.budget = budget }

    deinit { budget.giveBack(count.withLock(\.self)) }

    /// How many bytes are charged.
    package var byteCount: Int { count.withLock(\.self) }

    /// Charges more bytes.
    ///
    /// - Throws: ``MemoryError`` when there are fewer left; what was charged stays.
    package func grow(by byteCount: Int) throws(MemoryError) {
        let more = max(byteCount, 0)
        try budget.take(more)
        count.withLock { $0 += more }
    }

    /// Gives bytes back before the charge ends, all of them at the most.
    package func shrink(by byteCount: Int) {
        let less = count.withLock { count in
            let less = min(max(byteCount, 0), count)
            count -= less
            return less
        }
        budget.giveBack(less)
    }
}

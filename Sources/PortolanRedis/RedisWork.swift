package import PortolanFetch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Numbered pieces of work that many processes do together, each piece once, whoever dies.
///
/// It is a stream with one group of consumers. The entry `1-5` is piece 4 in round 1, so that what several put in at once is there once,
/// and the last entry that the stream has had says how far the work has come. An entry goes when its piece is done. Pieces of a process of
/// which nothing was heard for ``claimTime`` are given to another. Pieces that failed are kept as a set, and done again in another round.
///
/// Needs Redis 6.2 or newer, or any Valkey. A stream holds no more than what is under way and ``batchCount`` pieces to come. When the server
/// loses it, the work begins again, and who does it must find what is there already.
package final class RedisWork: Sendable {
    /// How far the work has come.
    package struct Progress: Hashable, Sendable {
        /// Pieces in all.
        package var total: Int
        /// Pieces that are dealt with, those that failed among them.
        package var done: Int
        /// Pieces that failed.
        package var failed: Int
        /// Whether none is left.
        package var isOver: Bool { done >= total }

        /// Makes a statement.
        package init(total: Int, done: Int, failed: Int) {
            (self.total, self.done, self.failed) = (total, done, failed)
        }
    }

    /// What came of a piece.
    package enum Outcome: Sendable { case done, failed }

    /// How many pieces there are.
    package let count: Int
    /// How long a process may be silent before its pieces are given to others.
    package let claimTime: Duration
    /// How long the server may be away before ``run(width:tell:_:)`` gives up.
    package let patience: Duration

    private let store: RedisStore
    private let stream: RedisCommand.Word, failures: RedisCommand.Word
    private let worker: RedisCommand.Word
    /// The entries that this process is at.
    private let held = Mutex<Set<String>>([])

    private static let group: RedisCommand.Word = "workers"
    /// Pieces that are put in at once.
    private static let batchCount = 256
    /// How often a piece is given out; one that ends three processes is left alone.
    private static let maximumDeliveries = 3

    /// Names some work.
    ///
    /// - Parameters:
    ///   - name: what tells the work from others on the server; all who do it say the same name and count.
    ///   - store: what is on the server; the work lies under the prefix of its keys, for as long as its entries.
    package init(
        named name: String, count: Int, on store: RedisStore, claimTime: Duration = .seconds(30),
        patience: Duration = .seconds(60)
    ) {
        (self.count, self.store, self.claimTime, self.patience) = (count, store, claimTime, patience)
        stream = .init(store.settings.keyPrefix + "work:" + name)
        failures = .init(store.settings.keyPrefix + "failed:" + name)
        worker = .init("\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: .min ... .max))")
    }

    /// How far the work has come; nothing is done yet where it has not begun.
    package func progress() async throws(StoreError) -> Progress {
        let replies = try await store.replies(
            to: [RedisCommand("XINFO", "STREAM", stream), RedisCommand("SCARD", failures)])
        let state = StreamState(replies[0])
        // Later rounds are of some pieces alone; all the others are done.
        let putIn = state.round > 1 ? count : min(state.putIn, count)
        return Progress(total: count, done: max(putIn - state.length, 0), failed: replies[1].integer)
    }

    /// Forgets all that was done.
    package func forget() async throws(StoreError) {
        let reply = try await store.replies(to: [RedisCommand("DEL", stream, failures)])[0]
        if let error = reply.error { throw error.storeError(at: store.address) }
    }

    /// Does pieces until none is left, those that failed before once more.
    ///
    /// It ends early when its task is cancelled; what it was at is then for others at once.
    ///
    /// - Parameters:
    ///   - width: how many pieces are done side by side.
    ///   - tell: hears about once a second how far the work of all has come.
    ///   - piece: does the piece of a number.
    /// - Returns: how far the work has come.
    /// - Throws: when the server is away for longer than ``patience``, or refuses.
    package func run(
        width: Int, tell: @escaping @Sendable (Progress) -> Void = { _ in },
        _ piece: @escaping @Sendable (Int) async -> Outcome
    ) async throws(StoreError) -> Progress {
        try await patiently { () async throws(StoreError) in try await self.begin() }
        let outcome = await withTaskGroup(of: Result<Void, StoreError>.self) { group in
            for _ in 0..<max(width, 1) { group.addTask { await self.lane(piece) } }
            let signs = Task { await self.giveSigns(tell) }
            defer { signs.cancel() }
            var outcome = Result<Void, StoreError>.success(())
            for await result in group {
                guard case .failure = result, case .success = outcome else { continue }
                outcome = result
                group.cancelAll()
            }
            return outcome
        }
        await letGo()
        try outcome.get()
        let progress = try await progress()
        tell(progress)
        return progress
    }

    /// Takes and does one piece after the other.
    private func lane(_ piece: @Sendable (Int) async -> Outcome) async -> Result<Void, StoreError> {
        do throws(StoreError) {
            while !Task.isCancelled {
                let next = try await patiently { () async throws(StoreError) in try await self.take() }
                switch next {
                case .over: return .success(())
                case .later: try? await Task.sleep(for: .milliseconds(200))
                case .again: break
                case .piece(let entry, let number, let isSafe):
                    let outcome = isSafe ? await piece(number) : .failed
                    // What was cut off is for others.
                    if Task.isCancelled { return .success(()) }
                    try await patiently { () async throws(StoreError) in try await self.finish(entry, number, outcome) }
                }
            }
            return .success(())
        } catch { return .failure(error) }
    }

    private enum Next {
        /// A piece, and whether it may be tried: it has not ended others.
        case piece(entry: String, number: Int, isSafe: Bool)
        /// There may be some now.
        case again
        /// Others are at the last ones.
        case later
        case over
    }

    /// Finds what is to be done next.
    private func take() async throws(StoreError) -> Next {
        let idle = RedisCommand.Word("\(claimTime.wholeMilliseconds)")
        let replies = try await store.replies(
            to: [
                RedisCommand("XPENDING", stream, Self.group, "IDLE", idle, "-", "+", "1"),
                RedisCommand("XREADGROUP", "GROUP", Self.group, worker, "COUNT", "1", "STREAMS", stream, ">"),
                RedisCommand("XINFO", "STREAM", stream),
            ])
        for error in replies.compactMap(\.error) {
            guard error.code == .noGroup else { throw error.storeError(at: store.address) }
            // The server has lost it.
            try await begin()
            return .again
        }
        // Given out anew: [[stream, [[entry, fields]]]].
        if let entry = replies[1].elements.first?.elements.last?.elements.first?.elements.first?.text {
            return held(entry)
        }
        // Left behind: [[entry, worker, idle, deliveries]].
        if let silent = replies[0].elements.first?.elements, silent.count == 4, let entry = silent[0].text {
            // Its own, where signs of life come late.
            if held.withLock({ $0.contains(entry) }) { return .later }
            let claim = RedisCommand("XCLAIM", stream, Self.group, worker, idle, .init(entry))
            // Another may have been faster, or the piece was done after all.
            guard try await store.replies(to: [claim])[0].elements.first?.elements.first?.text == entry else {
                return .again
            }
            return held(entry, isSafe: silent[3].integer < Self.maximumDeliveries)
        }
        let state = StreamState(replies[2])
        if state.round <= 1, state.putIn < count {
            try await putIn((state.putIn..<min(state.putIn + Self.batchCount, count)).map { $0 }, round: 1)
            return .again
        }
        return state.length > 0 ? .later : .over
    }

    private func held(_ entry: String, isSafe: Bool = true) -> Next {
        guard let number = StreamState.piece(of: entry), number < count else { return .again }
        held.withLock { _ = $0.insert(entry) }
        return .piece(entry: entry, number: number, isSafe: isSafe)
    }

    private func finish(_ entry: String, _ number: Int, _ outcome: Outcome) async throws(StoreError) {
        let verb: RedisCommand.Word = outcome == .failed ? "SADD" : "SREM"
        // In this order a death in between costs a piece that is done again.
        let replies = try await store.replies(
            to: [
                RedisCommand(verb, failures, "\(number)"),
                RedisCommand("XACK", stream, Self.group, .init(entry)), RedisCommand("XDEL", stream, .init(entry)),
            ])
        if let error = replies.lazy.compactMap(\.error).first { throw error.storeError(at: store.address) }
        held.withLock { _ = $0.remove(entry) }
    }

    /// Makes the stream where there is none; what failed is put in again when nothing else is left.
    private func begin() async throws(StoreError) {
        let replies = try await store.replies(
            to: [
                RedisCommand("XGROUP", "CREATE", stream, Self.group, "0", "MKSTREAM"),
                RedisCommand("XINFO", "STREAM", stream), RedisCommand("SMEMBERS", failures),
            ])
        for error in replies.compactMap(\.error) where error.code != .busyGroup {
            throw error.storeError(at: store.address)
        }
        await keep()
        let state = StreamState(replies[1]), failed = replies[2].elements.compactMap { $0.text.flatMap(Int.init) }
        guard state.length == 0, state.round > 1 || state.putIn >= count, !failed.isEmpty else { return }
        try await putIn(failed.sorted(), round: state.round + 1)
    }

    /// Puts pieces in, in rising order; those that others have put in are refused, one by one.
    private func putIn(_ pieces: [Int], round: Int) async throws(StoreError) {
        for start in stride(from: 0, to: pieces.count, by: Self.batchCount) {
            let commands = pieces[start..<min(start + Self.batchCount, pieces.count)].map {
                RedisCommand("XADD", stream, "\(round)-\($0 + 1)", "p", "")
            }
            for error in try await store.replies(to: commands).compactMap(\.error) where error.code == .outOfMemory {
                throw error.storeError(at: store.address)
            }
        }
    }

    /// Tells the others again and again that this process lives, and who asks how far all is.
    private func giveSigns(_ tell: @Sendable (Progress) -> Void) async {
        let interval = min(claimTime / 3, .seconds(1))
        while (try? await Task.sleep(for: interval)) != nil {
            await keep()
            if let progress = try? await progress() { tell(progress) }
        }
    }

    /// Keeps what this process is at for it, and all for as long as entries of the store last.
    private func keep() async {
        let lifetime = RedisCommand.Word("\(store.settings.lifetime.wholeMilliseconds)")
        var commands = [RedisCommand("PEXPIRE", stream, lifetime), RedisCommand("PEXPIRE", failures, lifetime)]
        for entry in held.withLock(\.self) {
            commands.append(RedisCommand("XCLAIM", stream, Self.group, worker, "0", .init(entry), "JUSTID"))
        }
        _ = try? await store.replies(to: commands)
    }

    /// Gives what this process is at to others.
    private func letGo() async {
        let idle = RedisCommand.Word("\(claimTime.wholeMilliseconds)")
        let commands = held.withLock { held in
            defer { held = [] }
            return held.map {
                RedisCommand("XCLAIM", stream, Self.group, worker, "0", .init($0), "IDLE", idle, "JUSTID")
            }
        }
        // It may be that it was cancelled; the commands are to be sent all the same.
        if !commands.isEmpty { await Task { _ = try? await store.replies(to: commands) }.value }
    }

    /// Tries again for as long as the server may be away.
    private func patiently<Value: Sendable>(
        _ work: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let end = ContinuousClock.now + patience
        while true {
            do throws(StoreError) { return try await work() } catch {
                guard [.unavailable, .busy].contains(error.code), !Task.isCancelled, ContinuousClock.now < end,
                    (try? await Task.sleep(for: .milliseconds(200))) != nil
                else { throw error }
            }
        }
    }
}

/// How a stream stands.
private struct StreamState {
    /// The round and the number of pieces of the last entry that it has had; 0 before the first.
    var round = 0, putIn = 0
    /// How many entries it has: those to come and those under way.
    var length = 0

    /// Reads what XINFO STREAM replies: names and values in turn; nothing of what is no stream.
    init(_ reply: RedisReply) {
        let words = reply.elements
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            switch words[index].text {
            case "length": length = words[index + 1].integer
            case "last-generated-id":
                let parts = (words[index + 1].text ?? "").split(separator: "-").compactMap { Int($0) }
                if parts.count == 2 { (round, putIn) = (parts[0], parts[1]) }
            default: break
            }
        }
    }

    /// The piece of an entry.
    static func piece(of entry: String) -> Int? {
        let parts = entry.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 && parts[1] > 0 ? parts[1] - 1 : nil
    }
}

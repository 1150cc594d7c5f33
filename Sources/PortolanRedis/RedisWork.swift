package import PortolanFetch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Numbered pieces of work that are distributed to many processes, so that each is done once even if processes die.
///
/// It is a stream with one consumer group. The entry `1-5` is piece 4 in round 1, so that entries added by several
/// processes are unique, and the last entry ID of the stream shows the progress. An entry is deleted when its piece is
/// done. Pieces of a process that was silent for ``claimTime`` are reassigned. Failed pieces are kept in a set, and
/// repeated in another round.
///
/// It needs Redis 6.2 or newer, or any version of Valkey. A stream contains only the pieces in progress and the next
/// ``batchCount``. If the server loses it, the work starts again, so pieces must detect results that already exist.
package final class RedisWork: Sendable {
    /// The progress of the work.
    package struct Progress: Hashable, Sendable {
        /// The total number of pieces.
        package var total: Int
        /// The number of processed pieces, including failed ones.
        package var done: Int
        /// The number of failed pieces.
        package var failed: Int
        /// Whether all pieces are processed.
        package var isOver: Bool { done >= total }

        /// Creates a progress value.
        package init(total: Int, done: Int, failed: Int) {
            (self.total, self.done, self.failed) = (total, done, failed)
        }
    }

    /// The outcome of a piece.
    package enum Outcome: Sendable { case done, failed }

    /// The number of pieces.
    package let count: Int
    /// The silence of a process after which its pieces are reassigned.
    package let claimTime: Duration
    /// The longest outage of the server before ``run(width:tell:_:)`` fails.
    package let patience: Duration

    private let store: RedisStore
    private let stream: RedisCommand.Word, failures: RedisCommand.Word
    private let worker: RedisCommand.Word
    /// The entries in progress in this process.
    private let held = Mutex<Set<String>>([])

    private static let group: RedisCommand.Word = "workers"
    /// The number of pieces added at once.
    private static let batchCount = 256
    /// The maximum number of deliveries: a piece that has ended three processes is not tried again.
    private static let maximumDeliveries = 3

    /// Creates a handle for work, which may already exist.
    ///
    /// - Parameters:
    ///   - name: the unique name of the work on the server; all processes use the same name and count.
    ///   - store: the store whose server, key prefix and lifetime are used.
    package init(
        named name: String, count: Int, on store: RedisStore, claimTime: Duration = .seconds(30),
        patience: Duration = .seconds(60)
    ) {
        (self.count, self.store, self.claimTime, self.patience) = (count, store, claimTime, patience)
        stream = .init(store.settings.keyPrefix + "work:" + name)
        failures = .init(store.settings.keyPrefix + "failed:" + name)
        worker = .init("\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: .min ... .max))")
    }

    /// Returns the progress, which is zero before the work has begun.
    package func progress() async throws(StoreError) -> Progress {
        let replies = try await store.replies(
            to: [RedisCommand("XINFO", "STREAM", stream), RedisCommand("SCARD", failures)])
        let state = StreamState(replies[0])
        // Later rounds contain only failed pieces; all others are done.
        let putIn = state.round > 1 ? count : min(state.putIn, count)
        return Progress(total: count, done: max(putIn - state.length, 0), failed: replies[1].integer)
    }

    /// Removes all state of the work.
    package func forget() async throws(StoreError) {
        let reply = try await store.replies(to: [RedisCommand("DEL", stream, failures)])[0]
        if let error = reply.error { throw error.storeError(at: store.address) }
    }

    /// Processes pieces until all are done, including one more attempt for failed ones.
    ///
    /// If its task is cancelled, it ends early, and its pieces are immediately available to other processes.
    ///
    /// - Parameters:
    ///   - width: the number of pieces processed concurrently.
    ///   - tell: receives the progress of all processes about once a second.
    ///   - piece: processes the piece with an index.
    /// - Returns: the progress.
    /// - Throws: ``/PortolanFetch/StoreError`` if the server is unavailable for longer than ``patience``, or refuses.
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

    /// Processes one piece after the other.
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
                    // Unfinished pieces are left to other processes.
                    if Task.isCancelled { return .success(()) }
                    try await patiently { () async throws(StoreError) in try await self.finish(entry, number, outcome) }
                }
            }
            return .success(())
        } catch { return .failure(error) }
    }

    private enum Next {
        /// A piece, and whether it may be processed because it has not ended other processes.
        case piece(entry: String, number: Int, isSafe: Bool)
        /// There may be pieces now.
        case again
        /// Other processes have the last pieces.
        case later
        case over
    }

    /// Finds the next piece.
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
            // The server has lost the stream.
            try await begin()
            return .again
        }
        // New entry: [[stream, [[entry, fields]]]].
        if let entry = replies[1].elements.first?.elements.last?.elements.first?.elements.first?.text {
            return held(entry)
        }
        // Abandoned entry: [[entry, worker, idle, deliveries]].
        if let silent = replies[0].elements.first?.elements, silent.count == 4, let entry = silent[0].text {
            // An entry of this process whose heartbeats are late.
            if held.withLock({ $0.contains(entry) }) { return .later }
            let claim = RedisCommand("XCLAIM", stream, Self.group, worker, idle, .init(entry))
            // Another process may have been faster, or the piece was finished after all.
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
        // In this order a crash in between only repeats a piece.
        let replies = try await store.replies(
            to: [
                RedisCommand(verb, failures, "\(number)"),
                RedisCommand("XACK", stream, Self.group, .init(entry)), RedisCommand("XDEL", stream, .init(entry)),
            ])
        if let error = replies.lazy.compactMap(\.error).first { throw error.storeError(at: store.address) }
        held.withLock { _ = $0.remove(entry) }
    }

    /// Creates the stream if it does not exist; adds failed pieces again when nothing else is left.
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

    /// Adds pieces in ascending order; those already added by others are rejected individually.
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

    /// Sends heartbeats and reports progress to the caller.
    private func giveSigns(_ tell: @Sendable (Progress) -> Void) async {
        let interval = min(claimTime / 3, .seconds(1))
        while (try? await Task.sleep(for: interval)) != nil {
            await keep()
            if let progress = try? await progress() { tell(progress) }
        }
    }

    /// Renews the claims of this process, and the lifetime of all keys.
    private func keep() async {
        let lifetime = RedisCommand.Word("\(store.settings.lifetime.wholeMilliseconds)")
        var commands = [RedisCommand("PEXPIRE", stream, lifetime), RedisCommand("PEXPIRE", failures, lifetime)]
        for entry in held.withLock(\.self) {
            commands.append(RedisCommand("XCLAIM", stream, Self.group, worker, "0", .init(entry), "JUSTID"))
        }
        _ = try? await store.replies(to: commands)
    }

    /// Releases the pieces of this process to others.
    private func letGo() async {
        let idle = RedisCommand.Word("\(claimTime.wholeMilliseconds)")
        let commands = held.withLock { held in
            defer { held = [] }
            return held.map {
                RedisCommand("XCLAIM", stream, Self.group, worker, "0", .init($0), "IDLE", idle, "JUSTID")
            }
        }
        // Sent from a new task, because this one may be cancelled.
        if !commands.isEmpty { await Task { _ = try? await store.replies(to: commands) }.value }
    }

    /// Retries `work` for as long as the server may be unavailable.
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

/// The state of a stream.
private struct StreamState {
    /// The round and the number of pieces of the last added entry; 0 before the first.
    var round = 0, putIn = 0
    /// The number of entries, waiting or in progress.
    var length = 0

    /// Parses the reply to XINFO STREAM, alternating names and values, or returns `nil` if it is not a stream.
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

    /// Returns the piece of an entry.
    static func piece(of entry: String) -> Int? {
        let parts = entry.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 && parts[1] > 0 ? parts[1] - 1 : nil
    }
}

import Dispatch
import PortolanFetch
import Synchronization

/// Sends the commands of many tasks over one connection.
///
/// Commands that arrive while the connection waits for replies are sent together afterwards, so that sixteen concurrent
/// lookups take about as long as one. Waiting happens on a dispatch queue, never on the threads of tasks.
final class RedisPipeline: Sendable {
    private typealias Outcome = Result<[RedisReply], StoreError>

    private struct Job {
        let commands: [RedisCommand]
        let continuation: CheckedContinuation<Outcome, Never>
        var byteCount: Int { commands.reduce(0) { $0 + $1.bytes.count } }
    }

    private struct Mailbox {
        var jobs: [Job] = []
        var isDraining = false
    }

    /// The first failure of a server, reported until it works again.
    private struct Outage {
        var failure: StoreError?
        var pausedUntil = ContinuousClock.now
    }

    private let address: RedisStore.Address
    private let settings: RedisStore.Settings
    private let mailbox = Mutex(Mailbox())
    private let outage = Mutex(Outage())
    /// Accessed only by the draining queue.
    private let connection = Mutex<RedisConnection?>(nil)
    private let queue = DispatchQueue(label: "portolan.redis")

    /// The maximum size and number of jobs that are sent before their replies are read.
    private static let batchByteCount = 8 << 20, batchCount = 64

    init(_ address: RedisStore.Address, _ settings: RedisStore.Settings) {
        self.address = address
        self.settings = settings
    }

    /// Sends commands as a sequence, and returns their replies in the same order.
    ///
    /// - Throws: ``/PortolanFetch/StoreError`` if the server is unusable; immediately during the pause after a failure.
    func send(_ commands: [RedisCommand]) async throws(StoreError) -> [RedisReply] {
        let failure = outage.withLock { ContinuousClock.now < $0.pausedUntil ? $0.failure : nil }
        if let failure { throw failure }
        return try await withCheckedContinuation { continuation in
            let starts = mailbox.withLock { mailbox in
                mailbox.jobs.append(Job(commands: commands, continuation: continuation))
                defer { mailbox.isDraining = true }
                return !mailbox.isDraining
            }
            if starts { queue.async { self.drain() } }
        }.get()
    }

    private func drain() {
        while true {
            let batch = nextBatch()
            if batch.isEmpty { return }
            connection.withLock { run(batch, over: &$0) }
        }
    }

    private func nextBatch() -> [Job] {
        mailbox.withLock { mailbox in
            var count = 0, byteCount = 0
            while count < min(mailbox.jobs.count, Self.batchCount), byteCount < Self.batchByteCount {
                byteCount += mailbox.jobs[count].byteCount
                count += 1
            }
            let batch = Array(mailbox.jobs.prefix(count))
            mailbox.jobs.removeFirst(count)
            mailbox.isDraining = count > 0
            return batch
        }
    }

    private func run(_ batch: [Job], over connection: inout RedisConnection?) {
        // Jobs queued before the failure of another job fail with it, instead of waiting for their own timeout.
        let failure = outage.withLock { ContinuousClock.now < $0.pausedUntil ? $0.failure : nil }
        if let failure {
            for job in batch { job.continuation.resume(returning: .failure(failure)) }
            return
        }
        let wasOpen = connection != nil
        var answered = 0
        do throws(RedisFault) {
            let open = try opened(&connection)
            try open.send(batch.flatMap { $0.commands.flatMap(\.bytes) })
            for job in batch {
                var replies: [RedisReply] = []
                for _ in job.commands { replies.append(try open.reply()) }
                if answered == 0 { outage.withLock { $0.failure = nil } }
                answered += 1
                job.continuation.resume(returning: .success(replies))
            }
        } catch {
            connection = nil
            // An idle connection may have been closed at any time. All commands may be sent twice.
            if wasOpen, answered == 0, error.kind == .lost { return run(batch, over: &connection) }
            let failure = fail(error.storeError(at: address))
            for job in batch[answered...] { job.continuation.resume(returning: .failure(failure)) }
        }
    }

    private func opened(_ connection: inout RedisConnection?) throws(RedisFault) -> RedisConnection {
        if let connection { return connection }
        let new = try RedisConnection(to: address, settings)
        connection = new
        return new
    }

    private func fail(_ error: StoreError) -> StoreError {
        outage.withLock { outage in
            outage.pausedUntil = .now + settings.pause
            let first = outage.failure ?? error
            outage.failure = first
            return first
        }
    }
}

/// A command as an array of byte strings in the Redis serialization protocol (RESP 2).
struct RedisCommand: Sendable {
    /// A word of a command: its name, a key or a value.
    struct Word: ExpressibleByStringInterpolation {
        var bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
        init(stringLiteral text: String) { bytes = Array(text.utf8) }
        init(_ text: String) { bytes = Array(text.utf8) }
    }

    let bytes: [UInt8]

    init(_ words: Word...) {
        var bytes = Array("*\(words.count)\r\n".utf8)
        bytes.reserveCapacity(words.reduce(bytes.count) { $0 + $1.bytes.count + 24 })
        for word in words {
            bytes += "$\(word.bytes.count)\r\n".utf8
            bytes += word.bytes
            bytes += "\r\n".utf8
        }
        self.bytes = bytes
    }
}

/// The reply of a server to a command.
enum RedisReply: Hashable, Sendable {
    case nothing
    case integer(Int)
    case bytes([UInt8])
    case status(String)
    case error(RedisServerError)
    case array([RedisReply])

    /// The number, or 0 for another type.
    var integer: Int { if case .integer(let number) = self { number } else { 0 } }

    /// The bytes; empty for another type.
    var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }

    /// The bytes as text, or `nil` for another type.
    var text: String? { if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }

    /// The elements of an array; empty for another type.
    var elements: [RedisReply] { if case .array(let elements) = self { elements } else { [] } }

    /// The error, or `nil` for another type.
    var error: RedisServerError? { if case .error(let error) = self { error } else { nil } }
}

/// An error reply of a server, which begins with a code.
struct RedisServerError: Hashable, Sendable {
    enum Code: String {
        case outOfMemory = "OOM"
        case readOnly = "READONLY"
        case notPermitted = "NOPERM"
        case misconfigured = "MISCONF"
        case notAuthenticated = "NOAUTH"
        case wrongPassword = "WRONGPASS"
        case loading = "LOADING"
        case busy = "BUSY"
        case masterDown = "MASTERDOWN"
        case moved = "MOVED"
        case ask = "ASK"
        case crossSlot = "CROSSSLOT"
        case wrongType = "WRONGTYPE"
        case noGroup = "NOGROUP"
        case busyGroup = "BUSYGROUP"
    }

    /// The code, or `nil` if it is not handled specially.
    let code: Code?
    /// The server's message, including the code.
    let message: String

    init(_ reply: String) {
        code = Code(rawValue: String(reply.prefix { $0 != " " }))
        message = reply
    }

    func storeError(at address: RedisStore.Address) -> StoreError {
        let (code, detail): (StoreError.Code, String) =
            switch code {
            case .outOfMemory:
                (.full, "the server's memory is full; set its maxmemory-policy to allkeys-lru (\(message))")
            case .readOnly, .notPermitted, .misconfigured: (.notWritable, message)
            case .notAuthenticated, .wrongPassword: (.cannotOpen, message)
            case .loading, .busy, .masterDown: (.busy, message)
            case .moved, .ask, .crossSlot: (.unavailable, "Redis clusters are not supported (\(message))")
            case .wrongType: (.wrongFormat, message)
            case .noGroup, .busyGroup, nil: (.invalid, message)
            }
        return StoreError(code, place: address.description, detail: detail)
    }
}

/// The failure of a connection, which cannot be used afterwards.
struct RedisFault: Error {
    enum Kind {
        /// The connection cannot be opened.
        case unreachable
        /// The server refuses the connection; the message has the reason.
        case refused
        /// The connection was closed; after idle time this may be harmless.
        case lost
        /// The server does not reply in time.
        case slow
        /// The reply is not in the Redis protocol.
        case foreign
        /// The program was built without hiredis.
        case notBuiltIn
    }

    let kind: Kind
    let words: String

    func storeError(at address: RedisStore.Address) -> StoreError {
        let code: StoreError.Code =
            switch kind {
            case .refused: .cannotOpen
            case .notBuiltIn: .notBuiltIn
            case .unreachable, .lost, .slow, .foreign: .unavailable
            }
        return StoreError(code, place: address.description, detail: words)
    }
}

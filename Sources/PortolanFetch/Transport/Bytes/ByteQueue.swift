import Synchronization

/// The bytes between the tasks that use a connection and its thread, with limits in both directions.
final class ByteQueue: Sendable {
    /// The end of a connection.
    enum End: Sendable {
        /// The peer closed it.
        case closed
        /// It failed.
        case failed(FetchError)
    }

    /// The next work of the thread.
    struct Work {
        /// Bytes to send, removed from the queue.
        var outgoing: [UInt8] = []
        /// Whether received bytes can be accepted.
        var hasRoom = true
        /// Whether the connection ends once all bytes are sent.
        var isClosed = false
    }

    private struct State {
        var incoming: [[UInt8]] = []
        var incomingCount = 0
        var outgoing: [UInt8] = []
        var end: End?
        var isClosed = false
        var reader: AnswerSlot<Void>?
        var senders: [AnswerSlot<Void>] = []
        /// Whether the queue was full at the last check of the thread.
        var isThreadFull = false
        /// Wakes the thread.
        ///
        /// It is called and reset under the lock, before the descriptor that it uses is closed.
        var wake: (@Sendable () -> Void)?

        mutating func answerAll() -> [AnswerSlot<Void>] {
            defer { (reader, senders) = (nil, []) }
            return senders + (reader.map { [$0] } ?? [])
        }
    }

    /// The limit of queued bytes in each direction, which a single chunk or call may exceed.
    private let limit: Int
    private let url: String
    private let state: Mutex<State>

    init(url: String, limit: Int = 1 << 18, wake: (@Sendable () -> Void)?) {
        self.url = url
        self.limit = limit
        state = Mutex(State(wake: wake))
    }

    private func finished(_ end: End) -> FetchError {
        switch end {
        case .failed(let error): error
        case .closed: FetchError(.connectionLost, url: url, detail: "the peer closed the connection")
        }
    }

    private var closedHere: FetchError {
        FetchError(.connectionLost, url: url, detail: "the connection was closed locally")
    }

    // MARK: Tasks

    func send(_ bytes: [UInt8]) async throws(FetchError) {
        while true {
            let slot = AnswerSlot<Void>()
            let verdict: Result<Bool, FetchError> = state.withLock { state in
                if let end = state.end { return .failure(finished(end)) }
                if state.isClosed { return .failure(closedHere) }
                guard state.outgoing.count < limit else {
                    state.senders.append(slot)
                    return .success(false)
                }
                state.outgoing += bytes
                state.wake?()
                return .success(true)
            }
            if try verdict.get() { return }
            await withTaskCancellationHandler {
                await slot.reply()
            } onCancel: {
                slot.answer(())
            }
            if Task.isCancelled { throw .cancelled(url: url) }
        }
    }

    func receive() async throws(FetchError) -> [UInt8]? {
        while true {
            if Task.isCancelled { throw .cancelled(url: url) }
            let slot = AnswerSlot<Void>()
            let chunk: Result<[UInt8]?, FetchError>? = state.withLock { state in
                if !state.incoming.isEmpty {
                    let chunk = state.incoming.count == 1 ? state.incoming[0] : Array(state.incoming.joined())
                    state.incoming = []
                    state.incomingCount = 0
                    if state.isThreadFull { state.wake?() }
                    return .success(chunk)
                }
                switch state.end {
                case .closed: return .success(nil)
                case .failed(let error): return .failure(error)
                case nil: break
                }
                if state.isClosed { return .success(nil) }
                precondition(state.reader == nil, "one task receives at a time")
                state.reader = slot
                return nil
            }
            if let chunk { return try chunk.get() }
            await withTaskCancellationHandler {
                await slot.reply()
            } onCancel: {
                slot.answer(())
            }
            state.withLock { if $0.reader === slot { $0.reader = nil } }
        }
    }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.wake?()
            return state.answerAll()
        }
        for slot in waiting { slot.answer(()) }
    }

    // MARK: The thread

    /// Returns the next work, with at most `count` bytes to send.
    func takeWork(_ count: Int) -> Work {
        var freed: [AnswerSlot<Void>] = []
        let work = state.withLock { state in
            var work = Work(hasRoom: state.incomingCount < limit, isClosed: state.isClosed)
            state.isThreadFull = !work.hasRoom
            if count > 0, !state.outgoing.isEmpty {
                if state.outgoing.count <= count {
                    swap(&work.outgoing, &state.outgoing)
                } else {
                    work.outgoing = Array(state.outgoing.prefix(count))
                    state.outgoing.removeFirst(count)
                }
                if state.outgoing.count < limit / 2 { swap(&freed, &state.senders) }
            }
            return work
        }
        for slot in freed { slot.answer(()) }
        return work
    }

    /// Adds a received chunk.
    ///
    /// Returns whether more can be accepted.
    func put(_ chunk: [UInt8]) -> Bool {
        let (reader, hasRoom) = state.withLock { state in
            defer { state.reader = nil }
            // Nothing is read after a close.
            if state.isClosed { return (state.reader, true) }
            state.incoming.append(chunk)
            state.incomingCount += chunk.count
            state.isThreadFull = state.incomingCount >= limit
            return (state.reader, !state.isThreadFull)
        }
        reader?.answer(())
        return hasRoom
    }

    /// Ends the connection on the first call, and resets the wake function.
    func end(_ end: End) {
        let waiting = state.withLock { state in
            state.wake = nil
            if state.end == nil { state.end = end }
            return state.answerAll()
        }
        for slot in waiting { slot.answer(()) }
    }
}

import Synchronization

/// The bytes between the tasks that use a connection and the thread that carries them, with bounds in both directions.
final class ByteQueue: Sendable {
    /// What ended a connection.
    enum End: Sendable {
        /// The other side closed it.
        case closed
        /// It failed.
        case failed(FetchError)
    }

    /// What the thread is to do next.
    struct Work {
        /// Bytes to be sent, a part of what waits; taken out by this.
        var outgoing: [UInt8] = []
        /// Whether what comes may be handed over.
        var hasRoom = true
        /// Whether the connection is to end once nothing waits to be sent.
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
        /// Whether the thread had no room when it last looked.
        var isThreadFull = false
        /// Rings the thread awake; under the lock only, under which it is taken out before what it rings is closed.
        var wake: (@Sendable () -> Void)?

        mutating func answerAll() -> [AnswerSlot<Void>] {
            defer { (reader, senders) = (nil, []) }
            return senders + (reader.map { [$0] } ?? [])
        }
    }

    /// Bytes that may wait in each direction; a chunk or a call may lead beyond it once.
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
        case .closed: FetchError(.connectionLost, url: url, detail: "the other side closed the connection")
        }
    }

    private var closedHere: FetchError {
        FetchError(.connectionLost, url: url, detail: "the connection was closed here")
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

    /// What there is to do, at most `count` bytes to be sent.
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

    /// Hands a chunk over; whether more may come at once.
    func put(_ chunk: [UInt8]) -> Bool {
        let (reader, hasRoom) = state.withLock { state in
            defer { state.reader = nil }
            // Nobody reads on after a close.
            if state.isClosed { return (state.reader, true) }
            state.incoming.append(chunk)
            state.incomingCount += chunk.count
            state.isThreadFull = state.incomingCount >= limit
            return (state.reader, !state.isThreadFull)
        }
        reader?.answer(())
        return hasRoom
    }

    /// Ends it, the first time it is called, and forgets how to wake the thread.
    func end(_ end: End) {
        let waiting = state.withLock { state in
            state.wake = nil
            if state.end == nil { state.end = end }
            return state.answerAll()
        }
        for slot in waiting { slot.answer(()) }
    }
}

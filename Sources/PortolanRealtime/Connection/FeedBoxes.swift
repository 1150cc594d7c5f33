import PortolanFetch
import Synchronization

/// What awaits the loop of a feed: the newest wish, the next bytes, the end of the connection.
final class FeedInbox: Sendable {
    private struct State {
        var interest: VehicleInterest?
        /// Whether a wish has come, or none is waited for any more.
        var isSettled = false
        var chunk: [UInt8]?
        var end: Result<Void, FetchError>?
        /// The connection that is heard; what another still has to say is too late.
        var connection = 0
    }

    private let state = Mutex(State())
    /// Rings when there is something.
    let bell = WakeSignal()
    private let room = WakeSignal()

    /// Wishes for something; what was wished for before counts no more.
    func put(_ interest: VehicleInterest) {
        state.withLock { state in (state.interest, state.isSettled) = (interest, true) }
        bell.ring()
    }

    /// Waits for a wish no more.
    func settle() {
        state.withLock { $0.isSettled = true }
        bell.ring()
    }

    /// Whether a wish has come, or none is waited for any more.
    var isSettled: Bool { state.withLock { $0.isSettled } }

    /// Listens to a new connection, and forgets what others have left.
    func begin() -> Int {
        state.withLock { state in
            (state.chunk, state.end) = (nil, nil)
            state.connection += 1
            return state.connection
        }
    }

    /// Hands bytes of a connection over once those before have been taken, unless the task is cancelled.
    func put(_ chunk: [UInt8], from connection: Int) async {
        while !Task.isCancelled {
            let isPut = state.withLock { state in
                guard state.chunk == nil || state.connection != connection else { return false }
                if state.connection == connection { state.chunk = chunk }
                return true
            }
            if isPut { return bell.ring() }
            await room.wait()
        }
    }

    /// Tells that nothing more comes of a connection.
    func put(end: Result<Void, FetchError>, of connection: Int) {
        state.withLock { state in
            if state.connection == connection { state.end = end }
        }
        bell.ring()
    }

    func takeInterest() -> VehicleInterest? {
        state.withLock { state in
            defer { state.interest = nil }
            return state.interest
        }
    }

    func takeChunk() -> [UInt8]? {
        let chunk = state.withLock { state in
            defer { state.chunk = nil }
            return state.chunk
        }
        if chunk != nil { room.ring() }
        return chunk
    }

    /// The end, once all bytes have been taken.
    func takeEnd() -> Result<Void, FetchError>? {
        state.withLock { state in
            guard state.chunk == nil else { return nil }
            defer { state.end = nil }
            return state.end
        }
    }
}

/// What a feed has told and nobody has read yet; while it is full, nothing more is read from the source.
final class FeedOutbox: Sendable {
    private struct State {
        var events: [FeedEvent] = []
        /// How many vehicles the events tell of.
        var reportCount = 0
        var isEnded = false
        var isFull = false
    }

    private let state = Mutex(State())
    /// Events and reports of vehicles that may wait; what comes at once may lead beyond it once.
    private let limit: Int, reportLimit: Int
    private let bell = WakeSignal()
    /// Rung when there is room again.
    private let room: WakeSignal

    init(limit: Int = 64, reportLimit: Int = 1 << 13, room: WakeSignal) {
        self.limit = limit
        self.reportLimit = reportLimit
        self.room = room
    }

    /// Tells something.
    func put(_ events: [FeedEvent]) {
        guard !events.isEmpty else { return }
        state.withLock { state in
            state.events += events
            for event in events { state.reportCount += event.reports.count }
        }
        bell.ring()
    }

    /// Whether more may be told; if not, the room rings when it may.
    var hasRoom: Bool {
        state.withLock { state in
            state.isFull = isFull(state)
            return !state.isFull
        }
    }

    private func isFull(_ state: borrowing State) -> Bool {
        state.events.count >= limit || state.reportCount >= reportLimit
    }

    /// Ends it after what was told.
    func end() {
        state.withLock { $0.isEnded = true }
        bell.ring()
    }

    /// The next event, or `nil` at the end or when the task is cancelled.
    func next() async -> FeedEvent? {
        while !Task.isCancelled {
            let (event, isEnded, hasRoom) = state.withLock { state in
                guard !state.events.isEmpty else { return (nil as FeedEvent?, state.isEnded, false) }
                let event = state.events.removeFirst()
                state.reportCount -= event.reports.count
                let hasRoom = state.isFull && !isFull(state)
                if hasRoom { state.isFull = false }
                return (event, false, hasRoom)
            }
            if hasRoom { room.ring() }
            if let event { return event }
            if isEnded { return nil }
            await bell.wait()
        }
        return nil
    }

    /// What is told as a stream; `end` is called when it is released or its task cancelled.
    func stream(end: @escaping @Sendable () -> Void) -> AsyncStream<FeedEvent> {
        let life = Life(end)
        return AsyncStream { [life] in
            await withTaskCancellationHandler {
                await self.next()
            } onCancel: {
                life.end()
            }
        }
    }

    /// Ends what it stands for when nobody holds it any more.
    private final class Life: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }
}

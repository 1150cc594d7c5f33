import PortolanFetch
import Synchronization

/// The inputs of a feed loop: the latest interest, the next bytes and the end of the connection.
final class FeedInbox: Sendable {
    private struct State {
        var interest: VehicleInterest?
        /// Whether an interest has arrived or is no longer awaited.
        var isSettled = false
        var chunk: [UInt8]?
        var end: Result<Void, FetchError>?
        /// The current connection.
        ///
        /// Input from earlier ones is ignored.
        var connection = 0
    }

    private let state = Mutex(State())
    /// Signals new input.
    let bell = WakeSignal()
    private let room = WakeSignal()

    /// Sets the interest, which replaces the previous one.
    func put(_ interest: VehicleInterest) {
        state.withLock { state in (state.interest, state.isSettled) = (interest, true) }
        bell.ring()
    }

    /// Stops waiting for an interest.
    func settle() {
        state.withLock { $0.isSettled = true }
        bell.ring()
    }

    /// Whether an interest has arrived or is no longer awaited.
    var isSettled: Bool { state.withLock { $0.isSettled } }

    /// Starts a new connection and discards input from previous ones.
    func begin() -> Int {
        state.withLock { state in
            (state.chunk, state.end) = (nil, nil)
            state.connection += 1
            return state.connection
        }
    }

    /// Passes bytes of a connection on after the previous ones have been taken, unless the task is cancelled.
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

    /// Sets the end of a connection.
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

    /// Returns the end of the connection, once all bytes have been taken.
    func takeEnd() -> Result<Void, FetchError>? {
        state.withLock { state in
            guard state.chunk == nil else { return nil }
            defer { state.end = nil }
            return state.end
        }
    }
}

/// The events of a feed that have not been read.
///
/// While it is full, nothing is read from the source.
final class FeedOutbox: Sendable {
    private struct State {
        var events: [FeedEvent] = []
        /// The number of vehicle reports in the events.
        var reportCount = 0
        var isEnded = false
        var isFull = false
    }

    private let state = Mutex(State())
    /// The maximum number of waiting events and vehicle reports.
    ///
    /// A single step may exceed it.
    private let limit: Int, reportLimit: Int
    private let bell = WakeSignal()
    /// Signals free space.
    private let room: WakeSignal

    init(limit: Int = 64, reportLimit: Int = 1 << 13, room: WakeSignal) {
        self.limit = limit
        self.reportLimit = reportLimit
        self.room = room
    }

    /// Appends events.
    func put(_ events: [FeedEvent]) {
        guard !events.isEmpty else { return }
        state.withLock { state in
            state.events += events
            for event in events { state.reportCount += event.reports.count }
        }
        bell.ring()
    }

    /// Whether there is space for more events.
    ///
    /// If not, ``room`` is signalled when there is.
    var hasRoom: Bool {
        state.withLock { state in
            state.isFull = isFull(state)
            return !state.isFull
        }
    }

    private func isFull(_ state: borrowing State) -> Bool {
        state.events.count >= limit || state.reportCount >= reportLimit
    }

    /// Ends the stream after the waiting events.
    func end() {
        state.withLock { $0.isEnded = true }
        bell.ring()
    }

    /// Returns the next event, or `nil` at the end or if the task is cancelled.
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

    /// Returns the events as a stream.
    ///
    /// `end` is called when the stream is released or its task is cancelled.
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

    /// Calls a closure when the last reference is released.
    private final class Life: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }
}

#if os(Linux)
import Synchronization

/// How tasks speak to the transfer thread: a list of commands and a way to wake the thread.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(id: UInt64, request: HTTPRequest, asked: String, answer: CallbackTransport.Answer)
        case cancel(id: UInt64)
    }

    private struct State {
        var commands: [Command] = []
        var lastID: UInt64 = 0
        var isClosed = false
        /// Whether the thread waits for its sockets, or is about to: otherwise it looks here before it does.
        var isAsleep = false
        /// Rung under the lock only, under which the thread takes it out before it closes it.
        var bell: Int32?

        mutating func wake() {
            guard isAsleep, let bell else { return }
            isAsleep = false
            SocketWatch.ring(bell)
        }
    }

    private let settings: ConnectionSettings
    private let state = Mutex(State())

    /// Makes a mailbox for transfers with these settings.
    init(_ settings: ConnectionSettings) { self.settings = settings }

    /// Hands a prepared request to the thread, which is started if it does not run.
    func start(
        _ request: HTTPRequest, asked: String, answer: @escaping CallbackTransport.Answer
    ) throws(FetchError) -> UInt64 {
        try state.withLock { state throws(FetchError) in
            state.lastID += 1
            if state.bell == nil {
                guard let loop = CurlLoop(mailbox: self, settings: settings) else {
                    throw FetchError(.transportFailure, url: asked, detail: "libcurl cannot start")
                }
                let bell = loop.bell
                guard loop.startThread() else {
                    throw FetchError(
                        .transportFailure, url: asked, detail: "no thread can be started for transfers")
                }
                state.bell = bell
            }
            state.commands.append(.start(id: state.lastID, request: request, asked: asked, answer: answer))
            state.wake()
            return state.lastID
        }
    }

    /// Ends a transfer; nothing happens when it has ended.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            guard state.bell != nil else { return }
            state.commands.append(.cancel(id: id))
            state.wake()
        }
    }

    /// Tells the thread to end.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake()
        }
    }

    /// For the thread: what was asked since the last call; nil when it shall end.
    func takeCommands() -> [Command]? {
        state.withLock { state in
            state.isAsleep = false
            if state.isClosed { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// For the thread: whether it may wait for its sockets, since nothing was asked; from now on it is woken.
    func mayFallAsleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty && !state.isClosed
            return state.isAsleep
        }
    }

    /// For the thread: from here on nobody rings its bell; returns commands nobody will serve.
    func forgetBell() -> [Command] {
        state.withLock { state in
            state.bell = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
#endif

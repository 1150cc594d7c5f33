#if os(Linux)
import CCurl
import Synchronization

/// How tasks speak to the transfer thread: a list of commands and a way to wake the thread.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(id: UInt64, request: HTTPRequest, asked: String, answer: CallbackTransport.Answer)
        case cancel(id: UInt64)
    }

    /// A multi handle that other threads may only wake.
    ///
    /// Sendable: `curl_multi_wakeup` is the one function of libcurl's multi interface documented as callable from any
    /// thread. It is called only under the mailbox's lock while the handle stands in `State.awake`, and the owning
    /// thread takes it out under the same lock before it frees it.
    @safe private struct Waker: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer

        func wake() { _ = unsafe curl_multi_wakeup(multi) }
    }

    private struct State {
        var commands: [Command] = []
        var lastID: UInt64 = 0
        var isClosed = false
        /// Whether the thread waits for its sockets, or is about to: otherwise it looks here before it does.
        var isAsleep = false
        var waker: Waker?

        mutating func wake() {
            guard isAsleep else { return }
            isAsleep = false
            waker?.wake()
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
            if state.waker == nil {
                guard let loop = CurlLoop(mailbox: self, settings: settings) else {
                    throw FetchError(.transportFailure, url: asked, detail: "libcurl cannot start")
                }
                let waker = unsafe Waker(multi: loop.multi)
                guard loop.startThread() else {
                    throw FetchError(
                        .transportFailure, url: asked, detail: "no thread can be started for transfers")
                }
                state.waker = waker
            }
            state.commands.append(.start(id: state.lastID, request: request, asked: asked, answer: answer))
            state.wake()
            return state.lastID
        }
    }

    /// Ends a transfer; nothing happens when it has ended.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            guard state.waker != nil else { return }
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

    /// For the thread: from here on nobody touches the multi handle; returns commands nobody will serve.
    func forgetHandle() -> [Command] {
        state.withLock { state in
            state.waker = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
#endif

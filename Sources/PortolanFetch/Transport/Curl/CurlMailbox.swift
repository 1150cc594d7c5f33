#if os(Linux)
import CCurl
import Synchronization

/// How tasks speak to the transfer thread: a list of commands and a way to wake the thread.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(id: UInt64, request: HTTPRequest, settings: ConnectionSettings, asked: String, slot: ReplySlot)
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
        var waker: Waker?
    }

    private let state = Mutex(State())

    /// Hands a prepared request to the thread, which is started if it does not run.
    func start(
        _ request: HTTPRequest, _ settings: ConnectionSettings, asked: String, slot: ReplySlot
    ) -> UInt64 {
        let (id, failure) = state.withLock { state -> (UInt64, String?) in
            state.lastID += 1
            if state.waker == nil {
                guard let loop = CurlLoop(mailbox: self) else { return (state.lastID, "libcurl cannot start") }
                let waker = unsafe Waker(multi: loop.multi)
                guard loop.startThread() else { return (state.lastID, "no thread can be started for transfers") }
                state.waker = waker
            }
            state.commands.append(
                .start(id: state.lastID, request: request, settings: settings, asked: asked, slot: slot))
            state.waker?.wake()
            return (state.lastID, nil)
        }
        if let failure { slot.answer(.failure(FetchError(.transportFailure, url: asked, detail: failure))) }
        return id
    }

    /// Ends a transfer; nothing happens when it has ended.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            guard let waker = state.waker else { return }
            state.commands.append(.cancel(id: id))
            waker.wake()
        }
    }

    /// Tells the thread to end.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.waker?.wake()
        }
    }

    /// For the thread: what was asked since the last call; nil when it shall end.
    func takeCommands() -> [Command]? {
        state.withLock { state in
            if state.isClosed { return nil }
            defer { state.commands = [] }
            return state.commands
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

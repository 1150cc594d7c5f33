#if os(Linux) && Drivers
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The transfer thread: owns a libcurl multi handle and all its transfers.
///
/// libcurl reports the sockets to watch and its next timeout (the `multi_socket` interface), so the cost of an event
/// does not depend on the number of transfers. After `startThread` only that thread accesses the loop, except for the
/// shared bell.
@safe final class CurlLoop {
    /// Valid from init until the thread frees it at the end of `run`.
    private let multi: UnsafeMutableRawPointer
    private let sockets: SocketWatch
    /// The time at which libcurl must be called even without socket events.
    private var timer: ContinuousClock.Instant?
    private let mailbox: CurlMailbox
    private let settings: ConnectionSettings
    /// Completed transfers for reuse: creating one costs more than a small response.
    private var idle: [CurlTransfer] = []
    private var transfers: [UInt64: CurlTransfer] = [:]
    private var nextStallCheck: ContinuousClock.Instant?

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// The maximum number of open connections, including those in use: at least a few hosts with six connections each.
    private var maximumOpenConnections = 32
    private static let maximumIdleTransfers = 64
    /// CURL_SOCKET_TIMEOUT, a macro with a cast.
    private static let noSocket: curl_socket_t = -1

    init?(mailbox: CurlMailbox, settings: ConnectionSettings) {
        guard CurlLoop.isLibraryReady, let sockets = SocketWatch() else { return nil }
        guard let multi = unsafe curl_multi_init() else {
            sockets.end()
            return nil
        }
        unsafe self.multi = unsafe multi
        self.sockets = sockets
        self.mailbox = mailbox
        self.settings = settings
        _ = unsafe portolan_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumOpenConnections)
        // Called only while the multi handle exists, which `run` frees.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe portolan_curl_multi_report_to(multi, watchCurlSocket, setCurlTimer, context)
    }

    /// The descriptor that wakes the thread; valid until `run` has called ``CurlMailbox/forgetBell()``.
    var bell: Int32 { sockets.bell }

    /// Starts a thread for the loop.
    ///
    /// Returns `false` if no thread is available.
    func startThread() -> Bool {
        // The thread owns the only strong reference, and releases it when it ends.
        let retained = unsafe Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else {
            unsafe retained.release()
            free()
            return false
        }
        defer { _ = unsafe pthread_attr_destroy(&attributes) }
        _ = unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, &attributes,
            { context in
                // Signals are left to the application's threads, SIGPIPE in particular: TLS writes without
                // MSG_NOSIGNAL, and with the signal blocked a broken pipe becomes an ordinary error.
                var signals = sigset_t()
                _ = unsafe sigfillset(&signals)
                _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
                if let context = unsafe context {
                    unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            retained.toOpaque())
        guard result == 0 else {
            unsafe retained.release()
            free()
            return false
        }
        return true
    }

    private func run() {
        while let commands = mailbox.takeCommands() {
            for command in commands { handle(command) }
            if let due = timer, due <= .now { act(on: CurlLoop.noSocket, 0) }
            finishTransfers()
            endStalledTransfers()
            if mailbox.mayFallAsleep() { waitForNews() }
        }
        for id in Array(transfers.keys) { end(id, with: nil) }
        for transfer in idle { transfer.free() }
        idle = []
        let unserved = mailbox.forgetBell()
        free()
        for case .start(_, _, let asked, let answer) in unserved { answer(.failure(.cancelled(url: asked))) }
    }

    private func free() {
        _ = unsafe curl_multi_cleanup(multi)
        sockets.end()
    }

    private func waitForNews() {
        sockets.wait(milliseconds: waitMilliseconds) { socket, news in
            var mask: Int32 = 0
            if news.contains(.reading) { mask |= CURL_CSELECT_IN }
            if news.contains(.writing) { mask |= CURL_CSELECT_OUT }
            if !news.isDisjoint(with: .failure) { mask |= CURL_CSELECT_ERR }
            act(on: socket, mask)
        }
    }

    /// Lets libcurl process the events of a socket.
    private func act(on socket: curl_socket_t, _ mask: Int32) {
        // libcurl sets a new timeout during the call.
        if socket == CurlLoop.noSocket { timer = nil }
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, socket, mask, &running)
    }

    private func handle(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let id, let request, let asked, let answer):
            guard let transfer = idle.popLast() ?? CurlTransfer(settings: settings) else {
                answer(.failure(FetchError(.transportFailure, url: asked, detail: "libcurl is out of memory")))
                return
            }
            transfer.start(CurlTransfer.Job(id: id, asked: asked, answer: answer), with: request)
            transfers[id] = transfer
            if transfers.count > maximumOpenConnections {
                // Doubled, and never too low: a connection that is closed too early must be reopened for the next
                // request.
                maximumOpenConnections *= 2
                _ = unsafe portolan_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumOpenConnections)
            }
            begin(transfer)
        case .cancel(let id):
            end(id, with: nil)
        }
    }

    private func begin(_ transfer: CurlTransfer) {
        guard unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            let failure = FetchError(.transportFailure, url: transfer.asked, detail: "libcurl refused the transfer")
            end(transfer.job.id, with: .failure(failure))
            return
        }
        let check = transfer.stallDeadline
        nextStallCheck = min(nextStallCheck ?? check, check)
    }

    /// Removes a transfer and passes its reply on; without a reply it was cancelled.
    private func end(_ id: UInt64, with reply: ReplySlot.Reply?) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy)
        let job = transfer.job
        // Frees resources before the answer, so that the receiver finds nothing of this transfer left.
        if case .success? = reply, idle.count < CurlLoop.maximumIdleTransfers {
            transfer.clear()
            idle.append(transfer)
        } else {
            transfer.free()
        }
        job.answer(reply ?? .failure(.cancelled(url: job.asked)))
    }

    private func finishTransfers() {
        var easy: UnsafeMutableRawPointer?
        var result = CURLE_OK
        while unsafe portolan_curl_next_finished(multi, &easy, &result) != 0 {
            guard let easy = unsafe easy, let transfer = unsafe CurlTransfer.owner(of: easy) else { continue }
            switch transfer.outcome(of: result) {
            case .finished(let reply):
                end(transfer.job.id, with: reply)
            case .redirected(let request):
                _ = unsafe curl_multi_remove_handle(multi, transfer.easy)
                transfer.restart(with: request)
                begin(transfer)
            }
        }
    }

    private func endStalledTransfers() {
        guard let check = nextStallCheck else { return }
        let now = ContinuousClock.now
        guard check <= now else { return }
        var stalled: [CurlTransfer] = []
        nextStallCheck = nil
        for transfer in transfers.values {
            transfer.noticeProgress(at: now)
            if transfer.stallDeadline <= now {
                stalled.append(transfer)
            } else {
                nextStallCheck = min(nextStallCheck ?? transfer.stallDeadline, transfer.stallDeadline)
            }
        }
        for transfer in stalled { end(transfer.job.id, with: .failure(transfer.stallError)) }
    }

    /// The time until the next libcurl timeout or stall check, or a long time; the bell ends the wait.
    private var waitMilliseconds: Int32 {
        let due = [timer, nextStallCheck].compactMap(\.self).min()
        guard let due else { return 60_000 }
        let now = ContinuousClock.now
        return due <= now ? 0 : Int32(min(60_000, now.duration(to: due).timerMilliseconds))
    }
}

extension CurlLoop {
    /// Watches a socket as libcurl requests.
    ///
    /// Returns `false` to fail the transfer.
    fileprivate func watch(_ socket: Int32, _ what: Int32) -> Bool {
        switch what {
        case CURL_POLL_IN: return sockets.watch(socket, for: .reading)
        case CURL_POLL_OUT: return sockets.watch(socket, for: .writing)
        case CURL_POLL_INOUT: return sockets.watch(socket, for: [.reading, .writing])
        default:
            sockets.forget(socket)
            return true
        }
    }

    fileprivate func setTimer(milliseconds: Int) {
        timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
    }
}

/// CURLMOPT_SOCKETFUNCTION: `context` is the `CurlLoop`, alive while its handle is.
private func watchCurlSocket(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _ own: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    return unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().watch(socket, what) ? 0 : -1
}

/// CURLMOPT_TIMERFUNCTION: `context` as above.
private func setCurlTimer(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
#endif

#if os(Linux) && Drivers
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The transfer thread: owns a libcurl multi handle and all its transfers.
///
/// libcurl names the sockets to watch and the time to come back (its `multi_socket` interface), so an event costs the
/// same however many transfers are under way. After `startThread` everything in it is touched by that thread only; the
/// bell alone is shared.
@safe final class CurlLoop {
    /// Valid from init until the thread frees it at the end of `run`.
    private let multi: UnsafeMutableRawPointer
    private let sockets: SocketWatch
    /// The time at which libcurl must be called though no socket has news.
    private var timer: ContinuousClock.Instant?
    private let mailbox: CurlMailbox
    private let settings: ConnectionSettings
    /// Transfers that have ended well, to be used again: to make one costs more than a small answer.
    private var idle: [CurlTransfer] = []
    private var transfers: [UInt64: CurlTransfer] = [:]
    private var nextStallCheck: ContinuousClock.Instant?

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// Connections kept open, those in use among them: a handful of hosts with six each, or as many as were in use at once.
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
        // Called while the multi handle is, which `run` frees.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe portolan_curl_multi_report_to(multi, watchCurlSocket, setCurlTimer, context)
    }

    /// Ends the wait of the thread; valid until `run` has called ``CurlMailbox/forgetBell()``.
    var bell: Int32 { sockets.bell }

    /// Gives the loop to a new thread; false when there is none to be had.
    func startThread() -> Bool {
        // The thread gets the only strong reference that matters and gives it up when it ends.
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
                // Signals belong to the application's threads. SIGPIPE above all: TLS writes without MSG_NOSIGNAL, and
                // blocked here a broken pipe is a plain error.
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

    /// Lets libcurl go on where there is news.
    private func act(on socket: curl_socket_t, _ mask: Int32) {
        // It says anew when to come back.
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
                // Doubled, and never too few: one that is closed too early is opened again for the next request.
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

    /// Takes a transfer out and answers it; without a reply it was cancelled.
    private func end(_ id: UInt64, with reply: ReplySlot.Reply?) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy)
        let job = transfer.job
        // Before the answer: whoever gets it finds no connection or memory of this transfer left.
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

    /// Until libcurl or the next stall check is due, or long: the bell ends it.
    private var waitMilliseconds: Int32 {
        let due = [timer, nextStallCheck].compactMap(\.self).min()
        guard let due else { return 60_000 }
        let now = ContinuousClock.now
        return due <= now ? 0 : Int32(min(60_000, now.duration(to: due).timerMilliseconds))
    }
}

extension CurlLoop {
    /// False fails the transfer.
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

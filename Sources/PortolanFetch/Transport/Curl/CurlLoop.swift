#if os(Linux)
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The transfer thread: owns a libcurl multi handle and all its transfers.
///
/// After `startThread` everything in it is touched by that thread only; the handle alone is shared, for waking.
@safe final class CurlLoop {
    /// Valid from init until the thread frees it at the end of `run`.
    let multi: UnsafeMutableRawPointer
    private let mailbox: CurlMailbox
    private let settings: ConnectionSettings
    /// Transfers that have ended well, to be used again: to make one costs more than a small answer.
    private var idle: [CurlTransfer] = []
    private var transfers: [UInt64: CurlTransfer] = [:]
    private var nextStallCheck: ContinuousClock.Instant?

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// Idle connections kept: a handful of hosts with six each.
    private static let maximumOpenConnections = 32
    private static let maximumIdleTransfers = 32

    init?(mailbox: CurlMailbox, settings: ConnectionSettings) {
        guard CurlLoop.isLibraryReady, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        self.mailbox = mailbox
        self.settings = settings
        _ = unsafe portolan_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, CurlLoop.maximumOpenConnections)
    }

    /// Gives the loop to a new thread; false when there is none to be had.
    func startThread() -> Bool {
        // The thread gets the only strong reference that matters and gives it up when it ends.
        let retained = unsafe Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else {
            unsafe retained.release()
            _ = unsafe curl_multi_cleanup(multi)
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
            _ = unsafe curl_multi_cleanup(multi)
            return false
        }
        return true
    }

    private func run() {
        var running: Int32 = 0
        while let commands = mailbox.takeCommands() {
            for command in commands { handle(command) }
            _ = unsafe curl_multi_perform(multi, &running)
            finishTransfers()
            endStalledTransfers()
            if mailbox.mayFallAsleep() { _ = unsafe curl_multi_poll(multi, nil, 0, pollMilliseconds, nil) }
        }
        for id in Array(transfers.keys) { end(id, with: nil) }
        for transfer in idle { transfer.free() }
        idle = []
        let unserved = mailbox.forgetHandle()
        _ = unsafe curl_multi_cleanup(multi)
        for case .start(_, _, let asked, let answer) in unserved { answer(.failure(.cancelled(url: asked))) }
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

    /// Until the next stall check, or long: libcurl shortens it by its own timers and the mailbox wakes it.
    private var pollMilliseconds: Int32 {
        guard let check = nextStallCheck else { return 60_000 }
        return Int32(min(60_000, ContinuousClock.now.duration(to: check).timerMilliseconds))
    }
}
#endif

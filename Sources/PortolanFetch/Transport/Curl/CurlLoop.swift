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
    private var transfers: [UInt64: CurlTransfer] = [:]
    private var nextStallCheck: ContinuousClock.Instant?

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// Idle connections kept: a handful of hosts with six each.
    private static let maximumOpenConnections = 32

    init?(mailbox: CurlMailbox) {
        guard CurlLoop.isLibraryReady, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        self.mailbox = mailbox
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
            _ = unsafe curl_multi_poll(multi, nil, 0, pollMilliseconds, nil)
        }
        for id in Array(transfers.keys) { end(id, with: nil) }
        let unserved = mailbox.forgetHandle()
        _ = unsafe curl_multi_cleanup(multi)
        for case .start(_, _, _, let asked, let slot) in unserved {
            slot.answer(.failure(.cancelled(url: asked)))
        }
    }

    private func handle(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let id, let request, let settings, let asked, let slot):
            guard let transfer = CurlTransfer(id: id, request: request, settings: settings, asked: asked, slot: slot)
            else {
                slot.answer(.failure(FetchError(.transportFailure, url: asked, detail: "libcurl is out of memory")))
                return
            }
            transfers[id] = transfer
            begin(transfer)
        case .cancel(let id):
            end(id, with: nil)
        }
    }

    private func begin(_ transfer: CurlTransfer) {
        guard unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            let failure = FetchError(.transportFailure, url: transfer.asked, detail: "libcurl refused the transfer")
            end(transfer.id, with: .failure(failure))
            return
        }
        let check = transfer.stallDeadline
        nextStallCheck = min(nextStallCheck ?? check, check)
    }

    /// Takes a transfer out and answers it; without a reply it was cancelled.
    private func end(_ id: UInt64, with reply: ReplySlot.Reply?) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy)
        // Freed before the answer: whoever gets it finds no connection or memory of this transfer left.
        transfer.free()
        transfer.slot.answer(reply ?? .failure(.cancelled(url: transfer.asked)))
    }

    private func finishTransfers() {
        var easy: UnsafeMutableRawPointer?
        var result = CURLE_OK
        while unsafe portolan_curl_next_finished(multi, &easy, &result) != 0 {
            guard let easy = unsafe easy, let transfer = unsafe CurlTransfer.owner(of: easy) else { continue }
            switch transfer.outcome(of: result) {
            case .finished(let reply):
                end(transfer.id, with: reply)
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
        for transfer in stalled { end(transfer.id, with: .failure(transfer.stallError)) }
    }

    /// Until the next stall check, or long: libcurl shortens it by its own timers and the mailbox wakes it.
    private var pollMilliseconds: Int32 {
        guard let check = nextStallCheck else { return 60_000 }
        return Int32(min(60_000, ContinuousClock.now.duration(to: check).timerMilliseconds))
    }
}
#endif

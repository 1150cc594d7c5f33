#if os(Linux) && Drivers
import CCurl
import PortolanWeb
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The thread of one connection: owns a libcurl handle, opens the connection, and transfers the bytes of a queue.
///
/// After `startThread` only that thread accesses it, except for the shared queue and answer slot.
@safe final class CurlByteLoop {
    let queue: ByteQueue
    /// Answered once: with `nil` when the connection is open, or with an error.
    let opened = AnswerSlot<FetchError?>()

    private let endpoint: ByteEndpoint
    /// Both valid from init until `free`.
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    /// CURL_ERROR_SIZE bytes, as libcurl requires, valid until `free`.
    private let errorText: UnsafeMutablePointer<CChar>
    /// A buffer of `pieceSize` bytes being sent: TLS requires the same bytes at the same address for a retry.
    private let piece: UnsafeMutablePointer<UInt8>
    private var pieceStart = 0, pieceEnd = 0
    private var chunk = [UInt8](repeating: 0, count: pieceSize)
    private let bell: Int32
    private var isProxied = false
    private var proxySecret: String?
    private var refusal: FetchError?

    private static let pieceSize = 1 << 16
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init?(_ endpoint: ByteEndpoint, _ settings: ConnectionSettings) {
        guard CurlByteLoop.isLibraryReady else { return nil }
        let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard bell >= 0 else { return nil }
        guard let multi = unsafe curl_multi_init() else {
            _ = close(bell)
            return nil
        }
        guard let easy = unsafe curl_easy_init() else {
            _ = unsafe curl_multi_cleanup(multi)
            _ = close(bell)
            return nil
        }
        self.endpoint = endpoint
        self.bell = bell
        unsafe self.multi = unsafe multi
        unsafe self.easy = unsafe easy
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe piece = .allocate(capacity: CurlByteLoop.pieceSize)
        unsafe piece.initialize(repeating: 0, count: CurlByteLoop.pieceSize)
        queue = ByteQueue(url: endpoint.shown) { SocketWatch.ring(bell) }
        setOptions(settings)
    }

    /// Sets options.
    ///
    /// libcurl copies the strings; an unusable value makes the connection fail with an error.
    private func setOptions(_ settings: ConnectionSettings) {
        let scheme = endpoint.isSecure ? "https" : "http"
        _ = unsafe portolan_curl_restrict_to_http(easy)
        _ = unsafe portolan_curl_leave_resolver(easy)
        _ = unsafe portolan_curl_close_on_exec(easy)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        // The handshake offers no HTTP, because none is spoken.
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_SSL_ENABLE_ALPN, 0)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, endpoint.timeout.timerMilliseconds)
        _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        _ = unsafe portolan_curl_set_string(easy, CURLOPT_URL, "\(scheme)://\(endpoint.host):\(endpoint.port)/")
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe portolan_curl_ask_before(easy, openCurlByteSocket, nil, context)
        setProxy(settings.proxy)
        unsafe settings.setTrust(of: easy)
    }

    private func setProxy(_ setting: ConnectionSettings.Proxy) {
        var proxy = ""
        switch setting {
        case .direct: break
        case .url(let url): proxy = url
        case .environment:
            let environment = ProcessInfo.processInfo.environment
            proxy = ["all_proxy", "ALL_PROXY"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        }
        _ = unsafe portolan_curl_set_string(easy, CURLOPT_PROXY, proxy)
        guard !proxy.isEmpty else { return }
        proxySecret = URLParts(proxy)?.userInfo
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_HTTPPROXYTUNNEL, 1)
        // If the policy depends on the host's address, it must be known whether the visible address belongs to a proxy;
        // see `CurlProxies`.
        if endpoint.looksAtConnections || setting != .environment {
            isProxied = true
            _ = unsafe portolan_curl_set_string(easy, CURLOPT_NOPROXY, "")
        }
    }

    /// Starts a thread for the loop.
    ///
    /// Returns `false`, with everything freed, if no thread is available.
    func startThread() -> Bool {
        // The thread owns the only strong reference, and releases it when it ends.
        let retained = unsafe Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        var thread = pthread_t()
        var result = unsafe pthread_attr_init(&attributes)
        if result == 0 {
            _ = unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
            result = unsafe pthread_create(
                &thread, &attributes,
                { context in
                    // As for transfers, signals are left to the application's threads, and a broken pipe becomes an
                    // ordinary error.
                    var signals = sigset_t()
                    _ = unsafe sigfillset(&signals)
                    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
                    if let context = unsafe context {
                        unsafe Unmanaged<CurlByteLoop>.fromOpaque(context).takeRetainedValue().run()
                    }
                    return nil
                },
                retained.toOpaque())
            _ = unsafe pthread_attr_destroy(&attributes)
        }
        if result == 0 { return true }
        unsafe retained.release()
        free(.closed)
        return false
    }

    /// Returns whether a connection to an address is allowed; if not, it fails with that reason.
    fileprivate func mayUse(_ peer: IPAddress?) -> Bool {
        // The address of a proxy is not that of the host.
        if isProxied { return true }
        guard let peer else { return !endpoint.looksAtConnections }
        refusal = endpoint.refusal(ofConnectionTo: peer)
        return refusal == nil
    }
}

// MARK: On the thread

extension CurlByteLoop {
    private func run() {
        if let failure = open() {
            // Frees resources before the answer, so that the receiver finds nothing of this connection left.
            free(.failed(failure))
            opened.answer(failure)
            return
        }
        opened.answer(nil)
        free(carry())
    }

    private func free(_ end: ByteQueue.End) {
        queue.end(end)
        _ = unsafe curl_multi_remove_handle(multi, easy)
        unsafe curl_easy_cleanup(easy)
        _ = unsafe curl_multi_cleanup(multi)
        unsafe errorText.deallocate()
        unsafe piece.deallocate()
        _ = close(bell)
    }

    /// Opens the connection.
    ///
    /// Returns an error if that fails.
    private func open() -> FetchError? {
        guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return FetchError(.transportFailure, url: endpoint.shown, detail: "libcurl refused the connection")
        }
        while true {
            if queue.takeWork(0).isClosed { return .cancelled(url: endpoint.shown) }
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            var finished: UnsafeMutableRawPointer?
            var result = CURLE_OK
            if unsafe portolan_curl_next_finished(multi, &finished, &result) != 0 {
                return result == CURLE_OK ? nil : refusal ?? failure(result)
            }
            _ = unsafe portolan_curl_wait(multi, bell, -1, 0, 1000)
        }
    }

    /// Transfers bytes until the connection ends, and returns the end.
    private func carry() -> ByteQueue.End {
        var socket: curl_socket_t = -1
        guard unsafe portolan_curl_get_socket(easy, &socket) == CURLE_OK, socket >= 0 else {
            return .failed(FetchError(.connectionLost, url: endpoint.shown, detail: "the connection was lost"))
        }
        while true {
            let work = queue.takeWork(pieceStart == pieceEnd ? CurlByteLoop.pieceSize : 0)
            if !work.outgoing.isEmpty {
                (pieceStart, pieceEnd) = (0, work.outgoing.count)
                // takeWork returns at most as many bytes as piece has room for.
                unsafe piece.update(from: work.outgoing, count: work.outgoing.count)
            }
            // When a piece was sent, more may be queued.
            let hadPiece = pieceStart < pieceEnd
            var isBlocked = false
            if let failure = sendPiece(&isBlocked) { return .failed(failure) }
            if work.isClosed {
                if isBlocked || !hadPiece { return .closed }
                continue
            }
            var hasRoom = work.hasRoom, isDry = false
            // Alternates with sending, so that neither starves the other.
            for _ in 0..<8 where hasRoom && !isDry {
                if let end = receiveChunk(&hasRoom, &isDry) { return end }
            }
            // All work that is possible without blocking is done before a wait.
            guard (isDry || !hasRoom) && (isBlocked || !hadPiece) else { continue }
            var events: Int16 = 0
            if hasRoom { events |= Int16(CURL_WAIT_POLLIN) }
            if isBlocked { events |= Int16(CURL_WAIT_POLLOUT) }
            _ = unsafe portolan_curl_wait(multi, bell, socket, events, 60_000)
        }
    }

    private func sendPiece(_ isBlocked: inout Bool) -> FetchError? {
        while pieceStart < pieceEnd {
            var count = 0
            // Within the initialised bytes of piece.
            let result = unsafe curl_easy_send(easy, piece + pieceStart, pieceEnd - pieceStart, &count)
            if result == CURLE_AGAIN {
                isBlocked = true
                return nil
            }
            guard result == CURLE_OK else { return failure(result) }
            pieceStart += count
        }
        return nil
    }

    private func receiveChunk(_ hasRoom: inout Bool, _ isDry: inout Bool) -> ByteQueue.End? {
        var count = 0
        // Writes at most chunk.count bytes.
        let result = unsafe curl_easy_recv(easy, &chunk, chunk.count, &count)
        if result == CURLE_AGAIN {
            isDry = true
            return nil
        }
        guard result == CURLE_OK else { return .failed(failure(result)) }
        guard count > 0 else { return .closed }
        hasRoom = queue.put(Array(chunk.prefix(count)))
        return nil
    }

    private func failure(_ result: CURLcode) -> FetchError {
        // libcurl null-terminates its text within the CURL_ERROR_SIZE bytes of the buffer.
        var told = unsafe String(cString: errorText)
        if told.isEmpty { told = unsafe String(cString: curl_easy_strerror(result)) }
        if let proxySecret { told = told.replacing(proxySecret, with: "***") }
        return FetchError(
            FetchError.Code(curl: result), url: endpoint.shown, detail: "\(told) (libcurl \(result.rawValue))")
    }
}

/// CURLOPT_OPENSOCKETFUNCTION: `context` is the `CurlByteLoop`, alive while its handle is; `address` is valid during
/// the call.
private func openCurlByteSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    let loop = unsafe Unmanaged<CurlByteLoop>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    // Writes at most 16 bytes.
    let count = unsafe portolan_curl_address_bytes(address, &bytes)
    guard loop.mayUse(IPAddress(bytes: Array(bytes.prefix(Int(count))))) else { return -1 }
    return unsafe socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
}
#endif

#if os(Linux) && Drivers
import CCurl
import Synchronization

/// HTTP over the system's libcurl: all transfers on one thread, connections kept open and shared.
///
/// HTTP/2 where the server offers it over TLS, gzip, deflate, Brotli and Zstandard where libcurl was built with them;
/// proxies and trust as ``ConnectionSettings`` say. The thread starts with the first request and ends when the transport is released.
package final class CurlTransport: CallbackTransport {
    private let userAgent: String
    private let mailbox: CurlMailbox

    /// Makes a transport.
    ///
    /// - Parameter userAgent: what it sends as `User-Agent` where a request has none.
    package convenience init(userAgent: String = UserAgent.standard) {
        self.init(ConnectionSettings(userAgent: userAgent))
    }

    /// Makes a transport with settings.
    package init(_ settings: ConnectionSettings) {
        userAgent = settings.userAgent
        mailbox = CurlMailbox(settings)
    }

    deinit {
        mailbox.close()
    }

    /// The response to `request`; see ``HTTPTransport`` for what holds.
    ///
    /// The header may have up to 256 KiB.
    package func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        try await response(to: request)
    }

    package func begin(_ request: HTTPRequest, answer: @escaping Answer) -> @Sendable () -> Void {
        do throws(FetchError) {
            let prepared = try request.prepared(userAgent: userAgent)
            let id = try mailbox.start(prepared, asked: request.url, answer: answer)
            return { [mailbox] in mailbox.cancel(id) }
        } catch {
            // Not within this call.
            Task { answer(.failure(error)) }
            return {}
        }
    }
}

/// The commands of tasks to the transfer thread, with a bell to wake it.
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

extension FetchError.Code {
    /// Makes the code of an error of libcurl.
    init(curl result: CURLcode) {
        switch result {
        case CURLE_URL_MALFORMAT: self = .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .cannotResolveHost
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: self = .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .connectionLost
        case CURLE_FILESIZE_EXCEEDED: self = .bodyTooLarge
        // A scheme was checked before; what libcurl does not support here is the answer, such as HTTP/0.9.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_WRITE_ERROR:
            self = .malformedResponse
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED:
            self = .tls
        default: self = .transportFailure
        }
    }
}
#endif

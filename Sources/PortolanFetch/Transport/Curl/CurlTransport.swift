#if os(Linux) && Drivers
import CCurl
import Synchronization

/// HTTP with the system's libcurl: all transfers run on one thread and share persistent connections.
///
/// It supports HTTP/2 over TLS, and gzip, deflate, Brotli and Zstandard if libcurl was built with them. Proxies and
/// trust follow ``ConnectionSettings``. The thread starts with the first request and ends when the transport is
/// deallocated.
package final class CurlTransport: CallbackTransport {
    private let userAgent: String
    private let mailbox: CurlMailbox

    /// Creates a transport.
    ///
    /// - Parameter userAgent: the `User-Agent` of requests without one.
    package convenience init(userAgent: String = HTTPRequest.UserAgent.standard) {
        self.init(ConnectionSettings(userAgent: userAgent))
    }

    /// Creates a transport with settings.
    package init(_ settings: ConnectionSettings) {
        userAgent = settings.userAgent
        mailbox = CurlMailbox(settings)
    }

    deinit {
        mailbox.close()
    }

    /// Returns the response to `request`; see ``HTTPTransport``.
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
            // The answer must not be given within this call.
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
        /// Whether the thread waits for its sockets, or is about to; otherwise it checks the mailbox before it waits.
        var isAsleep = false
        /// The descriptor of the bell, used and reset only under the lock, before the thread closes it.
        var bell: Int32?

        mutating func wake() {
            guard isAsleep, let bell else { return }
            isAsleep = false
            SocketWatch.ring(bell)
        }
    }

    private let settings: ConnectionSettings
    private let state = Mutex(State())

    /// Creates a mailbox for transfers with settings.
    init(_ settings: ConnectionSettings) { self.settings = settings }

    /// Passes a prepared request to the thread, which is started if necessary.
    func start(
        _ request: HTTPRequest, asked: String, answer: @escaping CallbackTransport.Answer
    ) throws(FetchError) -> UInt64 {
        try state.withLock { state throws(FetchError) in
            state.lastID += 1
            if state.bell == nil {
                guard let loop = CurlLoop(mailbox: self, settings: settings) else {
                    throw FetchError(.transportFailure, url: asked, detail: "cannot start libcurl")
                }
                let bell = loop.bell
                guard loop.startThread() else {
                    throw FetchError(
                        .transportFailure, url: asked, detail: "cannot start a thread for transfers")
                }
                state.bell = bell
            }
            state.commands.append(.start(id: state.lastID, request: request, asked: asked, answer: answer))
            state.wake()
            return state.lastID
        }
    }

    /// Cancels a transfer; does nothing if it has ended.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            guard state.bell != nil else { return }
            state.commands.append(.cancel(id: id))
            state.wake()
        }
    }

    /// Ends the thread.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake()
        }
    }

    /// Returns the commands since the last call, or `nil` if the thread must end.
    ///
    /// Called by the thread.
    func takeCommands() -> [Command]? {
        state.withLock { state in
            state.isAsleep = false
            if state.isClosed { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Returns whether the thread may wait, because there are no commands; new commands then wake it.
    ///
    /// Called by the thread.
    func mayFallAsleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty && !state.isClosed
            return state.isAsleep
        }
    }

    /// Disconnects the bell, and returns the commands that will not be executed.
    ///
    /// Called by the thread.
    func forgetBell() -> [Command] {
        state.withLock { state in
            state.bell = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}

extension FetchError.Code {
    /// Creates the code of a libcurl error.
    init(curl result: CURLcode) {
        switch result {
        case CURLE_URL_MALFORMAT: self = .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .cannotResolveHost
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: self = .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .connectionLost
        case CURLE_FILESIZE_EXCEEDED: self = .bodyTooLarge
        // The scheme was checked before, so the unsupported part is in the response, such as HTTP/0.9.
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

#if canImport(Network)
import Network
import Synchronization

/// TCP and TLS with the system's Network framework, with the system's proxies and trust.
package struct NetworkByteTransport: ByteTransport {
    /// Creates a transport.
    package init() {}

    /// Returns an open connection to an endpoint; see ``ByteTransport``.
    package func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection {
        let opened = AnswerSlot<Result<NetworkByteConnection, FetchError>>()
        guard let port = NWEndpoint.Port(rawValue: UInt16(clamping: endpoint.port)) else {
            throw FetchError(.invalidURL, url: endpoint.shown, detail: "invalid port")
        }
        let options = NWProtocolTCP.Options()
        options.enableKeepalive = true
        options.noDelay = true
        options.connectionTimeout = max(1, endpoint.timeout.timerMilliseconds / 1000)
        let parameters = NWParameters(tls: endpoint.isSecure ? NWProtocolTLS.Options() : nil, tcp: options)
        let host = NWEndpoint.Host(endpoint.host.filter { $0 != "[" && $0 != "]" })
        let network = NetworkByteConnection(NWConnection(host: host, port: port, using: parameters), endpoint)
        network.start(opened)
        // The framework waits for a better network without a limit, so the time limit is enforced here.
        let limit = endpoint.timeout, url = endpoint.shown
        let watch = Task {
            try await Task.sleep(for: limit)
            opened.answer(.failure(.timedOut(.connect, after: limit, url: url)))
        }
        let result = await withTaskCancellationHandler {
            await opened.reply()
        } onCancel: {
            opened.answer(.failure(.cancelled(url: url)))
        }
        watch.cancel()
        if case .failure = result { network.close() }
        return try result.get()
    }
}

private final class NetworkByteConnection: ByteConnection {
    private let connection: NWConnection
    private let endpoint: ByteEndpoint

    init(_ connection: NWConnection, _ endpoint: ByteEndpoint) {
        self.connection = connection
        self.endpoint = endpoint
    }

    deinit { connection.cancel() }

    func start(_ opened: AnswerSlot<Result<NetworkByteConnection, FetchError>>) {
        let endpoint = endpoint
        connection.stateUpdateHandler = { [weak self] state in
            guard let self else { return }
            switch state {
            case .ready:
                let peer: IPAddress? =
                    if case .hostPort(let host, _)? = connection.currentPath?.remoteEndpoint {
                        IPAddress(host: "\(host)".prefix { $0 != "%" }.description)
                    } else { nil }
                let refusal: FetchError? =
                    if let peer { endpoint.refusal(ofConnectionTo: peer) } else if endpoint.looksAtConnections {
                        FetchError(.addressRefused, url: endpoint.shown, detail: "unknown host")
                    } else { nil }
                opened.answer(refusal.map { .failure($0) } ?? .success(self))
            case .failed(let error), .waiting(let error):
                opened.answer(.failure(failure(error)))
            case .cancelled: opened.answer(.failure(.cancelled(url: endpoint.shown)))
            default: break
            }
        }
        connection.start(queue: .global())
    }

    private func failure(_ error: NWError) -> FetchError {
        let code: FetchError.Code =
            switch error {
            case .dns: .cannotResolveHost
            case .tls: .tls
            case .posix(.ECONNREFUSED), .posix(.EHOSTUNREACH), .posix(.ENETUNREACH), .posix(.ENETDOWN): .cannotConnect
            case .posix(.ETIMEDOUT): .timedOut
            case .posix(.ECANCELED): .cancelled
            default: .connectionLost
            }
        return FetchError(code, url: endpoint.shown, detail: "\(error)")
    }

    func send(_ bytes: [UInt8]) async throws(FetchError) {
        let slot = AnswerSlot<FetchError?>()
        connection.send(
            content: bytes,
            completion: .contentProcessed { [self] error in slot.answer(error.map(failure)) })
        if let failure = await slot.reply() { throw failure }
    }

    func receive() async throws(FetchError) -> [UInt8]? {
        let slot = AnswerSlot<Result<[UInt8]?, FetchError>>(), url = endpoint.shown
        connection.receive(minimumIncompleteLength: 1, maximumLength: 1 << 16) { [self] data, _, isComplete, error in
            if let data, !data.isEmpty {
                slot.answer(.success(Array(data)))
            } else if let error {
                slot.answer(.failure(failure(error)))
            } else if isComplete {
                slot.answer(.success(nil))
            }
        }
        let result = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            slot.answer(.failure(.cancelled(url: url)))
        }
        return try result.get()
    }

    func close() { connection.cancel() }
}
#endif

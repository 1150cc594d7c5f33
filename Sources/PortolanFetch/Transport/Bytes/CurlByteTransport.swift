#if os(Linux) && Drivers
/// TCP and TLS with the system's libcurl.
///
/// Each connection has a thread that sleeps while there is nothing to transfer.
///
/// Proxies and trust follow ``ConnectionSettings``. An HTTP proxy is asked for a tunnel (RFC 9110, section 9.3.6).
package struct CurlByteTransport: ByteTransport {
    private let settings: ConnectionSettings

    /// Creates a transport with settings.
    package init(_ settings: ConnectionSettings = ConnectionSettings()) { self.settings = settings }

    /// Returns an open connection to an endpoint; see ``ByteTransport``.
    package func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection {
        if Task.isCancelled { throw .cancelled(url: endpoint.shown) }
        guard let loop = CurlByteLoop(endpoint, settings) else {
            throw FetchError(.transportFailure, url: endpoint.shown, detail: "cannot start libcurl")
        }
        let (queue, opened) = (loop.queue, loop.opened)
        guard loop.startThread() else {
            throw FetchError(
                .transportFailure, url: endpoint.shown, detail: "cannot start a thread for the connection")
        }
        let failure = await withTaskCancellationHandler {
            await opened.reply()
        } onCancel: {
            queue.close()
        }
        if let failure { throw failure }
        return CurlByteConnection(queue)
    }
}

/// The task side of a connection.
private final class CurlByteConnection: ByteConnection {
    private let queue: ByteQueue

    init(_ queue: ByteQueue) { self.queue = queue }

    deinit { queue.close() }

    func send(_ bytes: [UInt8]) async throws(FetchError) { try await queue.send(bytes) }

    func receive() async throws(FetchError) -> [UInt8]? { try await queue.receive() }

    func close() { queue.close() }
}
#endif

/// Opens connections for byte streams: TCP, or TLS over TCP.
///
/// This is the interface between broker protocols and the network: tests and other networking libraries conform to it.
public protocol ByteTransport: Sendable {
    /// Returns an open connection to an endpoint.
    ///
    /// Cancelling the task ends the attempt with ``FetchError/Code/cancelled``.
    func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection
}

/// A bidirectional byte stream.
///
/// One task may send while another receives. Memory is bounded: unread data stays with the system, which applies back
/// pressure.
public protocol ByteConnection: Sendable {
    /// Queues bytes for sending, and waits while too many are queued.
    ///
    /// - Throws: ``FetchError`` if the connection has ended, or ``FetchError/Code/cancelled`` if the task was cancelled
    ///   while it waited: then none of the bytes are sent. If sending fails, the connection has ended: ``receive()``
    ///   returns the data received before, and then throws as well.
    func send(_ bytes: [UInt8]) async throws(FetchError)

    /// Waits for received bytes, and returns at least one, or `nil` at the end.
    ///
    /// Only one task may receive at a time.
    func receive() async throws(FetchError) -> [UInt8]?

    /// Closes the connection. Queued bytes are sent first as far as the peer accepts them immediately.
    ///
    /// Waiting tasks are resumed. A connection that is deallocated is closed, too.
    func close()
}

/// Returns the byte transport of this platform: libcurl on Linux, Network on Apple platforms.
///
/// On Linux without the trait `Drivers`, every connection fails with ``FetchError/Code/needsTrait``.
///
/// - Parameter settings: proxy, trust and client certificate. Of the environment's proxies only `all_proxy` is used,
///   because the others are for HTTP. On Apple platforms the system settings apply.
public func systemByteTransport(_ settings: ConnectionSettings = ConnectionSettings()) -> any ByteTransport {
    #if canImport(Darwin)
    NetworkByteTransport()
    #elseif Drivers
    CurlByteTransport(settings)
    #else
    MissingByteTransport()
    #endif
}

#if os(Linux) && !Drivers
/// The byte transport of a build without libcurl.
private struct MissingByteTransport: ByteTransport {
    func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection {
        throw .needsDrivers("a connection to a message broker", url: endpoint.shown)
    }
}
#endif

/// Opens connections that carry bytes in both directions: TCP, or TLS over it.
///
/// The seam between protocols of brokers and the network: tests and other networking libraries conform to it.
public protocol ByteTransport: Sendable {
    /// A connection to a place, once it is there.
    ///
    /// Cancelling the task ends the attempt with ``FetchError/Code/cancelled``.
    func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection
}

/// A connection that carries bytes in both directions.
///
/// One task may send while another receives. Memory is bounded: what nobody takes is left to the system, which has the other
/// side wait.
public protocol ByteConnection: Sendable {
    /// Hands bytes over to be sent after those before them; waits while too many have not left yet.
    ///
    /// - Throws: ``FetchError`` when the connection has ended, or ``FetchError/Code/cancelled`` when the task was cancelled
    ///   while it waited: then none of the bytes are sent. A connection over which nothing can be sent has ended: ``receive()``
    ///   gives what came before, and then tells so too.
    func send(_ bytes: [UInt8]) async throws(FetchError)

    /// The bytes that have come, at least one, or `nil` at the end; waits for them.
    ///
    /// One task receives at a time.
    func receive() async throws(FetchError) -> [UInt8]?

    /// Ends the connection, what was handed over before being sent first as far as the other side takes it at once.
    ///
    /// Whoever waits is answered; a connection that is released is closed too.
    func close()
}

/// The byte transport that suits this platform: libcurl on Linux, Network on Apple platforms.
///
/// Without the trait `Drivers` on Linux every connection fails with ``FetchError/Code/needsTrait``.
///
/// - Parameter settings: proxy, trust and client certificate. Of the proxies of the environment `all_proxy` alone counts,
///   since the others are for HTTP. On Apple platforms the settings of the system hold.
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

public import PortolanFetch
public import PortolanWeb

/// Sends messages to a STOMP broker and waits for their confirmation.
///
/// It connects with the first message, and reconnects after a loss. Unconfirmed messages are reported as an error. Only
/// one task may send at a time.
public struct STOMPPublisher: Sendable {
    /// The URL of the broker, without secrets.
    public var name: String { endpoint.shown }

    /// The time limit for sending and for the confirmation, each.
    public var patience = Duration.seconds(10)

    private let endpoint: ByteEndpoint
    private let transport: any ByteTransport
    private let clock: FetchClock
    private var link: Link?

    private struct Link: Sendable {
        var connection: any ByteConnection
        var session: STOMPSession
    }

    /// Creates a publisher for the broker at a URL.
    ///
    /// - Throws: ``/PortolanFetch/FetchError`` if the URL is not that of a broker, or is not allowed by the policy.
    public init(
        _ address: NamedURL, transport: any ByteTransport = systemByteTransport(), policy: AddressPolicy = .standard
    ) throws(FetchError) {
        try self.init(ByteEndpoint(address, policy: policy), transport, .system)
    }

    init(_ endpoint: ByteEndpoint, _ transport: any ByteTransport, _ clock: FetchClock) throws(FetchError) {
        self.endpoint = endpoint
        self.transport = transport
        self.clock = clock
    }

    /// Sends messages in order, and returns when the broker has confirmed all of them.
    ///
    /// - Parameter messages: the header fields and the body of each message. `destination` is added.
    public mutating func publish(
        _ messages: [(headers: [STOMPFrame.Header], body: [UInt8])], to destination: String
    ) async throws(FeedError) {
        guard !messages.isEmpty else { return }
        var link = try await connected()
        self.link = nil
        var receipt: String?
        for (index, message) in messages.enumerated() {
            let frame = STOMPFrame("SEND", [.init("destination", destination)] + message.headers, body: message.body)
            // Brokers process frames in order, so a receipt for the last one confirms all.
            let isLast = index == messages.count - 1
            receipt = link.session.send(frame, withReceipt: isLast, now: clock.now()) ?? receipt
            if isLast || index % 256 == 255 { try await flush(&link) }
        }
        try await wait(&link) { $0 == .receipt(receipt ?? "") }
        self.link = link
    }

    /// Disconnects from the broker.
    public mutating func close() async {
        guard var link else { return }
        self.link = nil
        link.session.send(STOMPFrame("DISCONNECT"), now: clock.now())
        // There is no recipient left for a failure.
        try? await flush(&link)
        link.connection.close()
    }

    private func connected() async throws(FeedError) -> Link {
        if let link { return link }
        var connecting = STOMPConnecting(to: endpoint)
        // No heart-beats are needed, because each message is confirmed.
        connecting.heartBeat = .zero
        let session = STOMPSession(connecting, now: clock.now())
        var link: Link
        do throws(FetchError) {
            link = Link(connection: try await transport.connect(to: endpoint), session: session)
        } catch {
            throw FeedError(error, source: endpoint.shown)
        }
        try await flush(&link)
        try await wait(&link) { $0 == .connected }
        return link
    }

    private func flush(_ link: inout Link) async throws(FeedError) {
        let start = clock.now(), alarm = alarm(for: link.connection)
        defer { alarm.cancel() }
        do throws(FetchError) {
            try await link.connection.send(link.session.takeOutgoing())
        } catch {
            link.connection.close()
            guard clock.now() - start < patience else {
                throw FeedError(.silent, source: endpoint.shown, "the broker rejects messages")
            }
            throw FeedError(error, source: endpoint.shown)
        }
    }

    /// Returns a task that closes a connection after the time limit.
    private func alarm(for connection: any ByteConnection) -> Task<Void, Never> {
        let clock = clock, patience = patience
        return Task {
            await clock.sleep(patience)
            if !Task.isCancelled { connection.close() }
        }
    }

    /// Reads until the broker sends the awaited event.
    private func wait(
        _ link: inout Link, for isAwaited: (STOMPSession.Event) -> Bool
    ) async throws(FeedError) {
        let connection = link.connection, alarm = alarm(for: connection)
        defer { alarm.cancel() }
        while true {
            let chunk: [UInt8]?
            do throws(FetchError) { chunk = try await connection.receive() } catch {
                connection.close()
                throw FeedError(error, source: endpoint.shown)
            }
            guard let chunk else {
                connection.close()
                throw FeedError(
                    .silent, source: endpoint.shown, "no confirmation from the broker, or the connection was closed")
            }
            var isThere = false, fault: FeedError?
            try link.session.receive(chunk, now: clock.now()) { event in
                if isAwaited(event) { isThere = true }
                if case .error(let told, _) = event { fault = fault ?? told }
            }
            if let fault {
                connection.close()
                throw fault
            }
            if isThere { return }
        }
    }
}

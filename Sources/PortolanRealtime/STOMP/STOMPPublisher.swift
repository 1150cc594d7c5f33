public import PortolanFetch
public import PortolanWeb

/// Sends messages to a broker of STOMP, and knows when it has them.
///
/// It connects when it first sends, and again after a loss; what was sent in vain is thrown back. One task sends at a time.
public struct STOMPPublisher: Sendable {
    /// The address, without secrets.
    public var name: String { endpoint.shown }

    /// How long the broker may take to take what is sent, and again to confirm.
    public var patience = Duration.seconds(10)

    private let endpoint: ByteEndpoint
    private let transport: any ByteTransport
    private let clock: FetchClock
    private var link: Link?

    private struct Link: Sendable {
        var connection: any ByteConnection
        var session: STOMPSession
    }

    /// Makes a publisher for the broker at an address.
    ///
    /// - Throws: ``/PortolanFetch/FetchError`` when the address is none of a broker, or may not be led to.
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

    /// Sends messages in their order and returns when the broker has them all.
    ///
    /// - Parameter messages: headers and body of each; `destination` is added.
    public mutating func publish(
        _ messages: [(headers: [STOMPFrame.Header], body: [UInt8])], to destination: String
    ) async throws(FeedError) {
        guard !messages.isEmpty else { return }
        var link = try await connected()
        self.link = nil
        var receipt: String?
        for (index, message) in messages.enumerated() {
            let frame = STOMPFrame("SEND", [.init("destination", destination)] + message.headers, body: message.body)
            // The broker works in order: who has the last has all.
            let isLast = index == messages.count - 1
            receipt = link.session.send(frame, withReceipt: isLast, now: clock.now()) ?? receipt
            if isLast || index % 256 == 255 { try await flush(&link) }
        }
        try await wait(&link) { $0 == .receipt(receipt ?? "") }
        self.link = link
    }

    /// Takes leave of the broker.
    public mutating func close() async {
        guard var link else { return }
        self.link = nil
        link.session.send(STOMPFrame("DISCONNECT"), now: clock.now())
        // Nobody is left to be told when it fails.
        try? await flush(&link)
        link.connection.close()
    }

    private func connected() async throws(FeedError) -> Link {
        if let link { return link }
        var connecting = STOMPConnecting(to: endpoint)
        // It is heard when it sends, and asks for an answer then.
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
                throw FeedError(.silent, source: endpoint.shown, "the broker does not take what is sent")
            }
            throw FeedError(error, source: endpoint.shown)
        }
    }

    /// Closes a connection when patience is at its end.
    private func alarm(for connection: any ByteConnection) -> Task<Void, Never> {
        let clock = clock, patience = patience
        return Task {
            await clock.sleep(patience)
            if !Task.isCancelled { connection.close() }
        }
    }

    /// Reads until the broker says something.
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
                throw FeedError(.silent, source: endpoint.shown, "the broker does not confirm, or has hung up")
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

import PortolanFetch

/// The client side of an MQTT 3.1.1 subscriber session, independent of any connection.
///
/// The session has no clock: callers pass the time and call ``tick(isReading:now:)`` when ``due``. It is unusable after
/// an error.
struct MQTTSession: Sendable {
    /// An event from the broker.
    enum Event: Hashable, Sendable {
        /// The broker accepted the connection.
        case connected
        /// A message arrived.
        case message(MQTTMessage)
        /// A packet was acknowledged, with the indices of the refused filters of a subscription.
        case done(id: UInt16, refused: [Int])
    }

    private let source: String
    private let keepAlive: Duration
    /// The time limit for responses of the broker.
    private let patience: Duration
    private var parser: MQTTParser
    private var isConnected = false
    private var lastSent: Duration
    /// The start of waiting for a response: first to CONNECT, later to PINGREQ.
    private var awaited: Duration?
    private var lastID: UInt16 = 0
    /// The bytes to send.
    private var outgoing: [UInt8]

    /// Starts a session with a CONNECT packet.
    init(
        _ client: MQTTConnecting, source: String, limit: Int = 1 << 20, patience: Duration = .seconds(10), now: Duration
    ) throws(FeedError) {
        self.source = source
        self.patience = patience
        keepAlive = .seconds(Int(client.keepAlive))
        parser = MQTTParser(limit: limit, source: source)
        (lastSent, awaited) = (now, now)
        guard let bytes = MQTTPacket.connect(client).encoded else {
            throw FeedError(.limitExceeded, source: source, "the name or password is too long for MQTT")
        }
        outgoing = bytes
    }

    /// Removes and returns the bytes to send.
    mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    private mutating func send(_ packet: MQTTPacket, now: Duration) {
        guard let bytes = packet.encoded else { return }
        outgoing += bytes
        lastSent = now
    }

    private mutating func nextID() -> UInt16 {
        lastID = lastID == .max ? 1 : lastID + 1
        return lastID
    }

    /// Subscribes to at least one filter, and returns the packet identifier.
    mutating func subscribe(to filters: [String], now: Duration) -> UInt16 {
        let id = nextID()
        send(.subscribe(id: id, filters: filters), now: now)
        return id
    }

    /// Unsubscribes from at least one filter, and returns the packet identifier.
    @discardableResult
    mutating func unsubscribe(from filters: [String], now: Duration) -> UInt16 {
        let id = nextID()
        send(.unsubscribe(id: id, filters: filters), now: now)
        return id
    }

    /// Sends a DISCONNECT packet.
    mutating func disconnect(now: Duration) { send(.disconnect, now: now) }

    /// Processes received bytes.
    ///
    /// - Parameter tell: a closure that is called with each event, in order.
    mutating func receive(_ bytes: [UInt8], now: Duration, _ tell: (Event) -> Void) throws(FeedError) {
        if !isConnected, bytes.starts(with: "HTTP/".utf8) {
            throw FeedError(.malformed, source: source, "this is a web server, not an MQTT broker")
        }
        parser.append(bytes)
        while let packet = try parser.next() {
            switch packet {
            case .connectAcknowledged(_, let code) where !isConnected:
                guard code == 0 else { throw Self.refusal(code, source) }
                isConnected = true
                awaited = nil
                tell(.connected)
            case .publish(let message) where isConnected:
                tell(.message(message))
                if let id = message.id { send(.publishAcknowledged(id: id), now: now) }
            case .subscribeAcknowledged(let id, let codes) where isConnected:
                tell(.done(id: id, refused: codes.indices.filter { codes[$0] == 0x80 }))
            case .unsubscribeAcknowledged(let id) where isConnected: tell(.done(id: id, refused: []))
            case .pong where isConnected: awaited = nil
            default: throw FeedError(.malformed, source: source, "unexpected packet from the broker")
            }
        }
        // Any packet proves that the broker is alive.
        if isConnected, awaited != nil { awaited = now }
    }

    /// Returns the error for a refused connection (section 3.2.2.3).
    private static func refusal(_ code: UInt8, _ source: String) -> FeedError {
        switch code {
        case 1: FeedError(.unsupported, source: source, "the broker does not support MQTT 3.1.1")
        case 2: FeedError(.refused, source: source, "the broker rejected the client identifier")
        case 3: FeedError(.refused, source: source, "the broker is not available")
        case 4: FeedError(.refused, source: source, "the broker rejected the name or password")
        case 5: FeedError(.refused, source: source, "the broker denied access")
        default:
            FeedError(.malformed, source: source, "the broker denied access for an unknown reason")
        }
    }

    /// The time of the next ``tick(isReading:now:)``, or `nil`.
    var due: Duration? {
        [awaited.map { $0 + patience }, isConnected && keepAlive > .zero ? lastSent + keepAlive / 2 : nil].compactMap(
            \.self
        )
        .min()
    }

    /// Sends a ping if it is due, and throws if the broker is silent.
    ///
    /// - Parameter isReading: whether received bytes are being read. If not, silence of the broker is not an error.
    mutating func tick(isReading: Bool = true, now: Duration) throws(FeedError) {
        if let since = awaited {
            if !isReading {
                awaited = now
            } else if now - since >= patience {
                throw FeedError(.silent, source: source, "no response from the broker for \(patience.secondsText)")
            }
        }
        if isConnected, keepAlive > .zero, now - lastSent >= keepAlive / 2 {
            send(.ping, now: now)
            if awaited == nil { awaited = now }
        }
    }
}

import PortolanFetch

/// A session of MQTT 3.1.1 as a client that listens leads it, over no connection in particular.
///
/// It is told the time, and tells when it wants to be told again. After a fault it is of no more use.
struct MQTTSession: Sendable {
    /// What a broker says.
    enum Event: Hashable, Sendable {
        /// It has let us in.
        case connected
        /// A message of a topic.
        case message(MQTTMessage)
        /// It has done what a packet asked for; the places of the filters of a subscription that it refuses.
        case done(id: UInt16, refused: [Int])
    }

    private let source: String
    private let keepAlive: Duration
    /// How long the broker may take to answer.
    private let patience: Duration
    private var parser: MQTTParser
    private var isConnected = false
    private var lastSent: Duration
    /// Since when an answer is awaited: to CONNECT first, to PINGREQ later.
    private var awaited: Duration?
    private var lastID: UInt16 = 0
    /// Bytes to be sent, which who sends them takes.
    private var outgoing: [UInt8]

    /// Begins a session: the packet CONNECT is to be sent.
    init(
        _ client: MQTTConnecting, source: String, limit: Int = 1 << 20, patience: Duration = .seconds(10), now: Duration
    ) throws(FeedError) {
        self.source = source
        self.patience = patience
        keepAlive = .seconds(Int(client.keepAlive))
        parser = MQTTParser(limit: limit, source: source)
        (lastSent, awaited) = (now, now)
        guard let bytes = MQTTPacket.connect(client).encoded else {
            throw FeedError(.limitExceeded, source: source, "name or password are longer than MQTT allows")
        }
        outgoing = bytes
    }

    /// Takes the bytes to be sent.
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

    /// Subscribes to filters, at least one; returns the number of the packet.
    mutating func subscribe(to filters: [String], now: Duration) -> UInt16 {
        let id = nextID()
        send(.subscribe(id: id, filters: filters), now: now)
        return id
    }

    /// Leaves filters, at least one; returns the number of the packet.
    @discardableResult
    mutating func unsubscribe(from filters: [String], now: Duration) -> UInt16 {
        let id = nextID()
        send(.unsubscribe(id: id, filters: filters), now: now)
        return id
    }

    /// Takes leave.
    mutating func disconnect(now: Duration) { send(.disconnect, now: now) }

    /// Reads bytes that have come.
    ///
    /// - Parameter tell: called with each thing that the broker says, in order.
    mutating func receive(_ bytes: [UInt8], now: Duration, _ tell: (Event) -> Void) throws(FeedError) {
        if !isConnected, bytes.starts(with: "HTTP/".utf8) {
            throw FeedError(.malformed, source: source, "a web server answers there, not a broker of MQTT")
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
            default: throw FeedError(.malformed, source: source, "the broker sends a packet that does not belong there")
            }
        }
        // Whatever it says, it is there.
        if isConnected, awaited != nil { awaited = now }
    }

    /// Section 3.2.2.3.
    private static func refusal(_ code: UInt8, _ source: String) -> FeedError {
        switch code {
        case 1: FeedError(.unsupported, source: source, "the broker does not speak MQTT 3.1.1")
        case 2: FeedError(.refused, source: source, "the broker does not take the identifier of the client")
        case 3: FeedError(.refused, source: source, "the broker is not available")
        case 4: FeedError(.refused, source: source, "the broker does not take the name or the password")
        case 5: FeedError(.refused, source: source, "the broker does not let the client in")
        default:
            FeedError(.malformed, source: source, "the broker does not let the client in, for a reason that is none")
        }
    }

    /// When it wants to be told the time, or `nil` for never.
    var due: Duration? {
        [awaited.map { $0 + patience }, isConnected && keepAlive > .zero ? lastSent + keepAlive / 2 : nil].compactMap(
            \.self
        )
        .min()
    }

    /// Sends a ping where one is due, and finds out that the broker is silent.
    ///
    /// - Parameter isReading: whether what the broker says is read: when not, its silence is ours.
    mutating func tick(isReading: Bool = true, now: Duration) throws(FeedError) {
        if let since = awaited {
            if !isReading {
                awaited = now
            } else if now - since >= patience {
                throw FeedError(.silent, source: source, "the broker has not answered for \(patience.secondsText)")
            }
        }
        if isConnected, keepAlive > .zero, now - lastSent >= keepAlive / 2 {
            send(.ping, now: now)
            if awaited == nil { awaited = now }
        }
    }
}

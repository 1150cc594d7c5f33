import PortolanFetch
import PortolanWeb

/// The parameters of a STOMP connection.
struct STOMPConnecting: Sendable {
    /// The virtual host.
    var host: String
    /// The user name and password, or `nil`.
    var credentials: ByteEndpoint.Credentials?
    /// The supported versions.
    var versions = STOMPFrame.Version.allCases
    /// The heart-beat interval of both sides; zero disables heart-beats.
    var heartBeat = Duration.seconds(10)
    /// The time limit for the connection to be accepted.
    var patience = Duration.seconds(10)
    /// The name used in errors.
    var source: String
    /// The secrets to be removed from messages of the broker.
    var secrets = Secrets()

    /// Creates the parameters for an endpoint.
    init(to endpoint: ByteEndpoint) {
        let bare = endpoint.host.filter { $0 != "[" && $0 != "]" }
        host = bare
        credentials = endpoint.credentials
        source = endpoint.shown
        secrets = endpoint.secrets
    }
}

/// The client side of a STOMP session with heart-beats, independent of any connection.
///
/// The session has no clock: callers pass the time and call ``tick(isReading:now:)`` when ``due``. It is unusable after
/// an error.
struct STOMPSession: Sendable {
    /// An event from the broker.
    enum Event: Hashable, Sendable {
        /// The broker accepted the connection.
        case connected
        /// A message of a subscription arrived.
        case message(STOMPFrame)
        /// The frame with this receipt was processed.
        case receipt(String)
        /// The broker reported an error, and may close the connection.
        case error(FeedError, receipt: String?)
    }

    private enum Stage { case connecting, connected }

    private let asked: STOMPConnecting
    private var parser: STOMPParser
    private var stage = Stage.connecting
    /// The agreed interval of own heart-beats and the agreed limit of the broker's silence, or `nil`.
    private(set) var beatInterval: Duration?, silenceLimit: Duration?
    private var lastSent: Duration, lastHeard: Duration
    private var lastReceipt = 0
    /// The bytes to send.
    private var outgoing: [UInt8]

    /// The agreed version.
    var version: STOMPFrame.Version { parser.version }

    /// Starts a session with a `CONNECT` frame.
    init(_ asked: STOMPConnecting, limits: STOMPParser.Limits = STOMPParser.Limits(), now: Duration) {
        self.asked = asked
        parser = STOMPParser(version: asked.versions.max() ?? .v1_2, limits: limits, source: asked.source)
        (lastSent, lastHeard) = (now, now)
        let beat = asked.heartBeat > .zero ? asked.heartBeat.timerMilliseconds : 0
        var headers = [
            STOMPFrame.Header("accept-version", asked.versions.sorted().map(\.rawValue).joined(separator: ",")),
            STOMPFrame.Header("host", asked.host), STOMPFrame.Header("heart-beat", "\(beat),\(beat)"),
        ]
        if let credentials = asked.credentials {
            headers.append(STOMPFrame.Header("login", credentials.name))
            if let password = credentials.password { headers.append(STOMPFrame.Header("passcode", password)) }
        }
        outgoing = STOMPFrame("CONNECT", headers).encoded(for: .v1_0)
    }

    /// Removes and returns the bytes to send.
    mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Sends a frame, optionally with a receipt that the broker returns after processing it.
    ///
    /// - Returns: the receipt, or `nil`.
    @discardableResult
    mutating func send(_ frame: STOMPFrame, withReceipt: Bool = false, now: Duration) -> String? {
        var frame = frame, receipt: String?
        if withReceipt {
            lastReceipt += 1
            receipt = "r\(lastReceipt)"
            frame.headers.append(STOMPFrame.Header("receipt", "r\(lastReceipt)"))
        }
        outgoing += frame.encoded(for: version)
        lastSent = now
        return receipt
    }

    /// Processes received bytes.
    ///
    /// - Parameter tell: a closure that is called with each event, in order.
    mutating func receive(_ bytes: [UInt8], now: Duration, _ tell: (Event) -> Void) throws(FeedError) {
        // Line ends before CONNECTED do not count as a response.
        if stage == .connected {
            lastHeard = now
        } else if bytes.starts(with: "HTTP/".utf8) {
            throw FeedError(.malformed, source: asked.source, "this is a web server, not a STOMP broker")
        }
        parser.append(bytes)
        while let frame = try parser.next() {
            switch (frame.command, stage) {
            case ("CONNECTED", .connecting):
                try settle(frame)
                lastHeard = now
                tell(.connected)
            case ("MESSAGE", .connected): tell(.message(frame))
            case ("RECEIPT", .connected):
                guard let id = frame["receipt-id"] else {
                    throw FeedError(.malformed, source: asked.source, "a RECEIPT has no receipt-id")
                }
                tell(.receipt(id))
            case ("ERROR", .connecting): throw fault(frame, .refused)
            case ("ERROR", .connected): tell(.error(fault(frame, .reported), receipt: frame["receipt-id"]))
            default:
                throw FeedError(
                    .malformed, source: asked.source, "unexpected \(frame.command) from the broker")
            }
        }
    }

    /// Returns the broker's message as an error in one line, without the stack trace in the body.
    private func fault(_ frame: STOMPFrame, _ code: FeedError.Code) -> FeedError {
        let told = asked.secrets.removed(from: frame["message"] ?? "").inOneLine(limit: 300)
        return FeedError(
            code, source: asked.source, told.isEmpty ? "the broker reported an error" : "error from the broker: \(told)"
        )
    }

    private mutating func settle(_ frame: STOMPFrame) throws(FeedError) {
        // Version 1.0 does not send its version.
        guard let version = STOMPFrame.Version(rawValue: frame["version"] ?? "1.0"), asked.versions.contains(version)
        else {
            let told = (frame["version"] ?? "1.0").inOneLine(limit: 40)
            throw FeedError(.unsupported, source: asked.source, "the broker supports STOMP \(told) only")
        }
        parser.version = version
        stage = .connected
        guard version > .v1_0, asked.heartBeat > .zero else { return }
        let halves = (frame["heart-beat"] ?? "0,0").split(separator: ",", omittingEmptySubsequences: false)
        let numbers = halves.compactMap { Int($0.trimmed) }
        guard halves.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else {
            throw FeedError(.malformed, source: asked.source, "invalid heart-beat header from the broker")
        }
        let day = 86_400_000
        func agreed(_ offered: Int) -> Duration? {
            offered == 0 ? nil : max(asked.heartBeat, .milliseconds(min(offered, day)))
        }
        // Own heart-beats are sent at half the agreed interval. Those of the broker may be late by one interval and the
        // network delay.
        silenceLimit = agreed(numbers[0]).map { $0 * 2 + .seconds(1) }
        beatInterval = agreed(numbers[1]).map { $0 / 2 }
    }

    /// The time of the next ``tick(isReading:now:)``, or `nil`.
    var due: Duration? {
        if stage == .connecting { return lastHeard + asked.patience }
        return [beatInterval.map { lastSent + $0 }, silenceLimit.map { lastHeard + $0 }].compactMap(\.self).min()
    }

    /// Sends a heart-beat if it is due, and throws if the broker is silent.
    ///
    /// - Parameter isReading: whether received bytes are being read. If not, silence of the broker is not an error.
    mutating func tick(isReading: Bool = true, now: Duration) throws(FeedError) {
        if !isReading { lastHeard = now }
        if stage == .connecting {
            if now - lastHeard >= asked.patience {
                throw FeedError(.silent, source: asked.source, "no response from the broker to CONNECT")
            }
            return
        }
        if let silenceLimit, now - lastHeard >= silenceLimit {
            throw FeedError(.silent, source: asked.source, "no data for \(silenceLimit.secondsText)")
        }
        if let beatInterval, now - lastSent >= beatInterval {
            outgoing.append(Byte.lineFeed)
            lastSent = now
        }
    }
}

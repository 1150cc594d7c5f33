import PortolanFetch
import PortolanWeb

/// What a client of STOMP asks a broker for when it connects.
struct STOMPConnecting: Sendable {
    /// The virtual host.
    var host: String
    /// Name and password, or `nil` for none.
    var credentials: ByteEndpoint.Credentials?
    /// The versions that are spoken.
    var versions = STOMPVersion.allCases
    /// How often each side is to be heard; zero for no heart-beats.
    var heartBeat = Duration.seconds(10)
    /// How long the broker may take to let us in.
    var patience = Duration.seconds(10)
    /// What faults name.
    var source: String
    /// What must not be repeated of what the broker says.
    var secrets = Secrets()

    /// Connects to a place as its address tells.
    init(to endpoint: ByteEndpoint) {
        let bare = endpoint.host.filter { $0 != "[" && $0 != "]" }
        host = bare
        credentials = endpoint.credentials
        source = endpoint.shown
        secrets = endpoint.secrets
    }
}

/// A session of STOMP as a client leads it: from `CONNECT` on, with heart-beats both ways, over no connection in particular.
///
/// It is told the time, and tells when it wants to be told again. After a fault it is of no more use.
struct STOMPSession: Sendable {
    /// What a broker says.
    enum Event: Hashable, Sendable {
        /// It has let us in.
        case connected
        /// A message of a subscription.
        case message(STOMPFrame)
        /// It has done what was sent with that receipt.
        case receipt(String)
        /// It could not do something, and may hang up.
        case error(FeedError, receipt: String?)
    }

    private enum Stage { case connecting, connected }

    private let asked: STOMPConnecting
    private var parser: STOMPParser
    private var stage = Stage.connecting
    /// How often we are to be heard, and it, as agreed; `nil` for never.
    private(set) var beatInterval: Duration?, silenceLimit: Duration?
    private var lastSent: Duration, lastHeard: Duration
    private var lastReceipt = 0
    /// Bytes to be sent, which who sends them takes.
    private var outgoing: [UInt8]

    /// The version that was agreed on.
    var version: STOMPVersion { parser.version }

    /// Begins a session: the frame `CONNECT` is to be sent.
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

    /// Takes the bytes to be sent.
    mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Sends a frame; with a receipt the broker says when it has done what it asks for.
    ///
    /// - Returns: the receipt.
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

    /// Reads bytes that have come.
    ///
    /// - Parameter tell: called with each thing that the broker says, in order.
    mutating func receive(_ bytes: [UInt8], now: Duration, _ tell: (Event) -> Void) throws(FeedError) {
        // Bytes before CONNECTED are no answer yet, however many line ends there are.
        if stage == .connected {
            lastHeard = now
        } else if bytes.starts(with: "HTTP/".utf8) {
            throw FeedError(.malformed, source: asked.source, "a web server answers there, not a broker of STOMP")
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
                    throw FeedError(.malformed, source: asked.source, "a RECEIPT says not of what")
                }
                tell(.receipt(id))
            case ("ERROR", .connecting): throw fault(frame, .refused)
            case ("ERROR", .connected): tell(.error(fault(frame, .reported), receipt: frame["receipt-id"]))
            default:
                throw FeedError(
                    .malformed, source: asked.source, "the broker sends \(frame.command) where none belongs")
            }
        }
    }

    /// The words of a broker in one line, without the traces of its code that follow as the body.
    private func fault(_ frame: STOMPFrame, _ code: FeedError.Code) -> FeedError {
        let told = asked.secrets.removed(from: frame["message"] ?? "").inOneLine(limit: 300)
        return FeedError(
            code, source: asked.source, told.isEmpty ? "the broker reports an error" : "the broker says: \(told)")
    }

    private mutating func settle(_ frame: STOMPFrame) throws(FeedError) {
        // 1.0 does not tell its version.
        guard let version = STOMPVersion(rawValue: frame["version"] ?? "1.0"), asked.versions.contains(version) else {
            let told = (frame["version"] ?? "1.0").inOneLine(limit: 40)
            throw FeedError(.unsupported, source: asked.source, "the broker speaks STOMP \(told) alone")
        }
        parser.version = version
        stage = .connected
        guard version > .v1_0, asked.heartBeat > .zero else { return }
        let halves = (frame["heart-beat"] ?? "0,0").split(separator: ",", omittingEmptySubsequences: false)
        let numbers = halves.compactMap { Int($0.trimmed) }
        guard halves.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else {
            throw FeedError(.malformed, source: asked.source, "the heart-beats that the broker offers cannot be read")
        }
        let day = 86_400_000
        func agreed(_ offered: Int) -> Duration? {
            offered == 0 ? nil : max(asked.heartBeat, .milliseconds(min(offered, day)))
        }
        // It is heard twice in the time that it allows, and may be late by as much and what networks take.
        silenceLimit = agreed(numbers[0]).map { $0 * 2 + .seconds(1) }
        beatInterval = agreed(numbers[1]).map { $0 / 2 }
    }

    /// When it wants to be told the time, or `nil` for never.
    var due: Duration? {
        if stage == .connecting { return lastHeard + asked.patience }
        return [beatInterval.map { lastSent + $0 }, silenceLimit.map { lastHeard + $0 }].compactMap(\.self).min()
    }

    /// Sends a heart-beat where one is due, and finds out that the broker is silent.
    ///
    /// - Parameter isReading: whether what the broker says is read: when not, its silence is ours.
    mutating func tick(isReading: Bool = true, now: Duration) throws(FeedError) {
        if !isReading { lastHeard = now }
        if stage == .connecting {
            if now - lastHeard >= asked.patience {
                throw FeedError(.silent, source: asked.source, "the broker does not answer to CONNECT")
            }
            return
        }
        if let silenceLimit, now - lastHeard >= silenceLimit {
            throw FeedError(.silent, source: asked.source, "not heard for \(silenceLimit.secondsText)")
        }
        if let beatInterval, now - lastSent >= beatInterval {
            outgoing.append(Byte.lineFeed)
            lastSent = now
        }
    }
}

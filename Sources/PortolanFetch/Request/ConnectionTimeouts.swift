/// How long a transfer may take, in three independent limits.
public struct ConnectionTimeouts: Hashable, Sendable {
    /// Time for name resolution, TCP and TLS together, on each connection made.
    ///
    /// 10 s by default.
    ///
    /// `URLSessionTransport` has no such limit of its own; there `stall` covers it.
    public var connect: Duration

    /// Longest silence: no byte of the answer for so long, before its first byte or in the middle.
    ///
    /// 15 s by default.
    public var stall: Duration

    /// Time for the whole transfer with all its redirects; waiting for a free connection slot is not counted.
    ///
    /// 60 s by default.
    public var total: Duration

    /// Makes limits; each must be positive.
    public init(connect: Duration = .seconds(10), stall: Duration = .seconds(15), total: Duration = .seconds(60)) {
        precondition(connect > .zero && stall > .zero && total > .zero, "a timeout must be positive")
        self.connect = connect
        self.stall = stall
        self.total = total
    }
}

extension Duration {
    /// Whole milliseconds, at least 1 and at most a day: what a C timer takes without overflow or the meaning "never".
    package var timerMilliseconds: Int {
        let day = 86_400_000
        guard self > .zero else { return 1 }
        guard components.seconds < 86_400 else { return day }
        return max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }

    /// "15 s" or "0.3 s", for messages.
    package var secondsText: String {
        let milliseconds = timerMilliseconds
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        return "\(Double(milliseconds) / 1000) s"
    }
}

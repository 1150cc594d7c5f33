/// How a ``RedisStore`` keeps entries and how long it waits.
public struct RedisSettings: Hashable, Sendable {
    /// What all keys begin with; stores that share entries share it.
    ///
    /// `portolan:`.
    public var keyPrefix = "portolan:"

    /// How long an entry is kept after it was put in or confirmed, fresh or not.
    ///
    /// 30 days. What bounds the memory is the server's `maxmemory`, with `maxmemory-policy allkeys-lru`.
    public var lifetime = Duration.seconds(30 * 86_400)

    /// The longest body that is kept, in bytes.
    ///
    /// 32 MiB.
    public var maximumBodyByteCount = 32 << 20

    /// The longest wait for a connection.
    ///
    /// 1 s. The search for a host's address is not bounded by it; write the address where names may be slow.
    public var connectTimeout = Duration.seconds(1)

    /// The longest wait for one reply.
    ///
    /// 2 s.
    public var replyTimeout = Duration.seconds(2)

    /// How long nothing is tried after a failure.
    ///
    /// 5 s.
    public var pause = Duration.seconds(5)

    /// How long others wait for a worker that fetches and gives no sign of life; one that lives renews its lease.
    ///
    /// 5 s. For a living worker they wait six times as long at the most.
    public var leaseTime = Duration.seconds(5)

    /// Makes the default settings.
    public init() {}
}

extension Duration {
    /// Whole milliseconds, one at the least and a hundred years at the most.
    var wholeMilliseconds: Int {
        let parts = components
        guard parts.seconds < 3_200_000_000 else { return 3_200_000_000_000 }
        return max(1, Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}

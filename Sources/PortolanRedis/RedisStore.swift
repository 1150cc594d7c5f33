public import PortolanFetch
public import PortolanWeb
import Synchronization

/// A response store on a Redis or Valkey server, shared by all workers that use the same server and key prefix.
///
/// - Each entry is one value with a checksum, which expires (``RedisStore/Settings/lifetime``). The server enforces the
///   memory budget: set its `maxmemory`, and `maxmemory-policy allkeys-lru` so that the least recently used entries are
///   evicted first.
/// - If several workers miss the same entry, one fetches it, and the others wait for it (``lease(for:)``).
/// - A failing server costs one timeout and a warning. It is not contacted for some seconds (``RedisStore/Settings/pause``),
///   and maps are rendered without it meanwhile. Use a `FallbackStore` to have another store during that time.
///
/// Keys and URL prefixes are stored as hashes. Bodies are stored unencrypted, readable for all users of the server.
/// Connections have no TLS, so use it in your own network only. Clusters are not supported. It needs the trait `Redis`,
/// and Redis 4 or newer, or any version of Valkey.
public final class RedisStore: ResponseStore {
    private struct State {
        /// The messages, with the time when each last applied.
        var warnings: [String: ContinuousClock.Instant] = [:]
        /// The reason why nothing is stored, and the time until which no attempt is made.
        var refusal: (error: StoreError, until: ContinuousClock.Instant)?
    }

    /// The address of the server.
    public let address: RedisStore.Address
    /// The settings.
    public let settings: RedisStore.Settings

    private let pipeline: RedisPipeline
    private let state = Mutex(State())

    /// Whether this program was built with the trait `Redis`.
    ///
    /// Without it a store keeps nothing, and warns.
    public static let isSupported = RedisConnection.isSupported

    /// Creates a store on a server, which is connected at the first use.
    public init(_ address: RedisStore.Address, settings: RedisStore.Settings = RedisStore.Settings()) {
        self.address = address
        self.settings = settings
        pipeline = RedisPipeline(address, settings)
    }

    /// Creates a store on the server at a URL such as `redis://cache.example:6379/2`.
    ///
    /// - Throws: the errors of ``RedisStore/Address/init(_:)``.
    public convenience init(url: String, settings: RedisStore.Settings = RedisStore.Settings()) throws(StoreError) {
        self.init(try RedisStore.Address(url), settings: settings)
    }

    /// Warnings about its state within the last minute.
    public var warnings: [MapWarning] {
        let minuteAgo = ContinuousClock.now - .seconds(60)
        return state.withLock { state in
            state.warnings = state.warnings.filter { $0.value > minuteAgo }
            return state.warnings.keys.sorted().map { MapWarning(.cache, message: $0) }
        }
    }

    /// Returns the entry of a key; a damaged one is removed and treated as missing.
    public func entry(for key: StoreKey) async throws(StoreError) -> StoredResponse? {
        // Other programs may have stored longer values; a range limits the length.
        let last = settings.maximumBodyByteCount + StoredValue.maximumHeadByteCount
        let reply = try await replies(to: [RedisCommand("GETRANGE", .init(name(of: key)), "0", "\(last)")])[0]
        if reply == .bytes([]) { return nil }
        if let error = reply.error, error.code != .wrongType { throw told(error.storeError(at: address)) }
        if let entry = StoredValue.entry(in: reply.bytes, for: key) { return entry }
        try await remove(key)
        return nil
    }

    /// Stores an entry, unless its body is longer than the settings allow.
    public func put(_ entry: StoredResponse, for key: StoreKey, place: StoredResponse.Location) async throws(StoreError)
    {
        try await set(entry, for: key, at: StoredValue.Place(place), onlyIfThere: false)
    }

    /// Replaces the header of an entry, and keeps its location.
    public func confirm(_ entry: StoredResponse, for key: StoreKey) async throws(StoreError) {
        let command = RedisCommand("GETRANGE", .init(name(of: key)), "0", "\(StoredValue.placeByteCount - 1)")
        let beginning = try await replies(to: [command])[0].bytes
        // Another worker may have replaced the body in the meantime.
        guard let place = StoredValue.Place(beginning: beginning),
            StoredValue.isBody(of: entry, for: key, inValueBeginning: beginning)
        else { return }
        try await set(entry, for: key, at: place, onlyIfThere: true)
    }

    /// Removes an entry.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let reply = try await replies(to: [RedisCommand("DEL", .init(name(of: key)))])[0]
        if let error = reply.error { throw told(error.storeError(at: address)) }
    }

    /// Returns immediately, because `put` waits for the server.
    public func flush() {}

    private func set(
        _ entry: StoredResponse, for key: StoreKey, at place: StoredValue.Place, onlyIfThere: Bool
    ) async throws(StoreError) {
        guard entry.body.count <= settings.maximumBodyByteCount,
            let value = StoredValue.bytes(of: entry, for: key, at: place)
        else { return try await remove(key) }
        let refusal = state.withLock { $0.refusal }
        if let refusal, ContinuousClock.now < refusal.until {
            throw told(refusal.error, "the cache stores nothing new")
        }
        let name = RedisCommand.Word(name(of: key)),
            lifetime = RedisCommand.Word("\(settings.lifetime.wholeMilliseconds)")
        let command =
            onlyIfThere
            ? RedisCommand("SET", name, .init(value), "PX", lifetime, "XX")
            : RedisCommand("SET", name, .init(value), "PX", lifetime)
        guard let refused = try await replies(to: [command])[0].error else { return }
        let error = refused.storeError(at: address)
        state.withLock { $0.refusal = (error, .now + settings.pause) }
        throw told(error, "the cache stores nothing new")
    }

    /// Returns the key of an entry.
    package func name(of key: StoreKey) -> String { settings.keyPrefix + "answer:" + Self.hexadecimal(key) }

    /// Returns the key of the lease of an entry.
    package func leaseName(of key: StoreKey) -> String { settings.keyPrefix + "lease:" + Self.hexadecimal(key) }

    private static func hexadecimal(_ key: StoreKey) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: key.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the replies to commands, including errors.
    func replies(to commands: [RedisCommand]) async throws(StoreError) -> [RedisReply] {
        do throws(StoreError) { return try await pipeline.send(commands) } catch { throw told(error) }
    }

    /// Records an error for ``warnings``, and returns it.
    func told(_ error: StoreError, _ effect: String = "the cache is disabled") -> StoreError {
        state.withLock { state in
            if state.warnings.count > 10 { state.warnings = [:] }
            state.warnings["\(effect): \(error)"] = .now
        }
        return error
    }
}

extension RedisStore {
    /// Removes the entries of a selection; entries added meanwhile may stay.
    ///
    /// - Complexity: O(keys of the database). Keys are scanned a thousand at a time, so that the server can serve
    ///   others in between.
    public func removeAll(_ selection: StoreSelection = StoreSelection()) async throws(StoreError) -> Int {
        var count = 0
        let needsPlaces = selection != StoreSelection()
        try await scan { names throws(StoreError) in
            var doomed = names
            if needsPlaces {
                let beginnings = try await replies(
                    to: names.map { RedisCommand("GETRANGE", .init($0), "0", "\(StoredValue.placeByteCount - 1)") })
                doomed = zip(names, beginnings).compactMap { name, reply in
                    StoredValue.Place(beginning: reply.bytes)?.isNamed(by: selection) == true ? name : nil
                }
            }
            for reply in try await replies(to: doomed.map { RedisCommand("UNLINK", .init($0)) }) {
                if let error = reply.error { throw told(error.storeError(at: address)) }
                count += reply.integer
            }
        }
        return count
    }

    /// Returns the number of entries with its key prefix, the bytes of their values, and the server's `maxmemory`.
    ///
    /// Without `maxmemory` the budget is `Int.max`.
    ///
    /// - Complexity: O(keys of the database).
    public func statistics() async throws(StoreError) -> StoreStatistics {
        var sizes: [[UInt8]: Int] = [:]
        try await scan { names throws(StoreError) in
            let replies = try await replies(to: names.map { RedisCommand("STRLEN", .init($0)) })
            // A scan may return a key twice.
            for (name, reply) in zip(names, replies) where reply.integer > 0 { sizes[name] = reply.integer }
        }
        let information = try await replies(to: [RedisCommand("INFO", "memory")])[0].bytes
        let limit = String(decoding: information, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("maxmemory:") }.flatMap { Int($0.dropFirst("maxmemory:".count)) }
        return StoreStatistics(
            count: sizes.count, byteCount: sizes.values.reduce(0, +),
            byteBudget: limit.flatMap { $0 > 0 ? $0 : nil } ?? .max)
    }

    /// Passes the keys of all entries to `work` in batches; a key may occur twice.
    private func scan(_ work: ([[UInt8]]) async throws(StoreError) -> Void) async throws(StoreError) {
        // Special characters of the prefix are escaped.
        let special = "*?[]\\^"
        let pattern = settings.keyPrefix.flatMap { special.contains($0) ? ["\\", $0] : [$0] } + "answer:*"
        var cursor = Array("0".utf8)
        repeat {
            let command = RedisCommand("SCAN", .init(cursor), "MATCH", .init(String(pattern)), "COUNT", "1000")
            let reply = try await replies(to: [command])[0]
            if let error = reply.error { throw told(error.storeError(at: address)) }
            guard case .array(let parts) = reply, parts.count == 2, case .array(let names) = parts[1] else {
                throw told(StoreError(.unavailable, place: address.description, detail: "unexpected reply to SCAN"))
            }
            if !names.isEmpty { try await work(names.map(\.bytes)) }
            cursor = parts[0].bytes
        } while cursor != Array("0".utf8) && !Task.isCancelled
    }
}

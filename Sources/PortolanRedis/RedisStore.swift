public import PortolanFetch
public import PortolanWeb
import Synchronization

/// Keeps answers on a Redis or Valkey server, shared by all workers that name the same server and key prefix.
///
/// - Each entry is one value with a checksum, which expires (``RedisSettings/lifetime``). It is the server that keeps to a
///   budget: set its `maxmemory`, and `maxmemory-policy allkeys-lru` so that what was used least recently goes first.
/// - Of workers that miss the same entry one fetches it, and the others wait for it (``lease(for:)``).
/// - A server that does not work costs its timeout, once, and a warning; nothing is tried again for some seconds
///   (``RedisSettings/pause``), and maps are drawn without it meanwhile. Put it into a `FallbackStore` to have another
///   store in its place for so long.
///
/// Keys and beginnings of addresses are hashes; bodies lie there as they came, for all who may read from the server. It is
/// for a network of one's own: there is no TLS. Clusters are not supported. Needs the trait `Redis`, and a server of
/// Redis 4 or newer, or any Valkey.
public final class RedisStore: ResponseStore {
    private struct State {
        /// Sentences, with the moment when each was last true.
        var warnings: [String: ContinuousClock.Instant] = [:]
        /// The reason why nothing new is kept, and the time until which that is not tried again.
        var refusal: (error: StoreError, until: ContinuousClock.Instant)?
    }

    /// The address of the server.
    public let address: RedisAddress
    /// The settings.
    public let settings: RedisSettings

    private let pipeline: RedisPipeline
    private let state = Mutex(State())

    /// Whether this program was built with the trait `Redis`; without it a store keeps nothing, and warns.
    public static let isSupported = RedisConnection.isSupported

    /// Makes a store on a server, which is connected to with the first use.
    public init(_ address: RedisAddress, settings: RedisSettings = RedisSettings()) {
        self.address = address
        self.settings = settings
        pipeline = RedisPipeline(address, settings)
    }

    /// Makes a store on the server at an address such as `redis://cache.example:6379/2`.
    ///
    /// - Throws: when ``RedisAddress/init(_:)`` does.
    public convenience init(url: String, settings: RedisSettings = RedisSettings()) throws(StoreError) {
        self.init(try RedisAddress(url), settings: settings)
    }

    /// Warnings about its state within the last minute.
    public var warnings: [MapWarning] {
        let minuteAgo = ContinuousClock.now - .seconds(60)
        return state.withLock { state in
            state.warnings = state.warnings.filter { $0.value > minuteAgo }
            return state.warnings.keys.sorted().map { MapWarning(.cache, message: $0) }
        }
    }

    /// The entry of a key; a damaged one is removed and counts as absent.
    public func entry(for key: StoreKey) async throws(StoreError) -> StoredResponse? {
        // What others have put there may be longer than is good; a range is never.
        let last = settings.maximumBodyByteCount + StoredValue.maximumHeadByteCount
        let reply = try await replies(to: [RedisCommand("GETRANGE", .init(name(of: key)), "0", "\(last)")])[0]
        if reply == .bytes([]) { return nil }
        if let error = reply.error, error.code != .wrongType { throw told(error.storeError(at: address)) }
        if let entry = StoredValue.entry(in: reply.bytes, for: key) { return entry }
        try await remove(key)
        return nil
    }

    /// Puts an entry in; one with a longer body than the settings allow is not kept.
    public func put(_ entry: StoredResponse, for key: StoreKey, place: StorePlace) async throws(StoreError) {
        try await set(entry, for: key, at: StoredValue.Place(place), onlyIfThere: false)
    }

    /// Replaces all of an entry but its place.
    public func confirm(_ entry: StoredResponse, for key: StoreKey) async throws(StoreError) {
        let command = RedisCommand("GETRANGE", .init(name(of: key)), "0", "\(StoredValue.placeByteCount - 1)")
        let beginning = try await replies(to: [command])[0].bytes
        // Another body may have come meanwhile, from another worker.
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

    /// Returns at once: what `put` has returned from, the server has.
    public func flush() {}

    private func set(
        _ entry: StoredResponse, for key: StoreKey, at place: StoredValue.Place, onlyIfThere: Bool
    ) async throws(StoreError) {
        guard entry.body.count <= settings.maximumBodyByteCount,
            let value = StoredValue.bytes(of: entry, for: key, at: place)
        else { return try await remove(key) }
        let refusal = state.withLock { $0.refusal }
        if let refusal, ContinuousClock.now < refusal.until {
            throw told(refusal.error, "the cache keeps nothing new")
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
        throw told(error, "the cache keeps nothing new")
    }

    /// The name under which an entry lies.
    package func name(of key: StoreKey) -> String { settings.keyPrefix + "answer:" + Self.hexadecimal(key) }

    /// The name under which the lease of an entry lies.
    package func leaseName(of key: StoreKey) -> String { settings.keyPrefix + "lease:" + Self.hexadecimal(key) }

    private static func hexadecimal(_ key: StoreKey) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: key.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The replies to commands, errors among them.
    func replies(to commands: [RedisCommand]) async throws(StoreError) -> [RedisReply] {
        do throws(StoreError) { return try await pipeline.send(commands) } catch { throw told(error) }
    }

    /// Notes an error for ``warnings``, and gives it back.
    func told(_ error: StoreError, _ effect: String = "the cache is not used") -> StoreError {
        state.withLock { state in
            if state.warnings.count > 10 { state.warnings = [:] }
            state.warnings["\(effect): \(error)"] = .now
        }
        return error
    }
}

extension RedisStore {
    /// Removes the entries that a selection names; those that come meanwhile may stay.
    ///
    /// O(keys of the database): the server is asked for them a thousand at a time, and serves others in between.
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

    /// The entries under its key prefix, the bytes of their values, and the server's `maxmemory`, or the
    /// greatest number where that is not set.
    ///
    /// O(keys of the database).
    public func statistics() async throws(StoreError) -> StoreStatistics {
        var sizes: [[UInt8]: Int] = [:]
        try await scan { names throws(StoreError) in
            let replies = try await replies(to: names.map { RedisCommand("STRLEN", .init($0)) })
            // A name may come twice.
            for (name, reply) in zip(names, replies) where reply.integer > 0 { sizes[name] = reply.integer }
        }
        let information = try await replies(to: [RedisCommand("INFO", "memory")])[0].bytes
        let limit = String(decoding: information, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("maxmemory:") }.flatMap { Int($0.dropFirst("maxmemory:".count)) }
        return StoreStatistics(
            count: sizes.count, byteCount: sizes.values.reduce(0, +),
            byteBudget: limit.flatMap { $0 > 0 ? $0 : nil } ?? .max)
    }

    /// Gives the names of all entries to `work`, some at a time; one may come twice.
    private func scan(_ work: ([[UInt8]]) async throws(StoreError) -> Void) async throws(StoreError) {
        // What the prefix says is not a pattern.
        let special = "*?[]\\^"
        let pattern = settings.keyPrefix.flatMap { special.contains($0) ? ["\\", $0] : [$0] } + "answer:*"
        var cursor = Array("0".utf8)
        repeat {
            let command = RedisCommand("SCAN", .init(cursor), "MATCH", .init(String(pattern)), "COUNT", "1000")
            let reply = try await replies(to: [command])[0]
            if let error = reply.error { throw told(error.storeError(at: address)) }
            guard case .array(let parts) = reply, parts.count == 2, case .array(let names) = parts[1] else {
                throw told(StoreError(.unavailable, place: address.description, detail: "SCAN got an unknown reply"))
            }
            if !names.isEmpty { try await work(names.map(\.bytes)) }
            cursor = parts[0].bytes
        } while cursor != Array("0".utf8) && !Task.isCancelled
    }
}

public import PortolanFetch

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
                if let error = reply.error { throw told(StoreError(reply: error, at: address)) }
                count += reply.integer
            }
        }
        return count
    }

    /// What it holds: the entries under its key prefix, the bytes of their values, and the server's `maxmemory`, or the
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
            if let error = reply.error { throw told(StoreError(reply: error, at: address)) }
            guard case .array(let parts) = reply, parts.count == 2, case .array(let names) = parts[1] else {
                throw told(StoreError(.unavailable, place: address.description, detail: "SCAN got an unknown reply"))
            }
            if !names.isEmpty { try await work(names.map(\.bytes)) }
            cursor = parts[0].bytes
        } while cursor != Array("0".utf8) && !Task.isCancelled
    }
}

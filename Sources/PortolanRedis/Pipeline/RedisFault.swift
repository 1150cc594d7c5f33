import PortolanFetch

/// Why a connection failed; it cannot be used after that.
struct RedisFault: Error {
    enum Kind {
        /// There is no connection to be had.
        case unreachable
        /// The server refuses, and says why.
        case refused
        /// It has gone: after some idle time that may mean no more than that the connection was closed.
        case lost
        /// It does not reply in time.
        case slow
        /// What came is no reply of Redis.
        case foreign
    }

    let kind: Kind
    let words: String

    func storeError(at address: RedisAddress) -> StoreError {
        StoreError(kind == .refused ? .cannotOpen : .unavailable, place: address.description, detail: words)
    }
}

extension StoreError {
    /// What an error that a server replies means.
    init(reply words: String, at address: RedisAddress) {
        let place = address.description
        switch words.prefix(while: { $0 != " " }) {
        case "OOM":
            self.init(
                .full, place: place,
                detail: "the server's memory is full; set its maxmemory-policy to allkeys-lru (\(words))")
        case "READONLY", "NOPERM", "MISCONF": self.init(.notWritable, place: place, detail: words)
        case "NOAUTH", "WRONGPASS": self.init(.cannotOpen, place: place, detail: words)
        case "LOADING", "BUSY", "MASTERDOWN": self.init(.busy, place: place, detail: words)
        case "MOVED", "ASK", "CROSSSLOT":
            self.init(.unavailable, place: place, detail: "a cluster is not supported (\(words))")
        default: self.init(.unavailable, place: place, detail: words)
        }
    }
}

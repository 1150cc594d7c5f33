import PortolanFetch
import PortolanWeb

/// The way in which ranges of a file on a server are requested.
struct RemoteAccess: Sendable {
    /// The time for which responses are used again.
    var rule: CacheRule
    /// Whether the server is asked even if the cache has a fresh response.
    var reloads = false
    /// The place in the queue of the host.
    var turn = FetchTurn()
    /// Whether ranges are taken from the cache alone.
    var isKeptOnly = false
}

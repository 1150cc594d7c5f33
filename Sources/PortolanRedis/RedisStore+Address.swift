public import PortolanFetch
import PortolanWeb

extension RedisStore {
    /// The address of a Redis or Valkey server, with credentials.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        /// The endpoint of a server.
        public enum Endpoint: Hashable, Sendable {
            /// A host name or IP address, and a port.
            case tcp(host: String, port: Int)
            /// The path of a local Unix socket.
            case unix(path: String)
        }

        /// The endpoint.
        public var endpoint: Endpoint
        /// The user name (Redis 6 and newer), or `nil` for the default user.
        public var user: String?
        /// The password, or `nil` for none.
        public var password: String?
        /// The database number.
        public var database: Int

        /// Creates an address.
        public init(_ endpoint: Endpoint, user: String? = nil, password: String? = nil, database: Int = 0) {
            self.endpoint = endpoint
            self.user = user
            self.password = password
            self.database = database
        }

        /// Parses `redis://[[user]:password@]host[:port][/database]` or `unix:///path/of/socket[?db=database]`.
        ///
        /// `valkey://` and `redis+unix://` are synonyms. User and password are percent-decoded. The default port is 6379.
        ///
        /// - Throws: ``/PortolanFetch/StoreError`` with the code `invalid` and the reason, without the password.
        public init(_ url: String) throws(StoreError) {
            guard let parts = URLParts(url) else { throw Self.invalid("", URLParts.fault(of: url)) }
            let place = "\(parts.scheme)://\(parts.host)"
            switch parts.scheme {
            case "redis", "valkey":
                guard !parts.host.isEmpty else { throw Self.invalid(place, "missing host") }
                endpoint = .tcp(host: parts.host, port: parts.port ?? 6379)
                database = try Self.database(parts.path.first == "/" ? String(parts.path.dropFirst()) : "", at: place)
                guard parts.query == nil else { throw Self.invalid(place, "unknown parameter after the ?") }
            case "unix", "redis+unix":
                guard parts.host.isEmpty, parts.path.count > 1, let path = Self.decoded(parts.path) else {
                    throw Self.invalid(place, "missing path; write unix:///run/redis/redis.sock")
                }
                endpoint = .unix(path: path)
                guard parts.query?.hasPrefix("db=") ?? true else {
                    throw Self.invalid(place, "the only supported parameter is db=NUMBER")
                }
                database = try Self.database(String(parts.query?.dropFirst(3) ?? ""), at: place)
            case "rediss", "valkeys":
                throw Self.invalid(place, "TLS is not supported; use a tunnel on this machine (stunnel) and redis://")
            default:
                throw Self.invalid(place, "must begin with redis:// or unix://")
            }
            let named = parts.userInfo?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
            guard let words = Self.allDecoded(named) else {
                throw Self.invalid(place, "invalid percent-encoding in the user or password")
            }
            // A name without a colon is rejected: it could be a user or a password, and tools differ.
            if words.count == 1 { throw Self.invalid(place, "expected user:password or :password before the @") }
            user = words.first.flatMap { $0.isEmpty ? nil : $0 }
            password = words.last
        }

        /// The address without user and password.
        public var description: String {
            switch endpoint {
            case .tcp(let host, let port): "redis://\(host):\(port)" + (database == 0 ? "" : "/\(database)")
            case .unix(let path): "unix://\(path)" + (database == 0 ? "" : "?db=\(database)")
            }
        }

        private static func database(_ text: String, at place: String) throws(StoreError) -> Int {
            if text.isEmpty { return 0 }
            guard text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text) else {
                throw invalid(place, "invalid database number")
            }
            return number
        }

        private static func allDecoded(_ words: [Substring]) -> [String]? {
            let decoded = words.compactMap(decoded)
            return decoded.count == words.count ? decoded : nil
        }

        private static func decoded(_ text: some StringProtocol) -> String? {
            PercentEncoding.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
        }

        private static func invalid(_ place: String, _ detail: String) -> StoreError {
            StoreError(.invalid, place: place, detail: "not a Redis URL: \(detail)")
        }
    }
}

extension RedisStore {
    /// The settings of a ``RedisStore``: keys, lifetimes and timeouts.
    public struct Settings: Hashable, Sendable {
        /// The prefix of all keys, `portolan:` by default.
        ///
        /// Stores with the same prefix share entries.
        public var keyPrefix = "portolan:"

        /// The time for which an entry is kept after it was stored or revalidated, fresh or stale; 30 days by default.
        ///
        /// Memory is limited by the server's `maxmemory` with `maxmemory-policy allkeys-lru`.
        public var lifetime = Duration.seconds(30 * 86_400)

        /// The maximum length of a stored body in bytes; 32 MiB by default.
        public var maximumBodyByteCount = 32 << 20

        /// The timeout for a connection; 1 s by default.
        ///
        /// It does not include name resolution; use an IP address if that may be slow.
        public var connectTimeout = Duration.seconds(1)

        /// The timeout for a reply; 2 s by default.
        public var replyTimeout = Duration.seconds(2)

        /// The pause after a failure, in which the server is not contacted; 5 s by default.
        public var pause = Duration.seconds(5)

        /// The time after which a lease expires if its worker does not renew it; 5 s by default.
        ///
        /// For a worker that renews its lease, others wait at most six times as long.
        public var leaseTime = Duration.seconds(5)

        /// Creates the default settings.
        public init() {}
    }
}

extension Duration {
    /// The duration in whole milliseconds, from one to a hundred years.
    var wholeMilliseconds: Int {
        let parts = components
        guard parts.seconds < 3_200_000_000 else { return 3_200_000_000_000 }
        return max(1, Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}

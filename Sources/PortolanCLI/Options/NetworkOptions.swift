import ArgumentParser
import Foundation
package import Portolan
import PortolanRaster
import PortolanRedis
import PortolanWeb

/// The options that say how services are asked.
package struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the response cache, at most 512 MiB (default: portolan in the user's "
                + "cache folder), or redis://HOST:PORT/N for a Redis server that machines share.", valueName: "dir|url")
    )
    var cache: String?

    @Flag(help: "Neither read nor write the cache on disk.")
    var noCache = false

    @Flag(help: "Send no requests: what is not in the cache is missing, and what is out of date is drawn.")
    var offline = false

    @Option(
        parsing: .unconditional,
        help: "Seconds a transfer may take, retries included, 0.001 to 86400 (default: 60).")
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: "How often a failed request is retried that may yet succeed, 0 to 20 (default: 2).")
    var retries: Int?

    @Option(parsing: .unconditional, help: "Transfers at once to one host, 1 to 64 (default: 6).")
    var maxConnections: Int?

    @OptionGroup var limits: LimitOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "'Name: value' to send to the hosts of the layers named, 'HOST|Name: value' to one host, '*|Name: value' to "
                + "all, those that documents lead to among them; repeatable.",
            valueName: "[host|]name: value"))
    var header: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A host in a network of its own that documents from elsewhere may lead to, as localhost, 10.0.0.7 or "
                + "*.corp.example; repeatable.", valueName: "host"))
    var allowHost: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A folder whose files a style, KML or other file may name although they do not lie beside it or below; "
                + "repeatable.", valueName: "folder"))
    var allowFolder: [String] = []

    @Option(help: "What to send as User-Agent.")
    var userAgent: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Name and password for a host, as 'HOST|NAME:PASSWORD'; repeatable.", valueName: "host|name:password"))
    var user: [String] = []

    @Option(
        help: ArgumentHelp(
            "The proxy for all requests, or 'none' (default: what http_proxy, https_proxy and no_proxy say).",
            valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("A PEM file of the authorities to trust instead of the system's.", valueName: "file"))
    var cacert: String?

    @Option(help: ArgumentHelp("A PEM file of the client certificate for servers that ask for one.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("A PEM file of the certificate's key, where --cert has none.", valueName: "file"))
    var key: String?

    @Flag(help: "Trust any certificate of a server: only for tests on a network of your own.")
    var insecure = false

    /// How long all that a picture needs may take to come.
    func pictureTime() throws(CommandFailure) -> Duration {
        try limits.time() ?? .seconds(120)
    }

    package init() {}

    /// Whether it was said how many transfers there may be to one host.
    package var limitsConnections: Bool { maxConnections != nil }

    /// Whether a cache is a server that machines share, and no folder.
    package static func namesServer(_ cache: String) -> Bool {
        let schemes = ["redis", "rediss", "valkey", "valkeys", "unix", "redis+unix"]
        return schemes.contains { cache.hasPrefix($0 + "://") }
    }

    /// How the renderer and the client of services are to fetch.
    ///
    /// - Parameter usual: the cache where `--cache` names none, or `nil` for that of the user.
    package func configuration(cache usual: String? = nil) throws(CommandFailure) -> RendererConfiguration {
        let cache = cache ?? (noCache ? nil : usual)
        var configuration = RendererConfiguration.command
        if let timeout {
            guard (0.001...86_400).contains(timeout) else {
                throw CommandFailure(.usage, "--timeout \(timeout) is not between 0.001 and 86400 seconds")
            }
            let limit = Duration.seconds(timeout)
            configuration.timeouts.total = limit
            configuration.timeouts.connect = min(configuration.timeouts.connect, limit)
            configuration.timeouts.firstByte = limit
            configuration.timeouts.stall = limit
            configuration.retries.totalTime = limit
        }
        if let retries {
            guard (0...20).contains(retries) else {
                throw CommandFailure(.usage, "--retries \(retries) is not between 0 and 20")
            }
            configuration.retries.maximumCount = retries
            configuration.retries.budgetPerHost = max(configuration.retries.budgetPerHost, retries)
        }
        if let maxConnections {
            guard (1...64).contains(maxConnections) else {
                throw CommandFailure(.usage, "--max-connections \(maxConnections) is not between 1 and 64")
            }
            configuration.maximumConnectionsPerHost = maxConnections
        }
        configuration.memory = try limits.memory()
        if let cache, !noCache, Self.namesServer(cache) {
            configuration.store = try Self.sharedStore(cache)
        } else {
            configuration.cacheFolder = try folder(of: cache)
        }
        configuration.isOffline = offline
        for text in header { configuration.headers.append(try HeaderField.read(text)) }
        for host in allowHost { configuration.addressPolicy.allowedHosts.insert(try AllowedHost.read(host)) }
        for folder in allowFolder { configuration.addressPolicy.allowedFolders.insert(FileAddress.path(of: folder)) }
        if let userAgent { configuration.userAgent = userAgent }
        try connect(&configuration)
        RunSecrets.learn(configuration.secrets)
        return configuration
    }

    /// The options of the connection itself: who asks, by which proxy, and who is trusted.
    private func connect(_ configuration: inout RendererConfiguration) throws(CommandFailure) {
        for text in user {
            let (host, credential) = try HostCredential.read(text)
            configuration.credentials[host] = credential
        }
        if let proxy { configuration.connection.proxy = try Self.proxy(proxy) }
        if key != nil, cert == nil { throw CommandFailure(.usage, "--key goes with --cert; give that too") }
        for (option, file) in [("--cacert", cacert), ("--cert", cert), ("--key", key)] {
            if let file, !FileManager.default.isReadableFile(atPath: file) {
                throw CommandFailure(.noInput, "\(option) \(file): there is no such file, or it cannot be read")
            }
        }
        configuration.connection.certificateAuthorityFile = cacert
        configuration.connection.clientCertificate = cert.map { .init(file: $0, keyFile: key) }
        configuration.connection.allowsInsecureServers = insecure
    }

    private static func proxy(_ text: String) throws(CommandFailure) -> ConnectionSettings.Proxy {
        if text == "none" { return .direct }
        let schemes = ["http", "https", "socks5", "socks5h"]
        guard let parts = URLParts(text), schemes.contains(parts.scheme), !parts.host.isEmpty else {
            throw CommandFailure(
                .usage,
                "--proxy \(FetchError.redacted(text)) is not 'none' or an address like http://proxy.example:3128")
        }
        return .url(text)
    }

    private static func sharedStore(_ url: String) throws(CommandFailure) -> RedisStore {
        guard RedisStore.isSupported else {
            throw CommandFailure(
                .usage,
                "--cache \(FetchError.redacted(url)): this portolan was built without the trait Redis; install libhiredis-dev "
                    + "and build with --traits Redis, or name a folder")
        }
        do { return try RedisStore(url: url) } catch {
            throw CommandFailure(.usage, "--cache \(FetchError.redacted(url)): \(error.detail)")
        }
    }

    private func folder(of cache: String?) throws(CommandFailure) -> String? {
        guard !noCache else {
            if cache != nil { throw CommandFailure(.usage, "give only one of --cache and --no-cache") }
            if offline { throw CommandFailure(.usage, "--offline draws from the cache, which --no-cache rules out") }
            return nil
        }
        guard let cache else {
            guard CacheFolder.isBuiltIn || !offline else {
                throw CommandFailure(
                    .usage,
                    "--offline draws from the cache, which this portolan was built without; install libsqlite3-dev and build "
                        + "with --traits Storage")
            }
            // A cache that nobody asked for is no reason for a warning.
            return CacheFolder.isBuiltIn ? CacheFolder.standard : nil
        }
        guard !cache.isEmpty else { throw CommandFailure(.usage, "the folder of --cache has no name") }
        return cache
    }
}

/// Where the cache is when nobody says.
package enum CacheFolder {
    /// Whether this program has a cache on disk: on Linux with the trait `Storage`, elsewhere always.
    static var isBuiltIn: Bool {
        #if Storage || canImport(Darwin)
        true
        #else
        false
        #endif
    }

    /// The folder for this user, or `nil` when the system names none.
    static var standard: String? { standard(in: ProcessInfo.processInfo.environment) }

    /// The same of an environment: `portolan` in `$XDG_CACHE_HOME`, which counts only if it is absolute (XDG Base Directory
    /// Specification 0.8), else in the home folder's `.cache`, on Apple platforms in its `Library/Caches`.
    package static func standard(in environment: [String: String]) -> String? {
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/portolan" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        #if canImport(Darwin)
        return home + "/Library/Caches/portolan"
        #else
        return home + "/.cache/portolan"
        #endif
    }
}

/// The form in which a host is given that documents may lead to.
package enum AllowedHost {
    /// Reads one.
    package static func read(_ text: String) throws(CommandFailure) -> String {
        let host = text.lowercased(), name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        guard !name.isEmpty, !name.contains("*"), URLParts("http://\(name)/")?.host == name else {
            throw CommandFailure(
                .usage, "--allow-host '\(text)': name the host alone, without scheme and port, or *.DOMAIN")
        }
        return host
    }
}

/// The form in which header fields are given: `Name: value`, `HOST|Name: value` for one host, `*|Name: value` for all.
package enum HeaderField {
    /// Reads one field.
    package static func read(_ text: String) throws(CommandFailure) -> RendererConfiguration.HostHeader {
        var rest = text[...]
        var host: String?
        if let bar = rest.firstIndex(of: "|") {
            let prefix = rest[..<bar]
            let parts = prefix.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2, let port = parts.last, !port.isEmpty, port.allSatisfy(\.isWholeNumber) {
                throw CommandFailure(
                    .usage, "--header '\(text)': name the host without its port, as in '\(parts[0])|Name: value'")
            }
            // A bar may stand in a value too, but then a colon comes before it.
            if parts.count == 1 || prefix.hasPrefix("[") && prefix.hasSuffix("]") {
                host = String(prefix)
                rest = rest[rest.index(after: bar)...]
            }
        }
        guard host != "", let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--header '\(text)' is not of the form 'Name: value' or 'HOST|Name: value'")
        }
        var value = rest[rest.index(after: colon)...]
        while value.first == " " || value.first == "\t" { value.removeFirst() }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        let header = HTTPHeader(name: String(rest[..<colon]), value: String(value))
        if let fault = header.syntaxFault { throw CommandFailure(.usage, "--header '\(text)': \(fault)") }
        return host == "*" ? .init(hosts: .all, header: header) : .init(host: host, header: header)
    }
}

/// The form in which a name and a password are given: `HOST|NAME:PASSWORD`.
package enum HostCredential {
    /// Reads one; what is said about a wrong one does not show it.
    package static func read(_ text: String) throws(CommandFailure) -> (host: String, credential: Credential) {
        guard let bar = text.firstIndex(of: "|") else {
            throw CommandFailure(.usage, "--user is not of the form 'HOST|NAME:PASSWORD': it names no host")
        }
        let host = text[..<bar].lowercased()
        guard URLParts("http://\(host)/")?.host == host, !host.isEmpty else {
            throw CommandFailure(.usage, "--user '\(host)|…': name the host alone, without scheme and port")
        }
        let rest = text[text.index(after: bar)...]
        guard let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--user '\(host)|…' is not of the form 'HOST|NAME:PASSWORD'")
        }
        return (host, .basic(name: String(rest[..<colon]), password: String(rest[rest.index(after: colon)...])))
    }
}

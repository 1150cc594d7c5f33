import ArgumentParser
import Foundation
package import Portolan
import PortolanRaster
import PortolanRedis
import PortolanWeb

/// The options of network access.
package struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Cache responses in this folder, at most 512 MiB, or at redis://HOST:PORT/N (default: 'portolan' in the "
                + "user's cache folder).", valueName: "dir|url"))
    var cache: String?

    @Flag(help: "Do not use the disk cache.")
    var noCache = false

    @Flag(help: "Send no requests. Draw from the cache, even if it is out of date.")
    var offline = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Limit a transfer, with its retries, to N seconds (default: 60).", valueName: "n"))
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Retry a failed request at most N times, 0 to 20 (default: 2).", valueName: "n"))
    var retries: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Limit simultaneous transfers per host to N, 1 to 64 (default: 6).", valueName: "n"))
    var maxConnections: Int?

    @OptionGroup var limits: LimitOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Send 'Name: value' to the hosts of the layers, 'HOST|Name: value' to one host, '*|Name: value' to all "
                + "hosts. Repeatable.", valueName: "header"))
    var header: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Let remote documents refer to this host (*.corp.example). Repeatable.",
            valueName: "host"))
    var allowHost: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Allow local documents to refer to files in this folder. Repeatable.", valueName: "dir"))
    var allowFolder: [String] = []

    @Option(help: ArgumentHelp("Send this User-Agent header.", valueName: "text"))
    var userAgent: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Log in to a host: 'HOST|NAME:PASSWORD'. Repeatable.", valueName: "login"))
    var user: [String] = []

    @Option(
        help: ArgumentHelp(
            "Use this proxy, or 'none' (default: http_proxy, https_proxy, no_proxy).", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Trust the authorities in this PEM file, not those of the system.", valueName: "file"))
    var cacert: String?

    @Option(help: ArgumentHelp("Send the client certificate in this PEM file.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("Read the key of --cert from this PEM file.", valueName: "file"))
    var key: String?

    @Flag(help: "Accept any server certificate. For tests on your own network only.")
    var insecure = false

    /// The time limit for all resources of a picture.
    func pictureTime() throws(CommandFailure) -> Duration {
        try limits.time() ?? .seconds(120)
    }

    package init() {}

    /// Whether a limit of connections per host is given.
    package var limitsConnections: Bool { maxConnections != nil }

    /// Whether a cache is a shared server, not a folder.
    package static func namesServer(_ cache: String) -> Bool {
        let schemes = ["redis", "rediss", "valkey", "valkeys", "unix", "redis+unix"]
        return schemes.contains { cache.hasPrefix($0 + "://") }
    }

    /// The configuration of the renderer and the service client.
    ///
    /// - Parameter usual: the default cache, or `nil` for that of the user.
    package func configuration(cache usual: String? = nil) throws(CommandFailure) -> RendererConfiguration {
        let cache = cache ?? (noCache ? nil : usual)
        var configuration = RendererConfiguration.command
        if let timeout {
            guard (0.001...86_400).contains(timeout) else {
                throw CommandFailure(.usage, "--timeout \(timeout): must be between 0.001 and 86400 seconds")
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
                throw CommandFailure(.usage, "--retries \(retries): must be between 0 and 20")
            }
            configuration.retries.maximumCount = retries
            configuration.retries.budgetPerHost = max(configuration.retries.budgetPerHost, retries)
        }
        if let maxConnections {
            guard (1...64).contains(maxConnections) else {
                throw CommandFailure(.usage, "--max-connections \(maxConnections): must be between 1 and 64")
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

    /// The transport options: identification, proxy and trust.
    private func connect(_ configuration: inout RendererConfiguration) throws(CommandFailure) {
        for text in user {
            let (host, credential) = try HostCredential.read(text)
            configuration.credentials[host] = credential
        }
        if let proxy { configuration.connection.proxy = try Self.proxy(proxy) }
        if key != nil, cert == nil { throw CommandFailure(.usage, "--key needs --cert; add --cert or remove --key") }
        for (option, file) in [("--cacert", cacert), ("--cert", cert), ("--key", key)] {
            if let file, !FileManager.default.isReadableFile(atPath: file) {
                throw CommandFailure(.noInput, "\(option) \(file): no such file, or no permission to read it")
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
                "--proxy \(FetchError.redacted(text)): must be 'none' or a URL like http://proxy.example:3128")
        }
        return .url(text)
    }

    private static func sharedStore(_ url: String) throws(CommandFailure) -> RedisStore {
        guard RedisStore.isSupported else {
            throw CommandFailure(
                .usage,
                "--cache \(FetchError.redacted(url)): this build has no Redis support; install libhiredis-dev "
                    + "and build with --traits Redis, or use a folder")
        }
        do { return try RedisStore(url: url) } catch {
            throw CommandFailure(.usage, "--cache \(FetchError.redacted(url)): \(error.detail)")
        }
    }

    private func folder(of cache: String?) throws(CommandFailure) -> String? {
        guard !noCache else {
            if cache != nil { throw CommandFailure(.usage, "--cache and --no-cache cannot be combined; remove one") }
            if offline { throw CommandFailure(.usage, "--offline needs the cache; remove --no-cache") }
            return nil
        }
        guard let cache else {
            guard CacheFolder.isBuiltIn || !offline else {
                throw CommandFailure(
                    .usage,
                    "--offline needs the disk cache, which this build does not have; install libsqlite3-dev and build "
                        + "with --traits Storage")
            }
            // No warning about a default cache.
            return CacheFolder.isBuiltIn ? CacheFolder.standard : nil
        }
        guard !cache.isEmpty else { throw CommandFailure(.usage, "--cache: empty folder name") }
        return cache
    }
}

/// The default cache folder.
package enum CacheFolder {
    /// Whether this build has a disk cache: on Linux with the trait `Storage`, elsewhere always.
    static var isBuiltIn: Bool {
        #if Storage || canImport(Darwin)
        true
        #else
        false
        #endif
    }

    /// The folder for this user, or `nil` if the system has none.
    static var standard: String? { standard(in: ProcessInfo.processInfo.environment) }

    /// The folder for an environment: `portolan` in `$XDG_CACHE_HOME`, which counts only if it is absolute (XDG Base Directory
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

/// The value of `--allow-host`.
package enum AllowedHost {
    /// Reads a value.
    package static func read(_ text: String) throws(CommandFailure) -> String {
        let host = text.lowercased(), name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        guard !name.isEmpty, !name.contains("*"), URLParts("http://\(name)/")?.host == name else {
            throw CommandFailure(
                .usage, "--allow-host '\(text)': expected a host name without scheme and port, or *.DOMAIN")
        }
        return host
    }
}

/// The value of `--header`: `Name: value`, `HOST|Name: value` for one host, `*|Name: value` for all.
package enum HeaderField {
    /// Reads a value.
    package static func read(_ text: String) throws(CommandFailure) -> RendererConfiguration.HostHeader {
        var rest = text[...]
        var host: String?
        if let bar = rest.firstIndex(of: "|") {
            let prefix = rest[..<bar]
            let parts = prefix.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2, let port = parts.last, !port.isEmpty, port.allSatisfy(\.isWholeNumber) {
                throw CommandFailure(
                    .usage, "--header '\(text)': remove the port from the host, as in '\(parts[0])|Name: value'")
            }
            // A value may contain a bar, but only after a colon.
            if parts.count == 1 || prefix.hasPrefix("[") && prefix.hasSuffix("]") {
                host = String(prefix)
                rest = rest[rest.index(after: bar)...]
            }
        }
        guard host != "", let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--header '\(text)': expected 'Name: value' or 'HOST|Name: value'")
        }
        var value = rest[rest.index(after: colon)...]
        while value.first == " " || value.first == "\t" { value.removeFirst() }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        let header = HTTPHeader(name: String(rest[..<colon]), value: String(value))
        if let fault = header.syntaxFault { throw CommandFailure(.usage, "--header '\(text)': \(fault)") }
        return host == "*" ? .init(hosts: .all, header: header) : .init(host: host, header: header)
    }
}

/// The value of `--user`: `HOST|NAME:PASSWORD`.
package enum HostCredential {
    /// Reads a value.
    ///
    /// Errors do not show the password.
    package static func read(_ text: String) throws(CommandFailure) -> (host: String, credential: Credential) {
        guard let bar = text.firstIndex(of: "|") else {
            throw CommandFailure(.usage, "--user: missing host; expected 'HOST|NAME:PASSWORD'")
        }
        let host = text[..<bar].lowercased()
        guard URLParts("http://\(host)/")?.host == host, !host.isEmpty else {
            throw CommandFailure(.usage, "--user '\(host)|…': expected a host name without scheme and port")
        }
        let rest = text[text.index(after: bar)...]
        guard let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--user '\(host)|…': expected 'HOST|NAME:PASSWORD'")
        }
        return (host, .basic(name: String(rest[..<colon]), password: String(rest[rest.index(after: colon)...])))
    }
}

import ArgumentParser
import Portolan

/// The options that say how services are asked.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder in which answers of servers are kept, 512 MiB of them at the most (default: portolan in the user's "
                + "cache folder).", valueName: "dir"))
    var cache: String?

    @Flag(help: "Keep nothing on disk, and use nothing that is there.")
    var noCache = false

    @Flag(help: "Ask no server: what is not in the cache is missing, and what is out of date is drawn.")
    var offline = false

    @Option(parsing: .unconditional, help: "Seconds a transfer may take in all, 0.001 to 86400 (default: 60).")
    var timeout: Double?

    @Option(parsing: .unconditional, help: "Not supported yet: how often to try again.")
    var retries: Int?

    @Option(parsing: .unconditional, help: "Transfers at once to one host, 1 to 64 (default: 6).")
    var maxConnections: Int?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "'Name: value' to send to every host, or 'HOST|Name: value' to send to one; repeatable.",
            valueName: "[host|]name: value"))
    var header: [String] = []

    @Option(help: "What to send as User-Agent.")
    var userAgent: String?

    /// How the renderer and the client of services are to fetch.
    func configuration() throws(CommandFailure) -> RendererConfiguration {
        if retries != nil { throw .notSupportedYet("--retries") }
        var configuration = RendererConfiguration()
        // One picture is drawn and that is all: what it needs is pinned, and there is no next view to keep images for.
        configuration.imageCacheCapacity = nil
        if let timeout {
            guard (0.001...86_400).contains(timeout) else {
                throw CommandFailure(.usage, "--timeout \(timeout) is not between 0.001 and 86400 seconds")
            }
            let limit = Duration.seconds(timeout)
            configuration.timeouts.total = limit
            configuration.timeouts.connect = min(configuration.timeouts.connect, limit)
            configuration.timeouts.stall = limit
        }
        if let maxConnections {
            guard (1...64).contains(maxConnections) else {
                throw CommandFailure(.usage, "--max-connections \(maxConnections) is not between 1 and 64")
            }
            configuration.maximumConnectionsPerHost = maxConnections
        }
        configuration.cacheFolder = try cacheFolder()
        configuration.isOffline = offline
        for text in header { configuration.headers.append(try HeaderField.read(text)) }
        if let userAgent { configuration.userAgent = userAgent }
        return configuration
    }

    private func cacheFolder() throws(CommandFailure) -> String? {
        guard !noCache else {
            if cache != nil { throw CommandFailure(.usage, "give only one of --cache and --no-cache") }
            if offline { throw CommandFailure(.usage, "--offline draws from the cache, which --no-cache rules out") }
            return nil
        }
        guard let cache else { return CacheFolder.standard }
        guard !cache.isEmpty else { throw CommandFailure(.usage, "the folder of --cache has no name") }
        return cache
    }
}

import ArgumentParser
import Portolan

/// The options that say how services are asked.
struct NetworkOptions: ParsableArguments {
    @Option(help: "Not supported yet: the folder of the tile cache.")
    var cache: String?

    @Flag(help: "Keep nothing on disk (nothing is kept yet).")
    var noCache = false

    @Flag(help: "Not supported yet: ask no server.")
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
        if cache != nil { throw .notSupportedYet("--cache") }
        if offline { throw .notSupportedYet("--offline") }
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
        for text in header { configuration.headers.append(try HeaderField.read(text)) }
        if let userAgent { configuration.userAgent = userAgent }
        return configuration
    }
}

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

    @Option(help: "Seconds a transfer may take in all (default: 60).")
    var timeout: Double?

    @Option(help: "Not supported yet: how often to try again.")
    var retries: Int?

    @Option(help: "Transfers at once to one host, 1 to 64 (default: 6).")
    var maxConnections: Int?

    @Option(help: "'Name: value' to send to every host, or 'HOST|Name: value' to send to one; repeatable.")
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
            guard timeout > 0, timeout <= 86_400 else {
                throw CommandFailure(.usage, "--timeout \(timeout) is not between 0 and 86400 seconds")
            }
            let limit = Duration.seconds(timeout)
            configuration.timeouts.total = limit
            configuration.timeouts.connect = min(configuration.timeouts.connect, limit)
            configuration.timeouts.stall = min(configuration.timeouts.stall, limit)
        }
        if let maxConnections {
            guard (1...64).contains(maxConnections) else {
                throw CommandFailure(.usage, "--max-connections \(maxConnections) is not between 1 and 64")
            }
            configuration.maximumConnectionsPerHost = maxConnections
        }
        for text in header { configuration.headers.append(try Self.field(text)) }
        if let userAgent { configuration.userAgent = userAgent }
        return configuration
    }

    private static func field(_ text: String) throws(CommandFailure) -> RendererConfiguration.HostHeader {
        var rest = text[...]
        var host: String?
        if let bar = rest.firstIndex(of: "|"), rest[..<bar].allSatisfy({ $0 != ":" || $0.isNumber }) {
            host = String(rest[..<bar])
            rest = rest[rest.index(after: bar)...]
        }
        guard let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--header '\(text)' is not of the form 'Name: value' or 'HOST|Name: value'")
        }
        let value = rest[rest.index(after: colon)...].drop { $0 == " " }
        return .init(host: host, header: HTTPHeader(name: String(rest[..<colon]), value: String(value)))
    }
}
